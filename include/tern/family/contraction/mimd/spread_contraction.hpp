// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction on tiles with private memory only: the program of an IPU, run on the host.
//
//     stream in    every operand is spread over the tiles that use it
//     multiply     superstep: gather the shards of this step, chains
//     reduce       superstep, if k is cut across tiles: partial sums go to the owner of the output and are folded
//     stream out
//
// Exact plans exchange chunk sums, not partial totals, and fold them with k ascending: the bits of the reference. Free
// plans exchange one total per tile and fold them pairwise: ((0+1)+(2+3))+..., then onto the total, step by step.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/cpu/totals.hpp"
#include "tern/family/contraction/mimd/partition.hpp"
#include "tern/family/contraction/mimd/tile_compute.hpp"

namespace tern::inline TERN_ISA {

/// One call of strided operands. Core is a tile::contraction_core for T; columns of bias and slope are the same in every
/// row.
template <class Core, class T, epilogue E, contraction_shape S>
class spread_contraction {
 public:
  spread_contraction(const contraction<T, E, S>& q, const tile_plan& p) : q_(q), p_(p), l_(layout_of(p)) {}

  void run(tile_machine& machine, const device& d) const {
    machine.start(d, p_.tiles.count());
    machine.stream("stream in", [&](index_t t, copier& copies) { stream_in(place_of(t), t, copies); });
    tile_split s{};
    for (s.batch = 0; s.batch < p_.steps.batch; ++s.batch)
      for (s.m = 0; s.m < p_.steps.m; ++s.m)
        for (s.n = 0; s.n < p_.steps.n; ++s.n)
          for (s.k = 0; s.k < p_.steps.k; ++s.k) {
            machine.superstep(
                "multiply", [&](index_t t, copier& copies) { gather(place_of(t), s, t, copies); },
                [&](index_t t, arena& mine) { return multiply(place_of(t), s, mine, d); });
            if (p_.tiles.k > 1)
              machine.superstep(
                  "reduce", [&](index_t t, copier& copies) { gather_sums(place_of(t), s, t, copies); },
                  [&](index_t t, arena& mine) { return reduce(place_of(t), s, mine, d); });
          }
    machine.stream("stream out", [&](index_t t, copier& copies) { stream_out(place_of(t), t, copies); });
  }

 private:
  static constexpr index_t size = sizeof(T);

  // A position in the grid of tiles or steps is a tile_split of indices.
  tile_split place_of(index_t t) const {
    const tile_split& g = p_.tiles;
    return {t / (g.n * g.k * g.m), t / (g.n * g.k) % g.m, t % g.n, t / g.n % g.k};
  }
  index_t tile_at(const tile_split& at) const {
    const tile_split& g = p_.tiles;
    return ((at.batch * g.m + at.m) * g.k + at.k) * g.n + at.n;
  }

  /// A tile's work in a step; empty after the batch's last item.
  struct shard {
    index_t item = 0;
    tile_range rows, columns, depth;
    index_t a_size() const { return rows.size() * depth.size(); }
    index_t b_size() const { return depth.size() * columns.size(); }
    index_t c_size() const { return rows.size() * columns.size(); }
  };
  shard shard_of(const tile_split& at, const tile_split& s) const {
    const tile_split &g = p_.tiles, &n = p_.steps;
    const tile_range item = part_of(q_.batch, 1, g.batch * n.batch, at.batch * n.batch + s.batch);
    if (item.size() == 0) return {};
    return {item.first, part_of(q_.m, 1, g.m * n.m, at.m * n.m + s.m),
            part_of(q_.n, p_.n_unit, g.n * n.n, at.n * n.n + s.n),
            part_of(q_.k, p_.k_unit, g.k * n.k, s.k * g.k + at.k)};  // ascending over steps, then tiles
  }

