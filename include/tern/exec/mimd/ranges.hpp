// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of indices, cut into parts for tiles and steps.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/mimd/cycles.hpp"

namespace tern::inline TERN_ISA {

/// Indices [first, last).
struct tile_range {
  index_t first = 0, last = 0;

  constexpr index_t size() const { return last - first; }
};

/// Part p of [0, size), cut into nearly equal parts at multiples of `unit`; later parts are the larger ones.
constexpr tile_range part_of(index_t size, index_t unit, index_t parts, index_t p) {
  if (parts == 1) return {0, size};  // avoids divisions, which would be noticeable in a short call
  const index_t units = tile_cycles::ceil_div(size, unit);
  const index_t first = units * p / parts * unit, last = units * (p + 1) / parts * unit;
  return {first < size ? first : size, last < size ? last : size};
}

/// The size of the largest of these parts.
constexpr index_t largest_part(index_t size, index_t unit, index_t parts) {
  if (parts == 1) return size;
  const index_t units = tile_cycles::ceil_div(size, unit), most = tile_cycles::ceil_div(units, parts);
  const bool last_alone = units % parts == 1;  // only the last part has `most` units, and `size` clips it
  return last_alone ? most * unit - (units * unit - size) : most * unit;
}

}  // namespace tern::inline TERN_ISA
