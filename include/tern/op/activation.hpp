// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"

namespace tern {

/// The function at the end of an epilogue.
enum class activation {
  none,     ///< x
  relu,     ///< 0 > x ? 0 : x, which keeps NaN
  sigmoid,  ///< 1 / (1 + exp(-x))
  tanh,     ///< hyperbolic tangent
  gelu,     ///< x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel 2016, arXiv 1606.08415)
  silu      ///< x * sigmoid(x)
};

TERN_FN constexpr const char* name(activation a) {
  switch (a) {
    case activation::none: return "none";
    case activation::relu: return "relu";
    case activation::sigmoid: return "sigmoid";
    case activation::tanh: return "tanh";
    case activation::gelu: return "gelu";
    case activation::silu: return "silu";
  }
  return "?";
}

}  // namespace tern
