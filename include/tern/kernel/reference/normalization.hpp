// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms in plain loops: the canonical order as code (docs/numerics.md).
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/reference/feature_sum.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/reference.hpp"
#include "tern/tile/normalization.hpp"

namespace tern::inline TERN_ISA {

template <>
struct normalization_kernel<reference> {
  /// The reference needs no run-time state.
  struct context {};

  template <class T, norm_steps S>
  static void run(const context&, const norm_values<T, S>& q) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels();
    for (index_t n = 0; n < s.batch; ++n)
      for (index_t g = 0; g < s.groups; ++g) {
        const auto statistics = [&](index_t i) { return tile::channel_moments<S.center>(s, q.x, n, g * members + i); };
        const T mean =
            S.center ? impl::sum_of_features<T>(members, [&](index_t i, T lane) { return lane + statistics(i).mean; }) /
                           T(members)
                     : T(0);
        const T squares = impl::sum_of_features<T>(members, [&](index_t i, T lane) {
          const tile::moments<T> m = statistics(i);
          if (!S.center) return lane + m.squares;
          const T d = m.mean - mean;
          return math::fma(math::product(T(s.positions()), d), d, lane + m.squares);
        });
        const T rstd = tile::reciprocal_deviation(squares, s.values(), q.eps);
        if (S.center && q.mean.p != nullptr) *q.mean.at(n, g) = mean;
        if (q.rstd.p != nullptr) *q.rstd.at(n, g) = rstd;
        for (index_t c = g * members; c < (g + 1) * members; ++c) {
          const T factor = S.scale ? math::product(*q.scale.at(c, 0), rstd) : rstd;
          const T shift = S.shift ? *q.shift.at(c, 0) : T(0);
          each_position(s, [&](index_t z, index_t y, index_t x) {
            const T residual = S.residual ? *q.residual.at(n, c, z, y, x) : T(0);
            *q.y.at(n, c, z, y, x) = tile::normalized<S>(*q.x.at(n, c, z, y, x), mean, factor, shift, residual);
          });
        }
      }
  }

  template <class T, norm_steps S, bool Accumulate>
  static void run(const context&, const norm_gradient<T, S, Accumulate>& q) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels();
    for (index_t n = 0; n < s.batch; ++n)
      for (index_t g = 0; g < s.groups; ++g) {
        const T mean = S.center ? *q.mean.at(n, g) : T(0), rstd = *q.rstd.at(n, g), values = T(s.values());
        const auto sum = [&](bool of_products) {
          return impl::sum_of_features<T>(members, [&](index_t i, T lane) {
            const index_t c = g * members + i;
            const T total = of_products ? tile::sum_of_products<S.center>(s, q.dy, q.x, n, c, mean)
                                        : tile::sum_of_channel(s, q.dy, n, c);
            return S.scale ? math::fma(*q.scale.at(c, 0), total, lane) : lane + total;
          });
        };
        const T a = S.center ? sum(false) / values : T(0);
        const T b = tile::share_of_products(sum(true), rstd, values);
        for (index_t c = g * members; c < (g + 1) * members; ++c) {
          const T scale = S.scale ? *q.scale.at(c, 0) : T(1);
          each_position(s, [&](index_t z, index_t y, index_t x) {
            const T d =
                tile::norm_gradient_of<S>(*q.dy.at(n, c, z, y, x), *q.x.at(n, c, z, y, x), mean, scale, rstd, a, b);
            T* to = q.dx.at(n, c, z, y, x);
            *to = Accumulate ? *to + d : d;
          });
        }
      }
  }

  /// Sums by grains (docs/numerics.md, rule 2).
  template <class T, bool Center, bool Accumulate>
  static void run(const context&, const norm_weight_gradient<T, Center, Accumulate>& q) {
    const norm_shape& s = q.shape;
    for (index_t c = 0; c < s.channels; ++c) {
      const index_t g = c / s.group_channels();
      T scale = Accumulate ? *q.dscale.at(c, 0) : T(0);
      T shift = Accumulate && q.dshift.p != nullptr ? *q.dshift.at(c, 0) : T(0);
      each_chunk(s.batch, s.extent, [&](index_t n0, index_t position, index_t count) {
        T of_scale = 0, of_shift = 0;
        each_row(s.extent, n0, position, count, [&](index_t n, index_t z, index_t y, index_t x0, index_t size) {
          for (index_t x = x0; x < x0 + size; ++x) {
            const T dy = *q.dy.at(n, c, z, y, x), v = *q.x.at(n, c, z, y, x);
            const T d = Center ? v - *q.mean.at(n, g) : v;
            of_scale = math::fma(dy, math::product(d, *q.rstd.at(n, g)), of_scale);
            of_shift = of_shift + dy;
          }
        });
        scale = scale + of_scale, shift = shift + of_shift;
      });
      *q.dscale.at(c, 0) = scale;
      if (q.dshift.p != nullptr) *q.dshift.at(c, 0) = shift;
    }
  }

 private:
  template <class F>
  static void each_position(const norm_shape& s, F f) {
    for (index_t z = 0; z < s.extent[0]; ++z)
      for (index_t y = 0; y < s.extent[1]; ++y)
        for (index_t x = 0; x < s.extent[2]; ++x) f(z, y, x);
  }
};

}  // namespace tern::inline TERN_ISA
