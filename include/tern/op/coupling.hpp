// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

/// The number formats of streams. Recipes: docs/numerics.md.
enum class stream_kind {
  fixed_point,  ///< integers as wide as the element, stored in its bits; sums wrap around
  grid,         ///< multiples of a step; sums that leave the range become NaN for good
  drifting      ///< real numbers; sums are rounded, so an inverse is approximate
};

/// The name of the format, for messages and reports.
TERN_FN constexpr const char* name(stream_kind s) {
  switch (s) {
    case stream_kind::fixed_point: return "fixed_point";
    case stream_kind::grid: return "grid";
    case stream_kind::drifting: return "drifting";
  }
  return "?";
}

/// Configuration of a coupling: its stream. Every field has a default.
struct coupling_config {
  stream_kind stream = stream_kind::fixed_point;  ///< its number format
  int bits = 0;  ///< fraction bits: steps are 2^-bits. 0 means half of the element's bits: 16 of a fixed-point stream
                 ///< and 12 of a grid in float, 32 and 26 in double. A drifting stream has no step

  friend TERN_FN constexpr bool operator==(const coupling_config&, const coupling_config&) = default;
};

/// y = x + f, the step of a reversible block (Dinh, Krueger and Bengio 2014, arXiv 1410.8516). Sums of the stream x are
/// exact, so x = y - f recovers the same bits: no activation is stored, at any depth. Integers for that purpose:
/// Maclaurin, Duvenaud and Adams 2015, arXiv 1502.03492, and Hoogeboom et al. 2019, arXiv 1905.07376.
///
/// f is rounded to whole steps of the stream first. Gradients pass straight through the rounding, so there is no
/// backward pass: dx = df = dy.
///
/// The elements of a fixed-point stream have the type T but hold the bits of an integer: ops that move them keep them,
/// arithmetic does not. In float a fixed-point stream holds magnitudes below 2^(31 - bits), a grid below 2^(24 - bits);
/// in double 2^(63 - bits) and 2^(53 - bits).
///
/// Tensors are (n, channels, spatial...) with up to three spatial axes and in any layout; rows of a matrix are samples.
template <coupling_config C = coupling_config{}, element T = float>
struct coupling {
  using op_type = coupling;
  using value_type = T;
  static constexpr coupling_config config = C;
  static constexpr const char* name = "coupling";

  /// Steps of the stream are 2^-bits, from the config or its default.
  static constexpr int bits = C.bits != 0                            ? C.bits
                              : C.stream == stream_kind::fixed_point ? static_cast<int>(sizeof(T)) * 4
                              : C.stream == stream_kind::grid        ? (sizeof(T) == 8 ? 26 : 12)
                                                                     : 0;

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const coupling_config& c = C) {
    const auto within = [&](int most) { return c.bits == 0 || (c.bits >= 1 && c.bits <= most); };
    if (c.stream == stream_kind::fixed_point && !within(sizeof(T) == 8 ? 62 : 30))
      return ".bits of a fixed-point stream must be 0 for the default, or from 1 to 30, in double to 62";
    if (c.stream == stream_kind::grid && !within(sizeof(T) == 8 ? 51 : 22))
      return ".bits of a grid must be 0 for the default, or from 1 to 22, in double to 51";
    if (c.stream == stream_kind::drifting && c.bits != 0)
      return ".bits of a drifting stream must be 0: it has no step";
    return nullptr;
  }
};

}  // namespace tern
