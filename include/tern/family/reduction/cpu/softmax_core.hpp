// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one core with vector units does of a softmax: some rows.
#pragma once

#include <limits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/cpu/fetcher.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_rows.hpp"
#include "tern/family/reduction/softmax.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
/// \tparam MemoryBytes  results of more go past the caches
template <class V, index_t MemoryBytes = std::numeric_limits<index_t>::max()>
struct softmax_core : private feature_rows<V> {
  using T = typename V::value_type;

  /// Rows [first, last), counted over samples, depth, height and width.
  template <class Call>
  static void rows(const Call& q, index_t first, index_t last) {
    const bool past = goes_past_caches(q);
    const auto run = [&](const auto&... images) {
      base::each(
          q.shape, first, last, base::rows_in_cache(q.shape),
          [&]<bool Dense>(std::bool_constant<Dense>, const place* p, index_t count) {
            block<Dense>(q, p, count, past);
          },
          [&](const place& p, auto some) { several(q, p, some); }, images...);
    };
    if constexpr (requires { q.dx; })
      run(q.dy, q.y, q.dx);
    else
      run(q.x, q.y);
    if (past) end_stores_past_caches<V>();
  }

 private:
  using base = feature_rows<V>;
  using typename base::place;
  using sums = typename base::sums;
  using base::at, base::offset, base::rows_at_once;

  template <class Call>
  static bool goes_past_caches(const Call& q) {
    if (!has_stores_past_caches<V> || q.shape.rows() * q.shape.features <= MemoryBytes / index_t(sizeof(T)))
      return false;
    if constexpr (requires { q.dx; })
      return !Call::accumulate && q.dx.p != q.dy.p && q.dx.p != q.y.p;
    else
      return q.y.p != q.x.p;
  }

  template <bool Dense, class U, class N>
  TERN_INLINE static V load(const scattered_image<U>& i, const T* p, index_t feature, N some) {
    return base::template load<Dense>(i, p, feature, some);
  }
  template <bool Dense, class N>
  TERN_INLINE static void store(V v, const scattered_image<T>& i, T* p, index_t feature, N some) {
    base::template store<Dense>(v, i, p, feature, some);
  }

  // --- Some rows ----------------------------------------------------------------------------------------------------

  template <bool Dense, bool Log, bool Mask>
  static void block(const softmax_values<T, Log, Mask>& q, const place* p, index_t count, bool past) {
    const index_t features = q.shape.features;
    if constexpr (Dense && !Mask)
      if (sums::in_registers(features, [&](auto n) { short_rows<n>(q, p, count, past); })) return;
    const auto values_of = [&](const place& row) __attribute__((always_inline)) {
      const T* from = at(q.x, row, 0);
      const std::uint8_t* mask = Mask ? at(q.mask, row, 0) : nullptr;
      return [=, &q](index_t i, auto some) __attribute__((always_inline)) {
        V v = load<Dense>(q.x, from, i, some);
        if constexpr (Mask) {
          T there[V::size] = {};
          for (index_t k = 0; k < some; ++k) there[k] = mask[offset(q.mask, i + k)] != 0 ? T(1) : T(0);
          v = select(V::load(there) == V(T(1)), v, minus_infinity<V>());
        }
        return v;
      };
    };
    T origin[rows_at_once], sum[rows_at_once];
    for (index_t r = 0; r < count; ++r) origin[r] = softmax_origin(base::largest(features, values_of(p[r])));
    const index_t next = Dense ? base::to_next_rows(q.x, q.shape, p, count) : 0;
    for (index_t r = 0; r < count; ++r) {
      const auto value = values_of(p[r]);
      T* to = at(q.y, p[r], 0);
      const V by(origin[r]);
      if (next != 0) base::fetch(at(q.x, p[r], 0) + next, features);
      sum[r] = sums::of(features, [&](V lane, index_t k, auto some) __attribute__((always_inline)) {
        const V power = first_lanes(math::exp_bounded(value(k, some) - by), some);
        if constexpr (!Log) store<Dense>(power, q.y, to, k, some);
        return lane + power;
      });
    }
    each_vector<V>(count, [&](index_t r, auto some) __attribute__((always_inline)) {
      store_lanes(softmax_divisor<Log>(load_lanes<V>(sum + r, some)), sum + r, some);
    });
    for (index_t r = 0; r < count; ++r) {
      const auto value = values_of(p[r]);
      T* to = at(q.y, p[r], 0);
      const V by(origin[r]), divisor(sum[r]);
      each_vector_of<V>(to, features, [&](index_t k, auto some) __attribute__((always_inline)) {
        if constexpr (Log)
          store<Dense>((value(k, some) - by) - divisor, q.y, to, k, some);
        else
          store<Dense>(product(load<Dense>(q.y, to, k, some), divisor), q.y, to, k, some);
      });
    }
  }

