// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, row by row and place by place, in their canonical orders.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/order.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/normalization.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/family/reduction/reference_loops.hpp"
#include "tern/family/reduction/softmax.hpp"
#include "tern/policy/reference.hpp"

namespace tern::inline TERN_ISA {

template <>
struct row_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  template <class T, bool Log, bool Mask>
  static void run(const context&, const softmax_values<T, Log, Mask>& q) {
    impl::each_feature_row(q.shape, [&](index_t n, index_t z, index_t y, index_t x) {
      const auto value = [&](index_t i) {
        if (Mask && *q.mask.at(n, i, z, y, x) == 0) return tile::minus_infinity<T>();
        return *q.x.at(n, i, z, y, x);
      };
      T largest = tile::minus_infinity<T>();
      for (index_t i = 0; i < q.shape.features; ++i) largest = value(i) > largest ? value(i) : largest;
      const T origin = tile::softmax_origin(largest);
      const T sum = impl::sum_of_features<T>(q.shape.features,
                                             [&](index_t i, T lane) { return lane + math::exp(value(i) - origin); });
      const T divisor = tile::softmax_divisor<Log>(sum);
      for (index_t i = 0; i < q.shape.features; ++i) {
        const T d = value(i) - origin;
        *q.y.at(n, i, z, y, x) = Log ? d - divisor : math::product(math::exp(d), divisor);
      }
    });
  }

  template <class T, bool Log, bool Accumulate>
  static void run(const context&, const softmax_gradient<T, Log, Accumulate>& q) {
    impl::each_feature_row(q.shape, [&](index_t n, index_t z, index_t y, index_t x) {
      const T sum = impl::sum_of_features<T>(q.shape.features, [&](index_t i, T lane) {
        const T dy = *q.dy.at(n, i, z, y, x);
        return Log ? lane + dy : math::fma(dy, *q.y.at(n, i, z, y, x), lane);
      });
      for (index_t i = 0; i < q.shape.features; ++i) {
        T* to = q.dx.at(n, i, z, y, x);
        const T d = tile::softmax_gradient_of<Log>(*q.dy.at(n, i, z, y, x), *q.y.at(n, i, z, y, x), sum);
        *to = Accumulate ? *to + d : d;
      }
    });
  }

  template <class T, bool Smooth, bool Weighted>
  static void run(const context&, const cross_entropy_values<T, Smooth, Weighted>& q) {
    each_row(q, [&](index_t n, index_t z, index_t y, index_t x, T origin, T sum) {
      const std::int32_t target = *q.target.at(n, 0, z, y, x);
      const auto distance = [&](index_t i) { return *q.x.at(n, i, z, y, x) - origin; };
      const auto weight = [&](index_t i) { return *q.weights.at(n, i, z, y, x); };
      const auto sum_of = [&](auto term) {
        return impl::sum_of_features<T>(q.shape.features, [&](index_t i, T lane) { return lane + term(i); });
      };
      T& to = *q.y.at(n, 0, z, y, x);
      if (target < 0) {
        to = 0;
      } else if (target >= q.shape.features) {
        to = static_cast<T>(__builtin_nanf(""));
      } else if constexpr (Weighted) {
        const T all = Smooth ? sum_of([&](index_t i) { return math::product(weight(i), distance(i)); }) : T(0),
                weights = Smooth ? sum_of(weight) : T(0);
        to = tile::weighted_cross_entropy_of<Smooth>(sum, distance(target), weight(target), all, weights, q.keep,
                                                     q.share);
      } else {
        const T all = Smooth ? sum_of(distance) : T(0);
        to = tile::cross_entropy_of<Smooth>(sum, distance(target), all, q.keep, q.share);
      }
    });
  }

