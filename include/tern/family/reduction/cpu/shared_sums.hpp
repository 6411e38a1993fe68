// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions by several cores that share the chunks of a sum. If they shared channels instead,
// each would read parts of every row, or of every line.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/place_sums_core.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct shared_sums {
  using T = typename V::value_type;
  static constexpr index_t least_channels = 4 * V::size;  ///< channels whose chains keep a core's units busy

  /// True if sums over these places have enough chunks for all tasks, and enough channels for several chains.
  static constexpr bool pay(const place_box& summed, index_t channels, index_t tasks) {
    return tasks > 1 && channels >= least_channels && chunks_of(summed.batch, summed.positions()) >= 2 * tasks;
  }

  /// Totals of channels [first, last), if places have no results of their own. Forks once for as many chunks as fit.
  template <class Executor, class F>
  static void channels(Executor& run, index_t tasks, const place_sums<T, F>& q, index_t first, index_t last) {
    constexpr int results = F::results;
    constexpr index_t room = 65536 / results / index_t(sizeof(T)), most = 512;
    const index_t batch = q.summed.batch, positions = q.summed.positions(), all = chunks_of(batch, positions);
    T chains[room * results], totals[results][most];
    // Leaves room for two chunks of each task, if that allows several vectors of channels at a time.
    index_t at_once = room / (2 * tasks) / V::size * V::size;
    if (at_once > most) at_once = most;
    if (at_once < least_channels) at_once = least_channels;
    for (index_t c = first, size; c < last; c += size) {
      size = last - c < at_once ? last - c : at_once;
      for (index_t k = 0; k < size; ++k) {
        T total[results];
        q.begin({0, 0, 0, 0, c + k}, total);
        for (int r = 0; r < results; ++r) totals[r][k] = total[r];
      }
      index_t seen = q.seen;
      for (index_t begin = 0, count; begin < all; begin += count) {
        count = all - begin < room / size ? all - begin : room / size;
        const auto task = [&](index_t t) {
          for (index_t k = count * t / tasks; k < count * (t + 1) / tasks; ++k) {
            T* to[results];
            for (int r = 0; r < results; ++r) to[r] = chains + (k * results + r) * size;
            place_sums_core<V>::chunk(q, chunk_at(batch, positions, begin + k), c, c + size, to);
          }
        };
        run(tasks, task);
        for (index_t k = 0; k < count; ++k) {
          const index_t places = chunk_at(batch, positions, begin + k).count;
          join(q.f, totals, chains + k * results * size, size, seen, places);
          seen += places;
        }
      }
      for (index_t k = 0; k < size; ++k) {
        T total[results];
        for (int r = 0; r < results; ++r) total[r] = totals[r][k];
        q.end({0, 0, 0, 0, c + k}, total);
      }
    }
  }

 private:
  template <class F, int Results, index_t Most>
  static void join(const F& f, T (&totals)[Results][Most], const T* chains, index_t size, index_t seen,
                   index_t places) {
    each_vector<V>(size, [&](index_t k, auto valid) {
      V total[Results], chain[Results];
      for (int r = 0; r < Results; ++r)
        total[r] = load_lanes<V>(totals[r] + k, valid), chain[r] = load_lanes<V>(chains + r * size + k, valid);
      f.join(total, chain, seen, places);
      for (int r = 0; r < Results; ++r) store_lanes(total[r], totals[r] + k, valid);
    });
  }
};

}  // namespace tern::tile::inline TERN_ISA
