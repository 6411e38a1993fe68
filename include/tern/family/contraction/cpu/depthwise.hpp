// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A depthwise convolution on one core with vector units: every channel has its own window, so lanes are channels,
// without broadcasts. The chains are those of a convolution with one channel per group.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/fetcher.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/prefetch_rows.hpp"
#include "tern/family/contraction/cpu/totals.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V       vectors
/// \tparam Memory  bytes from which a tensor is assumed out of cache
template <class V, index_t Memory>
struct depthwise_core {
  using T = typename V::value_type;

  /// True for depthwise calls whose windows fit a chunk.
  static constexpr bool is_one(const conv_shape& s) { return s.in == 1 && s.out == 1 && s.taps() <= dot_chunk; }
  /// True if the weights of neighbouring channels are contiguous.
  template <class U>
  static bool is_contiguous(const filters<U>& w) {
    return w.group == 1;
  }

  /// Elements of packed weights: tap by tap, channels contiguous.
  static constexpr index_t packed_size(const conv_shape& s) { return s.taps() * s.groups; }
  template <class U>
  static filters<U> packed(U* p, const conv_shape& s) {
    filters<U> f{.p = p};
    f.group = 1, f.tap[2] = s.groups;
    f.tap[1] = f.tap[2] * s.axis[2].kernel, f.tap[0] = f.tap[1] * s.axis[1].kernel;
    return f;
  }
  static void pack(const conv_shape& s, const filters<const T>& w, T* to) {
    for (index_t z = 0; z < s.axis[0].kernel; ++z)
      for (index_t y = 0; y < s.axis[1].kernel; ++y)
        for (index_t x = 0; x < s.axis[2].kernel; ++x)
          for (index_t g = 0; g < s.groups; ++g) *to++ = *w.at(z, y, x, g, 0, 0);
  }

  /// Rows [first, last) of the result, counted over samples, depth and height, and channels [c0, c1).
  template <conv_pass P, epilogue E>
  static void rows(const conv_sums<T, P, E>& q, index_t first, index_t last, index_t c0, index_t c1) {
    index_t c = c0;
    if (const auto slide = sliding_of(q); slide && q.extent(2) > 0) {
      c += (c1 - c0) / V::size * V::size;
      for (index_t begin = first, end; begin < last; begin = end) {
        const index_t plane = q.extent(1), room = plane - begin % plane, band = rows_of_band(q);
        end = begin + (band < room ? band : room);
        if (end > last) end = last;
        band_of_rows(q, slide, begin, end, c0, c);
      }
      if (bypasses_caches(q)) end_non_temporal_stores<V>();
    }
    if (c < c1) each_result_row(q, first, last, [&](const result_row& row) { pixels(q, row, c, c1); });
  }

 private:
  /// Pixels of a tile with all taps, and channel vectors of a single pixel: enough chains to hide their latency.
  static constexpr int tile_pixels = 8, tile_vectors = 8;

  // Sliding windows along a row: every pixel is loaded once for all taps of the window's row that meet it. A band of
  // rows is processed for one or two channel vectors after the other, so that rows shared with the next result row stay
  // in L1.

  /// The operands of one tile for some channel vectors.
  struct sliding_tile {
    const T* from;        ///< the first existing pixel, in the first existing row of the window
    index_t next, row;    ///< distances between pixels, and between rows of the window
    index_t first, last;  ///< existing pixels under the tile, counted from the first tap of its first result
    const T* w;           ///< the weights of the first tap of that row
    index_t w_next, w_row;
    index_t rows;  ///< of the window
  };
  using sliding = void (*)(const sliding_tile&, T*);
  /// Channel vectors at a time: with the weights of 5 taps they fill 28 of 32 registers, or 14 of 16.
  static constexpr int most_vectors = V::size * sizeof(T) == 64 ? 2 : 1;
  /// A core loads one vector of 64 bytes a cycle, as many as it multiplies; of smaller ones twice as many.
  static constexpr bool loads_once = V::size * sizeof(T) == 64;

