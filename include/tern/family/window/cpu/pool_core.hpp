// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pool on one core with vector units: lanes are channels.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/cpu/fetcher.hpp"
#include "tern/exec/cpu/non_temporal.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/window/pool_taps.hpp"
#include "tern/family/window/pooling.hpp"

namespace tern::tile::inline TERN_ISA {

/// A position in every lane, as bits.
template <class V>
TERN_INLINE V position_lanes(index_t position) {
  using T = typename V::value_type;
  return V(math::from_bits<T>(static_cast<decltype(math::bits(T()))>(position)));
}

/// The maximum so far: NaN wins, and ties take the first tap.
template <class V>
struct running_maximum {
  using T = typename V::value_type;
  static constexpr T nothing = -std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  V best;
  typename V::mask all_numbers;

  TERN_INLINE void clear() { best = V(nothing), all_numbers = best == best; }
  TERN_INLINE void start(index_t) {}
  TERN_INLINE void end_chunk() {}
  TERN_INLINE void take(V v, index_t) { best = larger(v, best), all_numbers = all_numbers & (v == v); }
  TERN_INLINE V value() const { return select(all_numbers, best, V(nan)); }
};
/// The maximum so far, and its position.
template <class V>
struct running_winner {
  static constexpr typename V::value_type nothing = -std::numeric_limits<typename V::value_type>::infinity();
  V best, where;

  TERN_INLINE void clear() { best = V(nothing), where = position_lanes<V>(-1); }
  TERN_INLINE void start(index_t position) { where = position_lanes<V>(position); }
  TERN_INLINE void end_chunk() {}
  TERN_INLINE V value() const { return best; }
  TERN_INLINE void take(V v, index_t position) {
    const V next = select(v == v, larger(v, best), v);
    where = select(next == best, where, select(best == best, position_lanes<V>(position), where));
    best = select(best == best, next, best);
  }
};
/// The sum so far.
template <class V>
struct running_sum {
  V chain, total;

  TERN_INLINE void clear() { chain = total = V(0); }
  TERN_INLINE void start(index_t) {}
  TERN_INLINE void end_chunk() { total = total + chain, chain = V(0); }
  TERN_INLINE void take(V v, index_t) { chain = chain + v; }
};

/// Division by a number of taps; 0 if there are none. For a power of two it multiplies by the inverse, which gives the
/// quotient.
template <class V>
class divider {
  using T = typename V::value_type;

 public:
  divider() = default;
  explicit divider(index_t count)
      : multiplies_((count & (count - 1)) == 0),
        by_(count == 0    ? T(0)
            : multiplies_ ? T(1) / static_cast<T>(count)
                          : static_cast<T>(count)) {}
  TERN_INLINE V operator()(V x) const { return multiplies_ ? product(x, V(by_)) : x / V(by_); }

 private:
  bool multiplies_ = true;
  T by_ = 0;
};

/// Processes all taps of N windows whose elements are `next` apart, the first ones `shift` after those of `w`. Returns
/// whether there are any. Positions are counted from tap 0 of that window.
template <class V, class T, class State, int N, class Load>
TERN_INLINE bool take_taps(window_taps<const T>& w, index_t shift, index_t next, State (&s)[N], Load load) {
  bool started = false;
  const auto take = [&](const auto& taps) __attribute__((always_inline)) {
    if (taps.count == 0) return;
    if (!started) {
      TERN_UNROLL
      for (int i = 0; i < N; ++i) s[i].start(taps.first[0].position);
      started = true;
    }
    const T* const from = w.origin() + (w.at() + shift);
    for (index_t t = 0; t < taps.count; ++t) {
      const T* p = from + taps.first[t].at;
      TERN_UNROLL
      for (int i = 0; i < N; ++i) s[i].take(load(p + i * next), taps.first[t].position);
    }
    TERN_UNROLL
    for (int i = 0; i < N; ++i) s[i].end_chunk();
  };
  // An empty window has no chunk. The first chunk is found by a call, before sums are in registers.
  const index_t chunks = w.chunks();
  const auto first = chunks > 0 ? w.chunk(0) : decltype(w.chunk(0)){nullptr, 0};
  TERN_UNROLL
  for (int i = 0; i < N; ++i) s[i].clear();
  take(first);
  for (index_t chunk = 1; chunk < chunks; ++chunk) take(w.chunk(chunk));
  return started;
}

/// Prefetches the inputs that the next row of windows needs and row oy does not, during row oy.
/// \tparam T  elements
template <class T>
class row_fetcher {
 public:
  /// \param out_of_cache  true if the image is out of cache: otherwise nothing is done
  TERN_INLINE row_fetcher(const pool_shape& s, const image<const T>& i, index_t n, index_t oz, index_t oy,
                          bool out_of_cache)
      : width_(s.axis[2].in), stride_(s.axis[2].stride), pixel_(i.axis[2]), row_(i.axis[1]) {
    const window_axis &depth = s.axis[0], &height = s.axis[1];
    if (!out_of_cache || oy + 1 >= height.out) return;
    const index_t z = depth.input(oz, 0), last = height.input(oy + 1, height.kernel - 1) + 1,
                  first = last - (height.stride < height.kernel ? height.stride : height.kernel);
    const index_t begin = first > 0 ? first : 0, end = last < height.in ? last : height.in;
    if (!depth.has(z) || begin >= end) return;
    rows_ = end - begin, p_ = i.at(n, 0, z, begin, 0);
  }
  /// The part of results [x, x + count) and `channels` channels.
  TERN_INLINE void fetch(index_t x, index_t count, index_t channels) const {
    const index_t end = (x + count) * stride_ < width_ ? (x + count) * stride_ : width_;
    for (index_t r = 0; r < rows_; ++r)
      for (index_t i = x * stride_; i < end; ++i)
        for (index_t c = 0; c < channels; c += line) __builtin_prefetch(p_ + r * row_ + i * pixel_ + c, 0, 2);
  }

