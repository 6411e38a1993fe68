// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weight gradient of a depthwise convolution on one core with vector units: lanes are channels, and the sums of
// some window rows stay in registers while dy streams through.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/fetcher.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/prefetch_rows.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V       vectors
/// \tparam Tuning  numbers that change speed and never bits
template <class V, contraction_tuning Tuning>
struct depthwise_gradient_core {
  using T = typename V::value_type;

  /// Weight gradients of channels [c0, c1).
  template <bool Accumulate>
  static void gradient(const conv_gradient<T, Accumulate>& q, index_t c0, index_t c1) {
    const conv_shape& s = q.shape;
    const window_axis* a = s.axis;
    const bool nothing = s.batch * s.positions() == 0;
    for (index_t c = c0, channels; c < c1; c += channels) {
      channels = neighbours(q.x, c, c1 - c), channels = neighbours(q.dy, c, channels);
      if (nothing && !Accumulate)
        for (index_t z = 0; z < a[0].kernel; ++z)
          for (index_t y = 0; y < a[1].kernel; ++y)
            for (index_t x = 0; x < a[2].kernel; ++x)
              for (index_t i = c; i < c + channels; ++i) *q.dw.at(z, y, x, i, 0, 0) = T(0);
      bool add = Accumulate;
      each_chunk(s.batch, {a[0].out, a[1].out, a[2].out}, [&](index_t n, index_t position, index_t count) {
        const index_t whole = channels / V::size * V::size;
        for (index_t i = 0, size; i < whole; i += size) {
          size = whole - i < most_vectors * V::size ? whole - i : most_vectors * V::size;
          chunk_of_window(q, {n, position, count}, c + i, size, add);
        }
        if (whole < channels) chunk_of_window(q, {n, position, count}, c + whole, channels - whole, add);
        add = true;
      });
    }
  }

 private:
  /// Sums in registers, for rows of a window of K taps: 28 of 32 registers, or 14 of 16, judged by the machine's
  /// register tiles; at most K rows, since windows are mostly square.
  static constexpr int most_sums = Tuning.rows * Tuning.vectors < 24 ? 14 : 28;
  template <int K>
  static constexpr int most_rows = most_sums / K < K ? most_sums / K : K;

  /// Channel vectors that are processed row by row, so that an out-of-cache row is read in one piece.
  static constexpr index_t most_vectors = 16;

  /// A row of positions of one sample, and the window's rows over it.
  template <int K>
  struct row {
    const T* dy;  ///< at its first position
    index_t dy_step;
    const T* x[most_rows<K>];  ///< column 0 of the source row under each row of the window; arbitrary for missing rows
    index_t first, last;       ///< existing rows of the window
    index_t begin, end;        ///< positions
    index_t inner, outer;      ///< positions with all taps on inputs
    const window_axis* axis;
    index_t pixel;  ///< distance between columns of x
    index_t tap, taps;
  };

  /// One chunk of the sums of all taps for whole vectors of channels from c on, or for less than one.
  template <bool Accumulate>
  static void chunk_of_window(const conv_gradient<T, Accumulate>& q, const sample_chunk& k, index_t c, index_t channels,
                              bool add) {
    const index_t taps = q.shape.axis[2].kernel;
    const auto whole = [](const T* p) __attribute__((always_inline)) { return V::load(p); };
    const auto partial = [channels](const T* p) __attribute__((always_inline)) { return V::load(p, channels); };
    if (channels < V::size)
      chunk_of_window<4>(q, k, c, channels, add, partial);
    else if (taps == 3)
      chunk_of_window<3>(q, k, c, channels, add, whole);
    else if (taps == 5)
      chunk_of_window<5>(q, k, c, channels, add, whole);
    else
      chunk_of_window<4>(q, k, c, channels, add, whole);
  }
  template <int K, bool Accumulate, class Load>
  static void chunk_of_window(const conv_gradient<T, Accumulate>& q, const sample_chunk& k, index_t c, index_t channels,
                              bool add, Load load) {
    const window_axis* a = q.shape.axis;
    for (index_t z = 0; z < a[0].kernel; ++z)
      for (index_t y = 0; y < a[1].kernel; y += most_rows<K>)
        for (index_t x = 0; x < a[2].kernel; x += K) chunk_of_taps<K>(q, k, c, channels, z, y, x, add, load);
  }