  /// The sums of tile_pixels results and N vectors for windows of K taps in a row, S pixels apart.
  /// \tparam Ascending  true if taps meet pixels from left to right, false from right to left
  template <int K, int S, bool Ascending, int N>
  __attribute__((noinline)) static void slide(const sliding_tile& t, T* to) {
    constexpr int pixels = (tile_pixels - 1) * S + K;
    V s[tile_pixels][N];
    TERN_UNROLL
    for (int i = 0; i < tile_pixels; ++i) {
      TERN_UNROLL
      for (int v = 0; v < N; ++v) s[i][v] = V(T(0));
    }
    const T *from = t.from, *w = t.w;
    const index_t next = t.next, first = t.first, last = t.last;
    for (index_t row = t.rows; row > 0; --row, from += t.row, w += t.w_row) {
      V taps[K][N];
      TERN_UNROLL
      for (int k = 0; k < K; ++k) {
        TERN_UNROLL
        for (int v = 0; v < N; ++v) taps[k][v] = V::load(w + k * t.w_next + v * V::size);
      }
      const T* at = Ascending ? from : from + (last - 1 - first) * next;
      TERN_UNROLL
      for (int step = 0; step < pixels; ++step) {
        const int j = Ascending ? step : pixels - 1 - step;
        if (j < first || j >= last) continue;
        TERN_UNROLL
        for (int v = 0; v < N; ++v) {
          V x = V::load(at + v * V::size);
          if constexpr (loads_once) x = in_register(x);
          TERN_UNROLL
          for (int k = 0; k < K; ++k) {
            const int i = j - (Ascending ? k : K - 1 - k);
            if (i >= 0 && i % S == 0 && i / S < tile_pixels) s[i / S][v] = fma(x, taps[k][v], s[i / S][v]);
          }
        }
        at += Ascending ? next : -next;
      }
    }
    TERN_UNROLL
    for (int i = 0; i < tile_pixels; ++i) {
      TERN_UNROLL
      for (int v = 0; v < N; ++v) s[i][v].store(to + (i * N + v) * V::size);
    }
  }
  /// slide for one vector and for most_vectors; null if there is none.
  struct slides {
    sliding one = nullptr, most = nullptr;
    explicit operator bool() const { return one != nullptr; }
  };
  template <int S, bool Ascending>
  static slides slides_for(index_t kernel) {
    if constexpr (V::size > 1) {  // compilers vectorise the loop over channels in `pixel_tile`
      if (kernel == 3) return {&slide<3, S, Ascending, 1>, &slide<3, S, Ascending, most_vectors>};
      if (kernel == 5) return {&slide<5, S, Ascending, 1>, &slide<5, S, Ascending, most_vectors>};
    }
    return {};
  }

  template <conv_pass P, epilogue E>
  static slides sliding_of(const conv_sums<T, P, E>& q) {
    const window_axis* a = q.shape.axis;
    const index_t channels = q.shape.groups;
    if (a[0].kernel != 1 || a[0].stride != 1 || a[2].dilation != 1 || neighbours(q.from, 0, channels) != channels ||
        q.neighbours_of_results(0, channels) != channels)
      return {};
    if constexpr (P == conv_pass::forward)
      return a[2].stride == 1   ? slides_for<1, true>(a[2].kernel)
             : a[2].stride == 2 ? slides_for<2, true>(a[2].kernel)
                                : slides{};
    else
      return a[1].stride == 1 && a[2].stride == 1 ? slides_for<1, false>(a[2].kernel) : slides{};
  }

  /// The number of rows that, with their operands, fit half of a small L2.
  template <conv_pass P, epilogue E>
  static index_t rows_of_band(const conv_sums<T, P, E>& q) {
    const index_t pixels = q.extent(2) + q.source_step(1) * q.source_step(2) * q.extent(2);
    const index_t rows = band_bytes / (pixels * q.shape.groups * static_cast<index_t>(sizeof(T)) + 1);
    return rows < 1 ? 1 : rows < most_rows ? rows : most_rows;
  }
  static constexpr index_t band_bytes = 384 * 1024, most_rows = 64, line = line_bytes / sizeof(T);

