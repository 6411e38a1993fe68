// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Problems of reductions and maps, for tern and peers.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>

#include "bench/harness/operands.hpp"
#include "bench/harness/problem.hpp"
#include "tests/support/variants.hpp"

namespace tern::bench {

inline constexpr double norm_epsilon = 1e-5;
inline constexpr double dropped = 0.1;  ///< the probability
inline constexpr std::uint32_t drop_seed = 1, drop_step = 2, drop_site = 3;
inline constexpr double adam_rate = 1e-3, adam_beta1 = 0.9, adam_beta2 = 0.999, adam_epsilon = 1e-8;

/// The tensors of a call, as operands has them.
template <class T>
struct moving_tensors {
  const T *left, *right, *parameters, *residual;
  T* out;
};
inline moving_tensors<float> tensors_of(const operands& x) {
  return {x.left<float>(), x.right<float>(), x.bias<float>(), x.residual<float>(), x.out<float>()};
}

/// The classes of a cross-entropy.
inline std::shared_ptr<buffer> targets_of(const memory_bound_op& m) {
  const auto b = std::make_shared<buffer>(m.batch * 4);
  for (index_t i = 0; i < m.batch; ++i) b->as<std::int32_t>()[i] = static_cast<std::int32_t>(i * 7919 % m.channels);
  return b;
}

/// The tensors that a first step of Adam changes: parameters, mean and square, which is not negative.
template <class T>
void restart_adam(index_t n, const T* start, T* state) {
  for (index_t i = 0; i < 2 * n; ++i) state[i] = start[i];
  for (index_t i = 2 * n; i < 3 * n; ++i) state[i] = std::abs(start[i]);
}

}  // namespace tern::bench
