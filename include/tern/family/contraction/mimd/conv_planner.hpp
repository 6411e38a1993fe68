// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a convolution's partition, and the search for one. All constexpr.
//
// Chains are charged as the matrix unit's 1x1 case on all positions of the part, including taps on padding. Exchange
// charges a tile for all gathered data, as if it held none of it.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/order.hpp"
#include "tern/device/device.hpp"
#include "tern/exec/mimd/cycles.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/family/contraction/mimd/conv_partition.hpp"
#include "tern/family/contraction/mimd/planner.hpp"

namespace tern::inline TERN_ISA {

/// Cycles of one tile for `chunks` chunks of the sums of a part.
constexpr double chain_cycles(const device& d, const conv_plan& p, const conv_shard& x) {
  const conv_problem& q = p.problem;
  const index_t rows = q.sums() ? x.pixels() : x.in.size(), columns = x.channels.size();
  const index_t times = x.groups.size() * (q.sums() ? 1 : x.taps.size());
  const double chunk = tile_cycles::multiply(d, q.element_bytes, rows, columns, q.chunk_length());
  const double add =
      p.tiles[of_depth] == 1 ? tile_cycles::elementwise(d, q.element_bytes, rows * columns) : 0;  // else folds add
  const double sums = tile_cycles::number(x.chunks.size());
  return tile_cycles::number(times) * (sums * chunk + (sums > 1 ? sums - 1 : 0) * add);
}

/// Cycles of one tile for the epilogue on n elements.
constexpr double epilogue_cycles(const device& d, const conv_problem& q, index_t n) {
  const int operations = (q.after.scale ? 1 : 0) + (q.after.bias ? 1 : 0) + (q.after.residual ? 1 : 0) +
                         (q.after.act != activation::none ? 1 : 0);
  return operations * tile_cycles::elementwise(d, q.element_bytes, n);
}

/// The largest number of tiles with different parts of an image that need the same row of it.
constexpr index_t most_readers(const conv_plan& p) {
  const conv_problem& q = p.problem;
  if (!q.sums()) {
    const window_axis *z = q.shape.axis, *y = z + 1, *x = z + 2;
    const auto apart = [](index_t positions, index_t size) { return size > 0 ? positions / size : 0; };
    const index_t rows = apart(p.largest(of_depth) * dot_chunk, x->out), planes = apart(rows, y->out);
    const index_t most = z->out > 1 ? z->reach() / ((planes > 0 ? planes : 1) * z->stride) + 2
                                    : y->reach() / ((rows > 0 ? rows : 1) * y->stride) + 2;
    return most < p.tiles[of_depth] ? most : p.tiles[of_depth];
  }
  index_t readers = 1;
  for (int r = 0; r < 3; ++r) {
    const window_axis& a = q.shape.axis[r];
    const index_t parts = p.tiles[of_z + r], least = q.result_extent(r) / (parts * p.steps[of_z + r]);
    const index_t results = q.forward() ? (a.reach() - 1) / a.stride + 1 : a.reach();  // results that need one source
    const index_t most = results < 2 ? 1 : (results - 2) / (least > 0 ? least : 1) + 2;
    readers *= most < parts ? most : parts;
  }
  return readers;
}

/// Computes the costs of the partition `p` on tiles of `d` with `bytes_per_tile` bytes.
constexpr void cost(conv_plan& p, const device& d, index_t bytes_per_tile) {
  using tile_cycles::number;
  const conv_problem& q = p.problem;
  const conv_layout l = layout_of(p);
  p.bytes_per_tile = l.bytes;
  p.fits = l.bytes <= bytes_per_tile;

  const conv_split &t = p.tiles, &s = p.steps;
  const index_t tiles = t.count(), steps = s.count();
  const auto sized = [](index_t n) { return tile_range{0, n}; };
  conv_shard x;
  x.samples = sized(p.largest(of_batch));
  for (int r = 0; r < 3; ++r) x.axis[r] = sized(p.largest(of_z + r));
  x.groups = sized(p.largest(of_group)), x.channels = sized(p.largest(of_channel));
  x.taps = sized(p.largest(of_tap)), x.in = sized(p.largest(of_in)), x.chunks = sized(p.largest(of_depth));
  p.compute_cycles = number(steps) * chain_cycles(d, p, x);
  p.supersteps = steps;
  p.exchange_cycles = 0, p.bytes_moved = 0;
  // Weights, or dy, change from step to step; an image stays while only channels and chunks change.
  const index_t image_gathers = steps / (q.sums() ? s[of_channel] * s[of_depth] : s[of_channel]);
  if (tiles > 1) {
    const index_t image = l.image_size * q.element_bytes, other = l.other_size * q.element_bytes;
    const index_t readers = most_readers(p) * q.element_bytes;
    const index_t other_readers = t[of_depth] > 1 ? 2 : 1;  // neighbours may share a tap of weights, a row of dy
    const index_t other_sent = tile_cycles::ceil_div(elements_of_other(q), tiles) * other_readers * q.element_bytes;
    const auto busiest = [](index_t received, index_t sent) { return number(received > sent ? received : sent); };
    const index_t image_sent = tile_cycles::ceil_div(elements_of_image(q), tiles) * readers;
    const double with = tile_cycles::exchange(d, busiest(image + other, image_sent + other_sent));
    const double without = tile_cycles::exchange(d, busiest(other, other_sent));
    p.exchange_cycles = number(image_gathers) * with + number(steps - image_gathers) * without;
    p.bytes_moved = tiles * (image_gathers * image + steps * other);
  }
  if (t[of_depth] > 1) {
    const index_t sums = t[of_depth] * p.largest(of_depth), partial_bytes = sums * l.own * q.element_bytes;
    p.exchange_cycles += number(steps) * tile_cycles::exchange(d, number(partial_bytes));
    p.compute_cycles += number(steps) * tile_cycles::reduce(d, q.element_bytes, l.own, sums);
    p.supersteps += steps;
    p.bytes_moved += tiles * steps * partial_bytes;
  }
  p.compute_cycles += number(steps / s[of_depth]) * epilogue_cycles(d, q, l.own);
  p.sync_cycles = number(p.supersteps) * d.sync_cycles;
}

namespace impl {

struct conv_search {
  const device& d;
  tile_resources have;
  conv_plan best;
  index_t tried = 0, limit = candidates;
  bool descends = false;      ///< else a partition that does not fit is skipped
  double fastest_misfit = 0;  ///< cycles, among the skipped ones; 0: none

