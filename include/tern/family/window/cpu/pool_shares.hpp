// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of a pool on one core with vector units. Windows run in ascending order, and each adds to the inputs
// with a share: so every input has the chain of the canonical order. Lanes are channels.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/cpu/fetcher.hpp"
#include "tern/family/window/cpu/pool_core.hpp"
#include "tern/family/window/pool_taps.hpp"
#include "tern/family/window/pooling.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct pool_shares_core {
  using T = typename V::value_type;

  /// Rows [first, last) of dx, counted over samples, depth and height, and channels [c0, c1).
  /// \param out_of_cache  true if dy and x are out of cache
  /// \param non_temporal  true for non-temporal stores of dx, in whole lines
  template <pool_shares S, bool Accumulate>
  static void rows(const pool_gradient<T, S, Accumulate>& q, bool out_of_cache, bool non_temporal, index_t first,
                   index_t last, index_t c0, index_t c1) {
    const window_axis* a = q.shape.axis;
    const index_t of_sample = a[0].in * a[1].in;
    // Windows across the end of a strip run in both strips: few, if strips are higher than windows.
    const index_t span = (a[0].reach() - 1) * a[1].in + a[1].reach(), row_bytes = a[2].in * (c1 - c0) * element_bytes;
    const index_t fit = row_bytes > 0 ? strip_bytes / row_bytes : 1, least = 4 * span, most = fit > least ? fit : least;
    for (index_t row = first, end; row < last; row = end) {
      const index_t n = row / of_sample, sample = n * of_sample;
      end = last < sample + of_sample ? last : sample + of_sample;
      if (end - row > most) end = row + most;
      for (index_t c = c0, channels; c < c1; c += channels) {
        channels = neighbours(q.dx, c, c1 - c), channels = neighbours(q.dy, c, channels);
        if constexpr (S == pool_shares::given) channels = neighbours(q.indices, c, channels);
        if constexpr (S == pool_shares::found) channels = neighbours(q.x, c, channels);
        const pool_gradient<T, S, Accumulate> part{q.shape, q.dy.from_channel(c), q.indices.from_channel(c),
                                                   q.x.from_channel(c), q.dx.from_channel(c)};
        strip_of_rows(part, out_of_cache, non_temporal && c % V::size == 0, n, {row - sample, end - sample}, channels);
      }
    }
    if (non_temporal) end_non_temporal_stores<V>();
  }

 private:
  using positions = typename V::bits_type;
  static constexpr index_t element_bytes = sizeof(T);
  static constexpr index_t strip_bytes = 128 * 1024;  ///< of dx: stays in L2 from its zeros to the last sum
  static constexpr int group = 4;                     ///< vectors of channels at a time

  /// Rows of dx in one sample.
  using strip = window_axis::range;
  /// Windows of a row with the same taps, from the first one on.
  struct run {
    window_taps<T>& to;
    window_taps<const T>& from;
    const T* dy;
    const std::int32_t* indices;
    divider<V> divide;
    bool non_temporal;
  };

  template <pool_shares S, bool Accumulate>
  static void strip_of_rows(const pool_gradient<T, S, Accumulate>& q, bool out_of_cache, bool non_temporal, index_t n,
                            strip own, index_t channels) {
    const window_axis* a = q.shape.axis;
    if constexpr (!Accumulate) {
      if (a[0].covers_once() && a[1].covers_once() && a[2].covers_once())
        return each_window_over<true>(q, out_of_cache, non_temporal, n, own, channels);
      for (index_t row = own.first; row < own.last; ++row)
        for (index_t x = 0; x < a[2].in; ++x) {
          T* p = q.dx.at(n, 0, row / a[1].in, row % a[1].in, x);
          for (index_t i = 0; i < channels; i += V::size) store(V(T(0)), p + i, channels - i);
        }
    }
    each_window_over<false>(q, out_of_cache, false, n, own, channels);
  }

  /// All windows over a strip.
  /// \tparam Once  every input has one window, and dx is not yet initialised
  template <bool Once, pool_shares S, bool Accumulate>
  static void each_window_over(const pool_gradient<T, S, Accumulate>& q, bool out_of_cache, bool non_temporal,
                               index_t n, strip own, index_t channels) {
    const window_axis* a = q.shape.axis;
    const index_t height = a[1].in, z = own.first / height, z_last = (own.last - 1) / height;
    const window_axis::range depths = a[0].results_over(z, z_last + 1), inside = a[2].results_inside(),
                             rows = z == z_last ? a[1].results_over(own.first % height, (own.last - 1) % height + 1)
                                                : window_axis::range{0, a[1].out};
    window_taps<T> to(q.shape, q.dx);
    window_taps<const T> from(q.shape, q.x);
    for (index_t oz = depths.first; oz < depths.last; ++oz)
      for (index_t oy = rows.first; oy < rows.last; ++oy) {
        const row_fetcher<T> fetcher(q.shape, q.x, n, oz, oy, out_of_cache && S == pool_shares::found);
        each_run(a[2], inside, [&](index_t ox, index_t count) {
          to.move_to(n, oz, oy, ox, &own), from.move_to(n, oz, oy, ox);
          if (!to.any()) return;
          run r{to, from, q.dy.at(n, 0, oz, oy, ox), nullptr, divider<V>(q.shape.divisor(oz, oy, ox)), non_temporal};
          if constexpr (S == pool_shares::given) r.indices = q.indices.at(n, 0, oz, oy, ox);
          for (index_t x = 0; x < count; ++x) {
            fetcher.fetch(ox + x, 1, channels);
            window<Once>(q, r, x, channels);
          }
        });
      }
  }

  /// The x-th window of a run: vectors of channels, several at a time if there are many.
  template <bool Once, pool_shares S, bool Accumulate>
  TERN_INLINE static void window(const pool_gradient<T, S, Accumulate>& q, const run& r, index_t x, index_t channels) {
    index_t c = 0;
    if constexpr (S == pool_shares::all) {
      if (q.shape.taps() >= many_taps) {
        for (; c < channels; c += channels_in_order)
          equal_shares<Once>(q, r, x, c, channels - c < channels_in_order ? channels - c : channels_in_order);
        return;
      }
    }
    for (; c + group * V::size <= channels; c += group * V::size) shares<Once, group>(q, r, x, c, V::size);
    for (; c < channels; c += V::size)
      shares<Once, 1>(q, r, x, c, channels - c < V::size ? channels - c : index_t(V::size));
  }
  /// The same for n channels of an average over many taps, tap by tap, which writes memory in order.
  template <bool Once, pool_shares S, bool Accumulate>
  static void equal_shares(const pool_gradient<T, S, Accumulate>& q, const run& r, index_t x, index_t c, index_t n) {
    T share[channels_in_order];
    const T* dy = r.dy + x * q.dy.axis[2] + c;
    for (index_t i = 0; i < n; i += V::size) store(r.divide(load(dy + i, n - i)), share + i, n - i);
    const index_t shift = r.to.at() + x * q.shape.axis[2].stride * q.dx.axis[2] + c;
    for (index_t chunk = 0; chunk < r.to.chunks(); ++chunk) {
      const auto taps = r.to.chunk(chunk);
      T* const to = r.to.origin() + shift;
      const auto add = [&](V v, T* p, index_t lanes) __attribute__((always_inline)) {
        const V sum = (Once ? V(T(0)) : load(p, lanes)) + v;
        if (Once && r.non_temporal && lanes >= V::size)
          store_non_temporal(sum, p);
        else
          store(sum, p, lanes);
      };
      index_t t = 0;
      for (; t + 4 <= taps.count; t += 4) {  // four write streams instead of one
        const auto* tap = taps.first + t;
        T *p = to + tap[0].at, *p1 = to + tap[1].at, *p2 = to + tap[2].at, *p3 = to + tap[3].at;
        for (index_t i = 0; i < n; i += V::size) {
          const V v = load(share + i, n - i);
          add(v, p + i, n - i), add(v, p1 + i, n - i), add(v, p2 + i, n - i), add(v, p3 + i, n - i);
        }
      }
      for (; t < taps.count; ++t) {
        T* p = to + taps.first[t].at;
        for (index_t i = 0; i < n; i += V::size) add(load(share + i, n - i), p + i, n - i);
      }
    }
  }
  template <bool Once, int N, pool_shares S, bool Accumulate>
  TERN_INLINE static void shares(const pool_gradient<T, S, Accumulate>& q, const run& r, index_t x, index_t c,
                                 index_t lanes) {
    const index_t stride = q.shape.axis[2].stride;
    const T* dy = r.dy + x * q.dy.axis[2] + c;
    V share[N];
    positions winner[N];
    TERN_UNROLL
    for (int v = 0; v < N; ++v) share[v] = load(dy + v * V::size, lanes);
    index_t tap_0 = 0;  // origin of the taps' positions
    if constexpr (S == pool_shares::all) {
      TERN_UNROLL
      for (int v = 0; v < N; ++v) share[v] = r.divide(share[v]);
    } else if constexpr (S == pool_shares::given) {
      tap_0 = r.to.position() + x * stride;
      const std::int32_t* p = r.indices + x * q.indices.axis[2] + c;
      for (int v = 0; v < N; ++v) winner[v] = load_positions(p + v * V::size, lanes);
    } else {
      running_winner<V> w[N];
      take_taps<V>(r.from, x * stride * q.x.axis[2] + c, V::size, w,
                   [lanes](const T* p) __attribute__((always_inline)) { return load(p, lanes); });
      TERN_UNROLL
      for (int v = 0; v < N; ++v) winner[v] = bits(w[v].where);
    }
    const index_t shift = r.to.at() + x * stride * q.dx.axis[2] + c;
    for (index_t chunk = 0; chunk < r.to.chunks(); ++chunk) {
      const auto taps = r.to.chunk(chunk);
      for (index_t t = 0; t < taps.count; ++t) {
        T* p = r.to.origin() + (shift + taps.first[t].at);
        const positions here = bits(position_lanes<V>(tap_0 + taps.first[t].position));
        TERN_UNROLL
        for (int v = 0; v < N; ++v) {
          const V before = Once ? V(T(0)) : load(p + v * V::size, lanes);
          V sum = before + share[v];
          if constexpr (S != pool_shares::all) sum = select_equal(winner[v], here, sum, before);
          if (Once && r.non_temporal && lanes == V::size)
            store_non_temporal(sum, p + v * V::size);
          else
            store(sum, p + v * V::size, lanes);
        }
      }
    }
  }

  TERN_INLINE static V load(const T* p, index_t lanes) { return lanes < V::size ? V::load(p, lanes) : V::load(p); }
  TERN_INLINE static void store(V v, T* p, index_t lanes) { lanes < V::size ? v.store(p, lanes) : v.store(p); }
  /// Indices as the bits of position_lanes.
  TERN_INLINE static positions load_positions(const std::int32_t* p, index_t lanes) {
    if constexpr (V::size == 1) {
      return static_cast<positions>(*p);
    } else {
      decltype(math::bits(T())) x[V::size];
      for (index_t i = 0; i < V::size; ++i) x[i] = static_cast<decltype(math::bits(T()))>(i < lanes ? p[i] : -1);
      return positions::load(x);
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
