// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

/// Functions of two tensors, place by place. Recipes: docs/numerics.md.
enum class binary_kind {
  subtract,  ///< a - b
  divide,    ///< a / b
  maximum,   ///< the larger one; NaN where one is NaN
  minimum    ///< the smaller one; NaN where one is NaN
};

/// The name of the kind, for messages and reports.
TERN_FN constexpr const char* name(binary_kind k) {
  switch (k) {
    case binary_kind::subtract: return "subtract";
    case binary_kind::divide: return "divide";
    case binary_kind::maximum: return "maximum";
    case binary_kind::minimum: return "minimum";
  }
  return "?";
}

/// Configuration of a function of two tensors.
struct binary_config {
  binary_kind kind = binary_kind::subtract;  ///< or divide, maximum, minimum

  friend TERN_FN constexpr bool operator==(const binary_config&, const binary_config&) = default;
};

/// y = a - b, a / b, max(a, b) or min(a, b) of two tensors of one shape. Sums are an elementwise op with a residual,
/// products one with a scale.
///
/// Tensors are (n, channels, spatial...) with up to three spatial axes and in any layout; rows of a matrix are samples.
template <binary_config C = binary_config{}, element T = float>
struct binary {
  using op_type = binary;
  using value_type = T;
  static constexpr binary_config config = C;
  static constexpr const char* name = tern::name(C.kind);
};
template <element T = float>
using subtract = binary<binary_config{.kind = binary_kind::subtract}, T>;
template <element T = float>
using divide = binary<binary_config{.kind = binary_kind::divide}, T>;
template <element T = float>
using maximum = binary<binary_config{.kind = binary_kind::maximum}, T>;
template <element T = float>
using minimum = binary<binary_config{.kind = binary_kind::minimum}, T>;

}  // namespace tern
