// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The partition of a contraction over tiles and time, and the memory layout of a tile. All constexpr.
//
// The grid of tiles is batch x m x k x n, n fastest, so that neighbours share the left operand. For every step each
// tile stores its part of the shards that it uses together with others ("spread"), gathers the rest by exchange, and
// owns its part of the output. The planner's variables are those of bulk-synchronous planners in general, and of
// PopLibs (github.com/graphcore/poplibs) in particular.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/exec/mimd/cycles.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

/// The problem as a planner sees it.
struct tile_problem {
  index_t m = 0, n = 0, k = 0, batch = 1;
  index_t chunk = 0;      ///< length of chains
  int element_bytes = 4;  ///< of operands
  int sum_bytes = 4;      ///< of sums
  epilogue after{};

  friend constexpr bool operator==(const tile_problem&, const tile_problem&) = default;
};

/// A partition with its costs. Made by the planner (planner.hpp) from a problem and a device.
struct tile_plan {
  tile_problem problem;
  bool exact = true;   ///< k is cut at chunk boundaries, chunk sums are folded in ascending order
  index_t n_unit = 1;  ///< columns are cut at multiples of it
  index_t k_unit = 1;  ///< k is cut at multiples of it
  tile_split tiles{1, 1, 1, 1};
  tile_split steps{1, 1, 1, 1};

  index_t bytes_per_tile = 0;
  index_t bytes_moved = 0;  ///< between tiles, in total
  index_t supersteps = 0;
  double compute_cycles = 0, sync_cycles = 0, exchange_cycles = 0;
  bool fits = false;  ///< true if it fits the tiles' memory

  constexpr double cycles() const { return compute_cycles + sync_cycles + exchange_cycles; }
  friend constexpr bool operator==(const tile_plan&, const tile_plan&) = default;

  /// The size of the largest shard.
  constexpr index_t rows() const { return largest_part(problem.m, 1, tiles.m * steps.m); }
  constexpr index_t columns() const { return largest_part(problem.n, n_unit, tiles.n * steps.n); }
  constexpr index_t depth() const { return largest_part(problem.k, k_unit, tiles.k * steps.k); }
  /// Sums that a tile sends to the owner of an output element, in one step.
  constexpr index_t sums() const { return exact ? tile_cycles::ceil_div(depth(), problem.chunk) : 1; }
};

/// Offsets in the arena of every tile, in bytes, and lengths of its parts, in elements.
struct tile_layout {
  index_t a_part = 0, b_part = 0, c_part = 0;     ///< part of a shard that one tile stores or owns
  index_t a_store = 0, b_store = 0, c_store = 0;  ///< one slot per step with a different shard
  index_t residual = 0, bias = 0, slope = 0;      ///< likewise
  index_t a_work = 0, b_work = 0;                 ///< gathered shards
  index_t sums = 0, received = 0;  ///< partial sums of this tile; those of all tiles for the part it owns
  index_t bytes = 0;
};

constexpr tile_layout layout_of(const tile_plan& p) {
  using tile_cycles::ceil_div;
  const tile_split& s = p.steps;
  const index_t rows = p.rows(), columns = p.columns(), depth = p.depth();
  tile_layout l;
  l.a_part = ceil_div(rows * depth, p.tiles.n);
  l.b_part = ceil_div(depth * columns, p.tiles.m);
  l.c_part = ceil_div(rows * columns, p.tiles.k);
  index_t end = 0;
  const auto reserve = [&end](index_t elements, int element_bytes) {
    if (elements > 0) end = ceil_div(end, 8) * 8;  // tiles load 64 bits
    const index_t at = end;
    end += elements * element_bytes;
    return at;
  };
  const int bytes = p.problem.element_bytes;
  l.a_store = reserve(s.batch * s.m * s.k * l.a_part, bytes);
  l.b_store = reserve(s.batch * s.n * s.k * l.b_part, bytes);
  l.residual = reserve(p.problem.after.residual ? s.batch * s.m * s.n * l.c_part : 0, bytes);
  l.bias = reserve(p.problem.after.bias ? s.batch * s.n * columns : 0, bytes);
  l.slope = reserve(p.problem.after.act.takes_slope() ? s.batch * s.n * columns : 0, bytes);
  l.c_store = reserve(s.batch * s.m * s.n * l.c_part, p.problem.sum_bytes);
  l.a_work = p.tiles.n > 1 ? reserve(rows * depth, bytes) : l.a_store;
  l.b_work = p.tiles.m > 1 ? reserve(depth * columns, bytes) : l.b_store;
  l.sums = reserve(p.tiles.k > 1 ? p.sums() * rows * columns : 0, p.problem.sum_bytes);
  l.received = reserve(p.tiles.k > 1 ? p.tiles.k * p.sums() * l.c_part : 0, p.problem.sum_bytes);
  l.bytes = end;
  return l;
}