  static constexpr index_t candidates = 2000;  ///< of a search

  /// Searches first without steps, in an order that does not depend on memory. So a machine with the bytes of a plan
  /// has room for the plan that it finds.
  constexpr void search(const conv_plan& p) {
    run(p);
    if (fastest_misfit == 0 || (best.fits && fastest_misfit >= best.cycles())) return;
    descends = true, limit = tried + candidates;
    run(p);
  }

  static constexpr bool better(const conv_plan& x, const conv_plan& y) {
    if (x.fits != y.fits) return x.fits;
    return x.fits ? x.cycles() < y.cycles() : x.bytes_per_tile < y.bytes_per_tile;
  }
  constexpr void consider(const conv_plan& p) {
    if (tried == 0 || better(p, best)) best = p;
    ++tried;
  }

  /// Steps make nothing faster: a partition slower than the best one without them is not worth any.
  constexpr bool hopeless(const conv_plan& p) const { return best.fits && p.cycles() >= best.cycles(); }

  /// Costs p. Until it fits, doubles the steps: of gradients along chunks, which gather nothing twice, then those that
  /// free most memory.
  constexpr void with_steps(conv_plan p) {
    cost(p, d, have.bytes_per_tile);
    consider(p);
    if (!p.fits && (fastest_misfit == 0 || p.cycles() < fastest_misfit)) fastest_misfit = p.cycles();
    const auto may_descend = [&] { return descends && !p.fits && !hopeless(p) && tried < limit; };
    while (may_descend() && !p.problem.sums() && 2 * p.steps[of_depth] * p.tiles[of_depth] <= p.size(of_depth)) {
      p.steps.of[of_depth] *= 2;
      cost(p, d, have.bytes_per_tile);
      consider(p);
    }
    while (may_descend()) {
      conv_plan next = p;
      for (int i = 0; i < conv_split::dimensions; ++i) {
        conv_plan x = p;
        x.steps.of[i] *= 2;
        if (x.steps[i] * x.tiles[i] > tile_cycles::ceil_div(x.size(i), x.unit(i))) continue;
        cost(x, d, have.bytes_per_tile);
        consider(x);
        if (better(x, next)) next = x;
      }
      if (next.steps == p.steps) return;
      p = next;
    }
  }

