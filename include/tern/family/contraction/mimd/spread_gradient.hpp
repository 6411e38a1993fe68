// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// conv_gradient on tiles with private memory only. A tile stores the rows of both images that its chunks need, in its
// channels.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_tensor.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/mimd/conv_partition.hpp"
#include "tern/family/contraction/mimd/spread_program.hpp"

namespace tern::inline TERN_ISA {

/// One call. Core is a tile::conv_gradient_core for T.
template <class Core, class T, bool Accumulate>
class spread_gradient : public spread_program<spread_gradient<Core, T, Accumulate>, T> {
  using program = spread_program<spread_gradient, T>;
  using program::l_, program::p_, program::size;

 public:
  static constexpr bool accumulates = Accumulate;

  spread_gradient(const conv_gradient<T, Accumulate>& q, const conv_plan& p) : program(p), q_(q) {
    const conv_shape& s = q.shape;
    const index_t tiles = p.tiles.count();
    x_ = {{elements_of_image(p.problem), tiles, l_.image}, {}, s.groups * s.in};
    dy_ = {{elements_of_other(p.problem), tiles, l_.other}, {}, s.groups * s.out};
    for (int r = 0; r < 3; ++r) x_.extent[r] = s.axis[r].in, dy_.extent[r] = s.axis[r].out;
  }

  void stream_in(index_t t, copier& copies) const {
    x_.load(q_.x, t, copies);
    dy_.load(q_.dy, t, copies);
  }
  void stream_results(const conv_split& at, const conv_split& s, index_t t, copier& copies) const {
    if (Accumulate && s[of_depth] == 0)
      transfer(at, s, t, copies, [](const location& host, const location& on) { return copy{.from = host, .to = on}; });
  }
  void stream_out(const conv_split& at, const conv_split& s, index_t t, copier& copies) const {
    transfer(at, s, t, copies, [](const location& host, const location& on) { return copy{.from = on, .to = host}; });
  }

  void gather(const conv_split& at, const conv_split& s, index_t t, copier& copies) const {
    const conv_shard x = p_.shard(at, s);
    const gradient_rows rows = rows_of_chunks(q_.shape, x.chunks);
    if (s[of_channel] == 0)
      gather_rows(x_, rows.x, x.groups, q_.shape.in, x.in, l_.image_work, this->receivers(at, t, {of_channel, of_tap}),
                  copies);
    gather_rows(dy_, rows.dy, x.groups, q_.shape.out, x.channels, l_.other_work,
                this->receivers(at, t, {of_in, of_tap}), copies);
  }

  /// Sums of every chunk, each to its own slot.
  void chunk_sums(const conv_shard& x, T* sums, arena& mine) const {
    auto part = part_of_call(x, mine);
    for (index_t k = x.chunks.first; k < x.chunks.last; ++k, sums += x.rows() * x.channels.size())
      convolve(part, x, k, sums, true);
  }
  /// Adds the sums of all chunks to the totals.
  void all_chunks(const conv_shard& x, const conv_split&, T* totals, bool first, arena& mine) const {
    if (first && x.chunks.size() == 0)
      for (index_t i = 0; i < x.rows() * x.channels.size(); ++i) totals[i] = T(0);
    auto part = part_of_call(x, mine);
    for (index_t k = x.chunks.first; k < x.chunks.last; ++k) convolve(part, x, k, totals, !first || k > x.chunks.first);
  }
  void finish(const conv_shard&, const conv_split&, const tile_range&, T*, arena&) const {}

 private:
  /// Gathers rows of the same channels of every group, one group after the other.
  static void gather_rows(const spread_image& from, const tile_range& rows, const tile_range& groups, index_t of_group,
                          const tile_range& channels, index_t to, const spread_receivers& who, copier& copies) {
    const index_t row = from.extent[2] * from.channels, pixels = rows.size() * from.extent[2], n = channels.size();
    for (index_t g = groups.first; g < groups.last; ++g, to += pixels * n * size)
      gather_runs(from.elements, size, rows.first * row + g * of_group + channels.first, pixels, from.channels, n, to,
                  who, copies);
  }

