// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

/// Configuration of a gated linear unit: GLU has sigmoid, ReGLU relu, GEGLU gelu, SwiGLU silu.
struct glu_config {
  activation act = activation::sigmoid;  ///< of the gate; no PReLU

  friend TERN_FN constexpr bool operator==(const glu_config&, const glu_config&) = default;
};

/// y = act(gate) x, the end of a gated linear unit (Dauphin et al. 2017, arXiv 1612.08083; Shazeer 2020, arXiv
/// 2002.05202). Gate and x are two tensors. If they are the halves of one tensor, take views of its halves with
/// tern::part.
///
/// Tensors are (n, channels, spatial...) with up to three spatial axes and in any layout; rows of a matrix are samples.
template <glu_config C = glu_config{}, element T = float>
struct glu {
  using op_type = glu;
  using value_type = T;
  static constexpr glu_config config = C;
  static constexpr const char* name = "glu";

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const glu_config& c = C) {
    return c.act.takes_slope() || !c.act.slope_is_valid()
               ? ".act must take no slopes, and its own must be at least 0 and finite"
               : nullptr;
  }
};
/// y = silu(gate) x (Shazeer 2020, arXiv 2002.05202).
template <element T = float>
using swiglu = glu<glu_config{.act = activation::silu}, T>;

}  // namespace tern