  constexpr index_t parts(const conv_plan& p, int dimension, index_t most) const {
    return fewest(tile_cycles::ceil_div(p.size(dimension), p.unit(dimension)), most);
  }

  constexpr void run(conv_plan p) {
    if (p.problem.sums()) {
      for (index_t k = 1; k <= have.tiles; k = coarsely(k)) {
        p.tiles.of[of_depth] = parts(p, of_depth, k);
        over_channels(p, &conv_search::over_positions);
        if (k >= p.size(of_depth)) break;
      }
    } else {  // many chunks: for the tiles that remain if the result is not cut, or into few parts
      for (index_t others = 1; others <= have.tiles; others = next_parts(others)) {
        const index_t k = parts(p, of_depth, have.tiles / others);
        if (others > 1 && k == p.tiles[of_depth]) continue;
        p.tiles.of[of_depth] = k;
        over_channels(p, &conv_search::over_inputs);
      }
    }
  }

 private:
  static constexpr index_t coarsely(index_t parts) { return parts < 4 ? parts + 1 : parts + parts / 2; }

  /// Calls next for every cut into groups and channels, with the number of tiles per part. No template: clang would not
  /// find its body in constant expressions.
  constexpr void over_channels(conv_plan p, void (conv_search::*next)(conv_plan, index_t)) {
    const index_t channels = p.size(of_group) * tile_cycles::ceil_div(p.size(of_channel), p.channel_unit);
    for (index_t c = 1; c * p.tiles[of_depth] <= have.tiles && tried < limit; c = next_parts(c)) {
      p.tiles.of[of_group] = parts(p, of_group, c);
      p.tiles.of[of_channel] = parts(p, of_channel, c / p.tiles[of_group]);
      (this->*next)(p, have.tiles / (p.tiles[of_depth] * p.tiles[of_group] * p.tiles[of_channel]));
      if (c >= channels) break;
    }
  }
  /// Cuts samples first, as they are independent; then planes, rows and columns.
  constexpr void over_positions(conv_plan p, index_t tiles) {
    p.tiles.of[of_batch] = parts(p, of_batch, tiles);
    tiles /= p.tiles[of_batch];
    for (index_t z = 1; z <= tiles && tried < limit; z = coarsely(z)) {
      p.tiles.of[of_z] = parts(p, of_z, z);
      const index_t left = tiles / p.tiles[of_z];
      for (index_t y = 1; y <= left && tried < limit; y = coarsely(y)) {
        p.tiles.of[of_y] = parts(p, of_y, y);
        p.tiles.of[of_x] = parts(p, of_x, left / p.tiles[of_y]);
        with_steps(p);
        if (y >= p.size(of_y)) break;
      }
      if (z >= p.size(of_z)) break;
    }
  }
  constexpr void over_inputs(conv_plan p, index_t tiles) {
    p.tiles.of[of_in] = parts(p, of_in, tiles);
    p.tiles.of[of_tap] = parts(p, of_tap, tiles / p.tiles[of_in]);
    with_steps(p);
    p.tiles.of[of_tap] = parts(p, of_tap, tiles);
    p.tiles.of[of_in] = parts(p, of_in, tiles / p.tiles[of_tap]);
    with_steps(p);
  }
};

}  // namespace impl

/// The plan with the fewest predicted cycles among at most about 4,000; if none fits, the one with the least memory.
/// Exact: chunks are never cut.
constexpr conv_plan plan_tiles(const conv_problem& q, const device& d, const tile_resources& have) {
  conv_plan p;
  p.problem = q;
  p.channel_unit = tile_cycles::output_group(d, q.element_bytes);
  impl::conv_search all{d, have, p};
  all.search(p);
  return all.best;
}

}  // namespace tern::inline TERN_ISA
