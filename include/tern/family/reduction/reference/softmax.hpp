// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax in plain loops: the canonical order as code (docs/numerics.md).
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/reference/feature_sum.hpp"
#include "tern/family/reduction/softmax.hpp"
#include "tern/policy/reference.hpp"

namespace tern::inline TERN_ISA {

template <>
struct softmax_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  template <class T, bool Log, bool Mask>
  static void run(const context&, const softmax_values<T, Log, Mask>& q) {
    each_row(q.shape, [&](index_t n, index_t z, index_t y, index_t x) {
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
    each_row(q.shape, [&](index_t n, index_t z, index_t y, index_t x) {
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

 private:
  template <class F>
  static void each_row(const softmax_shape& s, F f) {
    for (index_t n = 0; n < s.batch; ++n)
      for (index_t z = 0; z < s.extent[0]; ++z)
        for (index_t y = 0; y < s.extent[1]; ++y)
          for (index_t x = 0; x < s.extent[2]; ++x) f(n, z, y, x);
  }
};

}  // namespace tern::inline TERN_ISA
