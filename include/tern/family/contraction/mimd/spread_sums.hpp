// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// conv_sums on tiles with private memory only. A tile's part is a convolution of its own: the box of the image under
// its windows, clipped at the borders, and the remaining padding.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_tensor.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/totals.hpp"
#include "tern/family/contraction/mimd/conv_partition.hpp"
#include "tern/family/contraction/mimd/spread_filters.hpp"
#include "tern/family/contraction/mimd/spread_program.hpp"

namespace tern::inline TERN_ISA {

/// One call. Core is a tile::conv_core for T.
template <class Core, class V, class T, conv_pass P, epilogue E>
class spread_sums : public spread_program<spread_sums<Core, V, T, P, E>, T> {
  using program = spread_program<spread_sums, T>;
  using program::l_, program::p_, program::size;

 public:
  static constexpr bool accumulates = E.accumulate;

  spread_sums(const conv_sums<T, P, E>& q, const conv_plan& p) : program(p), q_(q) {
    const conv_shape& s = q.shape;
    const index_t tiles = p.tiles.count();
    from_ = {{elements_of_image(p.problem), tiles, l_.image}, {}, s.groups * q.summed()};
    for (int r = 0; r < 3; ++r) from_.extent[r] = p.problem.source_extent(r);
    w_ = {{elements_of_other(p.problem), tiles, l_.other}, s.taps(), s.in, s.out};
  }

  void stream_in(index_t t, copier& copies) const {
    from_.load(q_.from, t, copies);
    w_.template load<T>(q_.w, q_.shape, t, copies);
  }

  /// Streams the initial totals of a step, and the operands of the epilogue.
  void stream_results(const conv_split& at, const conv_split& s, index_t t, copier& copies) const {
    if (s[of_depth] > 0) return;
    const conv_shard x = p_.shard(at, s);
    const auto to_tile = [](const location& host, const location& on) { return copy{.from = host, .to = on}; };
    if constexpr (E.accumulate) transfer(at, x, q_.to, t, l_.totals + this->slot(s) * size, copies, to_tile);
    if constexpr (E.residual) transfer(at, x, q_.residual, t, l_.residual + this->slot(s) * size, copies, to_tile);
    if constexpr (E.position_slope()) transfer(at, x, q_.slopes, t, l_.slope + this->slot(s) * size, copies, to_tile);
    if (s[of_batch] + s[of_z] + s[of_y] + s[of_x] > 0) return;
    const auto per_channel = [&](const operand<const T>& v, index_t offset) {
      for (index_t g = 0; g < x.groups.size(); ++g)
        copies({.from = location::at(v.at((x.groups.first + g) * q_.results() + x.channels.first, 0), 0, v.row * size),
                .to = location::on(t, offset + (this->channel_slot(s) + g * x.channels.size()) * size, 0, size),
                .columns = x.channels.size(),
                .element_bytes = size});
    };
    if constexpr (E.scale) per_channel(q_.scale, l_.scale);
    if constexpr (E.bias) per_channel(q_.bias, l_.bias);
    if constexpr (E.channel_slope()) per_channel(q_.slope, l_.slope);
  }

  void stream_out(const conv_split& at, const conv_split& s, index_t t, copier& copies) const {
    transfer(at, p_.shard(at, s), q_.to, t, l_.totals + this->slot(s) * size, copies,
             [](const location& host, const location& on) { return copy{.from = on, .to = host}; });
  }

  void gather(const conv_split& at, const conv_split& s, index_t t, copier& copies) const {
    const conv_shard x = p_.shard(at, s);
    if (s[of_depth] == 0 && s[of_channel] == 0)
      from_.template gather<T>(box_of(x), l_.image_work, this->receivers(at, t, {of_channel, of_depth}), copies);
    const tile_range taps = taps_of_chunks(p_.problem, x.chunks), summed = summed_by_chunks(p_.problem, x.chunks);
    w_.template gather<T>(x.groups, taps, P == conv_pass::forward ? summed : x.channels,
                          P == conv_pass::forward ? x.channels : summed, l_.other_work,
                          this->receivers(at, t, {of_x, of_y, of_z, of_batch}), copies);
  }

