// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of convolutions on tiles, distributed like tensors (exec/mimd/spread_tensor.hpp).
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/mimd/copier.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_tensor.hpp"
#include "tern/family/contraction/convolution.hpp"

namespace tern::inline TERN_ISA {

/// Weights (group, tap, input channel, output channel) that are spread over tiles.
struct spread_filters {
  spread_elements elements;
  index_t taps = 0, in = 0, out = 0;

  constexpr index_t at(index_t g, index_t t, index_t c, index_t o) const { return ((g * taps + t) * in + c) * out + o; }

  /// Streams in the part of one tile.
  template <class T>
  void load(const filters<const T>& from, const conv_shape& s, index_t tile, copier& copies) const {
    constexpr index_t size = sizeof(T);
    const tile_range mine = elements.on(tile);
    for (index_t i = mine.first, columns; i < mine.last; i += columns) {
      const index_t o = i % out, c = i / out % in, t = i / out / in % taps, g = i / out / in / taps;
      const index_t kx = s.axis[2].kernel, ky = s.axis[1].kernel, room = from.block - o % from.block;
      columns = out - o < room ? out - o : room;
      if (mine.last - i < columns) columns = mine.last - i;
      copies({.from = location::at(from.at(t / kx / ky, t / kx % ky, t % kx, g, c, o), 0, from.out * size),
              .to = location::on(tile, elements.offset + (i - mine.first) * size, 0, size),
              .columns = columns,
              .element_bytes = size});
    }
  }

  /// Gathers taps, input and output channels of some groups, dense in this order, at byte `to`.
  template <class T>
  void gather(const tile_range& groups, const tile_range& tap_range, const tile_range& c, const tile_range& o,
              index_t to, const spread_receivers& who, copier& copies) const {
    for (index_t g = groups.first; g < groups.last; ++g)
      for (index_t t = tap_range.first; t < tap_range.last; ++t) {
        gather_runs(elements, sizeof(T), at(g, t, c.first, o.first), c.size(), out, o.size(), to, who, copies);
        to += c.size() * o.size() * static_cast<index_t>(sizeof(T));
      }
  }
};

}  // namespace tern::inline TERN_ISA