/// Cycles of one tile for the chains of one step. Exact plans add one pass of the matrix unit and an addition per
/// chunk.
constexpr double chain_cycles(const device& d, const tile_plan& p, index_t rows, index_t columns, index_t depth) {
  const tile_problem& q = p.problem;
  if (!p.exact) return tile_cycles::multiply(d, q.element_bytes, rows, columns, depth);
  const index_t whole = depth / q.chunk, rest = depth % q.chunk;
  double cycles = tile_cycles::multiply(d, q.element_bytes, rows, columns, rest);
  if (whole > 0)
    cycles += static_cast<double>(whole) * tile_cycles::multiply(d, q.element_bytes, rows, columns, q.chunk);
  const index_t additions = whole + (rest > 0 ? 1 : 0) - 1;
  if (additions > 0 && p.tiles.k == 1)
    cycles += static_cast<double>(additions) * tile_cycles::elementwise(d, q.sum_bytes, rows * columns);
  return cycles;
}

/// Cycles of one tile for the epilogue on n elements.
constexpr double epilogue_cycles(const device& d, const tile_problem& q, index_t n) {
  const int operations =
      (q.after.bias ? 1 : 0) + (q.after.residual ? 1 : 0) + (q.after.act != activation::none ? 1 : 0);
  return operations * tile_cycles::elementwise(d, q.element_bytes, n) +
         (q.element_bytes < q.sum_bytes ? tile_cycles::round_sums(d, n) : 0);
}

/// Computes the costs of the partition `p` on tiles of `d` with `bytes_per_tile` bytes.
constexpr void cost(tile_plan& p, const device& d, index_t bytes_per_tile) {
  using tile_cycles::number;
  const tile_problem& q = p.problem;
  const tile_split &t = p.tiles, &s = p.steps;
  const tile_layout l = layout_of(p);
  p.bytes_per_tile = l.bytes;
  p.fits = l.bytes <= bytes_per_tile;

  const index_t rows = p.rows(), columns = p.columns(), depth = p.depth();
  const index_t count = s.count();
  // A shard that stays the same from one step to the next is not gathered again.
  const index_t a_gathers = t.n == 1 ? 0 : s.k > 1 ? count : s.batch * s.m;
  const index_t b_gathers = t.m == 1 ? 0 : s.k > 1 || s.n > 1 ? count : s.batch;
  // Elements that a tile receives if it stores the smallest part of a shard, and, for a, the charged number: its
  // neighbour receives the same except for the parts that the two store.
  const index_t a_size = rows * depth, b_size = depth * columns;
  const index_t a_received = (a_size - a_size / t.n) * q.element_bytes;
  const index_t b_received = (b_size - b_size / t.m) * q.element_bytes;
  const double a_bytes =
      t.n % 2 == 0 ? number((a_size + (a_size % t.n ? 1 : 0)) * q.element_bytes) / 2 : number(a_received);
  const double b_bytes = number(b_received);
  const index_t gathers = a_gathers > b_gathers ? a_gathers : b_gathers;
  const double rate = d.exchange_bytes_per_cycle > 0 ? d.exchange_bytes_per_cycle : 1;
  p.exchange_cycles =
      number(gathers) * d.exchange_setup_cycles + (number(a_gathers) * a_bytes + number(b_gathers) * b_bytes) / rate;
  p.compute_cycles = number(count) * chain_cycles(d, p, rows, columns, depth);
  p.supersteps = count;
  p.bytes_moved = t.count() * (a_gathers * a_received + b_gathers * b_received);
  if (t.k > 1) {
    const index_t partial_bytes = (t.k - 1) * p.sums() * l.c_part * q.sum_bytes;
    p.exchange_cycles += number(count) * tile_cycles::exchange(d, number(partial_bytes));
    p.compute_cycles += number(count) * tile_cycles::reduce(d, q.sum_bytes, l.c_part, t.k * p.sums());
    p.supersteps += count;
    p.bytes_moved += t.count() * count * partial_bytes;
  }
  p.compute_cycles += number(s.batch * s.m * s.n) * epilogue_cycles(d, q, l.c_part);
  p.sync_cycles = number(p.supersteps) * d.sync_cycles;
}

}  // namespace tern::inline TERN_ISA