  /// Sums of every chunk, each to its own slot.
  void chunk_sums(const conv_shard& x, T* sums, arena& mine) const {
    auto part = part_of_call<epilogue{.accumulate = true}>(x, mine);
    for (index_t k = x.chunks.first; k < x.chunks.last; ++k, sums += x.rows() * x.channels.size()) {
      part.to = result_at(x, sums);
      convolve(part, {k, k + 1});
    }
  }

  /// Adds the sums of all chunks to the totals, with the epilogue after the last one.
  void all_chunks(const conv_shard& x, const conv_split& s, T* totals, bool, arena& mine) const {
    auto part = part_of_call<E>(x, mine);
    part.to = result_at(x, totals);
    if (s[of_depth] + 1 == p_.steps[of_depth]) {
      const auto of_results = [&](index_t offset) {
        return result_at(x, results_at(offset, s, x.rows() * x.channels.size(), mine));
      };
      if constexpr (E.residual) part.residual = of_results(l_.residual);
      if constexpr (E.position_slope()) part.slopes = of_results(l_.slope);
      if constexpr (E.scale) part.scale = {channels_at(l_.scale, x, s, mine), 1, 0, 0};
      if constexpr (E.bias) part.bias = {channels_at(l_.bias, x, s, mine), 1, 0, 0};
      if constexpr (E.channel_slope()) part.slope = {channels_at(l_.slope, x, s, mine), 1, 0, 0};
    }
    convolve(part, {x.chunks.first, x.chunks.last});
  }

  /// The epilogue on the rows that a tile owns.
  void finish(const conv_shard& x, const conv_split& s, const tile_range& own, T* totals, arena& mine) const {
    if constexpr (!E.empty()) {
      const index_t columns = x.channels.size(), pixels = x.pixels();
      const auto of_results = [&](index_t offset) {
        return operand<const T>{results_at(offset, s, own.size() * columns, mine), columns, 1, 0};
      };
      const auto of_channels = [&](index_t offset) {
        return operand<const T>{channels_at(offset, x, s, mine), 0, 1, 0};
      };
      epilogue_operands<T> all;
      if constexpr (E.residual) all.residual = of_results(l_.residual);
      if constexpr (E.scale) all.scale = of_channels(l_.scale);
      if constexpr (E.bias) all.bias = of_channels(l_.bias);
      if constexpr (E.act.takes_slope()) all.slope = E.slope_by_position ? of_results(l_.slope) : of_channels(l_.slope);
      for (index_t row = own.first, rows; row < own.last; row += rows) {  // those of one group
        const index_t g = row / pixels, before = row - own.first;
        rows = (g + 1) * pixels < own.last ? (g + 1) * pixels - row : own.last - row;
        T* to = totals + before * columns;
        epilogue_operands<T> with = all.shifted(0, g * columns);
        if constexpr (E.residual) with.residual = all.residual.shifted(before, 0);
        if constexpr (E.position_slope()) with.slope = all.slope.shifted(before, 0);
        tile::store_totals<E, V>(to, columns, rows, columns, operand<T>{to, columns, 1, 0}, with);
      }
    }
  }

 private:
  image_box box_of(const conv_shard& x) const {
    image_box b;
    b.samples = x.samples;
    for (int r = 0; r < 3; ++r) b.axis[r] = sources_of(p_.problem, r, x.axis[r]);
    b.channels = {x.groups.first * q_.summed(), x.groups.last * q_.summed()};
    return b;
  }