  template <int N, bool Log>
  __attribute__((noinline)) static void short_rows(const softmax_values<T, Log, false>& q, const place* p,
                                                   index_t count, bool past) {
    // Lanes behind the row are -infinity, whose exponential is 0.
    const index_t last = q.shape.features - (N - 1) * V::size;
    const auto there = sums::first_of(last);
    const auto load_row = [&](const place& row, V(&x)[N]) __attribute__((always_inline)) {
      sums::load_row(at(q.x, row, 0), last, x);
      x[N - 1] = select(there, x[N - 1], minus_infinity<V>());
    };
    T origin[rows_at_once], sum[rows_at_once];
    for (index_t r = 0; r < count; ++r) {
      V x[N], most[2] = {minus_infinity<V>(), minus_infinity<V>()};
      load_row(p[r], x);
      each_constant<N>([&](auto v) __attribute__((always_inline)) { most[v % 2] = larger(x[v], most[v % 2]); });
      origin[r] =
          softmax_origin(sums::fold(larger(most[0], most[1]), [](auto a, auto b) { return base::larger_of(a, b); }));
    }
    const index_t next = base::to_next_rows(q.x, q.shape, p, count);
    for (index_t r = 0; r < count; ++r) {
      const V by(origin[r]);
      V x[N], lane[N];
      load_row(p[r], x);
      if (next != 0) base::fetch(at(q.x, p[r], 0) + next, q.shape.features);
      each_constant<N>([&](auto v) __attribute__((always_inline)) { x[v] = lane[v] = math::exp_bounded(x[v] - by); });
      sum[r] = sums::of_row(lane);
      if constexpr (!Log) {
        const V divisor(softmax_divisor<Log>(sum[r]));
        sums::template store_row<N, false>(at(q.y, p[r], 0), last, past, [&](auto v) __attribute__((always_inline)) {
          return product(x[v], divisor);
        });
      }
    }
    if constexpr (Log) {
      each_vector<V>(count, [&](index_t r, auto some) __attribute__((always_inline)) {
        store_lanes(softmax_divisor<Log>(load_lanes<V>(sum + r, some)), sum + r, some);
      });
      for (index_t r = 0; r < count; ++r) {
        const V by(origin[r]), divisor(sum[r]);
        V x[N];
        load_row(p[r], x);
        sums::template store_row<N, false>(
            at(q.y, p[r], 0), last, past, [&](auto v) __attribute__((always_inline)) { return (x[v] - by) - divisor; });
      }
    }
  }

  template <bool Dense, bool Log, bool Accumulate>
  static void block(const softmax_gradient<T, Log, Accumulate>& q, const place* p, index_t count, bool past) {
    const index_t features = q.shape.features;
    if constexpr (Dense)
      if (sums::in_registers(features, [&](auto n) { short_rows<n>(q, p, count, past); })) return;
    for (index_t r = 0; r < count; ++r) {
      const T *dy = at(q.dy, p[r], 0), *y = at(q.y, p[r], 0);
      T* dx = at(q.dx, p[r], 0);
      const V by(sums::of(features, [&](V lane, index_t k, auto some) __attribute__((always_inline)) {
        const V g = load<Dense>(q.dy, dy, k, some);
        if constexpr (Log)
          return lane + g;
        else
          return fma(g, load<Dense>(q.y, y, k, some), lane);
      }));
      with_past_caches(Dense && past && begins_line(dx), [&](auto far) __attribute__((always_inline)) {
        each_vector_of<V>(dx, features, [&](index_t k, auto some) __attribute__((always_inline)) {
          V d = softmax_gradient_of<Log>(load<Dense>(q.dy, dy, k, some), load<Dense>(q.y, y, k, some), by);
          if constexpr (Accumulate) d = load<Dense>(q.dx, dx, k, some) + d;
          if constexpr (Dense)
            store_lanes(far, d, dx + k, some);
          else
            store<Dense>(d, q.dx, dx, k, some);
        });
      });
    }
  }

