// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weight gradient of a convolution on one core with vector units: taps of some groups, and some of their output
// channels.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/fetcher.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/conv_rows.hpp"
#include "tern/family/contraction/cpu/prefetch_rows.hpp"
#include "tern/family/contraction/cpu/runs.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V       vectors
/// \tparam Tuning  numbers that change speed and never bits
template <class V, contraction_tuning Tuning>
struct conv_gradient_core {
  using T = typename V::value_type;
  static constexpr index_t width = Tuning.vectors * V::size;  ///< of a tile
  static constexpr index_t element_bytes = sizeof(T);

  /// Weight gradients of taps [first, last), counted over groups and taps, for output channels [o0, o1) of each group.
  template <bool Accumulate>
  static void gradient(const conv_gradient<T, Accumulate>& q, index_t first, index_t last, index_t o0, index_t o1) {
    const conv_shape& s = q.shape;
    const window_axis* a = s.axis;
    const index_t taps = s.taps();
    if (!Accumulate && s.batch * s.positions() == 0)
      for (index_t unit = first; unit < last; ++unit) {
        const tap_index tap(s, unit % taps);
        for (index_t c = 0; c < s.in; ++c)
          for (index_t o = o0; o < o1; ++o) *q.dw.at(tap.z, tap.y, tap.x, unit / taps, c, o) = T(0);
      }
    // Chunk by chunk for as many taps as stay in the cache, so that images are not read from memory once per tap.
    const index_t cached = 256 * 1024 / (s.in * (o1 - o0) * element_bytes + 1) + 1;
    const index_t images = s.batch * s.groups * (s.in * a[0].in * a[1].in * a[2].in + s.out * s.positions());
    const bool out_of_cache = images * element_bytes >= Tuning.memory_bytes;
    for (index_t begin = first, end; begin < last; begin = end) {
      end = last - begin < cached ? last : begin + cached;
      bool add = Accumulate;
      each_chunk(s.batch, {a[0].out, a[1].out, a[2].out}, [&](index_t n, index_t position, index_t count) {
        const index_t here = n * s.positions() + position;
        for (index_t o = o0, o_end; o < o1; o = o_end) {
          o_end = o1 - o < columns_at_once ? o1 : o + columns_at_once;
          fetcher next;
          if (out_of_cache && o_end < o1)
            find_columns(q, here, o_end, o1, next);
          else if (out_of_cache)
            find_images(q, here + count, o0, o1, next);
          const index_t fetched = next.lines() / (end - begin) + 1;
          for (index_t unit = begin; unit < end; ++unit)
            chunk_of_gradient(q, unit / taps, unit % taps, o, o_end, {n, position, count}, add, next, fetched);
        }
        add = true;
      });
    }
  }

  /// One chunk of weight gradients of a tap, for output channels [o0, o1) of a group.
  /// \param add  true to add to the old values of dw, false to +0
  template <bool Accumulate>
  static void chunk_of_gradient(const conv_gradient<T, Accumulate>& q, index_t g, index_t t, index_t o0, index_t o1,
                                const sample_chunk& k, bool add) {
    fetcher nothing;
    chunk_of_gradient(q, g, t, o0, o1, k, add, nothing, 0);
  }

 private:
  using tiles = run_tiles<V, Tuning.rows, Tuning.vectors>;
  /// A chunk of this many channels takes a quarter of a megabyte.
  static constexpr index_t columns_at_once = 128 / width * width > 0 ? 128 / width* width : width;

  /// \param next  prefetches `fetched` lines during the work
  template <bool Accumulate>
  static void chunk_of_gradient(const conv_gradient<T, Accumulate>& q, index_t g, index_t t, index_t o0, index_t o1,
                                const sample_chunk& k, bool add, fetcher& next, index_t fetched) {
    const conv_shape& s = q.shape;
    const window_axis* a = s.axis;
    const tap_index tap(s, t);
    const window_axis::range there = a[2].results_with(tap.x);
    const operand<T> dw{q.dw.at(tap.z, tap.y, tap.x, g, 0, 0), q.dw.in, q.dw.out, 0};
    // Contiguous channels of x and of dy.
    for (index_t c = 0, rows; c < s.in; c += rows) {
      rows = neighbours(q.x, g * s.in + c, s.in - c);
      for (index_t o = o0, columns; o < o1; o += columns) {
        columns = neighbours(q.dy, g * s.out + o, o1 - o);
        const T* const base = q.dy.p;  // the origin of runs
        chain_run<T> runs[dot_chunk];
        index_t used = 0;
        each_row({a[0].out, a[1].out, a[2].out}, k.n, k.position, k.count,
                 [&](index_t m, index_t z, index_t y, index_t x, index_t size) {
                   const index_t sz = a[0].input(z, tap.z), sy = a[1].input(y, tap.y);
                   if (!a[0].has(sz) || !a[1].has(sy)) return;
                   const index_t begin = x > there.first ? x : there.first;
                   const index_t end = x + size < there.last ? x + size : there.last;
                   if (begin >= end) return;
                   const T* dy = q.dy.at(m, g * s.out + o, z, y, begin);
                   runs[used++] = {q.x.at(m, g * s.in + c, sz, sy, a[2].input(begin, tap.x)), dy - base, end - begin,
                                   run_rows::all};
                 });
        block_of_gradient(runs, used, a[2].stride * q.x.axis[2], base, q.dy.axis[2], dw.shifted(c, o), rows, columns,
                          add, next, fetched);
      }
    }
  }

