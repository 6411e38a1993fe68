// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of random calls of norms. There are few configs: each step of a norm is compiled with and without.
#pragma once

#include <random>

#include "tern/kernel/norm.hpp"
#include "tests/driver/drawn_call.hpp"
#include "tests/driver/places.hpp"

namespace tern::test::inline TERN_ISA {

/// Calls whose tensors have at most `most` elements each, in `groups` groups of 1 to 5000 channels: no samples, one
/// position or many, chunks and blocks of a sum. Statistics that are inputs are those of x now and then.
call_rules norm_calls(std::mt19937& engine, double most, index_t groups = 1);
/// Calls of sums over any places.
call_rules norm_sums(std::mt19937& engine, double most);
/// Numbers of groups.
inline index_t some_groups(std::mt19937& engine) { return one_of(engine, {1, 1, 2, 3, 4, 32}); }
inline epsilon some_epsilon(std::mt19937& engine) { return {engine() % 2 == 0 ? 1e-5 : 0.5}; }

/// A norm, and its passes.
template <norm_kind K, norm_config C, class T>
struct norm_of {
  using op = normalization<K, C, T>;
  template <int Statistics>
  using values = declare::norm_pass<K, C, T, Statistics>;
  using of_x = declare::norm_backward_pass<K, C, T, declare::norm_gradients_of::x>;
  template <bool Shift>
  using of_weights = declare::norm_backward_pass<K, C, T, declare::norm_gradients_of::weights, false, Shift>;
  template <bool Adds, bool Shift>
  using gradients = declare::norm_backward_pass<K, C, T, declare::norm_gradients_of::all, Adds, Shift>;
};

constexpr declare::declaration without_extents(declare::declaration d) {
  d.extents = 0;
  return d;
}
/// A pass of a group norm with as many groups as its statistics have: one stands for all configs.
template <class Pass>
struct any_groups : Pass {
  static constexpr declare::declaration declared = without_extents(Pass::declared);

  template <bool Add, class... A>
  static auto problem(const char* op, const A&... a) {
    auto q = Pass::template problem<Add>(op, a...);
    q.shape.groups = impl::nth_tensor<declared.number_of("rstd")>(a...).extent(1);
    return q;
  }
};

/// All gradients, of which those of scale and shift are added.
template <class Pass>
struct adding_weights : adding<Pass> {
  template <bool, class... A>
  static auto problem(const char* op, const A&... a) {
    return Pass::template problem<false>(op, a...);
  }
};

}  // namespace tern::test::inline TERN_ISA
