// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for a partition: fewest predicted cycles among those that fit the tiles. All constexpr.
#pragma once

#include "tern/core/config.hpp"
#include "tern/family/contraction/mimd/partition.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// True if plan x is preferable to plan y.
constexpr bool better(const tile_plan& x, const tile_plan& y) {
  if (x.fits != y.fits) return x.fits;
  return x.fits ? x.cycles() < y.cycles() : x.bytes_per_tile < y.bytes_per_tile;
}

/// The next number of parts to try: every one up to 8, then in steps of a seventh.
constexpr index_t next_parts(index_t parts) { return parts < 8 ? parts + 1 : parts + parts / 7; }

/// The fewest parts with the same largest part.
constexpr index_t fewest(index_t units, index_t parts) {
  return units <= 1 || parts == 1
             ? 1
             : tile_cycles::ceil_div(units, tile_cycles::ceil_div(units, parts < units ? parts : units));
}

struct plan_search {
  const device& d;
  tile_resources have;
  tile_tuning pinned;
  tile_plan best;
  index_t tried = 0;

  static constexpr index_t limit = 2000;  ///< candidates

  constexpr void consider(const tile_plan& p) {
    if (tried == 0 || better(p, best)) best = p;
    ++tried;
  }

  /// Costs p. Until it fits, doubles the steps that free most memory.
  constexpr void with_steps(tile_plan p) {
    const tile_problem& q = p.problem;
    const index_t m_units = q.m, n_units = tile_cycles::ceil_div(q.n, p.n_unit),
                  k_units = tile_cycles::ceil_div(q.k, p.k_unit);
    const tile_split& pin = pinned.steps;
    p.steps.m = pin.m ? pin.m : 1, p.steps.n = pin.n ? pin.n : 1, p.steps.k = pin.k ? pin.k : 1;
    cost(p, d, have.bytes_per_tile);
    consider(p);
    while (!p.fits && tried < limit) {
      tile_plan next = p;
      const auto attempt = [&](index_t tile_split::* dimension, index_t pin_of, index_t units) {
        tile_plan x = p;
        x.steps.*dimension *= 2;
        if (pin_of || x.steps.*dimension * p.tiles.*dimension > units) return;
        cost(x, d, have.bytes_per_tile);
        consider(x);
        if (better(x, next)) next = x;
      };
      attempt(&tile_split::n, pin.n, n_units);
      attempt(&tile_split::k, pin.k, k_units);
      attempt(&tile_split::m, pin.m, m_units);
      if (next.steps == p.steps) return;
      p = next;
    }
  }

  constexpr void run(tile_plan p) {
    const tile_problem& q = p.problem;
    const index_t n_units = tile_cycles::ceil_div(q.n, p.n_unit), k_units = tile_cycles::ceil_div(q.k, p.k_unit);
    // Items of a batch are independent: they are spread first.
    p.tiles.batch = fewest(q.batch, have.tiles);
    p.steps.batch = q.batch > 0 ? tile_cycles::ceil_div(q.batch, p.tiles.batch) : 1;
    const index_t tiles = have.tiles / p.tiles.batch;
    const tile_split& pin = pinned.tiles;
    for (index_t k = pin.k ? pin.k : 1; k <= tiles; k = k < 4 ? k + 1 : k + k / 2) {
      p.tiles.k = pin.k ? pin.k : fewest(k_units, k);
      for (index_t m = pin.m ? pin.m : 1; m * p.tiles.k <= tiles && tried < limit; m = next_parts(m)) {
        p.tiles.m = pin.m ? pin.m : fewest(q.m, m);
        p.tiles.n = pin.n ? pin.n : fewest(n_units, tiles / (p.tiles.k * p.tiles.m));
        if (p.tiles.count() > have.tiles) break;
        with_steps(p);
        if (pin.m || m >= q.m) break;
      }
      if (pin.k || k >= k_units) break;
    }
  }
};

}  // namespace impl

/// The plan with the fewest predicted cycles among at most 2,000; if none fits, the one with the least memory.
/// \param exact  true if k is cut at chunk boundaries only
/// \param pinned parts fixed by the caller
/// Cost: about 0.1 us for each candidate at run time.
constexpr tile_plan plan_tiles(const tile_problem& q, const device& d, tile_resources have, bool exact,
                               const tile_tuning& pinned = {}) {
  tile_plan p;
  p.problem = q, p.exact = exact;
  p.n_unit = tile_cycles::output_group(d, q.element_bytes);
  p.k_unit = exact ? q.chunk : tile_cycles::input_group(d, q.element_bytes);
  have.bytes_per_tile = static_cast<index_t>(static_cast<double>(have.bytes_per_tile) * pinned.memory_share);
  impl::plan_search search{d, have, pinned, p};
  search.run(p);
  return search.best;
}

}  // namespace tern::inline TERN_ISA
