// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weight gradients of convolutions as a SIMT kernel: for every tap and group a contraction over samples and positions.
// One block computes a tile of it, input channels by output channels.
//
// Canonical order (docs/numerics.md, "by grains"): a thread owns its results for all samples, and no slab crosses the
// end of a chunk. Steps with a tap on padding have no fma: flags beside a slab (`there`) tell them apart. Cost: that of
// contraction_block, and per copy from an image two divisions by multiplication and three comparisons.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/simt/contraction_block.hpp"
#include "tern/family/contraction/simt/conv_slabs.hpp"
#include "tern/family/contraction/simt/conv_window.hpp"
#include "tern/family/contraction/simt/slab.hpp"
#include "tern/family/contraction/simt/thread_tile.hpp"
#include "tern/policy/simt_tuning.hpp"

namespace tern::inline TERN_ISA::impl {

/// The slab access to contiguous channels of an image: in groups of 16 bytes if the channels of every convolution group
/// begin at a multiple of 16 bytes.
template <class T>
slab_access channels_access(const image<const T>& i, index_t channels, index_t groups) {
  constexpr index_t group = 16 / sizeof(T);
  const bool one_block = channels * groups <= i.block;
  const bool whole = (groups == 1 || channels % group == 0) && (one_block || i.block % group == 0);
  return whole ? access_of(i.p, 1, i.axis[2], i.sample, i.axis[0], i.axis[1], one_block ? index_t{0} : i.block_stride)
               : slab_access::outer;
}

template <class T, bool Accumulate, simt_tuning U>
struct conv_gradient_block {
  static constexpr int threads = U.threads();

  struct stage {
    slab<T, U.block_m, U.block_k> a;
    slab<T, U.block_n, U.block_k> b;
    std::uint8_t there[U.block_k];
  };
  struct shared {
    stage ring[U.stages];
  };

  /// The problem in the form of blocks, which are numbered group by group, tap by tap, tile row by tile row.
  struct problem {
    conv_gradient<T, Accumulate> q;
    source_window<conv_pass::forward> window;
    sample_slabs slabs;
    int taps, tiles_m, tiles_n;
    int positions;
    divisor by_positions;
    unravel position;
    channel_offset x_channel, dy_channel;
    slab_access x_access, dy_access;

    explicit problem(const conv_gradient<T, Accumulate>& call)
        : q(call),
          window(q.shape),
          slabs(q.shape.batch, q.shape.positions(), U.block_k),
          taps(static_cast<int>(q.shape.taps())),
          tiles_m(static_cast<int>((q.shape.in + U.block_m - 1) / U.block_m)),
          tiles_n(static_cast<int>((q.shape.out + U.block_n - 1) / U.block_n)),
          positions(static_cast<int>(q.shape.positions())),
          by_positions(by(q.shape.positions())),
          position(q.shape.axis[1].out, q.shape.axis[2].out),
          x_channel(q.x),
          dy_channel(q.dy),
          x_access(channels_access(q.x, q.shape.in, q.shape.groups)),
          dy_access(channels_access(q.dy, q.shape.out, q.shape.groups)) {}

    index_t blocks() const { return q.shape.groups * taps * tiles_m * tiles_n; }

    /// Step k of a slab.
    struct place {
      index_t sample;
      point at;
    };
    TERN_FN place place_of(const sample_slab& r, int k) const {
      const int i = r.position + k, skipped = by_positions.divide(i);
      return {r.sample + skipped, position(i - skipped * positions)};
    }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared& s, const problem& p) {
    const conv_gradient<T, Accumulate>& q = p.q;
    const int index = static_cast<int>(block.index()), tiles = p.tiles_m * p.tiles_n;
    const int tile = index % tiles, part = index / tiles, group = part / p.taps;
    const point tap = p.window.tap(part % p.taps);
    const int m0 = tile / p.tiles_n * U.block_m, n0 = tile % p.tiles_n * U.block_n;
    const int in = static_cast<int>(q.shape.in), out = static_cast<int>(q.shape.out);
    const int rows = in - m0 < U.block_m ? in - m0 : U.block_m, columns = out - n0 < U.block_n ? out - n0 : U.block_n;
    const int x0 = group * in + m0, dy0 = group * out + n0;
    T* const dw = q.dw.p + group * q.dw.group + offset(q.dw, tap) + m0 * q.dw.in + n0 * q.dw.out;

    using tile_of_thread = thread_tile<T, U>;
    typename Block::template per_thread<tile_of_thread> tiles_of_threads;
    block.pipeline(
        s.ring, static_cast<int>(p.slabs.count()),
        [&](int t, int i, stage& to, const auto& copy) {
          const sample_slab r = p.slabs[i];
          const auto x_at = [&](int k) {
            const auto place = p.place_of(r, k);
            const point source = p.window.source(place.at, tap);
            const bool has = p.window.has(source);
            const T* const x = q.x.p + (has ? offset(q.x, place.sample, source) : index_t{0});
            return [&, x, has](int o) { return slab_element<T>{x + (has ? p.x_channel(x0 + o) : index_t{0}), has}; };
          };
          const auto dy_at = [&](int k) {
            const auto place = p.place_of(r, k);
            const T* const dy = q.dy.p + offset(q.dy, place.sample, place.at);
            return [&, dy](int o) { return slab_element<T>{dy + p.dy_channel(dy0 + o)}; };
          };
          to.a.template fill<threads>(opaque(t), p.x_access, rows, r.steps, x_at, copy);
          to.b.template fill<threads>(opaque(t), p.dy_access, columns, r.steps, dy_at, copy);
          for (int k = t; k < r.steps; k += threads) {
            const point source = p.window.source(p.place_of(r, k).at, tap);
            copy.fill(&to.there[k], static_cast<std::uint8_t>(p.window.has(source)));
          }
        },
        [&](int t) {
          auto& x = tiles_of_threads[t];
          tile_of_thread::each(t, [&](int i, int j, int row, int column) {
            x.sum[i][j] = T(0);
            x.total[i][j] = T(0);
            if constexpr (Accumulate)
              if (row < rows && column < columns) x.total[i][j] = dw[row * q.dw.in + column * q.dw.out];
          });
        },
        [&](int t, int i, const stage& from) {
          const sample_slab r = p.slabs[i];
          tiles_of_threads[t].multiply_steps(t, from.a, from.b, r.steps, from.there);
          if (r.ends_chunk) tiles_of_threads[t].fold();
        },
        [&](int t) {
          auto& x = tiles_of_threads[t];
          tile_of_thread::each(opaque(t), [&](int i, int j, int row, int column) {
            if (row < rows && column < columns) dw[row * q.dw.in + column * q.dw.out] = x.total[i][j];
          });
        });
  }
};

}  // namespace tern::inline TERN_ISA::impl