  /// The convolution of a shard, on the tile's gathered data.
  template <epilogue After>
  conv_sums<T, P, After> part_of_call(const conv_shard& x, arena& mine) const {
    const image_box b = box_of(x);
    const tile_range taps = taps_of_chunks(p_.problem, x.chunks), summed = summed_by_chunks(p_.problem, x.chunks);
    conv_sums<T, P, After> part;
    conv_shape& s = part.shape;
    s = q_.shape;
    s.batch = x.samples.size(), s.groups = x.groups.size();
    (P == conv_pass::forward ? s.out : s.in) = x.channels.size();
    for (int r = 0; r < 3; ++r) {
      window_axis& a = s.axis[r];
      if constexpr (P == conv_pass::forward)
        a.pad += b.axis[r].first - x.axis[r].first * a.stride, a.in = b.axis[r].size(), a.out = x.axis[r].size();
      else
        a.pad += x.axis[r].first - b.axis[r].first * a.stride, a.out = b.axis[r].size(), a.in = x.axis[r].size();
    }
    part.from = dense_image(mine.in<T>(l_.image_work, b.size()).data(), b);
    filters<const T>& w = part.w;
    w.group = taps.size() * summed.size() * x.channels.size();
    w.p = mine.in<T>(l_.other_work, s.groups * w.group).data();
    w.out = 1, w.in = P == conv_pass::forward ? s.out : summed.size(), w.block = s.out;
    w.tap[2] = s.in * w.in, w.tap[1] = w.tap[2] * s.axis[2].kernel, w.tap[0] = w.tap[1] * s.axis[1].kernel;
    w.skipped = taps.first * w.tap[2] + summed.first * (P == conv_pass::forward ? w.in : 1);
    return part;
  }

  template <class U>
  static image<U> result_at(const conv_shard& x, U* p) {
    image_box b{x.samples, {x.axis[0], x.axis[1], x.axis[2]}, x.channels};
    image<U> i = dense_image(p, b);
    i.block_stride = b.size();  // one group after the other
    return i;
  }
  const T* results_at(index_t offset, const conv_split& s, index_t elements, arena& mine) const {
    return mine.in<T>(offset + this->slot(s) * size, elements).data();
  }
  const T* channels_at(index_t offset, const conv_shard& x, const conv_split& s, arena& mine) const {
    return mine.in<T>(offset + this->channel_slot(s) * size, x.groups.size() * x.channels.size()).data();
  }

  template <epilogue After>
  static void convolve(const conv_sums<T, P, After>& part, const chunk_range& chunks) {
    const index_t panels = (part.results() + Core::width - 1) / Core::width;
    Core::rows(part, 0, part.shape.batch * part.extent(0) * part.extent(1), 0, panels, chunks);
  }

  /// Copies between the rows that a tile owns, at byte `offset`, and an image of the caller.
  template <class Image, class Make>
  void transfer(const conv_split& at, const conv_shard& x, const Image& image, index_t t, index_t offset,
                copier& copies, Make make) const {
    const tile_range own = this->own_rows(at, x);
    const index_t width = x.axis[2].size(), height = x.axis[1].size(), depth = x.axis[0].size();
    for (index_t row = own.first, count; row < own.last; row += count) {
      const index_t i = row % width, y = row / width % height, z = row / width / height % depth,
                    n = row / width / height / depth % x.samples.size(), g = row / x.pixels();
      count = width - i < own.last - row ? width - i : own.last - row;
      const index_t first = (x.groups.first + g) * q_.results();
      const auto one = [](index_t p) { return tile_range{p, p + 1}; };
      spread_image::transfer(
          image,
          {one(x.samples.first + n),
           {one(x.axis[0].first + z), one(x.axis[1].first + y), {x.axis[2].first + i, x.axis[2].first + i + count}},
           {first + x.channels.first, first + x.channels.last}},
          t, offset, copies, make);
      offset += count * x.channels.size() * size;
    }
  }

  const conv_sums<T, P, E>& q_;
  spread_image from_;
  spread_filters w_;
};

}  // namespace tern::inline TERN_ISA