  template <conv_pass P, epilogue E>
  static index_t bytes_of(const conv_sums<T, P, E>& q, index_t pixels) {
    return q.shape.batch * q.shape.groups * pixels * static_cast<index_t>(sizeof(T));
  }
  template <conv_pass P, epilogue E>
  static bool bypasses_caches(const conv_sums<T, P, E>& q) {
    return !E.accumulate &&
           tile::bypasses_caches<V>(q.to, bytes_of(q, q.extent(0) * q.extent(1) * q.extent(2)), Memory);
  }

  /// Rows [first, last) of one sample and depth, channels [c0, c1), whole vectors of them.
  template <conv_pass P, epilogue E>
  static void band_of_rows(const conv_sums<T, P, E>& q, const slides& slide, index_t first, index_t last, index_t c0,
                           index_t c1) {
    const window_axis* a = q.shape.axis;
    const index_t width = q.extent(2), step = q.source_step(2), taps = a[2].kernel;
    const index_t tiles = (width + tile_pixels - 1) / tile_pixels, small = width / tiles, larger = width % tiles;
    const index_t there = P == conv_pass::forward ? a[2].in : a[2].out;
    // The pixel of the leftmost tap of result 0.
    const index_t begin = P == conv_pass::forward ? -a[2].pad : a[2].pad - (taps - 1);
    const row_cursor start(first, {q.extent(0), q.extent(1)});
    const index_t height = P == conv_pass::forward ? a[1].in : a[1].out;
    const index_t z = there > 0 && height > 0 ? q.source(0, start.z, 0) : -1;
    struct {
      index_t tap, rows, from;  // first existing tap row of the window, number of them, and the first one's source
    } windows[most_rows];
    for (index_t i = 0; i < last - first; ++i) {
      auto& w = windows[i];
      w = {};
      for (index_t t = 0; z >= 0 && t < a[1].kernel; ++t)
        if (const index_t at = q.source(1, start.y + i, t); at >= 0) {
          if (w.rows++ == 0) w.tap = t, w.from = at;
        }
    }
    // Out of cache, the rows of the next band are prefetched, an equal share with every tile.
    const bool out_of_cache = bytes_of(q, a[0].in * height * there) >= Memory, non_temporal = bypasses_caches(q);
    const index_t rows_below = P == conv_pass::forward ? (a[1].kernel - 1) * a[1].dilation - a[1].pad : a[1].pad;
    sliding_tile t{};
    t.next = q.from.axis[2], t.w_next = q.w.tap[2], t.w_row = q.w.tap[1];
    t.row = (P == conv_pass::forward ? a[1].dilation : -a[1].dilation) * q.from.axis[1];
    for (index_t c = c0, vectors; c < c1; c += vectors * V::size) {
      vectors = c1 - c < most_vectors * V::size ? 1 : most_vectors;
      const sliding sum = vectors == 1 ? slide.one : slide.most;
      const T* from = z < 0 ? nullptr : q.from.at(start.n, c, z, 0, 0);
      const T* w = q.w.at(0, 0, 0, c, 0, 0);
      T* to = q.to.at(start.n, c, start.z, start.y, 0);
      for (index_t i = 0; i < last - first; ++i) {
        t.w = w + windows[i].tap * t.w_row;
        const index_t below = (start.y + i + last - first) * q.source_step(1) + rows_below, wraps = below >= height;
        const bool fetches =
            out_of_cache && z >= 0 && below >= 0 && start.n + wraps < q.shape.batch && below - wraps * height < height;
        const T* ahead = nullptr;
        if (fetches)
          ahead = q.from.at(start.n + wraps, c0, z, below - wraps * height, 0) + (c - c0) * q.extent(2) * step;
        T* y = to + i * q.to.axis[1];
        const epilogue_operands<T> with = q.with_pixels(start.n, c, start.z, start.y + i, 0, 1);
        for (index_t tile = 0, x = 0, size; tile < tiles; ++tile, x += size) {
          size = tile < larger ? small + 1 : small;
          const index_t left = begin + x * step, reach = left + (size - 1) * step + taps;
          t.first = left < 0 ? -left : 0, t.last = (reach < there ? reach : there) - left;
          t.rows = t.first < t.last ? windows[i].rows : 0;
          if (t.rows > 0) t.from = from + (windows[i].from * q.from.axis[1] + (left + t.first) * q.from.axis[2]);
          if (fetches)
            for (index_t e = x * step * vectors * V::size; e < (x + size) * step * vectors * V::size; e += line)
              for (index_t k = 0; k < q.source_step(1); ++k) __builtin_prefetch(ahead - k * q.from.axis[1] + e, 0, 2);
          alignas(64) T sums[tile_pixels * most_vectors * V::size];
          sum(t, sums);
          const T* at = sums;
          for (index_t p = 0; p < size; ++p) {
            for (index_t v = 0; v < vectors; ++v, at += V::size)
              store<E>(V::load(at), with, x + p, v * V::size, V::size, y + v * V::size, non_temporal);
            y += q.to.axis[2];
          }
        }
      }
    }
  }

