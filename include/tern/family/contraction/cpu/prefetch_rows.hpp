// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands out of cache: the source rows to prefetch.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/cpu/fetcher.hpp"
#include "tern/exec/cpu/non_temporal.hpp"
#include "tern/family/contraction/convolution.hpp"

namespace tern::tile::inline TERN_ISA {

/// Finds the rows of images under the windows of rows [first, last), but not under earlier ones. Important above all
/// for groups, which read them one by one: hardware prefetchers do not foresee that.
template <class T>
void find_sources(const conv_shape& s, conv_pass pass, const image<const T>& from, index_t first, index_t last,
                  fetcher& to) {
  const bool forward = pass == conv_pass::forward;
  const window_axis& a = s.axis[1];
  const index_t height = forward ? a.out : a.in, sources = forward ? a.in : a.out,
                width = forward ? s.axis[2].in : s.axis[2].out;
  if (s.axis[0].out != 1 || s.axis[0].in != 1 || from.axis[1] != width * from.axis[2]) return;
  const auto after = [&](index_t y) {  // the last source of a window
    const index_t end = forward ? y * a.stride - a.pad + a.reach() : (y + a.pad) / a.stride + 1;
    return end < 0 ? 0 : end < sources ? end : sources;
  };
  for (index_t row = first, rows; row < last; row += rows) {
    const index_t n = row / height, y = row % height;
    rows = last - row < height - y ? last - row : height - y;
    const index_t begin = y == 0 ? 0 : after(y - 1), end = after(y + rows - 1);
    if (begin < end) to.add(from.at(n, 0, 0, begin, 0), (end - begin) * from.axis[1]);
  }
}

}  // namespace tern::tile::inline TERN_ISA
