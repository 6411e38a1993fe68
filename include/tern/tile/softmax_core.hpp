// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one core with vector units does of a softmax: some rows. Lanes are features, or rows that are next to each other
// where features are not.
#pragma once

#include "tern/core/config.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/tile/epilogue.hpp"
#include "tern/tile/feature_sums.hpp"
#include "tern/tile/softmax.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct softmax_core {
  using T = typename V::value_type;
  using sums = feature_sums<V>;

  /// Rows [first, last), counted over samples, depth, height and width.
  template <class Call>
  static void rows(const Call& q, index_t first, index_t last) {
    const softmax_shape& s = q.shape;
    const bool across = V::size > 1 && s.extent[2] > 1 && rows_lie_together(q) && !features_lie_together(q);
    for (index_t i = first, count; i < last; i += count) {
      const index_t x = i % s.extent[2], y = i / s.extent[2] % s.extent[1],
                    z = i / s.extent[2] / s.extent[1] % s.extent[0], n = i / s.extent[2] / s.extent[1] / s.extent[0];
      count = 1;
      if (across) {
        const index_t left = last - i, of_line = s.extent[2] - x;
        count = left < of_line ? left : of_line;
        each_vector<V>(count, [&](index_t k, auto some) { several(q, {n, z, y, x + k}, some); });
      } else if (features_lie_together(q)) {
        one<true>(q, {n, z, y, x});
      } else {
        one<false>(q, {n, z, y, x});
      }
    }
  }

 private:
  struct place {
    index_t n, z, y, x;
  };
  template <class U>
  TERN_INLINE static U* at(const scattered_image<U>& i, const place& p, index_t feature) {
    return i.at(p.n, feature, p.z, p.y, p.x);
  }

  template <class Call, class Is>
  static bool all_images(const Call& q, Is is) {
    if constexpr (requires { q.dx; })
      return is(q.dy) && is(q.y) && is(q.dx);
    else
      return is(q.x) && is(q.y);
  }
  template <class Call>
  static bool features_lie_together(const Call& q) {
    const index_t features = q.shape.features;
    return all_images(q, [&](const auto& i) { return i.channel == 1 && i.block >= features; });
  }
  template <class Call>
  static bool rows_lie_together(const Call& q) {
    return all_images(q, [](const auto& i) { return i.axis[2] == 1; });
  }

  // --- One row ------------------------------------------------------------------------------------------------------

  /// \tparam Dense  whether features are next to each other
  template <bool Dense, class U, class N>
  TERN_INLINE static V load(const scattered_image<U>& i, const T* p, index_t feature, N some) {
    if constexpr (Dense) return load_lanes<V>(p + feature, some);
    T e[V::size] = {};
    for (index_t k = 0; k < some; ++k) e[k] = p[offset(i, feature + k)];
    return V::load(e);
  }
  template <bool Dense, class N>
  TERN_INLINE static void store(V v, const scattered_image<T>& i, T* p, index_t feature, N some) {
    if constexpr (Dense) return store_lanes(v, p + feature, some);
    T e[V::size];
    v.store(e);
    for (index_t k = 0; k < some; ++k) p[offset(i, feature + k)] = e[k];
  }
  template <class U>
  static index_t offset(const scattered_image<U>& i, index_t feature) {
    return feature / i.block * i.block_stride + feature % i.block * i.channel;
  }

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
    V most[4] = {minus_infinity<V>(), minus_infinity<V>(), minus_infinity<V>(), minus_infinity<V>()};
    index_t i = 0;
    for (; i + 4 * V::size <= features; i += 4 * V::size) {
      TERN_UNROLL
      for (int k = 0; k < 4; ++k) most[k] = larger(value(i + k * V::size, all_lanes<V>()), most[k]);
    }
    for (; i + V::size <= features; i += V::size) most[0] = larger(value(i, all_lanes<V>()), most[0]);
    T e[V::size];
    larger(larger(most[0], most[1]), larger(most[2], most[3])).store(e);
    T largest = e[0];
    for (int k = 1; k < V::size; ++k) largest = e[k] > largest ? e[k] : largest;
    if (i < features) {
      value(i, features - i).store(e);
      for (index_t k = 0; k < features - i; ++k) largest = e[k] > largest ? e[k] : largest;
    }
    const V origin(softmax_origin(largest));
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

  /// Rule 5 for every lane: lane = f(feature, lane).
  template <class F>
  TERN_INLINE static V sum_of_features(index_t features, F f) {
    V total(T(0));
    for (index_t block = 0; block < features; block += feature_block) {
      const index_t end = features - block < feature_block ? features : block + feature_block;
      index_t used = 1;
      while (used < end - block && used < feature_lanes) used *= 2;
      V lane[feature_lanes];
      for (index_t l = 0; l < used; ++l) lane[l] = V(T(0));
      for (index_t i = block; i < end; ++i) lane[(i - block) % feature_lanes] = f(i, lane[(i - block) % feature_lanes]);
      for (index_t w = used / 2; w > 0; w /= 2)
        for (index_t l = 0; l < w; ++l) lane[l] = lane[l] + lane[l + w];
      total = total + lane[0];
    }
    return total;
  }

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
    V largest = minus_infinity<V>();
    for (index_t i = 0; i < features; ++i) largest = larger(value(i), largest);
    const V origin = softmax_origin(largest);
    const V sum = sum_of_features(features, [&](index_t i, V lane) __attribute__((always_inline)) {
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
    const V sum = sum_of_features(q.shape.features, [&](index_t i, V lane) __attribute__((always_inline)) {
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
