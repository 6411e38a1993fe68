// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of an image within reach of windows.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/op/window.hpp"

namespace tern::inline TERN_ISA {

/// The contiguous rows of an image, counted over samples, z and y, that neighbouring rows of another image need.
/// \param here   depth and height of the image that needs them
/// \param there  depth and height of the image that has them
/// \param from   from(axis, index): the range that an index along an axis needs, monotone
template <class From>
constexpr tile_range rows_needed(const window_axis (&a)[3], const tile_range& rows, const index_t (&here)[2],
                                 const index_t (&there)[2], From from) {
  if (rows.size() == 0) return {};
  const index_t first = rows.first, last = rows.last - 1, p0 = first / here[1], p1 = last / here[1];  // planes
  const bool planes = p0 != p1 && here[0] > 1;  // any of their rows may be needed
  const index_t y0 = planes ? 0 : from(a[1], first % here[1]).first,
                y1 = planes ? there[1] : from(a[1], last % here[1]).last;
  const tile_range r{(p0 / here[0] * there[0] + from(a[0], p0 % here[0]).first) * there[1] + y0,
                     (p1 / here[0] * there[0] + from(a[0], p1 % here[0]).last - 1) * there[1] + y1};
  return {r.first, r.last < r.first ? r.first : r.last};
}

/// The rows that the windows of some neighbouring rows of results reach.
constexpr tile_range rows_reached(const window_axis (&a)[3], const tile_range& results) {
  return rows_needed(a, results, {a[0].out, a[1].out}, {a[0].in, a[1].in}, [](const window_axis& axis, index_t p) {
    const auto clip = [&axis](index_t i) { return i < 0 ? 0 : i > axis.in ? axis.in : i; };
    return tile_range{clip(axis.input(p, 0)), clip(axis.input(p, 0) + axis.reach())};
  });
}
/// The rows of results whose windows overlap some neighbouring rows of inputs.
constexpr tile_range rows_over(const window_axis (&a)[3], const tile_range& inputs) {
  return rows_needed(a, inputs, {a[0].in, a[1].in}, {a[0].out, a[1].out}, [](const window_axis& axis, index_t i) {
    const window_axis::range over = axis.results_over(i, i + 1);
    return tile_range{over.first < axis.out ? over.first : axis.out, over.last};
  });
}

}  // namespace tern::inline TERN_ISA