  template <class T, bool Each, bool Accumulate, class_weighting Weighted>
  static void run(const context&, const cross_entropy_gradient<T, Each, Accumulate, Weighted>& q) {
    each_row(q, [&](index_t n, index_t z, index_t y, index_t x, T origin, T sum) {
      const std::int32_t target = *q.target.at(n, 0, z, y, x);
      const bool takes_part = target >= 0 && target < q.shape.features;
      const auto class_weight = [&](index_t i) { return *q.weights.at(n, i, z, y, x); };
      T weight = q.weight, of_target = 0, all = 0;
      if constexpr (Each) weight = math::product(weight, *q.dy.at(n, 0, z, y, x));
      if constexpr (Weighted == class_weighting::plain)
        if (takes_part) weight = math::product(weight, class_weight(target));
      if constexpr (Weighted == class_weighting::smooth)
        if (takes_part) {
          of_target = math::product(q.keep, class_weight(target));
          const T sum_of_weights =
              impl::sum_of_features<T>(q.shape.features, [&](index_t i, T lane) { return lane + class_weight(i); });
          all = math::fma(q.share, sum_of_weights, of_target);
        }
      const T by = tile::softmax_divisor<false>(sum);
      for (index_t i = 0; i < q.shape.features; ++i) {
        const T p = math::product(math::exp(*q.x.at(n, i, z, y, x) - origin), by);
        T d;
        if constexpr (Weighted == class_weighting::smooth) {
          const T share = math::product(q.share, class_weight(i));
          d = tile::smooth_weighted_gradient_of(p, all, i == target ? of_target + share : share, weight);
        } else {
          d = tile::cross_entropy_gradient_of(p, i == target ? q.keep + q.share : q.share, weight);
        }
        if (target < 0) d = 0;
        if (target >= q.shape.features) d = static_cast<T>(__builtin_nanf(""));
        T& to = *q.dx.at(n, i, z, y, x);
        to = Accumulate ? to + d : d;
      }
    });
  }

  /// Other programs bring their own.
  template <class Call>
  static void run(const context&, const Call& q) {
    row::program<Call>::reference(q);
  }

 private:
  /// Calls f(row, the number subtracted from its elements, the sum of exponentials of the differences).
  template <class Call, class F>
  static void each_row(const Call& q, F f) {
    using T = typename Call::value_type;
    impl::each_feature_row(q.shape, [&](index_t n, index_t z, index_t y, index_t x) {
      const auto value = [&](index_t i) { return *q.x.at(n, i, z, y, x); };
      T largest = tile::minus_infinity<T>();
      for (index_t i = 0; i < q.shape.features; ++i) largest = value(i) > largest ? value(i) : largest;
      const T origin = tile::softmax_origin(largest);
      f(n, z, y, x, origin, impl::sum_of_features<T>(q.shape.features, [&](index_t i, T lane) {
          return lane + math::exp(value(i) - origin);
        }));
    });
  }
};

template <>
struct loss_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  template <class T, class F>
  static void run(const context&, const element_sums<T, F>& q) {
    for (index_t n = 0; n < q.batch; ++n)
      *q.y.at(n, 0) = impl::sum_of_features<T>(q.of_sample(), [&](index_t e, T lane) {
        T in[F::inputs];
        for (int i = 0; i < F::inputs; ++i) in[i] = *q.at(i, n, e);
        return q.f(in, lane);
      });
  }
};

template <>
struct place_sums_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  template <class T, class F>
  static void run(const context&, const place_sums<T, F>& q) {
    for (index_t place = 0; place < q.of.places(); ++place)
      for (index_t c = 0; c < q.channels; ++c) {
        const auto origin = q.origin_of(place, c);
        T total[F::results];
        q.begin(origin, total);
        index_t before = q.seen;
        each_chunk(q.summed.batch, q.summed.extent, [&](index_t n, index_t position, index_t count) {
          T chain[F::results];
          q.chunk(origin, n, position, count, chain);
          q.f.join(total, chain, before, count);
          before += count;
        });
        q.end(origin, total);
      }
  }
};