  template <int N, bool Log, bool Accumulate>
  __attribute__((noinline)) static void short_rows(const softmax_gradient<T, Log, Accumulate>& q, const place* p,
                                                   index_t count, bool past) {
    const index_t last = q.shape.features - (N - 1) * V::size;
    for (index_t r = 0; r < count; ++r) {
      V dy[N], y[N], lane[N];
      sums::load_row(at(q.dy, p[r], 0), last, dy), sums::load_row(at(q.y, p[r], 0), last, y);
      each_constant<N>(
          [&](auto v) __attribute__((always_inline)) { lane[v] = Log ? V(T(0)) + dy[v] : fma(dy[v], y[v], V(T(0))); });
      const V by(sums::of_row(lane));
      sums::template store_row<N, Accumulate>(
          at(q.dx, p[r], 0), last, past,
          [&](auto v) __attribute__((always_inline)) { return softmax_gradient_of<Log>(dy[v], y[v], by); });
    }
  }

  // --- As many rows as a vector has lanes ---------------------------------------------------------------------------

  template <bool Log, bool Mask, class N>
  static void several(const softmax_values<T, Log, Mask>& q, const place& p, N some) {
    const index_t features = q.shape.features;
    const auto value = [&](index_t i) __attribute__((always_inline)) {
      V v = load_lanes<V>(at(q.x, p, i), some);
      if constexpr (Mask) {
        const std::uint8_t* mask = at(q.mask, p, i);
        T there[V::size] = {};
        for (index_t k = 0; k < some; ++k) there[k] = mask[k * q.mask.axis[2]] != 0 ? T(1) : T(0);
        v = select(V::load(there) == V(T(1)), v, minus_infinity<V>());
      }
      return v;
    };
    const V origin = softmax_origin(base::largest_of_each(features, value));
    const V sum = base::sum_of_each(features, [&](index_t i, V lane) __attribute__((always_inline)) {
      const V power = math::exp(value(i) - origin);
      if constexpr (!Log) store_lanes(power, at(q.y, p, i), some);
      return lane + power;
    });
    const V divisor = softmax_divisor<Log>(sum);
    for (index_t i = 0; i < features; ++i) {
      T* to = at(q.y, p, i);
      if constexpr (Log)
        store_lanes((value(i) - origin) - divisor, to, some);
      else
        store_lanes(product(load_lanes<V>(to, some), divisor), to, some);
    }
  }

  template <bool Log, bool Accumulate, class N>
  static void several(const softmax_gradient<T, Log, Accumulate>& q, const place& p, N some) {
    const V sum = base::sum_of_each(q.shape.features, [&](index_t i, V lane) __attribute__((always_inline)) {
      const V g = load_lanes<V>(at(q.dy, p, i), some);
      if constexpr (Log)
        return lane + g;
      else
        return fma(g, load_lanes<V>(at(q.y, p, i), some), lane);
    });
    for (index_t i = 0; i < q.shape.features; ++i) {
      T* dx = at(q.dx, p, i);
      const V d =
          softmax_gradient_of<Log>(load_lanes<V>(at(q.dy, p, i), some), load_lanes<V>(at(q.y, p, i), some), sum);
      store_lanes(Accumulate ? load_lanes<V>(dx, some) + d : d, dx, some);
    }
  }
};

/// What a core does of a call: rows are dealt out.
template <class T, class Arch, index_t MemoryBytes>
struct softmax_parts {
  template <class Call>
  static constexpr index_t work(const Call& q) {
    return q.shape.rows() * q.shape.features * 24;
  }
  template <class Call>
  static void run(const Call& q, index_t t, index_t tasks) {
    const index_t rows = q.shape.rows();
    softmax_core<lanes<T, Arch>, MemoryBytes>::rows(q, rows * t / tasks, rows * (t + 1) / tasks);
  }
};

}  // namespace tern::tile::inline TERN_ISA