 private:
  static constexpr index_t line = 64 / sizeof(T);
  const T* p_ = nullptr;
  index_t rows_ = 0, width_, stride_, pixel_, row_;
};

/// The number of taps from which averages read memory in order, and the channels that they take at a time.
inline constexpr index_t many_taps = 16, channels_in_order = 512;

/// The forward pass.
/// \tparam V  vectors
template <class V>
struct pool_core {
  using T = typename V::value_type;

  /// Rows [first, last) of the result, counted over samples, depth and height, and channels [c0, c1).
  /// \param out_of_cache  true if x is out of cache
  /// \param non_temporal  true for non-temporal stores of y, in whole lines
  template <pool_kind K, bool Indices>
  static void rows(const pool_values<T, K, Indices>& q, bool out_of_cache, bool non_temporal, index_t first,
                   index_t last, index_t c0, index_t c1) {
    if (first == last) return;
    for (index_t c = c0, channels; c < c1; c += channels) {
      channels = neighbours(q.x, c, c1 - c), channels = neighbours(q.y, c, channels);
      if constexpr (Indices) channels = neighbours(q.indices, c, channels);
      const pool_values<T, K, Indices> part{q.shape, q.x.from_channel(c), q.y.from_channel(c),
                                            q.indices.from_channel(c)};
      rows_of_neighbours(part, out_of_cache, non_temporal && c % V::size == 0, first, last, channels);
    }
    if (non_temporal) end_non_temporal_stores<V>();
  }

 private:
  static constexpr int group = 4;  ///< windows at a time: vectors of channels of a pixel, or neighbouring pixels

  /// Pixels of a row with the same taps, `step` elements and positions apart, and the addresses of their results.
  struct run {
    window_taps<const T>& taps;
    index_t step, position_step;
    T* y;
    index_t y_step;
    std::int32_t* indices;
    index_t indices_step;
    divider<V> divide;
    bool non_temporal;
  };

  template <pool_kind K, bool Indices>
  static void rows_of_neighbours(const pool_values<T, K, Indices>& q, bool out_of_cache, bool non_temporal,
                                 index_t first, index_t last, index_t channels) {
    const window_axis* a = q.shape.axis;
    const window_axis::range inside = a[2].results_inside();
    window_taps<const T> taps(q.shape, q.x);
    row_cursor row(first, {a[0].out, a[1].out});
    for (index_t i = first; i < last; ++i, row.next()) {
      const row_fetcher<T> fetcher(q.shape, q.x, row.n, row.z, row.y, out_of_cache);
      each_run(a[2], inside, [&](index_t ox, index_t count) {
        taps.move_to(row.n, row.z, row.y, ox);
        run r{taps,        a[2].stride * q.x.axis[2],
              a[2].stride, q.y.at(row.n, 0, row.z, row.y, ox),
              q.y.axis[2], nullptr,
              0,           {},
              non_temporal};
        if constexpr (Indices) r.indices = q.indices.at(row.n, 0, row.z, row.y, ox), r.indices_step = q.indices.axis[2];
        if constexpr (K == pool_kind::average) r.divide = divider<V>(q.shape.divisor(row.z, row.y, ox));
        if constexpr (K == pool_kind::average) {
          if (q.shape.taps() >= many_taps) {
            for (index_t x = 0; x < count; ++x)
              for (index_t c = 0; c < channels; c += channels_in_order)
                averages(r, x, c, channels - c < channels_in_order ? channels - c : channels_in_order);
            return;
          }
        }
        if (count < group) {
          for (index_t x = 0; x < count; ++x) pixels<K, Indices, 1>(r, x, channels);
          return;
        }
        for (index_t x = 0; x < count; x += group) {
          if (count - x < group) x = count - group;  // some results are computed twice
          fetcher.fetch(ox + x, group, channels);
          pixels<K, Indices, group>(r, x, channels);
        }
      });
    }
  }

