// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one core with vector units does of a softmax: some rows.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/tile/feature_rows.hpp"
#include "tern/tile/softmax.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct softmax_core : private feature_rows<V> {
  using T = typename V::value_type;

  /// Rows [first, last), counted over samples, depth, height and width.
  template <class Call>
  static void rows(const Call& q, index_t first, index_t last) {
    const auto run = [&](const auto&... images) {
      base::each(
          q.shape, first, last, [&]<bool Dense>(std::bool_constant<Dense>, const place& p) { one<Dense>(q, p); },
          [&](const place& p, auto some) { several(q, p, some); }, images...);
    };
    if constexpr (requires { q.dx; })
      run(q.dy, q.y, q.dx);
    else
      run(q.x, q.y);
  }

 private:
  using base = feature_rows<V>;
  using typename base::place;
  using sums = typename base::sums;
  using base::at, base::offset;

  template <bool Dense, class U, class N>
  TERN_INLINE static V load(const scattered_image<U>& i, const T* p, index_t feature, N some) {
    return base::template load<Dense>(i, p, feature, some);
  }
  template <bool Dense, class N>
  TERN_INLINE static void store(V v, const scattered_image<T>& i, T* p, index_t feature, N some) {
    base::template store<Dense>(v, i, p, feature, some);
  }

  // --- One row ------------------------------------------------------------------------------------------------------

  template <bool Dense, bool Log, bool Mask>
  static void one(const softmax_values<T, Log, Mask>& q, const place& p) {
    const index_t features = q.shape.features;
    const T* from = at(q.x, p, 0);
    T* to = at(q.y, p, 0);
    const std::uint8_t* mask = Mask ? at(q.mask, p, 0) : nullptr;
    const auto value = [&](index_t i, auto some) __attribute__((always_inline)) {
      V v = load<Dense>(q.x, from, i, some);
      if constexpr (Mask) {
        T there[V::size] = {};
        for (index_t k = 0; k < some; ++k) there[k] = mask[offset(q.mask, i + k)] != 0 ? T(1) : T(0);
        v = select(V::load(there) == V(T(1)), v, minus_infinity<V>());
      }
      return v;
    };
    const V origin(softmax_origin(base::largest(features, value)));
    const T sum = sums::of(features, [&](V lane, index_t k, auto some) __attribute__((always_inline)) {
      const V power = first_lanes(math::exp(value(k, some) - origin), some);
      if constexpr (!Log) store<Dense>(power, q.y, to, k, some);
      return lane + power;
    });
    const V divisor(softmax_divisor<Log>(sum));
    each_vector<V>(features, [&](index_t k, auto some) __attribute__((always_inline)) {
      if constexpr (Log)
        store<Dense>((value(k, some) - origin) - divisor, q.y, to, k, some);
      else
        store<Dense>(product(load<Dense>(q.y, to, k, some), divisor), q.y, to, k, some);
    });
  }

  template <bool Dense, bool Log, bool Accumulate>
  static void one(const softmax_gradient<T, Log, Accumulate>& q, const place& p) {
    const T *dy = at(q.dy, p, 0), *y = at(q.y, p, 0);
    T* dx = at(q.dx, p, 0);
    const V sum(sums::of(q.shape.features, [&](V lane, index_t k, auto some) __attribute__((always_inline)) {
      const V g = load<Dense>(q.dy, dy, k, some);
      if constexpr (Log)
        return lane + g;
      else
        return fma(g, load<Dense>(q.y, y, k, some), lane);
    }));
    each_vector<V>(q.shape.features, [&](index_t k, auto some) __attribute__((always_inline)) {
      const V d = softmax_gradient_of<Log>(load<Dense>(q.dy, dy, k, some), load<Dense>(q.y, y, k, some), sum);
      store<Dense>(Accumulate ? load<Dense>(q.dx, dx, k, some) + d : d, q.dx, dx, k, some);
    });
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

}  // namespace tern::tile::inline TERN_ISA