  /// One chunk of the sums of the taps from (tz, ty, tx) on.
  template <int K, bool Accumulate, class Load>
  static void chunk_of_taps(const conv_gradient<T, Accumulate>& q, const sample_chunk& k, index_t c, index_t channels,
                            index_t tz, index_t ty, index_t tx, bool add, Load load) {
    constexpr int sums = most_rows<K> * K;
    const window_axis* a = q.shape.axis;
    const index_t rows = a[1].kernel - ty < most_rows<K> ? a[1].kernel - ty : most_rows<K>;
    row<K> r{};
    r.taps = a[2].kernel - tx < K ? a[2].kernel - tx : K;
    r.dy_step = q.dy.axis[2], r.axis = &a[2], r.pixel = q.x.axis[2], r.tap = tx;
    const window_axis::range left = a[2].results_with(tx), right = a[2].results_with(tx + r.taps - 1);
    const bool any_inside = left.first < left.last && right.first < right.last;
    const index_t vectors = (channels + V::size - 1) / V::size;
    const bool out_of_cache =
        q.shape.batch * q.shape.groups * a[0].in * a[1].in * a[2].in * index_t(sizeof(T)) >= Tuning.memory_bytes;
    V s[most_vectors * sums];
    for (index_t i = 0; i < vectors * sums; ++i) s[i] = V(T(0));
    each_row({a[0].out, a[1].out, a[2].out}, k.n, k.position, k.count,
             [&](index_t n, index_t z, index_t y, index_t x, index_t size) {
               const index_t sz = a[0].input(z, tz);
               if (!a[0].has(sz)) return;
               r.first = 0, r.last = rows;
               while (r.first < r.last && !a[1].has(a[1].input(y, ty + r.first))) ++r.first;
               while (r.first < r.last && !a[1].has(a[1].input(y, ty + r.last - 1))) --r.last;
               if (r.first == r.last) return;
               for (index_t i = 0; i < most_rows<K>; ++i) {
                 const index_t there = i < r.first ? r.first : i < r.last ? i : r.last - 1;
                 r.x[i] = q.x.at(n, c, sz, a[1].input(y, ty + there), 0);
               }
               r.dy = q.dy.at(n, c, z, y, x), r.begin = x, r.end = x + size;
               r.inner = left.first > x ? left.first : x, r.outer = right.last < r.end ? right.last : r.end;
               if (!any_inside || r.inner > r.outer) r.inner = r.outer = r.end;
               fetcher next;
               if (out_of_cache && tz + ty + tx == 0) find_row_behind(q, n, y, c, channels, next);
               const index_t lines = next.lines() / vectors + 1;
               for (index_t v = 0; v < vectors; ++v) {
                 if (next.lines() > 0) next.fetch(lines);
                 row_of_taps<K>(r, v * V::size, s + v * sums, load);
               }
             });
    for (index_t v = 0; v < vectors; ++v)
      for (index_t y = 0; y < rows; ++y)
        for (index_t t = 0; t < r.taps; ++t) {
          const index_t lanes = channels < V::size ? channels : V::size;
          T* dw = q.dw.at(tz, ty + y, tx + t, c + v * V::size, 0, 0);
          const V before = add ? load_strided<V>(static_cast<const T*>(dw), q.dw.group, lanes) : V(T(0));
          store_strided(before + s[v * sums + y * K + t], dw, q.dw.group, lanes);
        }
  }

  /// Adds to the prefetches the data that the row after row y of sample n reads, and row y does not.
  template <bool Accumulate>
  static void find_row_behind(const conv_gradient<T, Accumulate>& q, index_t n, index_t y, index_t c, index_t channels,
                              fetcher& to) {
    const window_axis &depth = q.shape.axis[0], &height = q.shape.axis[1], &width = q.shape.axis[2];
    if (depth.in != 1 || depth.out != 1) return;
    const auto after = [&](index_t row) {  // the last input of a window
      const index_t end = height.input(row, height.kernel - 1) + 1;
      return end < 0 ? 0 : end < height.in ? end : height.in;
    };
    index_t begin = after(y);
    if (++y == height.out) ++n, y = 0, begin = 0;
    if (n == q.shape.batch) return;
    to.add(q.dy.at(n, c, 0, y, 0), channels, width.out, q.dy.axis[2]);
    for (; begin < after(y); ++begin) to.add(q.x.at(n, c, 0, begin, 0), channels, width.in, q.x.axis[2]);
  }

  /// Adds a row's products to the sums.
  template <int K, class Load>
  __attribute__((noinline)) static void row_of_taps(const row<K>& r, index_t shift, V* sums, Load load) {
    constexpr int R = most_rows<K>;
    V s[R][K];
    TERN_UNROLL
    for (int i = 0; i < R * K; ++i) s[i / K][i % K] = sums[i];
    const T* dy = r.dy + shift;
    const auto is_there = [&r](int i) __attribute__((always_inline)) { return i >= r.first && i < r.last; };
    const auto at_border = [&](index_t p, index_t end) __attribute__((always_inline)) {
      for (; p < end; ++p, dy += r.dy_step) {
        const V d = load(dy);
        TERN_UNROLL
        for (int t = 0; t < K; ++t) {
          const index_t column = r.axis->input(p, r.tap + t);
          if (t >= r.taps || !r.axis->has(column)) continue;
          TERN_UNROLL
          for (int i = 0; i < R; ++i)
            if (is_there(i)) s[i][t] = fma(load(r.x[i] + (column * r.pixel + shift)), d, s[i][t]);
        }
      }
    };
    const auto inside = [&](auto all) __attribute__((always_inline)) {
      const index_t step = r.axis->stride * r.pixel, next = r.axis->dilation * r.pixel;
      const T* x[R];
      TERN_UNROLL
      for (int i = 0; i < R; ++i) x[i] = r.x[i] + (r.axis->input(r.inner, r.tap) * r.pixel + shift);
      for (index_t count = r.outer - r.inner; count > 0; --count, dy += r.dy_step) {
        const V d = load(dy);
        TERN_UNROLL
        for (int i = 0; i < R; ++i) {
          if (decltype(all)::value || is_there(i)) {
            TERN_UNROLL
            for (int t = 0; t < K; ++t)
              if (decltype(all)::value || t < r.taps) s[i][t] = fma(load(x[i] + t * next), d, s[i][t]);
          }
          x[i] += step;
        }
      }
    };
    at_border(r.begin, r.inner);
    if (r.inner < r.outer) {
      if (r.first == 0 && r.last == R && r.taps == K)
        inside(std::true_type{});
      else
        inside(std::false_type{});
    }
    at_border(r.outer, r.end);
    TERN_UNROLL
    for (int i = 0; i < R * K; ++i) sums[i] = s[i / K][i % K];
  }
};

}  // namespace tern::tile::inline TERN_ISA
