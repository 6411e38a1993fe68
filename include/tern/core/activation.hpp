// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/real_constant.hpp"

namespace tern {

/// The activation of an epilogue, or an op of its own: `.act = tern::activation::relu`, `.act = tern::leaky_relu(0.1)`.
/// Definitions, bits and errors: docs/elementary-functions.md.
struct activation {
  // unsigned char has the alignment of real_constant, and so leaves no hole (core/real_constant.hpp). New functions go
  // last, so that the others keep their numbers.
  enum function : unsigned char {
    none,          ///< x
    relu,          ///< 0 > x ? 0 : x, which keeps NaN
    sigmoid,       ///< 1 / (1 + exp(-x))
    tanh,          ///< hyperbolic tangent
    gelu,          ///< x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel 2016, arXiv 1606.08415)
    silu,          ///< x * sigmoid(x)
    gelu_tanh,     ///< x * (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2, the approximation of the same paper
    leaky_relu,    ///< x > 0 ? x : slope * x; the default slope is 0.01
    elu,           ///< x > 0 ? x : slope * (exp(x) - 1); the default slope is 1 (arXiv 1511.07289)
    selu,          ///< elu with slope 1.6733, times 1.0507 (Klambauer et al. 2017, arXiv 1706.02515)
    hard_sigmoid,  ///< min(max(x + 3, 0), 6) / 6 (Howard et al. 2019, arXiv 1905.02244)
    hard_swish,    ///< x * hard_sigmoid(x)
    softplus,      ///< log(1 + exp(x))
    mish,          ///< x * tanh(softplus(x)) (Misra 2019, arXiv 1908.08681)
    prelu,         ///< x > 0 ? x : slope * x with a tensor of slopes (He et al. 2015, arXiv 1502.01852)
    relu6          ///< min(max(x, 0), 6) (Howard et al. 2017, arXiv 1704.04861)
  };

  function kind = none;
  real_constant slope = 1;  ///< rounded to the element type

  TERN_FN constexpr activation() {}
  // NOLINT: converts implicitly
  TERN_FN constexpr activation(function f) : kind(f), slope(f == leaky_relu ? 0.01 : 1) {}
  TERN_FN constexpr activation(function f, real_constant of_slope) : kind(f), slope(of_slope) {}

  friend TERN_FN constexpr bool operator==(const activation&, const activation&) = default;

  /// True if the slope is finite and at least 0, so that results have the signs of their arguments.
  TERN_FN constexpr bool slope_is_valid() const { return slope >= 0 && slope < 1e30; }
  /// True if its slopes are an operand of the call.
  TERN_FN constexpr bool takes_slope() const { return kind == prelu; }
};

/// Activations with a slope, which must be at least 0.
TERN_FN constexpr activation leaky_relu(double slope) { return {activation::leaky_relu, slope}; }
TERN_FN constexpr activation elu(double slope) { return {activation::elu, slope}; }

/// The name of the function, for messages and reports.
TERN_FN constexpr const char* name(const activation& a) {
  switch (a.kind) {
    case activation::none: return "none";
    case activation::relu: return "relu";
    case activation::sigmoid: return "sigmoid";
    case activation::tanh: return "tanh";
    case activation::gelu: return "gelu";
    case activation::silu: return "silu";
    case activation::gelu_tanh: return "gelu_tanh";
    case activation::leaky_relu: return "leaky_relu";
    case activation::elu: return "elu";
    case activation::selu: return "selu";
    case activation::hard_sigmoid: return "hard_sigmoid";
    case activation::hard_swish: return "hard_swish";
    case activation::softplus: return "softplus";
    case activation::mish: return "mish";
    case activation::prelu: return "prelu";
    case activation::relu6: return "relu6";
  }
  return "?";
}

/// True if the derivative of an activation is computed from its result, which is available anyway; otherwise from its
/// argument.
TERN_FN constexpr bool derivative_from_result(const activation& a) {
  switch (a.kind) {
    case activation::gelu:
    case activation::silu:
    case activation::gelu_tanh:
    case activation::hard_swish:
    case activation::mish:
    case activation::prelu: return false;
    case activation::none:
    case activation::relu:
    case activation::sigmoid:
    case activation::tanh:
    case activation::leaky_relu:
    case activation::elu:
    case activation::selu:
    case activation::hard_sigmoid:
    case activation::softplus:
    case activation::relu6: return true;
  }
  return false;
}

}  // namespace tern