  /// Averages of one window over n channels, tap by tap instead of channel by channel: a large window is read in memory
  /// order.
  static void averages(const run& r, index_t x, index_t c, index_t n) {
    T chain[channels_in_order], total[channels_in_order];
    const auto each_vector = [n](auto f) __attribute__((always_inline)) {
      index_t i = 0;
      for (; i + V::size <= n; i += V::size) f(i, [](const T* p) { return V::load(p); }, [](V v, T* p) { v.store(p); });
      if (const index_t rest = n - i; rest > 0)
        f(i, [rest](const T* p) { return V::load(p, rest); }, [rest](V v, T* p) { v.store(p, rest); });
    };
    each_vector([&](index_t i, auto, auto store) { store(V(T(0)), total + i); });
    for (index_t chunk = 0; chunk < r.taps.chunks(); ++chunk) {
      const auto taps = r.taps.chunk(chunk);
      if (taps.count == 0) continue;
      each_vector([&](index_t i, auto, auto store) { store(V(T(0)), chain + i); });
      const T* const from = r.taps.origin() + (r.taps.at() + x * r.step + c);
      index_t t = 0;
      for (; t + 4 <= taps.count; t += 4) {  // in sequence, but sums are loaded and stored once
        const auto* tap = taps.first + t;
        const T *p = from + tap[0].at, *p1 = from + tap[1].at, *p2 = from + tap[2].at, *p3 = from + tap[3].at;
        each_vector([&](index_t i, auto load, auto store) {
          const V two = (load(chain + i) + load(p + i)) + load(p1 + i);
          store((two + load(p2 + i)) + load(p3 + i), chain + i);
        });
      }
      for (; t < taps.count; ++t) {
        const T* p = from + taps.first[t].at;
        each_vector([&](index_t i, auto load, auto store) { store(load(chain + i) + load(p + i), chain + i); });
      }
      each_vector([&](index_t i, auto load, auto store) { store(load(total + i) + load(chain + i), total + i); });
    }
    T* y = r.y + x * r.y_step + c;
    each_vector([&](index_t i, auto load, auto store) { store(r.divide(load(total + i)), y + i); });
  }

  /// N neighbouring pixels: whole vectors of channels pixel by pixel, the remainders together.
  template <pool_kind K, bool Indices, int N>
  TERN_INLINE static void pixels(const run& r, index_t x, index_t channels) {
    constexpr index_t wide = group * V::size;
    const index_t whole = channels / wide * wide;
    if (whole > 0)
      for (index_t i = x; i < x + N; ++i)
        for (index_t c = 0; c < whole; c += wide) results<K, Indices, group, true>(r, i, c, V::size);
    for (index_t c = whole; c < channels; c += V::size)
      results<K, Indices, N, false>(r, x, c, channels - c < V::size ? channels - c : V::size);
  }

  /// N windows from channel c of pixel x on.
  /// \tparam Vectors  true if they are vectors of channels, false if pixels
  template <pool_kind K, bool Indices, int N, bool Vectors>
  TERN_INLINE static void results(const run& r, index_t x, index_t c, index_t lanes) {
    if (Vectors || lanes == V::size)
      results<K, Indices, N, Vectors>(
          r, x, c, V::size, [](const T* p) __attribute__((always_inline)) { return V::load(p); },
          [&r](V v, T* p) __attribute__((always_inline)) { r.non_temporal ? store_non_temporal(v, p) : v.store(p); });
    else
      results<K, Indices, N, Vectors>(
          r, x, c, lanes, [lanes](const T* p) __attribute__((always_inline)) { return V::load(p, lanes); },
          [lanes](V v, T* p) __attribute__((always_inline)) { v.store(p, lanes); });
  }
  template <pool_kind K, bool Indices, int N, bool Vectors, class Load, class Store>
  TERN_INLINE static void results(const run& r, index_t x, index_t c, index_t lanes, Load load, Store store) {
    using state = std::conditional_t<K == pool_kind::average, running_sum<V>,
                                     std::conditional_t<Indices, running_winner<V>, running_maximum<V>>>;
    state s[N];
    const bool any = take_taps<V>(r.taps, x * r.step + c, Vectors ? V::size : r.step, s, load);
    T* y = r.y + x * r.y_step + c;
    TERN_UNROLL
    for (int i = 0; i < N; ++i) {
      if constexpr (K == pool_kind::average)
        store(r.divide(s[i].total), y + i * (Vectors ? V::size : r.y_step));
      else
        store(s[i].value(), y + i * (Vectors ? V::size : r.y_step));
      if constexpr (Indices) {
        std::int32_t* to = r.indices + x * r.indices_step + c + i * (Vectors ? V::size : r.indices_step);
        const index_t position = r.taps.position() + (Vectors ? x : x + i) * r.position_step;
        store_positions(s[i].where, any ? position : 0, to, lanes);
      }
    }
  }
  TERN_INLINE static void store_positions(V where, index_t shift, std::int32_t* to, index_t lanes) {
    T bits[V::size];
    where.store(bits);
    for (index_t i = 0; i < lanes; ++i)
      to[i] = static_cast<std::int32_t>(static_cast<index_t>(math::bits(bits[i])) + shift);
  }
};

}  // namespace tern::tile::inline TERN_ISA
