// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/config_rules.hpp"

namespace tern {

/// Configuration of a matmul. Every field has a default; each size is static or `dynamic`.
struct matmul_config {
  index_t m = dynamic;    ///< rows of a and c
  index_t n = dynamic;    ///< columns of b and c
  index_t k = dynamic;    ///< columns of a, rows of b
  index_t batch = 1;      ///< number of independent products; if not 1, every matrix has a leading batch dimension
  bool bias = false;      ///< a vector of n elements is added to every row
  bool residual = false;  ///< a tensor of c's shape is added
  activation act = activation::none;  ///< applied last; prelu takes n slopes, one for every column

  friend TERN_FN constexpr bool operator==(const matmul_config&, const matmul_config&) = default;
};

/// Sizes of one call; `dynamic` if in the config.
struct matmul_sizes {
  index_t m = dynamic, n = dynamic, k = dynamic, batch = dynamic;
};

/// c = act(a b + bias + residual), with a of shape (m, k), b (k, n), c (m, n); each with a leading batch dimension if
/// `.batch` is not 1. Operands may be row-major, column-major (a transposed matrix is a layout) or strided.
///
/// \tparam C    sizes and epilogue
/// \tparam T    elements of a, b, c, bias, residual and slope
/// \tparam Acc  type of the accumulators
///
/// Derive from it to give an op a short name in errors and reports: `struct query : tern::matmul<cfg, float> {};`
template <matmul_config C = matmul_config{}, element T = float, element Acc = accumulator_t<T>>
struct matmul {
  using op_type = matmul;
  using value_type = T;
  using accumulator_type = Acc;
  static constexpr matmul_config config = C;
  static constexpr const char* name = "matmul";

  static_assert(std::is_same_v<Acc, accumulator_t<T>>,
                "matmul: the accumulator must be tern::accumulator_t of the element type");

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const matmul_config& c = C) { return detail::broken_config(c); }
};

}  // namespace tern