  /// A tap: the offset of its factor from that of tap 0 of a pixel, and its weights.
  struct tap_at {
    index_t from;
    const T* w;
  };
  template <conv_pass P, epilogue E>
  static void pixels(const conv_sums<T, P, E>& q, const result_row& row, index_t c0, index_t c1) {
    const index_t count = q.pixels(2, row.phase);
    const window_axis::range all = q.with_all_taps(2, row.phase);
    for (index_t c = c0, channels; c < c1; c += channels) {
      channels = q.neighbours_of_results(c, neighbours(q.from, c, c1 - c));
      tap_at taps[dot_chunk];
      index_t x = 0;
      for (; x < count && (x < all.first || all.last - x < tile_pixels); ++x) one_pixel(q, row, x, c, channels, taps);
      if (x + tile_pixels <= all.last) {
        const index_t first = x, used = find_taps(q, row, first, c, taps);
        for (; x + tile_pixels <= all.last; x += tile_pixels)
          pixel_tile(q, row, x, c, channels, taps, used, (x - first) * q.source_step(2) * q.from.axis[2]);
      }
      for (; x < count; ++x) one_pixel(q, row, x, c, channels, taps);
    }
  }

  /// Finds the taps of pixel x, in order, for channels from c on.
  template <conv_pass P, epilogue E>
  static index_t find_taps(const conv_sums<T, P, E>& q, const result_row& row, index_t x, index_t c, tap_at* taps) {
    const window_axis* a = q.shape.axis;
    index_t used = 0;
    for (index_t tz = 0; tz < a[0].kernel; ++tz)
      for (index_t ty = 0; ty < a[1].kernel; ++ty) {
        const index_t sz = q.source(0, row.z, tz), sy = q.source(1, row.y, ty);
        if (sz < 0 || sy < 0) continue;
        for (index_t tx = 0; tx < a[2].kernel; ++tx) {
          const auto range = q.range_of(2, row.phase, tx);
          if (x < range.first || x >= range.last) continue;
          const T* p = q.from.at(row.n, c, sz, sy, range.source + x * q.source_step(2));
          taps[used++] = {p - q.from.p, q.w.at(tz, ty, tx, c, 0, 0)};
        }
      }
    return used;
  }

  /// Writes the results of a pixel and `lanes` channels from their sums; the epilogue sees pixel x and channel c.
  template <epilogue E>
  TERN_INLINE static void store(V sum, const epilogue_operands<T>& with, index_t x, index_t c, index_t lanes, T* to,
                                bool non_temporal = false) {
    const bool whole = lanes == V::size;
    const V total = (E.accumulate ? (whole ? V::load(to) : V::load(to, lanes)) : V(T(0))) + sum;
    const V y = finish<E>(total, with, x, c, lanes);
    if (non_temporal)
      store_non_temporal(y, to);
    else if (whole)
      y.store(to);
    else
      y.store(to, lanes);
  }