  // Offsets of a step's slots in the arena.
  index_t a_slot(const tile_split& s) const {
    return l_.a_store + ((s.batch * p_.steps.m + s.m) * p_.steps.k + s.k) * l_.a_part * size;
  }
  index_t b_slot(const tile_split& s) const {
    return l_.b_store + ((s.batch * p_.steps.n + s.n) * p_.steps.k + s.k) * l_.b_part * size;
  }
  index_t c_offset(const tile_split& s) const {
    return ((s.batch * p_.steps.m + s.m) * p_.steps.n + s.n) * l_.c_part * size;
  }
  /// The offset of a number per column: of the bias or slope at `numbers`.
  index_t column_slot(index_t numbers, const tile_split& s) const {
    return numbers + (s.batch * p_.steps.n + s.n) * p_.columns() * size;
  }

  /// Cuts elements [part.first, part.last) of a shard with `columns` columns, counted row by row, into rectangles:
  /// f(row, column, rows, columns, elements before).
  template <class F>
  static void rectangles(index_t columns, const tile_range& part, F f) {
    for (index_t at = part.first; at < part.last;) {
      const index_t i = at / columns, j = at % columns, left = part.last - at;
      const index_t rows = j == 0 && left >= columns ? left / columns : 1;
      const index_t width = rows > 1 || left >= columns - j ? columns - j : left;
      f(i, j, rows, width, at - part.first);
      at += rows * width;
    }
  }
  /// Copies the part of a shard of the caller's matrix that a tile stores at `offset`.
  static void load(const operand<const T>& from, index_t columns, const tile_range& part, index_t tile, index_t offset,
                   copier& copies) {
    rectangles(columns, part, [&](index_t i, index_t j, index_t rows, index_t width, index_t before) {
      copies({.from = location::at(from.at(i, j), from.row * size, from.column * size),
              .to = location::on(tile, offset + before * size, width * size, size),
              .rows = rows,
              .columns = width,
              .element_bytes = size});
    });
  }

  void stream_in(const tile_split& at, index_t t, copier& copies) const {
    const tile_split& n = p_.steps;
    tile_split s{};
    for (s.batch = 0; s.batch < n.batch; ++s.batch) {
      for (s.k = 0; s.k < n.k; ++s.k) {
        for (s.m = 0, s.n = 0; s.m < n.m; ++s.m) {
          const shard x = shard_of(at, s);
          load(q_.a.item(x.item).shifted(x.rows.first, x.depth.first), x.depth.size(),
               part_of(x.a_size(), 1, p_.tiles.n, at.n), t, a_slot(s), copies);
        }
        for (s.n = 0, s.m = 0; s.n < n.n; ++s.n) {
          const shard x = shard_of(at, s);
          load(q_.b.item(x.item).shifted(x.depth.first, x.columns.first), x.columns.size(),
               part_of(x.b_size(), 1, p_.tiles.m, at.m), t, b_slot(s), copies);
        }
      }
      for (s.k = 0, s.n = 0; s.n < n.n; ++s.n) {
        for (s.m = 0; s.m < n.m; ++s.m) {
          const shard x = shard_of(at, s);
          const tile_range own = part_of(x.c_size(), 1, p_.tiles.k, at.k);
          const auto mine = [&](const operand<const T>& c, index_t offset) {
            load(c.item(x.item).shifted(x.rows.first, x.columns.first), x.columns.size(), own, t, offset + c_offset(s),
                 copies);
          };
          if constexpr (E.residual) mine(q_.with.residual, l_.residual);
          if constexpr (E.accumulate) mine({q_.c.p, q_.c.row, q_.c.column, q_.c.batch}, l_.c_store);
        }
        const auto of_columns = [&](const operand<const T>& from, index_t numbers) {
          const shard x = shard_of(at, s);
          load(from.item(x.item).shifted(0, x.columns.first), x.columns.size(), {0, x.columns.size()}, t,
               column_slot(numbers, s), copies);
        };
        if constexpr (E.bias) of_columns(q_.with.bias, l_.bias);
        if constexpr (E.act.takes_slope()) of_columns(q_.with.slope, l_.slope);
      }
    }
  }

