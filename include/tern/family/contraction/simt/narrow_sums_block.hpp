// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions with few channels per group, above all depthwise ones, and their data gradients: a thread per result. A
// tile of conv_sums_block covers one group, and would be nearly empty.
//
// Canonical order: docs/numerics.md, "by taps of C channels"; a thread computes it literally. Cost: per fma two
// elements read from memory, mostly from the first cache; neighbouring threads have neighbouring channels, so their
// accesses are contiguous.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/simt/conv_window.hpp"

namespace tern::inline TERN_ISA::impl {

template <class T, conv_pass P, epilogue E, int Threads>
struct narrow_sums_block {
  static constexpr int threads = Threads;
  /// A block has the channels of a warp at as many neighbouring positions as it has warps.
  static constexpr int warps = Threads / warp_threads;
  /// Gives each of 1024 threads 64 registers. By default the compiler uses fewer and spills.
  static constexpr int resident_blocks = Threads < 1024 ? 1024 / Threads : 1;

  struct shared {};

  /// The problem in the form of blocks, which are numbered row by row, piece of the row by piece, channels fastest.
  struct problem {
    conv_sums<T, P, E> q;
    source_window<P> window;
    int chunk_taps, chunk_channels;
    int groups, results, summed;
    int depth, height, width;
    int parts_of_channels, parts_of_row;
    channel_offset from_channel, to_channel, residual_channel, slope_channel;

    explicit problem(const conv_sums<T, P, E>& call)
        : q(call),
          window(q.shape),
          chunk_taps(static_cast<int>(chunks_of(q.summed()).taps)),
          chunk_channels(static_cast<int>(chunks_of(q.summed()).channels)),
          groups(static_cast<int>(q.shape.groups)),
          results(static_cast<int>(q.results())),
          summed(static_cast<int>(q.summed())),
          depth(static_cast<int>(q.extent(0))),
          height(static_cast<int>(q.extent(1))),
          width(static_cast<int>(q.extent(2))),
          parts_of_channels((groups * results + warp_threads - 1) / warp_threads),
          parts_of_row((width + warps - 1) / warps),
          from_channel(q.from),
          to_channel(q.to),
          residual_channel(q.residual),
          slope_channel(q.slopes) {}

    index_t blocks() const { return q.shape.batch * depth * height * parts_of_row * parts_of_channels; }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared&, const problem& p) {
    const conv_sums<T, P, E>& q = p.q;
    const int index = static_cast<int>(block.index());
    const int channel0 = index % p.parts_of_channels * warp_threads, piece = index / p.parts_of_channels;
    const int x0 = piece % p.parts_of_row * warps, row = piece / p.parts_of_row;
    const int y = row % p.height, plane = row / p.height, z = plane % p.depth, sample = plane / p.depth;
    block.step([&](int t) {
      const int channel = channel0 + t % warp_threads;
      const point at{z, y, x0 + t / warp_threads};
      if (channel >= p.groups * p.results || at.x >= p.width) return;
      T& to = q.to.p[offset(q.to, sample, at) + p.to_channel(channel)];
      const T total = sum(p, sample, at, channel, E.accumulate ? to : T(0));
      epilogue_operands<T> with = q.with_channels(channel);
      if constexpr (E.residual)
        with.residual.p = q.residual.p + offset(q.residual, sample, at) + p.residual_channel(channel);
      if constexpr (E.position_slope()) with.slope.p = q.slopes.p + offset(q.slopes, 0, at) + p.slope_channel(channel);
      to = tile::finish<E>(total, with, 0, 0);
    });
  }

 private:
  /// The total of one result: chunk sums, in ascending order, added to `total`.
  static TERN_FN T sum(const problem& p, index_t sample, point at, int channel, T total) {
    const conv_sums<T, P, E>& q = p.q;
    const int group = channel / p.results, result = channel % p.results, first = group * p.summed;
    const index_t along_result = P == conv_pass::forward ? q.w.out : q.w.in,
                  along_sum = P == conv_pass::forward ? q.w.in : q.w.out;
    const T* const from = q.from.p + sample * q.from.sample;
    const T* const w = q.w.p + group * q.w.group + result * along_result;
    T chain = 0;
    int in_chunk = 0;  // taps
    const auto end_chunk = [&] { total = total + chain, chain = T(0), in_chunk = 0; };
    const window_axis* const axis = q.shape.axis;
    for (int tz = 0; tz < axis[0].kernel; ++tz) {
      const int sz = p.window.axis[0].source(at.z, tz);
      for (int ty = 0; ty < axis[1].kernel; ++ty) {
        const int sy = p.window.axis[1].source(at.y, ty);
        for (int tx = 0; tx < axis[2].kernel; ++tx) {
          const point source{sz, sy, p.window.axis[2].source(at.x, tx)};
          const bool there = p.window.has(source);
          const T* const a = from + (there ? offset(q.from, 0, source) : index_t{0});
          const T* const b = w + offset(q.w, {tz, ty, tx});
          for (int c = 0; c < p.summed;) {
            if (c > 0) end_chunk();
            const int end = p.summed - c < p.chunk_channels ? p.summed : c + p.chunk_channels;
            for (; c < end; ++c)
              if (there) chain = math::fma(a[p.from_channel(first + c)], b[c * along_sum], chain);
          }
          if (++in_chunk == p.chunk_taps) end_chunk();
        }
      }
    }
    if (in_chunk > 0) end_chunk();
    return total;
  }
};

}  // namespace tern::inline TERN_ISA::impl
