// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction on tiles that also access the caller's memory: the cores of the host. One superstep: every tile
// computes its part of the batch or its rectangle of the output like a core under simd
// (family/contraction/cpu/contraction_core.hpp). Its arena, its share of the L2 cache, holds the weights that it
// arranges.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/workspace.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/cpu/contraction_core.hpp"
#include "tern/family/contraction/mimd/planner.hpp"

namespace tern::inline TERN_ISA {

/// The partition of a contraction over tiles that access the caller's memory: batch, then rows and columns, with the
/// smallest largest part; then blocks as wide as the arena allows.
/// \tparam Core  the tile::contraction_core of a tile's part
/// \param least_fmas  multiply-adds below which one tile computes everything
/// Cost: two operations per tile.
template <class Core>
constexpr tile_plan plan_shared(const tile_problem& q, const device& d, tile_resources have, index_t least_fmas) {
  using tile_cycles::number;
  constexpr index_t width = Core::macro_kernel::panel_columns;
  tile_plan p;
  p.problem = q, p.n_unit = width, p.k_unit = q.chunk;
  if (q.m * q.n * q.k * q.batch < least_fmas) have.tiles = 1;
  p.steps.batch = q.batch > 0 ? q.batch : 1;
  if (have.tiles > 1) {
    p.tiles.batch = impl::fewest(q.batch, have.tiles);
    if (q.batch > 0) p.steps.batch = tile_cycles::ceil_div(q.batch, p.tiles.batch);
    const index_t tiles = have.tiles / p.tiles.batch, panels = tile_cycles::ceil_div(q.n, width);
    double least = 0;
    for (index_t n = 1; n <= tiles && (n == 1 || n <= panels); ++n) {
      const index_t m = tiles / n < q.m ? tiles / n : q.m > 0 ? q.m : 1;
      const index_t rows = largest_part(q.m, 1, m), columns = largest_part(q.n, width, n);
      const double work = number(rows + 4) * number(columns);  // packing a row of b costs about as much as 4 rows of a
      if (n == 1 || work < least) least = work, p.tiles.m = m, p.tiles.n = n;
    }
  }
  const index_t rows = largest_part(q.m, 1, p.tiles.m), columns = largest_part(q.n, width, p.tiles.n);
  const index_t wanted = Core::memory_bytes(rows, columns);
  p.fits = have.bytes_per_tile >= Core::least_memory_bytes;
  p.bytes_per_tile = !p.fits || wanted < Core::least_memory_bytes ? Core::least_memory_bytes
                     : wanted < have.bytes_per_tile               ? wanted
                                                                  : have.bytes_per_tile;
  const index_t slab = tile::slab_k * q.element_bytes;
  const index_t block = p.bytes_per_tile / slab / width * width;
  p.steps.n = columns <= block ? 1 : tile_cycles::ceil_div(columns, block);
  p.steps.k = tile_cycles::ceil_div(q.k, tile::slab_k);
  if (p.steps.k < 1) p.steps.k = 1;
  p.supersteps = 1;
  p.sync_cycles = d.sync_cycles;
  p.compute_cycles = number(p.steps.batch) * (tile_cycles::multiply(d, q.element_bytes, rows, columns, q.k) +
                                              epilogue_cycles(d, q, rows * columns));
  return p;
}

/// One call. Core is a tile::contraction_core for T. If S is small and static the plan must leave items whole.
template <class Core, class T, epilogue E, contraction_shape S>
class shared_contraction {
 public:
  shared_contraction(const contraction<T, E, S>& q, const tile_plan& p) : q_(q), p_(p) {}

  void run(tile_machine& machine, const device& d) const {
    machine.start(d, p_.tiles.count());
    machine.superstep("multiply", [&](index_t t, arena& mine) {
      const tile_split& g = p_.tiles;
      const bool whole = g.m * g.n == 1;  // items
      const tile_range items = part_of(q_.batch, 1, g.batch, whole ? t : t / (g.n * g.m));
      const tile_range rows = part_of(q_.m, 1, g.m, whole ? 0 : t / g.n % g.m);
      const tile_range columns = part_of(q_.n, p_.n_unit, g.n, whole ? 0 : t % g.n);
      if constexpr (tile::is_small(S)) {
        Core::items(q_, items.first, items.last);
      } else if (!whole || !Core::short_items(q_, items.first, items.last)) {
        const workspace memory{mine.template out<T>(0, p_.bytes_per_tile / static_cast<index_t>(sizeof(T))).data(),
                               p_.bytes_per_tile};
        for (index_t item = items.first; item < items.last; ++item)
          Core::rectangle(q_, item, rows.first, rows.last, columns.first, columns.last, memory);
      }
      return static_cast<double>(items.size()) *
             (tile_cycles::multiply(d, sizeof(T), rows.size(), columns.size(), q_.k) +
              epilogue_cycles(d, p_.problem, rows.size() * columns.size()));
    });
  }

 private:
  const contraction<T, E, S>& q_;
  const tile_plan& p_;
};

}  // namespace tern::inline TERN_ISA