  void stream_out(const tile_split& at, index_t t, copier& copies) const {
    tile_split s{};
    for (s.batch = 0; s.batch < p_.steps.batch; ++s.batch)
      for (s.m = 0; s.m < p_.steps.m; ++s.m)
        for (s.n = 0; s.n < p_.steps.n; ++s.n) {
          const shard x = shard_of(at, s);
          const auto c = q_.c.item(x.item).shifted(x.rows.first, x.columns.first);
          rectangles(x.columns.size(), part_of(x.c_size(), 1, p_.tiles.k, at.k),
                     [&](index_t i, index_t j, index_t rows, index_t width, index_t before) {
                       copies({.from = location::on(t, l_.c_store + c_offset(s) + before * size, width * size, size),
                               .to = location::at(c.at(i, j), c.row * size, c.column * size),
                               .rows = rows,
                               .columns = width,
                               .element_bytes = size});
                     });
        }
  }

  void gather(const tile_split& at, const tile_split& s, index_t t, copier& copies) const {
    const tile_split &g = p_.tiles, &n = p_.steps;
    const shard x = shard_of(at, s);
    // All parts of a shard, from the tiles that store them: those with other positions along one dimension.
    const auto parts = [&](index_t tile_split::* along, index_t elements, index_t from, index_t to, bool pairs) {
      const index_t count = g.*along, mine = at.*along;
      tile_split peer = at;
      for (index_t j = 0; j < count; ++j) {
        peer.*along = j;
        const tile_range part = part_of(elements, 1, count, j);
        copies({.from = location::on(tile_at(peer), from, 0, size),
                .to = location::on(t, to + part.first * size, 0, size),
                .columns = part.size(),
                .element_bytes = size,
                .charge_sender = mine == (j == 0 ? 1 : 0),
                .paired = pairs && count % 2 == 0 && j / 2 != mine / 2});
      }
    };
    if (g.n > 1 && (n.k > 1 || s.n == 0)) parts(&tile_split::n, x.a_size(), a_slot(s), l_.a_work, true);
    if (g.m > 1 && (n.k > 1 || n.n > 1 || s.m == 0)) parts(&tile_split::m, x.b_size(), b_slot(s), l_.b_work, false);
  }

  double multiply(const tile_split& at, const tile_split& s, arena& mine, const device& d) const {
    const shard x = shard_of(at, s);
    const index_t rows = x.rows.size(), columns = x.columns.size(), depth = x.depth.size();
    if (rows == 0 || columns == 0) return 0;
    const operand<const T> a{mine.in<T>(p_.tiles.n > 1 ? l_.a_work : a_slot(s), x.a_size()).data(), depth, 1, 0};
    const operand<const T> b{mine.in<T>(p_.tiles.m > 1 ? l_.b_work : b_slot(s), x.b_size()).data(), columns, 1, 0};
    const double cycles = chain_cycles(d, p_, rows, columns, depth);
    if (p_.tiles.k == 1) {
      const bool first = s.k == 0 && !E.accumulate;
      T* c = total_of(s, x.c_size(), first, mine);
      multiply_on_tile<Core, T>(a, b, rows, columns, depth, q_.chunk, first ? sums_from::zero : sums_from::output,
                                {c, columns, 1, 0});
      return cycles + finish(s, columns, {0, x.c_size()}, c, mine, d);
    }
    if (!p_.exact) {
      T* sum = mine.out<T>(l_.sums, x.c_size()).data();
      multiply_on_tile<Core, T>(a, b, rows, columns, depth, q_.chunk, sums_from::zero, {sum, columns, 1, 0});
      return cycles;
    }
    T* sum = mine.out<T>(l_.sums, chunks(depth) * x.c_size()).data();
    for (index_t k0 = 0; k0 < depth; k0 += q_.chunk, sum += x.c_size())
      multiply_on_tile<Core, T>(a.shifted(0, k0), b.shifted(k0, 0), rows, columns,
                                depth - k0 < q_.chunk ? depth - k0 : q_.chunk, q_.chunk, sums_from::negative_zero,
                                {sum, columns, 1, 0});
    return cycles;
  }

