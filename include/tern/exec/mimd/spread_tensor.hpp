// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors on tiles, distributed evenly in the order of their elements, whatever the caller's layout. Neighbouring tiles
// of a plan hold neighbouring rows, so a window that reaches into another tile's part (the halo) is an exchange between
// two neighbours.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/mimd/copier.hpp"
#include "tern/exec/mimd/exchange.hpp"
#include "tern/exec/mimd/ranges.hpp"

namespace tern::inline TERN_ISA {

/// Elements [0, size) over some tiles, at byte `offset` of every arena.
struct spread_elements {
  index_t size = 0, tiles = 1;
  index_t offset = 0;

  constexpr index_t on_a_tile() const { return tile_cycles::ceil_div(size, tiles); }
  constexpr tile_range on(index_t tile) const { return part_of(size, 1, tiles, tile); }
  constexpr index_t tile_of(index_t element) const { return ((element + 1) * tiles - 1) / size; }

  /// Calls f(tile, offset in that tile's elements, elements before, count) for the pieces of [first, first + count).
  template <class F>
  constexpr void each_piece(index_t first, index_t count, F f) const {
    for (index_t at = first, end = first + count; at < end;) {
      const index_t tile = tile_of(at);
      const tile_range there = on(tile);
      const index_t piece = (there.last < end ? there.last : end) - at;
      f(tile, at - there.first, at - first, piece);
      at += piece;
    }
  }
};

/// A receiver, and the first two of the tiles that receive the same elements. The sender of a piece is charged once,
/// for the first receiver that does not hold the piece itself.
struct spread_receivers {
  index_t tile = 0, first = 0, second = 0;
  bool pairs = false;  ///< the neighbour (tile xor 1) receives the same

  constexpr bool charges(index_t holder) const { return tile == (holder == first ? second : first); }
  constexpr bool paired(index_t holder) const { return pairs && holder / 2 != tile / 2; }
};

/// Copies `rows` runs of `count` elements of `size` bytes, `step` apart in the spread tensor and dense in the
/// receiver's arena.
inline void gather_runs(const spread_elements& from, index_t size, index_t first, index_t rows, index_t step,
                        index_t count, index_t to, const spread_receivers& who, copier& copies) {
  if (count <= 0) return;
  const auto piece = [&](index_t holder, index_t at, index_t offset, index_t runs, index_t columns) {
    copies({.from = location::on(holder, from.offset + at * size, step * size, size),
            .to = location::on(who.tile, offset, count * size, size),
            .rows = runs,
            .columns = columns,
            .element_bytes = size,
            .charge_sender = who.charges(holder),
            .paired = who.paired(holder)});
  };
  for (index_t r = 0, fitting; r < rows; r += fitting) {  // as many at a time as one tile holds
    const index_t at = first + r * step, holder = from.tile_of(at), room = from.on(holder).last - at - count;
    fitting = room < 0 ? 1 : step > 0 && room / step + 1 < rows - r ? room / step + 1 : rows - r;
    if (room >= 0)
      piece(holder, at - from.on(holder).first, to + r * count * size, fitting, count);
    else
      from.each_piece(at, count, [&](index_t tile, index_t there, index_t before, index_t columns) {
        piece(tile, there, to + (r * count + before) * size, 1, columns);
      });
  }
}

/// A part of an image: samples, three axes, channels.
struct image_box {
  tile_range samples, axis[3], channels;

