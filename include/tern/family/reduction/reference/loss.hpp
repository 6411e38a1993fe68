// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses in plain loops: the canonical order as code (docs/numerics.md).
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/reference/feature_sum.hpp"
#include "tern/policy/reference.hpp"

namespace tern::inline TERN_ISA {

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

  template <class T, bool Smooth>
  static void run(const context&, const cross_entropy_values<T, Smooth>& q) {
    each_row(q, [&](index_t n, index_t z, index_t y, index_t x, T origin, T sum) {
      const std::int32_t target = *q.target.at(n, 0, z, y, x);
      const auto distance = [&](index_t i) { return *q.x.at(n, i, z, y, x) - origin; };
      T& to = *q.y.at(n, 0, z, y, x);
      switch (tile::kind_of_target(target, q.shape.features)) {
        case tile::target_kind::none: to = 0; break;
        case tile::target_kind::wrong: to = tile::not_a_number<T>(); break;
        case tile::target_kind::one:
          const T all =
              Smooth ? impl::sum_of_features<T>(q.shape.features, [&](index_t i, T lane) { return lane + distance(i); })
                     : T(0);
          to = tile::cross_entropy_of<Smooth>(sum, distance(target), all, q.keep, q.share);
      }
    });
  }

  template <class T, bool Each, bool Accumulate>
  static void run(const context&, const cross_entropy_gradient<T, Each, Accumulate>& q) {
    each_row(q, [&](index_t n, index_t z, index_t y, index_t x, T origin, T sum) {
      const std::int32_t target = *q.target.at(n, 0, z, y, x);
      const tile::target_kind kind = tile::kind_of_target(target, q.shape.features);
      T weight = q.weight;
      if constexpr (Each) weight = math::product(weight, *q.dy.at(n, 0, z, y, x));
      const T by = tile::softmax_divisor<false>(sum);
      for (index_t i = 0; i < q.shape.features; ++i) {
        const T p = math::product(math::exp(*q.x.at(n, i, z, y, x) - origin), by);
        T d = tile::cross_entropy_gradient_of(p, i == target ? q.keep + q.share : q.share, weight);
        if (kind == tile::target_kind::none) d = 0;
        if (kind == tile::target_kind::wrong) d = tile::not_a_number<T>();
        T& to = *q.dx.at(n, i, z, y, x);
        to = Accumulate ? to + d : d;
      }
    });
  }

 private:
  /// f(row, what is subtracted from its elements, the sum of exponentials of the differences).
  template <class Call, class F>
  static void each_row(const Call& q, F f) {
    using T = typename Call::value_type;
    const softmax_shape& s = q.shape;
    for (index_t n = 0; n < s.batch; ++n)
      for (index_t z = 0; z < s.extent[0]; ++z)
        for (index_t y = 0; y < s.extent[1]; ++y)
          for (index_t x = 0; x < s.extent[2]; ++x) {
            const auto value = [&](index_t i) { return *q.x.at(n, i, z, y, x); };
            T largest = tile::minus_infinity<T>();
            for (index_t i = 0; i < s.features; ++i) largest = value(i) > largest ? value(i) : largest;
            const T origin = tile::softmax_origin(largest);
            f(n, z, y, x, origin, impl::sum_of_features<T>(s.features, [&](index_t i, T lane) {
                return lane + math::exp(value(i) - origin);
              }));
          }
  }
};

}  // namespace tern::inline TERN_ISA