  /// Every tile sends its sums of the elements that tile t owns.
  void gather_sums(const tile_split& at, const tile_split& s, index_t t, copier& copies) const {
    tile_split peer = at;
    for (peer.k = 0; peer.k < p_.tiles.k; ++peer.k) {
      const shard x = shard_of(peer, s);
      const tile_range own = part_of(x.c_size(), 1, p_.tiles.k, at.k);
      copies({.from = location::on(tile_at(peer), l_.sums + own.first * size, x.c_size() * size, size),
              .to = location::on(t, l_.received + peer.k * p_.sums() * l_.c_part * size, l_.c_part * size, size),
              .rows = p_.exact ? chunks(x.depth.size()) : 1,
              .columns = own.size(),
              .element_bytes = size});
    }
  }

  double reduce(const tile_split& at, const tile_split& s, arena& mine, const device& d) const {
    const shard x = shard_of(at, s);
    const tile_range own = part_of(x.c_size(), 1, p_.tiles.k, at.k);
    if (own.size() == 0) return 0;
    const bool first = s.k == 0 && !E.accumulate;
    T* total = total_of(s, own.size(), first, mine);
    for (index_t i = 0; first && i < own.size(); ++i) total[i] = T(0);
    const index_t stride = p_.sums() * l_.c_part;  // distance in elements between the sums of two senders
    const auto sums_at = [&](index_t from, index_t sum) {
      return mine.inout<T>(l_.received + (from * stride + sum * l_.c_part) * size, own.size()).data();
    };
    if (p_.exact) {
      tile_split peer = at;
      for (peer.k = 0; peer.k < p_.tiles.k; ++peer.k)
        for (index_t sum = 0; sum < chunks(shard_of(peer, s).depth.size()); ++sum)
          add(total, sums_at(peer.k, sum), own.size());
    } else {
      for (index_t apart = 1; apart < p_.tiles.k; apart *= 2)
        for (index_t i = 0; i + apart < p_.tiles.k; i += 2 * apart)
          add(sums_at(i, 0), sums_at(i + apart, 0), own.size());
      add(total, sums_at(0, 0), own.size());
    }
    return tile_cycles::reduce(d, size, own.size(), p_.tiles.k * p_.sums()) +
           finish(s, x.columns.size(), own, total, mine, d);
  }

  /// The address of the totals that a tile owns.
  T* total_of(const tile_split& s, index_t elements, bool first, arena& mine) const {
    const index_t at = l_.c_store + c_offset(s);
    return (first ? mine.out<T>(at, elements) : mine.inout<T>(at, elements)).data();
  }

  /// Applies the epilogue after the last step of k, on elements `own` of a shard with `columns` columns. Returns its
  /// cycles.
  double finish(const tile_split& s, index_t columns, const tile_range& own, T* total, arena& mine,
                const device& d) const {
    if (E.empty() || s.k + 1 < p_.steps.k) return 0;
    epilogue_operands<T> all;
    const auto of_columns = [&](index_t numbers) {
      return operand<const T>{mine.in<T>(column_slot(numbers, s), columns).data(), 0, 1, 0};
    };
    if constexpr (E.bias) all.bias = of_columns(l_.bias);
    if constexpr (E.act.takes_slope()) all.slope = of_columns(l_.slope);
    if constexpr (E.residual) all.residual = {mine.in<T>(l_.residual + c_offset(s), own.size()).data(), columns, 1, 0};
    rectangles(columns, own, [&](index_t, index_t j, index_t rows, index_t width, index_t before) {
      epilogue_operands<T> with = all.shifted(0, j);
      with.residual = all.residual.shifted(0, before);
      tile::store_totals<E, typename Core::vector>(total + before, width, rows, width, {total + before, width, 1, 0},
                                                   with);
    });
    return epilogue_cycles(d, p_.problem, own.size());
  }

  index_t chunks(index_t depth) const { return tile_cycles::ceil_div(depth, q_.chunk); }

  static void add(T* to, const T* from, index_t n) {
    for (index_t i = 0; i < n; ++i) to[i] = to[i] + from[i];
  }

  const contraction<T, E, S>& q_;
  const tile_plan& p_;
  tile_layout l_;
};

}  // namespace tern::inline TERN_ISA
