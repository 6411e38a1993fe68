// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The partition of a convolution's passes over tiles and time, and the memory layout of a tile. All constexpr.
//
// Operands are spread over all tiles (spread_tensor.hpp). A tile gathers the data for its part of the result: of an
// image the reach of its windows (the halo), of the weights its channels and taps. Sums are cut at the ends of chunks;
// tiles with chunks of the same sums send them to owners, who fold them in order. The planner's variables are those of
// PopLibs (github.com/graphcore/poplibs), with fields along three axes.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/order.hpp"
#include "tern/device/device.hpp"
#include "tern/exec/mimd/cycles.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/window_rows.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/mimd/partition.hpp"

namespace tern::inline TERN_ISA {

/// The problem as a planner sees it.
struct conv_problem {
  conv_work work = conv_work::forward;
  conv_shape shape;
  int element_bytes = 4;
  epilogue after{};

  friend constexpr bool operator==(const conv_problem&, const conv_problem&) = default;

  constexpr bool sums() const { return work != conv_work::weights; }
  constexpr bool forward() const { return work == conv_work::forward; }
  /// Summed channels of one group, and its result channels.
  constexpr index_t summed() const { return forward() ? shape.in : shape.out; }
  constexpr index_t results() const { return work == conv_work::data ? shape.in : shape.out; }
  constexpr index_t result_extent(int r) const { return forward() ? shape.axis[r].out : shape.axis[r].in; }
  constexpr index_t source_extent(int r) const { return forward() ? shape.axis[r].in : shape.axis[r].out; }
  /// Chunks of one sum.
  constexpr index_t chunks() const {
    using tile_cycles::ceil_div;
    if (sums()) {
      const conv_chunks c = chunks_of(summed());
      return ceil_div(shape.taps(), c.taps) * ceil_div(summed(), c.channels);
    }
    const index_t grain = grain_samples(shape.positions()), whole = shape.batch / grain, rest = shape.batch % grain;
    return whole * ceil_div(grain * shape.positions(), dot_chunk) + ceil_div(rest * shape.positions(), dot_chunk);
  }
  /// Products of the longest chunk.
  constexpr index_t chunk_length() const {
    if (sums()) {
      const conv_chunks c = chunks_of(summed());
      return (c.taps < shape.taps() ? c.taps : shape.taps()) * (c.channels < summed() ? c.channels : summed());
    }
    const index_t grain = grain_samples(shape.positions());
    const index_t samples = grain < shape.batch ? grain : shape.batch, all = samples * shape.positions();
    return all < dot_chunk ? all : dot_chunk;
  }
};

/// The dimensions of a grid of parts, slowest first: those of sums, and those of weight gradients.
enum conv_dimension : int { of_batch, of_z, of_y, of_x, of_group, of_tap, of_in, of_depth, of_channel };

/// Numbers of parts along every dimension, or a position among them. `of_batch` to `of_x` cut the result of sums,
/// `of_tap` and `of_in` that of gradients, `of_group` and `of_channel` (output channels of gradients) both; `of_depth`
/// cuts chunks.
struct conv_split {
  static constexpr int dimensions = 9;
  index_t of[dimensions] = {1, 1, 1, 1, 1, 1, 1, 1, 1};

  constexpr index_t operator[](int d) const { return of[d]; }
  constexpr index_t count() const {
    index_t n = 1;
    for (index_t parts : of) n *= parts;
    return n;
  }
  /// The position of part i, the last dimension fastest; below, the index of a position.
  constexpr conv_split place(index_t i) const {
    conv_split at;
    for (int d = dimensions; d-- > 0;) at.of[d] = i % of[d], i /= of[d];
    return at;
  }
  constexpr index_t number(const conv_split& at) const {
    index_t i = 0;
    for (int d = 0; d < dimensions; ++d) i = i * of[d] + at.of[d];
    return i;
  }
  friend constexpr bool operator==(const conv_split&, const conv_split&) = default;
};

/// A tile's work in a step: rows of the result with some channels. There is a row per group and pixel, or per group,
/// tap and input channel.
struct conv_shard {
  tile_range samples, axis[3];  ///< pixels of the result of sums
  tile_range groups, taps, in;  ///< taps and input channels: of the result of gradients
  tile_range channels;          ///< of one group, of the result
  tile_range chunks;