  /// Adds to the prefetches the channels of dy from o on, as many as are processed at once, in the chunk that begins at
  /// `position`, counted over samples.
  template <bool Accumulate>
  static void find_columns(const conv_gradient<T, Accumulate>& q, index_t position, index_t o, index_t o1,
                           fetcher& to) {
    const conv_shape& s = q.shape;
    const index_t all = s.batch * s.positions(), pixel = q.dy.axis[2];
    const index_t rows = all - position < dot_chunk ? all - position : dot_chunk;
    if (s.groups == 1 && q.dy.axis[1] == s.axis[2].out * pixel && q.dy.sample == s.positions() * pixel)
      to.add(q.dy.at(0, o, 0, 0, 0) + position * pixel, o1 - o < columns_at_once ? o1 - o : columns_at_once, rows,
             pixel);
  }
  /// The same, and the rows of x under the chunk's windows.
  template <bool Accumulate>
  static void find_images(const conv_gradient<T, Accumulate>& q, index_t position, index_t o, index_t o1, fetcher& to) {
    const conv_shape& s = q.shape;
    const index_t all = s.batch * s.positions(), end = all - position < dot_chunk ? all : position + dot_chunk;
    if (position >= end) return;
    find_columns(q, position, o, o1, to);
    find_sources(s, conv_pass::forward, q.x, position / s.axis[2].out, (end - 1) / s.axis[2].out + 1, to);
  }

  /// dw(i, j) = sum over runs of x's channel i and dy's channel j, for neighbouring channels.
  static void block_of_gradient(const chain_run<T>* runs, index_t used, index_t a_column, const T* b, index_t b_row,
                                const operand<T>& dw, index_t rows, index_t columns, bool add, fetcher& next,
                                index_t fetched) {
    const index_t count = (rows + Tuning.rows - 1) / Tuning.rows,
                  lines = fetched / (count * ((columns + width - 1) / width)) + 1;
    for (index_t t = 0, i0 = 0, height; t < count; ++t, i0 += height) {
      height = count - t == 1 ? rows - i0 : (rows - i0) / (count - t);
      for (index_t j = 0, size; j < columns; j += size) {
        size = columns - j < width ? columns - j : width;
        if (next.lines() > 0) next.fetch(lines);
        if constexpr (V::has_masks) {
          gradient_tile<tiles, width>(runs, used, i0, a_column, b + j, b_row, dw.shifted(i0, j), height, size, add);
        } else if (size >= V::size) {
          size = size / V::size * V::size;
          gradient_tile<tiles, width>(runs, used, i0, a_column, b + j, b_row, dw.shifted(i0, j), height, size, add);
        } else {
          size = 1;
          using narrow = run_tiles<lanes<T, scalar_arch>, Tuning.rows, 1>;
          gradient_tile<narrow, 1>(runs, used, i0, a_column, b + j, b_row, dw.shifted(i0, j), height, size, add);
        }
      }
    }
  }

  template <class Tiles, index_t Width>
  static void gradient_tile(const chain_run<T>* runs, index_t used, index_t shift, index_t a_column, const T* b,
                            index_t b_row, const operand<T>& dw, index_t rows, index_t columns, bool add) {
    if (dw.column == 1)
      return Tiles::find(rows, columns)(runs, used, shift, 1, a_column, b, b_row, columns, dw.p, dw.row, add);
    alignas(64) T buffer[Tuning.rows * Width];
    if (add)
      for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j) buffer[i * Width + j] = *dw.at(i, j);
    Tiles::find(rows, columns)(runs, used, shift, 1, a_column, b, b_row, columns, buffer, Width, add);
    for (index_t i = 0; i < rows; ++i)
      for (index_t j = 0; j < columns; ++j) *dw.at(i, j) = buffer[i * Width + j];
  }
};

}  // namespace tern::tile::inline TERN_ISA
