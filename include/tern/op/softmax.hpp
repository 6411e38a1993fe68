// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

/// What a softmax computes. Every field has a default.
struct softmax_config {
  int axis = -1;      ///< that is summed over, counted from 0; negative ones from behind, as -1: the last one
  bool log = false;   ///< logarithms of the results
  bool mask = false;  ///< a tensor says which elements take part

  friend TERN_FN constexpr bool operator==(const softmax_config&, const softmax_config&) = default;

  /// The axis of a tensor of so many; out of range where there is none.
  TERN_FN constexpr int axis_of(int rank) const { return axis < 0 ? axis + rank : axis; }
};

/// y = exp(x) / sum of exp(x) along one axis, or its logarithm, without overflow. Elements that a mask leaves out count
/// as -infinity: they give 0, or -infinity. So does every element where nothing takes part.
///
/// x has two to five axes, in any layout. Canonical order: docs/numerics.md.
template <softmax_config C = softmax_config{}, element T = float>
struct softmax {
  using op_type = softmax;
  using value_type = T;
  static constexpr softmax_config config = C;
  static constexpr const char* name = C.log ? "log_softmax" : "softmax";

  static_assert(C.axis >= -5 && C.axis <= 4, "softmax: .axis must be between -5 and 4");
};

}  // namespace tern
