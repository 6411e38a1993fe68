// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms in plain loops: the canonical order as code (docs/numerics.md).
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/normalization.hpp"
#include "tern/family/reduction/reference/feature_sum.hpp"
#include "tern/policy/reference.hpp"

namespace tern::inline TERN_ISA {

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
  /// f(n, c, z, y, x) for the elements of a group.
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
