// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction on tiles that also see the caller's memory: the cores of the host. One superstep: every tile takes its
// rectangle of the output and walks it in blocks of b, which it packs into its arena (its share of the L2 cache) and
// multiplies with rows of a straight from the caller's memory. Blocks are the serial steps, so any size fits.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/kernel/mimd/planner.hpp"
#include "tern/kernel/mimd/tile_compute.hpp"
#include "tern/tile/contraction.hpp"

namespace tern::inline TERN_ISA {

/// Steps of k that a block of b covers: whole chunks, at least one step.
constexpr index_t block_depth(index_t chunk, index_t k) {
  const index_t most = chunk < 512 ? 512 / chunk * chunk : chunk;
  return k >= most ? most : k > 0 ? k : 1;
}

/// The partition of a contraction over tiles that see the caller's memory: batch, then rows and columns, so that the
/// tile with most work has least; then blocks as wide as the arena allows.
/// \param width        columns of a panel
/// \param max_columns  of a block
/// Cost: two operations for each tile.
constexpr tile_plan plan_shared(const tile_problem& q, const device& d, tile_resources have, index_t width,
                                index_t max_columns) {
  using tile_cycles::number;
  tile_plan p;
  p.problem = q, p.n_unit = width, p.k_unit = q.chunk;
  p.tiles.batch = impl::fewest(q.batch, have.tiles);
  p.steps.batch = q.batch > 0 ? tile_cycles::ceil_div(q.batch, p.tiles.batch) : 1;
  const index_t tiles = have.tiles / p.tiles.batch, panels = tile_cycles::ceil_div(q.n, width);
  double least = 0;
  for (index_t n = 1; n <= tiles && (n == 1 || n <= panels); ++n) {
    const index_t m = tiles / n < q.m ? tiles / n : q.m > 0 ? q.m : 1;
    const index_t rows = largest_part(q.m, 1, m), columns = largest_part(q.n, width, n);
    const double work = number(rows + 4) * number(columns);  // packing a row of b costs about as much as 4 rows of a
    if (n == 1 || work < least) least = work, p.tiles.m = m, p.tiles.n = n;
  }
  const index_t depth = block_depth(q.chunk, q.k), block_bytes = depth * width * q.element_bytes;
  const index_t blocks = tile_cycles::ceil_div(largest_part(q.n, width, p.tiles.n), width);
  const index_t most = max_columns / width < blocks ? max_columns / width : blocks;
  index_t fitting = have.bytes_per_tile / block_bytes;
  if (fitting > most) fitting = most;
  p.fits = fitting > 0 || blocks == 0;
  if (fitting < 1) fitting = 1;
  p.steps.n = blocks > 0 ? tile_cycles::ceil_div(blocks, fitting) : 1;
  p.steps.k = q.k > 0 ? tile_cycles::ceil_div(q.k, depth) : 1;
  p.bytes_per_tile = tile_cycles::ceil_div(blocks, p.steps.n) * block_bytes;
  p.supersteps = 1;
  p.sync_cycles = d.sync_cycles;
  const index_t rows = largest_part(q.m, 1, p.tiles.m), columns = largest_part(q.n, width, p.tiles.n);
  p.compute_cycles = number(p.steps.batch) * (tile_cycles::multiply(d, q.element_bytes, rows, columns, q.k) +
                                              epilogue_cycles(d, q, rows * columns));
  return p;
}

/// One call. Compute is a tile_compute for T.
template <class Compute, class T, epilogue E>
class shared_contraction {
 public:
  shared_contraction(const contraction<T, E>& q, const tile_plan& p) : q_(q), p_(p) {}

  void run(tile_machine& machine, const device& d) const {
    machine.start(d, p_.tiles.count());
    machine.superstep("multiply", [&](index_t t, arena& mine) {
      const tile_split& g = p_.tiles;
      const tile_range items = part_of(q_.batch, 1, g.batch, t / (g.n * g.m));
      const tile_range rows = part_of(q_.m, 1, g.m, t / g.n % g.m);
      const tile_range columns = part_of(q_.n, p_.n_unit, g.n, t % g.n);
      for (index_t item = items.first; item < items.last; ++item) rectangle(item, rows, columns, mine);
      return static_cast<double>(items.size()) *
             (tile_cycles::multiply(d, sizeof(T), rows.size(), columns.size(), q_.k) +
              epilogue_cycles(d, p_.problem, rows.size() * columns.size()));
    });
  }

 private:
  static constexpr index_t width = Compute::width;

  void rectangle(index_t item, const tile_range& rows, const tile_range& columns, arena& mine) const {
    const index_t depth = block_depth(q_.chunk, q_.k);
    const index_t block_columns = p_.bytes_per_tile / (depth * static_cast<index_t>(sizeof(T)));
    const auto a = q_.a.item(item).shifted(rows.first, 0), bias = q_.bias.item(item).shifted(rows.first, 0);
    const auto residual = q_.residual.item(item).shifted(rows.first, 0);
    const auto c = q_.c.item(item).shifted(rows.first, 0);
    for (index_t j = columns.first; j < columns.last; j += block_columns) {
      const index_t n = columns.last - j < block_columns ? columns.last - j : block_columns;
      sums_from start = E.accumulate ? sums_from::output : sums_from::zero;
      for (index_t k0 = 0; k0 < q_.k || k0 == 0; k0 += depth, start = sums_from::output) {
        const index_t k = q_.k - k0 < depth ? q_.k - k0 : depth;
        const tile::panels<T> b = panels(item, k0, j, k, n, mine);
        if (k0 + k >= q_.k)
          Compute::template multiply_panels<E>(a.shifted(0, k0), b, rows.size(), n, k, q_.chunk, start, c.shifted(0, j),
                                               bias.shifted(0, j), residual.shifted(0, j));
        else
          Compute::template multiply_panels<epilogue{}>(a.shifted(0, k0), b, rows.size(), n, k, q_.chunk, start,
                                                        c.shifted(0, j), {}, {});
      }
    }
  }

  /// Columns [j, j + n) of b from k0 on, k steps: in the arena, or where `pack` has put them.
  tile::panels<T> panels(index_t item, index_t k0, index_t j, index_t k, index_t n, arena& mine) const {
    if (q_.packed && !q_.packed_transposed) return {q_.packed + j * q_.k + k0 * width, width * q_.k};
    T* to = mine.out<T>(0, tile::panel_count(n, width) * width * k).data();
    if (q_.packed) {
      // Element (i, x) of b is (x, i) of the packed weights, whose panels lie along i.
      for (index_t x0 = 0; x0 < n; x0 += width)
        for (index_t i = k0; i < k0 + k; ++i)
          for (index_t x = 0; x < width; ++x, ++to)
            *to = x0 + x < n ? q_.packed[i / width * width * q_.n + (j + x0 + x) * width + i % width] : T(0);
      to -= tile::panel_count(n, width) * width * k;
    } else {
      const auto b = q_.b.item(item);
      tile::pack_panels(b.at(k0, j), b.row, b.column, k, n, width, to);
    }
    return {to, width * k};
  }

  const contraction<T, E>& q_;
  const tile_plan& p_;
};

}  // namespace tern::inline TERN_ISA
