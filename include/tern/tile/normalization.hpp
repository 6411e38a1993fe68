// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms whose statistics are those of one sample: the calls, and their canonical order (docs/numerics.md) in arithmetic
// that numbers and vectors share.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/tile/activation.hpp"
#include "tern/tile/convolution.hpp"

namespace tern::inline TERN_ISA {

/// Steps of a norm, known while compiling.
struct norm_steps {
  bool center = true;  ///< the mean is subtracted
  bool scale = true;
  bool shift = true;
  bool residual = false;
  activation act = activation::none;

  friend constexpr bool operator==(const norm_steps&, const norm_steps&) = default;
};

/// Sizes of one call.
struct norm_shape {
  index_t batch = 0, channels = 0, groups = 1;
  index_t extent[3] = {1, 1, 1};

  TERN_FN constexpr index_t positions() const { return extent[0] * extent[1] * extent[2]; }
  TERN_FN constexpr index_t group_channels() const { return channels / groups; }
  /// Values that are normalised together.
  TERN_FN constexpr index_t values() const { return group_channels() * positions(); }
};

/// One forward call. A number per channel lies `row` from its neighbour; mean and rstd, per sample and group, may be
/// null.
template <class T, norm_steps S>
struct norm_values {
  using value_type = T;
  static constexpr norm_steps steps = S;

  norm_shape shape;
  image<const T> x{}, residual{};
  operand<const T> scale{}, shift{};
  image<T> y{};
  operand<T> mean{}, rstd{};  ///< (sample, group)
  T eps{};
};

/// One gradient of x. mean and rstd are those of the forward pass.
template <class T, norm_steps S, bool Accumulate>
struct norm_gradient {
  using value_type = T;
  static constexpr norm_steps steps = S;
  static constexpr bool accumulate = Accumulate;

  norm_shape shape;
  image<const T> dy{}, x{};
  operand<const T> scale{}, mean{}, rstd{};
  image<T> dx{};
};

/// The gradients of scale and shift, one number per channel; dshift may be null.
template <class T, bool Center, bool Accumulate>
struct norm_weight_gradient {
  using value_type = T;
  static constexpr bool center = Center, accumulate = Accumulate;

  norm_shape shape;
  image<const T> dy{}, x{};
  operand<const T> mean{}, rstd{};
  operand<T> dscale{}, dshift{};
};

}  // namespace tern::inline TERN_ISA

namespace tern::tile::inline TERN_ISA {

/// Statistics of one channel, or of as many as V has lanes: mean, and sum of squared deviations from it.
template <class V>
struct moments {
  V mean, squares;
};

/// Joins the statistics of `more` values to those of `before` values.
template <class V>
TERN_FN moments<V> join(const moments<V>& a, index_t before, const moments<V>& b, index_t more) {
  using math::fma;
  using math::product;
  using T = math::scalar_of_t<V>;
  if (before == 0) return b;
  const V d = b.mean - a.mean;
  const V share(static_cast<T>(more) / static_cast<T>(before + more));
  const V weight = product(V(static_cast<T>(before)), share);
  return {fma(d, share, a.mean), a.squares + fma(product(d, d), weight, b.squares)};
}

/// Rule 1 over the positions of a channel of a sample: chain = f(z, y, x, chain).
TERN_CALLS_BACK
template <class T, class F>
TERN_HD inline T sum_over_positions(const norm_shape& s, F f) {
  T total = 0, chain = 0;
  index_t used = 0;
  for (index_t z = 0; z < s.extent[0]; ++z)
    for (index_t y = 0; y < s.extent[1]; ++y)
      for (index_t x = 0; x < s.extent[2]; ++x) {
        chain = f(z, y, x, chain);
        if (++used == dot_chunk) total = total + chain, chain = 0, used = 0;
      }
  return used > 0 ? total + chain : total;
}
template <class T>
TERN_HD inline T sum_of_channel(const norm_shape& s, const image<const T>& dy, index_t n, index_t c) {
  return sum_over_positions<T>(s,
                               [&](index_t z, index_t y, index_t x, T chain) { return chain + *dy.at(n, c, z, y, x); });
}
/// The sum of dy (x - mean).
template <bool Center, class T>
TERN_HD inline T sum_of_products(const norm_shape& s, const image<const T>& dy, const image<const T>& x, index_t n,
                                 index_t c, T mean) {
  return sum_over_positions<T>(s, [&](index_t z, index_t y, index_t i, T chain) {
    const T v = *x.at(n, c, z, y, i);
    return math::fma(*dy.at(n, c, z, y, i), Center ? v - mean : v, chain);
  });
}
/// Statistics of a channel of a sample, by chunks; without the mean, the sum of squares.
template <bool Center, class T>
TERN_HD inline moments<T> channel_moments(const norm_shape& s, const image<const T>& x, index_t n, index_t c) {
  const index_t positions = s.positions();
  moments<T> all{T(0), T(0)};
  for (index_t first = 0; first < positions; first += dot_chunk) {
    const index_t size = positions - first < dot_chunk ? positions - first : dot_chunk;
    const auto each = [&](auto f) {
      each_row(s.extent, n, first, size, [&](index_t, index_t z, index_t y, index_t i, index_t width) {
        const T* p = x.at(n, c, z, y, i);
        for (index_t k = 0; k < width; ++k) f(p[k * x.axis[2]]);
      });
    };
    T sum = 0, squares = 0;
    if constexpr (Center) each([&](T v) { sum = sum + v; });
    const T mean = sum / static_cast<T>(size);
    each([&](T v) {
      const T d = Center ? v - mean : v;
      squares = math::fma(d, d, squares);
    });
    if constexpr (Center)
      all = join(all, first, {mean, squares}, size);
    else
      all.squares = all.squares + squares;
  }
  return all;
}

/// 1 / sqrt(sum / values + eps).
template <class T>
TERN_FN T reciprocal_deviation(T squares, index_t values, T eps) {
  return T(1) / math::sqrt(squares / static_cast<T>(values) + eps);
}

/// What S2 contributes to the gradients of a group.
template <class T>
TERN_FN T share_of_products(T sum, T rstd, T values) {
  return math::product(math::product(sum, rstd), rstd) / values;
}

/// What is normalised, scaled and shifted.
/// \param factor  scale * rstd, or rstd
template <norm_steps S, class V>
TERN_FN V normalized(V x, V mean, V factor, V shift, V residual) {
  using math::fma;
  using math::product;
  const V d = S.center ? x - mean : x;
  V y = S.shift ? fma(d, factor, shift) : product(d, factor);
  if constexpr (S.residual) y = y + residual;
  return activate<S.act>(y);
}

/// The gradient of one element.
/// \param a, b  what of the sums S1 and S2 is the same for the group
template <norm_steps S, class V>
TERN_FN V norm_gradient_of(V dy, V x, V mean, V scale, V rstd, V a, V b) {
  using math::fma;
  using math::product;
  const V g = S.scale ? product(dy, scale) : dy;
  return product(fma(-(S.center ? x - mean : x), b, S.center ? g - a : g), rstd);
}

}  // namespace tern::tile::inline TERN_ISA
