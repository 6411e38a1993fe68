// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/config_rules.hpp"

namespace tern {

/// Configuration of a softmax. Every field has a default.
struct softmax_config {
  int axis = last;    ///< the axis of the sum, counted from 0, or from the end if negative; by default the last one
  bool log = false;   ///< computes logarithms of the results
  bool mask = false;  ///< a tensor selects the elements

  static constexpr int last = -1000;  ///< the value of .axis that means: not given

  friend TERN_FN constexpr bool operator==(const softmax_config&, const softmax_config&) = default;

  /// The index of the axis in a tensor of this rank; out of range if there is none.
  TERN_FN constexpr int axis_of(int rank) const { return axis == last ? rank - 1 : axis < 0 ? axis + rank : axis; }
};

/// y = exp(x) / sum of exp(x) along one axis, or its logarithm, without overflow. Masked elements count as -infinity:
/// they give 0, or -infinity. So does every element of a row without unmasked ones.
///
/// x has two to five axes, in any layout. Canonical order: docs/numerics.md.
template <softmax_config C = softmax_config{}, element T = float>
struct softmax {
  using op_type = softmax;
  using value_type = T;
  static constexpr softmax_config config = C;
  static constexpr const char* name = C.log ? "log_softmax" : "softmax";

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const softmax_config& c = C) { return detail::broken_config(c); }
};

}  // namespace tern