  /// tile_pixels pixels from x on with equal taps: one channel vector after the other.
  template <conv_pass P, epilogue E>
  static void pixel_tile(const conv_sums<T, P, E>& q, const result_row& row, index_t x, index_t c, index_t channels,
                         const tap_at* taps, index_t used, index_t shift) {
    const index_t next = q.source_step(2) * q.from.axis[2], step = q.result_step(2), pixel = row.phase + x * step;
    T* to = q.to.at(row.n, c, row.z, row.y, pixel);
    const epilogue_operands<T> with = q.with_pixels(row.n, c, row.z, row.y, pixel, step);
    const T* from = q.from.p + shift;
    for (index_t i = 0; i < channels; i += V::size) {
      const index_t lanes = channels - i < V::size ? channels - i : V::size;
      const bool whole = lanes == V::size;
      V s[tile_pixels];
      TERN_UNROLL
      for (int p = 0; p < tile_pixels; ++p) s[p] = V(T(0));
      if (whole)
        sums(s, from + i, taps, used, i, next, [](const T* p) __attribute__((always_inline)) { return V::load(p); });
      else
        sums(s, from + i, taps, used, i, next,
             [lanes](const T* p) __attribute__((always_inline)) { return V::load(p, lanes); });
      TERN_UNROLL
      for (int p = 0; p < tile_pixels; ++p) store<E>(s[p], with, p, i, lanes, to + i + p * step * q.to.axis[2]);
    }
  }

  template <int N, class Load>
  TERN_INLINE static void sums(V (&s)[N], const T* from, const tap_at* taps, index_t used, index_t channel,
                               index_t next, Load load) {
    for (index_t t = 0; t < used; ++t) {
      const V w = load(taps[t].w + channel);
      const T* p = from + taps[t].from;
      TERN_UNROLL
      for (int i = 0; i < N; ++i) s[i] = fma(load(p + i * next), w, s[i]);
    }
  }

  /// One pixel: several channel vectors at a time.
  template <conv_pass P, epilogue E>
  static void one_pixel(const conv_sums<T, P, E>& q, const result_row& row, index_t x, index_t c, index_t channels,
                        tap_at* taps) {
    const index_t used = find_taps(q, row, x, c, taps), pixel = row.phase + x * q.result_step(2);
    T* to = q.to.at(row.n, c, row.z, row.y, pixel);
    const epilogue_operands<T> with = q.with_pixels(row.n, c, row.z, row.y, pixel, 1);
    index_t i = 0;
    for (; i + tile_vectors * V::size <= channels; i += tile_vectors * V::size) {
      V s[tile_vectors];
      TERN_UNROLL
      for (int v = 0; v < tile_vectors; ++v) s[v] = V(T(0));
      for (index_t t = 0; t < used; ++t) {
        TERN_UNROLL
        for (int v = 0; v < tile_vectors; ++v)
          s[v] = fma(V::load(q.from.p + taps[t].from + i + v * V::size), V::load(taps[t].w + i + v * V::size), s[v]);
      }
      TERN_UNROLL
      for (int v = 0; v < tile_vectors; ++v) store<E>(s[v], with, 0, i + v * V::size, V::size, to + i + v * V::size);
    }
    for (; i < channels; i += V::size) {
      const index_t lanes = channels - i < V::size ? channels - i : V::size;
      V s = V(T(0));
      for (index_t t = 0; t < used; ++t) {
        const T *p = q.from.p + taps[t].from + i, *w = taps[t].w + i;
        s = lanes == V::size ? fma(V::load(p), V::load(w), s) : fma(V::load(p, lanes), V::load(w, lanes), s);
      }
      store<E>(s, with, 0, i, lanes, to + i);
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
