// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/config_rules.hpp"

namespace tern {

/// Configuration of an elementwise op, an epilogue without a sum. Every field has a default.
struct elementwise_config {
  bool scale = false;                 ///< every element is multiplied by a number
  bool bias = false;                  ///< a number is added
  bool residual = false;              ///< a tensor of y's shape is added
  activation act = activation::none;  ///< applied last

  friend TERN_FN constexpr bool operator==(const elementwise_config&, const elementwise_config&) = default;

  /// True if these steps followed by those of `next` form one op: each once, in order.
  TERN_FN constexpr bool precedes(const elementwise_config& next) const {
    const bool any_act = act != activation::none, any_residual = any_act || residual, any_bias = any_residual || bias;
    return !(next.scale && (any_bias || scale)) && !(next.bias && any_bias) && !(next.residual && any_residual) &&
           !(next.act != activation::none && any_act);
  }
  TERN_FN constexpr elementwise_config with(const elementwise_config& next) const {
    return {scale || next.scale, bias || next.bias, residual || next.residual,
            act != activation::none ? act : next.act};
  }
};

/// y = act(x scale + bias + residual): activations, residual additions, scales of channels (squeeze and excitation,
/// layer scale), normalisation with known statistics. Steps and order are those of an epilogue (docs/numerics.md, rule
/// 4): fusing the op into a contraction gives the bits of the contraction followed by the op.
///
/// x is (n, channels, spatial...) with up to three spatial axes and in any layout; rows of a matrix are samples.
///
/// \tparam C  the steps
/// \tparam T  elements of every tensor
///
/// Derive from it to give an op a short name in errors and reports.
template <elementwise_config C = elementwise_config{}, element T = float>
struct elementwise {
  using op_type = elementwise;
  using value_type = T;
  static constexpr elementwise_config config = C;
  static constexpr const char* name = "elementwise";

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const elementwise_config& c = C) { return detail::broken_config(c); }
};

}  // namespace tern
