// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one core with vector units does of losses: some samples or rows.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_rows.hpp"
#include "tern/family/reduction/loss.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct loss_core : private feature_rows<V> {
  using T = typename V::value_type;

  /// Samples [first, last). Elements that lie in the order of the sum are read as vectors, others one by one.
  template <class F>
  static void part(const element_sums<T, F>& q, index_t first, index_t last) {
    bool dense = true;
    for (const auto& i : q.in) dense = dense && lies_in_order(i, q);
    for (index_t n = first; n < last; ++n) *q.y.at(n, 0) = dense ? sample<true>(q, n) : sample<false>(q, n);
  }

  /// Rows [first, last), counted over samples, depth, height and width.
  template <bool Smooth>
  static void part(const cross_entropy_values<T, Smooth>& q, index_t first, index_t last) {
    base::each(
        q.shape, first, last, 1,
        [&]<bool Dense>(std::bool_constant<Dense>, const place* p, index_t) { one<Dense>(q, *p); },
        [&](const place& p, auto some) { several(q, p, some); }, q.x);
  }
  template <bool Each, bool Accumulate>
  static void part(const cross_entropy_gradient<T, Each, Accumulate>& q, index_t first, index_t last) {
    base::each(
        q.shape, first, last, 1,
        [&]<bool Dense>(std::bool_constant<Dense>, const place* p, index_t) { one<Dense>(q, *p); },
        [&](const place& p, auto some) { several(q, p, some); }, q.x, q.dx);
  }

 private:
  using base = feature_rows<V>;
  using typename base::place;
  using sums = typename base::sums;
  using base::at, base::offset;

  // --- Elements -----------------------------------------------------------------------------------------------------

  template <class F>
  static bool lies_in_order(const scattered_image<const T>& i, const element_sums<T, F>& q) {
    index_t stride = q.channels;
    bool right = q.channels == 1 || (i.channel == 1 && i.block >= q.channels);
    for (int r = 2; r >= 0; --r) right = right && (q.extent[r] == 1 || i.axis[r] == stride), stride *= q.extent[r];
    return right;
  }

  template <bool Dense, class F>
  static T sample(const element_sums<T, F>& q, index_t n) {
    const T* from[F::inputs];
    for (int i = 0; i < F::inputs; ++i) from[i] = q.in[i].at(n, 0, 0, 0, 0);
    const auto add = [&](V lane, index_t e, auto some) __attribute__((always_inline)) {
      V in[F::inputs];
      TERN_UNROLL
      for (int i = 0; i < F::inputs; ++i) {
        if constexpr (Dense) {
          in[i] = load_lanes<V>(from[i] + e, some);
        } else {
          T x[V::size] = {};
          for (index_t k = 0; k < some; ++k) x[k] = *q.at(i, n, e + k);
          in[i] = V::load(x);
        }
      }
      const V sum = q.f(in, lane);
      if constexpr (std::is_same_v<decltype(some), all_lanes<V>>) {
        return sum;
      } else {
        T old[V::size], added[V::size];
        lane.store(old), sum.store(added);
        for (index_t k = 0; k < some; ++k) old[k] = added[k];
        return V::load(old);
      }
    };
    if constexpr (!Dense || F::operations > 16)
      return sums::of_costly(q.of_sample(), add);
    else
      return sums::of(q.of_sample(), add);
  }

  // --- Rows ---------------------------------------------------------------------------------------------------------

  template <bool Dense, class U, class N>
  TERN_INLINE static V load(const scattered_image<U>& i, const T* p, index_t feature, N some) {
    return base::template load<Dense>(i, p, feature, some);
  }

  template <bool Dense, bool Smooth>
  static void one(const cross_entropy_values<T, Smooth>& q, const place& p) {
    const index_t features = q.shape.features;
    T& to = *at(q.y, p, 0);
    const std::int32_t target = *at(q.target, p, 0);
    const target_kind kind = kind_of_target(target, features);
    if (kind != target_kind::one) {
      to = kind == target_kind::none ? T(0) : not_a_number<T>();
      return;
    }
    const T* from = at(q.x, p, 0);
    const auto value = [&](index_t i, auto some)
                           __attribute__((always_inline)) { return load<Dense>(q.x, from, i, some); };
    const T origin = softmax_origin(base::largest(features, value));
    const V by(origin);
    const T sum = sums::of(features, [&](V lane, index_t k, auto some) __attribute__((always_inline)) {
      return lane + first_lanes(math::exp(value(k, some) - by), some);
    });
    T all = 0;
    if constexpr (Smooth)
      all = sums::of(features, [&](V lane, index_t k, auto some) __attribute__((always_inline)) {
        return lane + first_lanes(value(k, some) - by, some);
      });
    to = cross_entropy_of<Smooth>(sum, from[offset(q.x, target)] - origin, all, q.keep, q.share);
  }

  template <bool Dense, bool Each, bool Accumulate>
  static void one(const cross_entropy_gradient<T, Each, Accumulate>& q, const place& p) {
    const index_t features = q.shape.features;
    T* to = at(q.dx, p, 0);
    const std::int32_t target = *at(q.target, p, 0);
    const target_kind kind = kind_of_target(target, features);
    const auto write = [&](V d, index_t k, auto some) __attribute__((always_inline)) {
      base::template store<Dense>(Accumulate ? load<Dense>(q.dx, to, k, some) + d : d, q.dx, to, k, some);
    };
    if (kind != target_kind::one) {
      const V d(kind == target_kind::none ? T(0) : not_a_number<T>());
      each_vector<V>(features, [&](index_t k, auto some) { write(d, k, some); });
      return;
    }
    T weight = q.weight;
    if constexpr (Each) weight = math::product(weight, *at(q.dy, p, 0));
    const T* from = at(q.x, p, 0);
    const auto value = [&](index_t i, auto some)
                           __attribute__((always_inline)) { return load<Dense>(q.x, from, i, some); };
    const T origin = softmax_origin(base::largest(features, value));
    const V by(origin);
    const T sum = sums::of(features, [&](V lane, index_t k, auto some) __attribute__((always_inline)) {
      const V power = first_lanes(math::exp(value(k, some) - by), some);
      if constexpr (!Accumulate && Dense) store_lanes(power, to + k, some);
      return lane + power;
    });
    const T divisor = softmax_divisor<false>(sum);
    // The target's element by itself: what the loop makes of it is written over.
    T& chosen = to[offset(q.dx, target)];
    const T old = Accumulate ? chosen : T(0);
    const T power = !Accumulate && Dense ? chosen : math::exp(from[offset(q.x, target)] - origin);
    each_vector<V>(features, [&](index_t k, auto some) __attribute__((always_inline)) {
      const V e = !Accumulate && Dense ? load<Dense>(q.dx, to, k, some) : math::exp(value(k, some) - by);
      write(cross_entropy_gradient_of(product(e, V(divisor)), V(q.share), V(weight)), k, some);
    });
    const T d = cross_entropy_gradient_of(math::product(power, divisor), q.keep + q.share, weight);
    chosen = Accumulate ? old + d : d;
  }

  // --- As many rows as a vector has lanes ---------------------------------------------------------------------------

  /// Of rows next to each other: the targets, and what their results are multiplied by.
  struct targets {
    std::int32_t of[V::size];
    target_kind kind[V::size];

    template <class N>
    targets(const scattered_image<const std::int32_t>& i, const place& p, index_t features, N some) {
      const std::int32_t* from = at(i, p, 0);
      for (index_t k = 0; k < V::size; ++k) {
        of[k] = k < some ? from[k * i.axis[2]] : -1;
        kind[k] = kind_of_target(of[k], features);
      }
    }
    /// d where the target is one, 0 where it is left out, NaN where it is wrong.
    V valid(V d) const {
      T e[V::size];
      d.store(e);
      for (int k = 0; k < V::size; ++k)
        if (kind[k] != target_kind::one) e[k] = kind[k] == target_kind::none ? T(0) : not_a_number<T>();
      return V::load(e);
    }
    bool all_valid(index_t some) const {
      bool all = true;
      for (index_t k = 0; k < some; ++k) all = all && kind[k] == target_kind::one;
      return all;
    }
  };

  template <bool Smooth, class N>
  static void several(const cross_entropy_values<T, Smooth>& q, const place& p, N some) {
    const index_t features = q.shape.features;
    const targets target(q.target, p, features, some);
    const auto value = [&](index_t i) __attribute__((always_inline)) { return load_lanes<V>(at(q.x, p, i), some); };
    const V origin = softmax_origin(base::largest_of_each(features, value));
    const V sum = base::sum_of_each(features, [&](index_t i, V lane) __attribute__((always_inline)) {
      return lane + math::exp(value(i) - origin);
    });
    V all(T(0));
    if constexpr (Smooth)
      all = base::sum_of_each(
          features, [&](index_t i, V lane) __attribute__((always_inline)) { return lane + (value(i) - origin); });
    T chosen[V::size] = {};
    for (index_t k = 0; k < some; ++k)
      if (target.kind[k] == target_kind::one) chosen[k] = at(q.x, p, target.of[k])[k];
    const V loss = cross_entropy_of<Smooth>(sum, V::load(chosen) - origin, all, V(q.keep), V(q.share));
    store_strided(target.valid(loss), at(q.y, p, 0), q.y.axis[2], some);
  }

  template <bool Each, bool Accumulate, class N>
  static void several(const cross_entropy_gradient<T, Each, Accumulate>& q, const place& p, N some) {
    const index_t features = q.shape.features;
    const targets target(q.target, p, features, some);
    const auto value = [&](index_t i) __attribute__((always_inline)) { return load_lanes<V>(at(q.x, p, i), some); };
    const V origin = softmax_origin(base::largest_of_each(features, value));
    const V divisor =
        softmax_divisor<false>(base::sum_of_each(features, [&](index_t i, V lane) __attribute__((always_inline)) {
          return lane + math::exp(value(i) - origin);
        }));
    V weight(q.weight);
    if constexpr (Each)
      weight = product(weight, load_strided<V>(static_cast<const T*>(at(q.dy, p, 0)), q.dy.axis[2], some));
    // Targets' elements by themselves: what the loop makes of them is written over.
    T power[V::size], old[V::size] = {};
    {
      T chosen[V::size] = {};
      for (index_t k = 0; k < some; ++k)
        if (target.kind[k] == target_kind::one) {
          chosen[k] = at(q.x, p, target.of[k])[k];
          if constexpr (Accumulate) old[k] = at(q.dx, p, target.of[k])[k];
        }
      math::exp(V::load(chosen) - origin).store(power);
    }
    const bool all_valid = target.all_valid(some);
    for (index_t i = 0; i < features; ++i) {
      T* to = at(q.dx, p, i);
      V d = cross_entropy_gradient_of(product(math::exp(value(i) - origin), divisor), V(q.share), weight);
      if (!all_valid) d = target.valid(d);
      store_lanes(Accumulate ? load_lanes<V>(to, some) + d : d, to, some);
    }
    T d[V::size];
    cross_entropy_gradient_of(product(V::load(power), divisor), V(q.keep + q.share), weight).store(d);
    for (index_t k = 0; k < some; ++k)
      if (target.kind[k] == target_kind::one) at(q.dx, p, target.of[k])[k] = Accumulate ? old[k] + d[k] : d[k];
  }
};

/// What a core does of a call: samples and rows are dealt out.
template <class T, class Arch, index_t>
struct loss_parts {
  template <class Call>
  static constexpr index_t work(const Call& q) {
    return q.parts() * q.part_work();
  }
  template <class Call>
  static void run(const Call& q, index_t t, index_t tasks) {
    const index_t parts = q.parts();
    loss_core<lanes<T, Arch>>::part(q, parts * t / tasks, parts * (t + 1) / tasks);
  }
};

}  // namespace tern::tile::inline TERN_ISA