  /// Rows of some channels of an image with `axis` pixels, as gathered at p.
  template <class U>
  static image<U> rows_at(U* p, const index_t (&extent)[3], const tile_range& rows, const tile_range& channels) {
    image<U> i{.p = p};
    i.block = channels.size() > 0 ? channels.size() : 1;
    i.axis[2] = channels.size(), i.axis[1] = extent[2] * i.axis[2], i.axis[0] = extent[1] * i.axis[1];
    i.sample = extent[0] * i.axis[0];
    i.block_stride = rows.size() * i.axis[1], i.skipped = rows.first * i.axis[1];
    return i;
  }

  conv_gradient<T, Accumulate> part_of_call(const conv_shard& x, arena& mine) const {
    const gradient_rows rows = rows_of_chunks(q_.shape, x.chunks);
    const auto gathered = [&](const spread_image& i, const tile_range& r, const tile_range& c, index_t offset) {
      const index_t elements = x.groups.size() * r.size() * i.extent[2] * c.size();
      return rows_at(mine.in<T>(offset, elements).data(), i.extent, r, c);
    };
    conv_gradient<T, Accumulate> part;
    part.shape = q_.shape;
    part.shape.groups = x.groups.size(), part.shape.in = x.in.size(), part.shape.out = x.channels.size();
    part.x = gathered(x_, rows.x, x.in, l_.image_work);
    part.dy = gathered(dy_, rows.dy, x.channels, l_.other_work);
    return part;
  }

  /// One chunk of all sums of a shard, stored at `to` as (group, tap, input channel, output channel).
  void convolve(conv_gradient<T, Accumulate>& part, const conv_shard& x, index_t chunk, T* to, bool add) const {
    const conv_shape& s = part.shape;
    const tile_range k = chunk_positions(q_.shape, chunk);
    filters<T>& dw = part.dw;
    const index_t tap = s.in * s.out;
    dw = {.p = to, .in = s.out, .out = 1, .group = x.taps.size() * tap, .block = s.out};
    dw.tap[2] = tap, dw.tap[1] = tap * s.axis[2].kernel, dw.tap[0] = dw.tap[1] * s.axis[1].kernel;
    dw.skipped = x.taps.first * tap;
    for (index_t g = 0; g < s.groups; ++g)
      for (index_t t = x.taps.first; t < x.taps.last; ++t)
        Core::chunk_of_gradient(part, g, t, 0, s.out, {k.first / s.positions(), k.first % s.positions(), k.size()},
                                add);
  }

  /// Copies between the rows that a tile owns and the weights of the caller.
  template <class Make>
  void transfer(const conv_split& at, const conv_split& s, index_t t, copier& copies, Make make) const {
    const conv_shard x = p_.shard(at, s);
    const tile_range own = this->own_rows(at, x);
    const index_t in = x.in.size(), columns = x.channels.size(), kx = q_.shape.axis[2].kernel,
                  ky = q_.shape.axis[1].kernel;
    index_t offset = l_.totals + this->slot(s) * size;
    for (index_t row = own.first, count; row < own.last; row += count, offset += count * columns * size) {
      const index_t c = row % in, tap = x.taps.first + row / in % x.taps.size(), g = row / in / x.taps.size();
      count = in - c < own.last - row ? in - c : own.last - row;
      for (index_t o = 0, piece; o < columns; o += piece) {
        const index_t from = x.channels.first + o, room = q_.dw.block - from % q_.dw.block;
        piece = columns - o < room ? columns - o : room;
        const T* p = q_.dw.at(tap / kx / ky, tap / kx % ky, tap % kx, x.groups.first + g, x.in.first + c, from);
        copy one = make(location::at(p, q_.dw.in * size, q_.dw.out * size),
                        location::on(t, offset + o * size, columns * size, size));
        one.rows = count, one.columns = piece, one.element_bytes = size;
        copies(one);
      }
    }
  }

  const conv_gradient<T, Accumulate>& q_;
  spread_image x_, dy_;
};

}  // namespace tern::inline TERN_ISA
