// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program of a convolution's passes on tiles with private memory only:
//
//     stream in    operands are spread over all tiles; initial values of results go to their owners
//     convolve     superstep: gather the data of this step, chains
//     reduce       superstep, if sums are cut across tiles: chunk sums go to the owners and are folded in order
//     stream out
#pragma once

#include <initializer_list>

#include "tern/core/config.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_tensor.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/contraction/mimd/conv_partition.hpp"
#include "tern/family/contraction/mimd/conv_planner.hpp"

namespace tern::inline TERN_ISA {

/// \tparam Pass  the pass: stream_in, gather, chains, finish, and transfer of its results
template <class Pass, class T>
class spread_program {
 public:
  explicit spread_program(const conv_plan& p) : p_(p), l_(layout_of(p)) {}

  void run(tile_machine& machine, const device& d) const {
    const index_t steps = p_.steps.count();
    machine.start(d, p_.tiles.count());
    machine.stream("stream in", [&](index_t t, copier& copies) {
      pass().stream_in(t, copies);
      for (index_t i = 0; i < steps; ++i) pass().stream_results(p_.tiles.place(t), p_.steps.place(i), t, copies);
    });
    for (index_t i = 0; i < steps; ++i) {
      const conv_split s = p_.steps.place(i);
      machine.superstep(
          "convolve", [&](index_t t, copier& copies) { pass().gather(p_.tiles.place(t), s, t, copies); },
          [&](index_t t, arena& mine) { return convolve(p_.tiles.place(t), s, mine, d); });
      if (p_.tiles[of_depth] > 1)
        machine.superstep(
            "reduce", [&](index_t t, copier& copies) { gather_sums(p_.tiles.place(t), s, t, copies); },
            [&](index_t t, arena& mine) { return reduce(p_.tiles.place(t), s, mine, d); });
    }
    machine.stream("stream out", [&](index_t t, copier& copies) {
      for (index_t i = 0; i < steps; ++i)
        if (const conv_split s = p_.steps.place(i); s[of_depth] == 0)
          pass().stream_out(p_.tiles.place(t), s, t, copies);
    });
  }

 protected:
  static constexpr index_t size = sizeof(T);

  /// The offset of a step's totals, in elements from the first slot; steps of chunks share one.
  index_t slot(const conv_split& s) const {
    conv_split slots = p_.steps, at = s;
    slots.of[of_depth] = 1, at.of[of_depth] = 0;
    return slots.number(at) * l_.own;
  }
  /// The offset of a step's numbers per channel, likewise.
  index_t channel_slot(const conv_split& s) const {
    return (s[of_group] * p_.steps[of_channel] + s[of_channel]) * p_.largest(of_group) * p_.largest(of_channel);
  }
  /// Rows of a shard's result that a tile owns.
  tile_range own_rows(const conv_split& at, const conv_shard& x) const {
    return part_of(x.rows(), 1, p_.tiles[of_depth], at[of_depth]);
  }
  /// The tiles that receive the same data: those that differ only along `dimensions`.
  spread_receivers receivers(const conv_split& at, index_t tile, std::initializer_list<int> dimensions) const {
    conv_split first = at, second = at;
    for (int d : dimensions) first.of[d] = second.of[d] = 0;
    for (int d : dimensions)
      if (p_.tiles[d] > 1) {
        second.of[d] = 1;
        break;
      }
    const bool pairs = *dimensions.begin() == of_channel && p_.tiles[of_channel] % 2 == 0;
    return {tile, p_.tiles.number(first), p_.tiles.number(second), pairs};
  }

  const conv_plan& p_;
  conv_layout l_;

 private:
  const Pass& pass() const { return static_cast<const Pass&>(*this); }

  double convolve(const conv_split& at, const conv_split& s, arena& mine, const device& d) const {
    const conv_shard x = p_.shard(at, s);
    const index_t elements = x.rows() * x.channels.size();
    if (elements == 0) return 0;
    const double cycles = chain_cycles(d, p_, x);
    if (p_.tiles[of_depth] > 1) {
      T* sums = mine.out<T>(l_.sums, x.chunks.size() * elements).data();
      for (index_t i = 0; i < x.chunks.size() * elements; ++i) sums[i] = T(-0.0);  // adding a chain gives the chain
      pass().chunk_sums(x, sums, mine);
      return cycles;
    }
    const bool first = s[of_depth] == 0 && !Pass::accumulates;
    const index_t offset = l_.totals + slot(s) * size;
    T* totals = (first ? mine.out<T>(offset, elements) : mine.inout<T>(offset, elements)).data();
    pass().all_chunks(x, s, totals, first, mine);
    return cycles + (s[of_depth] + 1 == p_.steps[of_depth] ? epilogue_cycles(d, p_.problem, elements) : 0);
  }

  /// Every tile sends its sums of the rows that tile t owns.
  void gather_sums(const conv_split& at, const conv_split& s, index_t t, copier& copies) const {
    conv_split peer = at;
    for (index_t k = 0; k < p_.tiles[of_depth]; ++k) {
      peer.of[of_depth] = k;
      const conv_shard x = p_.shard(peer, s);
      const tile_range own = own_rows(at, x);
      const index_t columns = x.channels.size(), all = x.rows() * columns;
      copies({.from = location::on(p_.tiles.number(peer), l_.sums + own.first * columns * size, all * size, size),
              .to = location::on(t, l_.received + k * p_.largest(of_depth) * l_.own * size, l_.own * size, size),
              .rows = x.chunks.size(),
              .columns = own.size() * columns,
              .element_bytes = size});
    }
  }

  double reduce(const conv_split& at, const conv_split& s, arena& mine, const device& d) const {
    const conv_shard x = p_.shard(at, s);
    const tile_range own = own_rows(at, x);
    const index_t elements = own.size() * x.channels.size();
    if (elements == 0) return 0;
    const bool first = s[of_depth] == 0 && !Pass::accumulates;
    const index_t offset = l_.totals + slot(s) * size;
    T* totals = (first ? mine.out<T>(offset, elements) : mine.inout<T>(offset, elements)).data();
    for (index_t i = 0; first && i < elements; ++i) totals[i] = T(0);
    conv_split peer = at;
    index_t folded = 0;
    for (index_t k = 0; k < p_.tiles[of_depth]; ++k) {
      peer.of[of_depth] = k;
      const index_t chunks = p_.shard(peer, s).chunks.size();
      for (index_t i = 0; i < chunks; ++i, ++folded) {
        const T* sum = mine.in<T>(l_.received + (k * p_.largest(of_depth) + i) * l_.own * size, elements).data();
        for (index_t e = 0; e < elements; ++e) totals[e] = totals[e] + sum[e];
      }
    }
    const double cycles = tile_cycles::reduce(d, size, elements, folded);
    if (s[of_depth] + 1 < p_.steps[of_depth]) return cycles;
    pass().finish(x, s, own, totals, mine);
    return cycles + epilogue_cycles(d, p_.problem, elements);
  }
};

}  // namespace tern::inline TERN_ISA
