// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions and their data gradients as a SIMT kernel: a contraction with a windowed left operand. One block
// computes a tile of results, positions by channels of one group, without im2col.
//
// Canonical order (docs/numerics.md, "by taps of C channels"): a thread owns its results for all taps and channels, and
// no slab crosses the end of a chunk. Rows with a tap on padding have no fma: flags beside a slab (`there`) tell them
// apart. The positions of a block belong to one phase of the stride. So in data gradients a tap exists for all of them,
// except at the border, or for none. Cost: that of contraction_block, and per element copied from an image three
// comparisons. For taps with few channels a slab holds as many whole taps as fit.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/simt/contraction_block.hpp"
#include "tern/family/contraction/simt/conv_slabs.hpp"
#include "tern/family/contraction/simt/conv_window.hpp"
#include "tern/family/contraction/simt/slab.hpp"
#include "tern/family/contraction/simt/thread_tile.hpp"
#include "tern/policy/simt_tuning.hpp"

namespace tern::inline TERN_ISA::impl {

/// The offset of a position in an optional image of the epilogue.
template <bool There>
struct image_place {
  index_t at;
};
template <>
struct image_place<false> {};

template <class T, conv_pass P, epilogue E, simt_tuning U>
struct conv_sums_block {
  static constexpr int threads = U.threads();

  struct stage {
    slab<T, U.block_m, U.block_k> a;
    slab<T, U.block_n, U.block_k> b;
    alignas(16) std::uint8_t there[U.block_k][U.block_m];  ///< taps of the slab, rows
  };
  /// One result position of the block.
  struct row {
    index_t from, to, residual;  ///< offsets of its sample and position in the three images; in `from` that of a source
                                 ///< at 0
    point step;                  ///< from the first source of the phase to its own, for every tap
    image_place<E.position_slope()> slope;
  };
  struct shared {
    stage ring[U.stages];
    row rows[U.block_m];
  };

  /// The problem in the form of blocks, which are numbered group by group, phase by phase, tile row by tile row.
  struct problem {
    conv_sums<T, P, E> q;
    source_window<P> window;
    tap_slabs slabs;
    index_t tiles_m;  ///< of a phase
    int tiles_n;
    int phases;
    unravel phase;
    channel_offset from_channel, to_channel, residual_channel, slope_channel;
    index_t w_along_result, w_along_sum;
    slab_access w_access;

    explicit problem(const conv_sums<T, P, E>& call)
        : q(call),
          window(q.shape),
          slabs(q.shape.taps(), q.summed(), U.block_k),
          tiles_m((q.shape.batch * positions({0, 0, 0}) + U.block_m - 1) / U.block_m),
          tiles_n(static_cast<int>((q.results() + U.block_n - 1) / U.block_n)),
          phases(phases_of(0) * phases_of(1) * phases_of(2)),
          phase(phases_of(1), phases_of(2)),
          from_channel(q.from),
          to_channel(q.to),
          residual_channel(q.residual),
          slope_channel(q.slopes),
          w_along_result(P == conv_pass::forward ? q.w.out : q.w.in),
          w_along_sum(P == conv_pass::forward ? q.w.in : q.w.out),
          w_access(access_of(q.w.p, w_along_result, w_along_sum, q.w.group, q.w.tap[0], q.w.tap[1], q.w.tap[2])) {}

    index_t blocks() const { return q.shape.groups * phases * tiles_m * tiles_n; }

    /// Phases along an axis.
    TERN_FN int phases_of(int r) const {
      return static_cast<int>(q.result_step(r) < q.extent(r) ? q.result_step(r) : q.extent(r));
    }
    /// Result positions of a phase along an axis, and of a sample; the first phase has the most.
    TERN_FN int positions(int r, int of_phase) const {
      const int step = static_cast<int>(q.result_step(r));
      return (static_cast<int>(q.extent(r)) - of_phase + step - 1) / step;
    }
    TERN_FN int positions(point of_phase) const {
      return positions(0, of_phase.z) * positions(1, of_phase.y) * positions(2, of_phase.x);
    }

    TERN_FN row row_at(point of_phase, index_t sample, int position) const {
      const int width = positions(2, of_phase.x), height = positions(1, of_phase.y);
      const point at{position / width / height, position / width % height, position % width};
      const point step{at.z * source_step(0), at.y * source_step(1), at.x * source_step(2)};
      const point to{of_phase.z + at.z * result_step(0), of_phase.y + at.y * result_step(1),
                     of_phase.x + at.x * result_step(2)};
      row r{offset(q.from, sample, step), offset(q.to, sample, to), offset(q.residual, sample, to), step, {}};
      if constexpr (E.position_slope()) r.slope.at = offset(q.slopes, 0, to);
      return r;
    }