  constexpr index_t pixels() const { return samples.size() * axis[0].size() * axis[1].size() * axis[2].size(); }
  constexpr index_t rows() const { return groups.size() * pixels() * taps.size() * in.size(); }
};

/// A partition with its costs.
struct conv_plan {
  conv_problem problem;
  index_t channel_unit = 1;  ///< result channels are cut at multiples of it
  conv_split tiles, steps;

  index_t bytes_per_tile = 0;
  index_t bytes_moved = 0;  ///< between tiles, in total, at most
  index_t supersteps = 0;
  double compute_cycles = 0, sync_cycles = 0, exchange_cycles = 0;
  bool fits = false;

  constexpr double cycles() const { return compute_cycles + sync_cycles + exchange_cycles; }
  friend constexpr bool operator==(const conv_plan&, const conv_plan&) = default;

  /// Elements along a dimension.
  constexpr index_t size(int d) const {
    const conv_problem& q = problem;
    const conv_shape& s = q.shape;
    switch (d) {
      case of_batch: return q.sums() ? s.batch : 1;
      case of_z:
      case of_y:
      case of_x: return q.sums() ? q.result_extent(d - of_z) : 1;
      case of_group: return s.groups;
      case of_tap: return q.sums() ? 1 : s.taps();
      case of_in: return q.sums() ? 1 : s.in;
      case of_depth: return q.chunks();
      default: return q.results();
    }
  }
  constexpr index_t unit(int d) const { return d == of_channel ? channel_unit : 1; }
  /// The part at a position of the grids of tiles and of steps. Steps are the finer cut, except for chunks: those
  /// ascend over tiles within a step.
  constexpr tile_range part(int d, const conv_split& at, const conv_split& s) const {
    const index_t p = d == of_depth ? s[d] * tiles[d] + at[d] : at[d] * steps[d] + s[d];
    return part_of(size(d), unit(d), tiles[d] * steps[d], p);
  }
  constexpr conv_shard shard(const conv_split& at, const conv_split& s) const {
    conv_shard x;
    x.samples = part(of_batch, at, s);
    for (int r = 0; r < 3; ++r) x.axis[r] = part(of_z + r, at, s);
    x.groups = part(of_group, at, s), x.taps = part(of_tap, at, s), x.in = part(of_in, at, s);
    x.channels = part(of_channel, at, s), x.chunks = part(of_depth, at, s);
    return x;
  }
  /// The largest part along a dimension.
  constexpr index_t largest(int d) const { return largest_part(size(d), unit(d), tiles[d] * steps[d]); }
  /// The largest number of result elements that tiles sum up in one step.
  constexpr index_t elements() const {
    const index_t result = problem.sums() ? largest(of_batch) * largest(of_z) * largest(of_y) * largest(of_x)
                                          : largest(of_tap) * largest(of_in);
    return result * largest(of_group) * largest(of_channel);
  }
};

/// The sources under the windows of results [p.first, p.last) along axis r.
constexpr tile_range sources_of(const conv_problem& q, int r, const tile_range& p) {
  const window_axis& a = q.shape.axis[r];
  const auto within = [](index_t first, index_t last, index_t size) {
    first = first > 0 ? first : 0, last = last < size ? last : size;
    return first < last ? tile_range{first, last} : tile_range{};
  };
  if (p.size() == 0) return {};
  if (q.work != conv_work::data) return within(a.input(p.first, 0), a.input(p.last - 1, 0) + a.reach(), a.in);
  const index_t first = p.first + a.pad - a.reach() + 1, last = p.last - 1 + a.pad;
  return within(first > 0 ? (first + a.stride - 1) / a.stride : 0, last < 0 ? 0 : last / a.stride + 1, a.out);
}

/// The largest number of sources under `size` neighbouring results.
constexpr index_t most_sources(const conv_problem& q, int r, index_t size) {
  const window_axis& a = q.shape.axis[r];
  if (size <= 0) return 0;
  const index_t reach =
      q.work != conv_work::data ? (size - 1) * a.stride + a.reach() : (size + a.reach() - 2) / a.stride + 1;
  const index_t all = q.work != conv_work::data ? a.in : a.out;
  return reach < all ? reach : all;
}

/// Rows of the two images of a weight gradient, counted over samples, z and y.
struct gradient_rows {
  tile_range x, dy;
};

/// The position of chunk `i` of a weight gradient, counted over samples and positions.
constexpr tile_range chunk_positions(const conv_shape& s, index_t i) {
  const index_t positions = s.positions(), grain = grain_samples(positions);
  const index_t chunks = tile_cycles::ceil_div(grain * positions, dot_chunk);
  const index_t before = i / chunks * grain, samples = s.batch - before < grain ? s.batch - before : grain;
  const index_t first = before * positions + i % chunks * dot_chunk, end = (before + samples) * positions;
  return {first, first + dot_chunk < end ? first + dot_chunk : end};
}

/// The rows of some neighbouring chunks; of x with all rows in between.
constexpr gradient_rows rows_of_chunks(const conv_shape& s, const tile_range& chunks) {
  if (chunks.size() == 0) return {};
  const index_t width = s.axis[2].out;
  const index_t first = chunk_positions(s, chunks.first).first / width;
  const index_t last = (chunk_positions(s, chunks.last - 1).last - 1) / width;
  return {rows_reached(s.axis, {first, last + 1}), {first, last + 1}};
}

/// The largest number of rows of an axis under `count` neighbouring rows of dy, in consecutive images.
constexpr index_t most_rows(const window_axis& a, index_t count) {
  const index_t seams = (count + a.out - 2) / a.out, reach = a.reach() > a.stride ? a.reach() : a.stride;
  const index_t unused = a.in + a.pad - (a.out - 1) * a.stride - a.reach();
  return (count - 1) * a.stride + (seams + 1) * reach + (unused > 0 ? seams * unused : 0);
}

/// Offsets in the arena of every tile, in bytes.
struct conv_layout {
  index_t image = 0, other = 0;            ///< spread: x or dy; weights, or dy of a gradient
  index_t totals = 0, residual = 0;        ///< one slot per step with different results
  index_t scale = 0, bias = 0;             ///< one slot per step of groups and channels
  index_t slope = 0;                       ///< like scale, or like residual if slopes differ by position
  index_t image_work = 0, other_work = 0;  ///< gathered
  index_t sums = 0, received = 0;          ///< chunk sums of this tile; those of all tiles for the part it owns
  index_t own = 0;                         ///< largest number of elements of a step that one tile owns
  index_t image_size = 0, other_size = 0;  ///< largest number of elements that one step gathers
  index_t bytes = 0;
};

constexpr index_t elements_of_image(const conv_problem& q) {
  const conv_shape& s = q.shape;
  index_t size = s.batch * s.groups * (q.work == conv_work::data ? s.out : s.in);
  for (int r = 0; r < 3; ++r) size *= q.work == conv_work::data ? s.axis[r].out : s.axis[r].in;
  return size;
}
constexpr index_t elements_of_other(const conv_problem& q) {
  const conv_shape& s = q.shape;
  return q.sums() ? s.groups * s.taps() * s.in * s.out : s.batch * s.positions() * s.groups * s.out;
}

/// Taps of some neighbouring chunks of a sum.
constexpr tile_range taps_of_chunks(const conv_problem& q, const tile_range& chunks) {
  if (chunks.size() == 0) return {};
  const conv_chunks c = chunks_of(q.summed());
  const index_t blocks = tile_cycles::ceil_div(q.summed(), c.channels);
  const index_t first = chunks.first / blocks * c.taps, last = ((chunks.last - 1) / blocks + 1) * c.taps;
  return {first, last < q.shape.taps() ? last : q.shape.taps()};
}

/// Channels of a group in some neighbouring chunks of a sum: those of their blocks within one tap, else all.
constexpr tile_range summed_by_chunks(const conv_problem& q, const tile_range& chunks) {
  if (chunks.size() == 0) return {};
  const conv_chunks c = chunks_of(q.summed());
  const index_t blocks = tile_cycles::ceil_div(q.summed(), c.channels), last = chunks.last - 1;
  if (chunks.first / blocks != last / blocks) return {0, q.summed()};
  const index_t end = (last % blocks + 1) * c.channels;
  return {chunks.first % blocks * c.channels, end < q.summed() ? end : q.summed()};
}

constexpr conv_layout layout_of(const conv_plan& p) {
  using tile_cycles::ceil_div;
  const conv_problem& q = p.problem;
  const conv_shape& s = q.shape;
  const index_t tiles = p.tiles.count(), elements = p.elements(), chunks = p.largest(of_depth);
  const index_t groups = p.largest(of_group), channels = p.largest(of_channel);
  conv_layout l;
  l.own = channels > 0 ? ceil_div(elements / channels, p.tiles[of_depth]) * channels : 0;
  if (q.sums()) {
    l.image_size = p.largest(of_batch) * groups * q.summed();
    for (int r = 0; r < 3; ++r) l.image_size *= most_sources(q, r, p.largest(of_z + r));
    const conv_chunks c = chunks_of(q.summed());
    const index_t blocks = ceil_div(q.summed(), c.channels);
    index_t taps = (blocks == 1 ? chunks : (chunks + blocks - 2) / blocks + 1) * c.taps;
    if (taps > s.taps()) taps = s.taps();
    l.other_size = groups * taps * (chunks > 1 || blocks == 1 ? q.summed() : c.channels) * channels;
  } else {
    const window_axis *z = s.axis, *y = z + 1, *x = z + 2;
    const auto least = [](index_t a, index_t b) { return a < b ? a : b; };
    const index_t all = s.batch * z->out * y->out;
    const index_t rows = chunks == 0 ? 0 : least(all, (chunks * dot_chunk + x->out - 2) / x->out + 1);
    const index_t planes = (rows + y->out - 2) / y->out + 1;
    const index_t sources = rows == 0                 ? 0
                            : z->in > 1 || z->out > 1 ? most_rows(*z, planes) * y->in
                                                      : most_rows(*y, rows);
    l.image_size = least(s.batch * z->in * y->in, sources) * x->in * groups * p.largest(of_in);
    l.other_size = rows * x->out * groups * channels;
  }
  index_t end = 0;
  const auto reserve = [&end, &q](index_t count) {
    if (count > 0) end = ceil_div(end, 8) * 8;  // tiles load 64 bits
    const index_t at = end;
    end += count * q.element_bytes;
    return at;
  };
  index_t slots = p.steps.count() / p.steps[of_depth];
  l.image = reserve(ceil_div(elements_of_image(q), tiles));
  l.other = reserve(ceil_div(elements_of_other(q), tiles));
  l.totals = reserve(slots * l.own);
  const index_t of_channels = p.steps[of_group] * p.steps[of_channel] * groups * channels;
  l.residual = reserve(q.after.residual ? slots * l.own : 0);
  l.scale = reserve(q.after.scale ? of_channels : 0);
  l.bias = reserve(q.after.bias ? of_channels : 0);
  l.slope = reserve(q.after.position_slope() ? slots * l.own : q.after.channel_slope() ? of_channels : 0);
  l.image_work = reserve(l.image_size);
  l.other_work = reserve(l.other_size);
  l.sums = reserve(p.tiles[of_depth] > 1 ? chunks * elements : 0);
  l.received = reserve(p.tiles[of_depth] > 1 ? p.tiles[of_depth] * chunks * l.own : 0);
  l.bytes = end;
  return l;
}

}  // namespace tern::inline TERN_ISA