template <>
struct normalization_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  template <class T, norm_steps S>
  static void run(const context&, const norm_values<T, S>& q) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels(), of_channel = s.positions() * s.samples(S.batch);
    each_group(s, S, [&](index_t set, index_t g) {
      const auto statistics = [&](index_t i) { return tile::channel_moments<S>(s, q.x, set, g * members + i); };
      const T mean =
          S.center ? impl::sum_of_features<T>(members, [&](index_t i, T lane) { return lane + statistics(i).mean; }) /
                         T(members)
                   : T(0);
      const T squares = impl::sum_of_features<T>(members, [&](index_t i, T lane) {
        const tile::moments<T> m = statistics(i);
        if (!S.center) return lane + m.squares;
        const T d = m.mean - mean;
        return math::fma(math::product(T(of_channel), d), d, lane + m.squares);
      });
      const T variance = squares / T(s.values(S.batch)), rstd = tile::reciprocal_deviation(variance, q.eps);
      if (S.center && q.mean.p != nullptr) *q.mean.at(set, g) = mean;
      if (q.rstd.p != nullptr) *q.rstd.at(set, g) = rstd;
      if (q.variance.p != nullptr) *q.variance.at(set, g) = variance;
      each_element(s, S, set, g, [&](index_t n, index_t c, index_t z, index_t y, index_t x) {
        const T factor = S.scale ? math::product(*q.scale.at(c, 0), rstd) : rstd;
        const T shift = S.shift ? *q.shift.at(c, 0) : T(0),
                residual = S.residual ? *q.residual.at(n, c, z, y, x) : T(0);
        *q.y.at(n, c, z, y, x) = tile::normalized<S>(*q.x.at(n, c, z, y, x), mean, factor, shift, residual);
      });
    });
  }

  template <class T, norm_steps S, bool Accumulate>
  static void run(const context&, const norm_gradient<T, S, Accumulate>& q) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels();
    each_group(s, S, [&](index_t set, index_t g) {
      const T mean = S.center ? *q.mean.at(set, g) : T(0), rstd = *q.rstd.at(set, g), values = T(s.values(S.batch));
      const auto of_channel = [&](bool of_products, index_t c) {
        return of_products ? tile::sum_of_products<S>(s, q.dy, q.x, set, c, mean, rstd)
                           : tile::sum_of_channel<S>(s, q.dy, set, c);
      };
      const auto sum = [&](bool of_products) {
        return impl::sum_of_features<T>(members, [&](index_t i, T lane) {
          const index_t c = g * members + i;
          const T total = of_channel(of_products, c);
          return S.scale ? math::fma(*q.scale.at(c, 0), total, lane) : lane + total;
        });
      };
      T a = 0, b = 0;
      if constexpr (S.batch) {
        const T dscale = of_channel(true, g), dshift = of_channel(false, g);
        const auto shares = tile::shares_of<S>(dshift, dscale, S.scale ? *q.scale.at(g, 0) : T(1), rstd, values);
        a = shares.a, b = shares.b;
        if (q.dscale.p != nullptr) *q.dscale.at(g, 0) = dscale;
        if (q.dshift.p != nullptr) *q.dshift.at(g, 0) = dshift;
      } else {
        if constexpr (S.center) a = sum(false) / values;
        b = tile::share_of_products(sum(true), rstd, values);
      }
      each_element(s, S, set, g, [&](index_t n, index_t c, index_t z, index_t y, index_t x) {
        const T scale = S.scale ? *q.scale.at(c, 0) : T(1);
        const T d = tile::norm_gradient_of<S>(*q.dy.at(n, c, z, y, x), *q.x.at(n, c, z, y, x), mean, scale, rstd, a, b);
        T* to = q.dx.at(n, c, z, y, x);
        *to = Accumulate ? *to + d : d;
      });
    });
  }

 private:
  template <class F>
  static void each_group(const norm_shape& s, norm_steps of, F f) {
    for (index_t set = 0; set < s.sets(of.batch); ++set)
      for (index_t g = 0; g < s.groups; ++g) f(set, g);
  }
  /// Calls f(n, c, z, y, x) for the elements of a group.
  template <class F>
  static void each_element(const norm_shape& s, norm_steps of, index_t set, index_t g, F f) {
    const index_t members = s.group_channels(), first = of.batch ? 0 : set;
    for (index_t n = first; n < first + s.samples(of.batch); ++n)
      for (index_t z = 0; z < s.extent[0]; ++z)
        for (index_t y = 0; y < s.extent[1]; ++y)
          for (index_t x = 0; x < s.extent[2]; ++x)
            for (index_t c = g * members; c < (g + 1) * members; ++c) f(n, c, z, y, x);
  }
};

}  // namespace tern::inline TERN_ISA