  constexpr index_t pixels() const { return samples.size() * axis[0].size() * axis[1].size() * axis[2].size(); }
  constexpr index_t size() const { return pixels() * channels.size(); }
};

/// The image of a box that is dense at p, channels last.
template <class T>
constexpr image<T> dense_image(T* p, const image_box& b) {
  image<T> i{.p = p};
  i.block = b.channels.size() > 0 ? b.channels.size() : 1;
  i.axis[2] = b.channels.size();
  i.axis[1] = i.axis[2] * b.axis[2].size();
  i.axis[0] = i.axis[1] * b.axis[1].size();
  i.sample = i.axis[0] * b.axis[0].size();
  return i;
}

template <class Image>
constexpr index_t element_bytes(const Image& i) {
  return sizeof(*i.p);
}
/// Distance between neighbouring channels.
template <class T>
constexpr index_t channel_step(const image<T>&) {
  return 1;
}
template <class T>
constexpr index_t channel_step(const scattered_image<T>& i) {
  return i.channel;
}

/// An image (sample, z, y, x, channel) that is spread over tiles.
struct spread_image {
  spread_elements elements;
  index_t extent[3] = {};
  index_t channels = 0;

  /// Streams in the part of one tile.
  template <class Image>
  void load(const Image& from, index_t tile, copier& copies) const {
    const tile_range mine = elements.on(tile);
    for (index_t at = mine.first; at < mine.last;) {
      const index_t c = at % channels, x = at / channels % extent[2], y = at / channels / extent[2] % extent[1],
                    z = at / channels / extent[2] / extent[1] % extent[0],
                    n = at / channels / extent[2] / extent[1] / extent[0];
      const index_t left = mine.last - at, row = extent[2] - x;
      const bool whole = c == 0 && left >= channels;  // pixels
      const index_t pixels = !whole ? 1 : left / channels < row ? left / channels : row;
      const index_t count = whole ? channels : left < channels - c ? left : channels - c;
      transfer(from, {{n, n + 1}, {{z, z + 1}, {y, y + 1}, {x, x + pixels}}, {c, c + count}}, tile,
               elements.offset + (at - mine.first) * element_bytes(from), copies,
               [](const location& host, const location& on) { return copy{.from = host, .to = on}; });
      at += pixels * count;
    }
  }

  /// Gathers a box, dense and channels last, at byte `to` of the receiver's arena.
  template <class T>
  void gather(const image_box& b, index_t to, const spread_receivers& who, copier& copies) const {
    const index_t x = b.axis[2].size(), c = b.channels.size(), y = b.axis[1].size();
    const bool whole_pixels = c == channels, whole_rows = whole_pixels && x == extent[2];
    for (index_t n = b.samples.first; n < b.samples.last; ++n)
      for (index_t z = b.axis[0].first; z < b.axis[0].last; ++z)
        for (index_t i = b.axis[1].first; i < b.axis[1].last; i += whole_rows ? y : 1) {
          const index_t first =
              (((n * extent[0] + z) * extent[1] + i) * extent[2] + b.axis[2].first) * channels + b.channels.first;
          const index_t rows = whole_pixels ? 1 : x;
          const index_t count = whole_rows ? y * x * c : whole_pixels ? x * c : c;
          gather_runs(elements, sizeof(T), first, rows, channels, count, to, who, copies);
          to += rows * count * static_cast<index_t>(sizeof(T));
        }
  }

  /// Copies between a box of the caller's image and dense elements, channels last, at byte `offset` of a tile; `make`
  /// sets the direction.
  template <class Image, class Make>
  static void transfer(const Image& i, const image_box& b, index_t tile, index_t offset, copier& copies, Make make) {
    const index_t size = element_bytes(i), all = b.channels.size();
    for (index_t n = b.samples.first; n < b.samples.last; ++n)
      for (index_t z = b.axis[0].first; z < b.axis[0].last; ++z)
        for (index_t y = b.axis[1].first; y < b.axis[1].last; ++y) {
          for (index_t c = b.channels.first, count; c < b.channels.last; c += count) {
            count = neighbours(i, c, b.channels.last - c);
            copy one = make(location::at(i.at(n, c, z, y, b.axis[2].first), i.axis[2] * size, channel_step(i) * size),
                            location::on(tile, offset + (c - b.channels.first) * size, all * size, size));
            one.rows = b.axis[2].size(), one.columns = count, one.element_bytes = size;
            copies(one);
          }
          offset += b.axis[2].size() * all * size;
        }
  }
};

}  // namespace tern::inline TERN_ISA