   private:
    TERN_FN int source_step(int r) const { return static_cast<int>(q.source_step(r)); }
    TERN_FN int result_step(int r) const { return static_cast<int>(q.result_step(r)); }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared& s, const problem& p) {
    const conv_sums<T, P, E>& q = p.q;
    const int index = static_cast<int>(block.index()), tiles = static_cast<int>(p.tiles_m) * p.tiles_n;
    const int tile = index % tiles, part = index / tiles;
    const index_t m0 = index_t{1} * (tile / p.tiles_n) * U.block_m;
    const int n0 = tile % p.tiles_n * U.block_n, group = part / p.phases;
    const point phase = p.phase(part % p.phases);
    const int of_sample = p.positions(phase);
    const index_t positions = q.shape.batch * of_sample;
    if (m0 >= positions) return;
    const int rows = static_cast<int>(positions - m0 < U.block_m ? positions - m0 : U.block_m);
    const int results = static_cast<int>(q.results()), columns = results - n0 < U.block_n ? results - n0 : U.block_n;
    const int from0 = group * static_cast<int>(q.summed()), to0 = group * results + n0;
    const T* const w = q.w.p + group * q.w.group + n0 * p.w_along_result;

    block.step([&](int t) {
      // Rows after the last position are copies of it: computed like the others, and not stored.
      const index_t sample = m0 / of_sample;
      for (int i = t; i < U.block_m; i += threads) {
        const int position = static_cast<int>(m0 - sample * of_sample) + (i < rows ? i : rows - 1);
        s.rows[i] = p.row_at(phase, sample + position / of_sample, position % of_sample);
      }
    });

    using tile_of_thread = thread_tile<T, U>;
    typename Block::template per_thread<tile_of_thread> tiles_of_threads;
    block.pipeline(
        s.ring, static_cast<int>(p.slabs.count()),
        [&](int t, int i, stage& to, const auto& copy) {
          const tap_slab r = p.slabs[i];
          const auto window_at = [&](int k) {
            const auto [tap, channel] = p.slabs.step_of(r, k);
            const point source = p.window.source(phase, p.window.tap(r.tap + tap));
            const index_t from =
                p.window.exists(source) ? offset(q.from, 0, source) + p.from_channel(from0 + channel) : index_t{0};
            std::uint8_t* const there = k == tap * r.channels ? to.there[tap] : nullptr;  // one thread writes the flag
            return [&, source, from, there](int o) {
              const row& x = s.rows[o];
              const bool has = p.window.has({source.z + x.step.z, source.y + x.step.y, source.x + x.step.x});
              if (there != nullptr) copy.fill(there + o, static_cast<std::uint8_t>(has));
              return slab_element<T>{q.from.p + (has ? from + x.from : index_t{0}), has};
            };
          };
          const auto weights_at = [&](int k) {
            const auto [tap, channel] = p.slabs.step_of(r, k);
            const T* const of_step = w + offset(q.w, p.window.tap(r.tap + tap)) + channel * p.w_along_sum;
            return [of_step, along = p.w_along_result](int o) { return slab_element<T>{of_step + o * along}; };
          };
          to.a.template fill<threads>(opaque(t), slab_access::k, U.block_m, r.taps * r.channels, window_at, copy);
          to.b.template fill<threads>(opaque(t), p.w_access, columns, r.taps * r.channels, weights_at, copy);
        },
        [&](int t) {
          auto& x = tiles_of_threads[t];
          tile_of_thread::each(t, [&](int i, int j, int row, int column) {
            x.sum[i][j] = T(0);
            x.total[i][j] = T(0);
            if constexpr (E.accumulate)
              if (row < rows && column < columns) x.total[i][j] = q.to.p[s.rows[row].to + p.to_channel(to0 + column)];
          });
        },
        [&](int t, int i, const stage& from) {
          const tap_slab r = p.slabs[i];
          for (int tap = 0; tap < r.taps; ++tap)
            tiles_of_threads[t].multiply_rows(t, from.a, from.b, tap * r.channels, (tap + 1) * r.channels,
                                              from.there[tap]);
          if (r.ends_chunk) tiles_of_threads[t].fold();
        },
        [&](int t) {
          auto& x = tiles_of_threads[t];
          tile_of_thread::each(opaque(t), [&](int i, int j, int row, int column) {
            if (row >= rows || column >= columns) return;
            const int channel = to0 + column;
            epilogue_operands<T> with = q.with_channels(channel);
            if constexpr (E.residual)
              with.residual.p = q.residual.p + s.rows[row].residual + p.residual_channel(channel);
            if constexpr (E.position_slope())
              with.slope.p = q.slopes.p + s.rows[row].slope.at + p.slope_channel(channel);
            q.to.p[s.rows[row].to + p.to_channel(channel)] = tile::finish<E>(x.total[i][j], with, 0, 0);
          });
        });
  }
};

}  // namespace tern::inline TERN_ISA::impl
