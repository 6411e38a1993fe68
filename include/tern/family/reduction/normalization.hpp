// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms: the calls, and their canonical order (docs/numerics.md) in arithmetic for numbers and vectors. Statistics are
// those of groups of channels over a *set* of positions: those of one sample, or, in a batch norm, of all samples.
#pragma once

#include "tern/core/activate.hpp"
#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/order.hpp"
#include "tern/family/reduction/place_sums.hpp"

namespace tern::inline TERN_ISA {

/// Steps of a norm, known while compiling.
struct norm_steps {
  bool center = true;  ///< subtracts the mean
  bool scale = true;
  bool shift = true;
  bool residual = false;
  activation act = activation::none;
  bool batch = false;  ///< all samples are one set; groups are single channels
  bool rows = false;   ///< known while compiling: samples have one position, and channels are contiguous in all images

  /// The steps that affect the gradient of x: calls that differ in the others share a kernel.
  TERN_FN constexpr norm_steps of_gradient() const {
    return {.center = center, .scale = scale, .shift = false, .batch = batch, .rows = rows};
  }

  friend constexpr bool operator==(const norm_steps&, const norm_steps&) = default;
};

/// Sizes of one call.
struct norm_shape {
  index_t batch = 0, channels = 0, groups = 1;
  index_t extent[3] = {1, 1, 1};

  TERN_FN constexpr index_t positions() const { return extent[0] * extent[1] * extent[2]; }
  TERN_FN constexpr index_t group_channels() const { return channels / groups; }
  TERN_FN constexpr place_box places() const { return {batch, {extent[0], extent[1], extent[2]}}; }
  /// The number of sets, the samples of a set, and the values that share statistics; by norm_steps::batch.
  TERN_FN constexpr index_t sets(bool whole) const { return !whole ? batch : batch > 0 ? 1 : 0; }
  TERN_FN constexpr index_t samples(bool whole) const { return whole ? batch : 1; }
  TERN_FN constexpr index_t values(bool whole) const { return group_channels() * positions() * samples(whole); }
};

/// One forward call. Numbers of neighbouring channels are `row` apart; mean, rstd and variance, per set and group, may
/// be null.
template <class T, norm_steps S>
struct norm_values {
  using value_type = T;
  static constexpr norm_steps steps = S;
  static constexpr bool is_gradient = false;

  norm_shape shape;
  image<const T> x{}, residual{};
  operand<const T> scale{}, shift{};
  image<T> y{};
  operand<T> mean{}, rstd{}, variance{};  ///< (set, group)
  T eps{};
};

/// One gradient of x. mean and rstd are those of the forward pass. In a batch norm that does not accumulate, the sums
/// of the channels are the gradients of scale and shift: they are written to dscale and dshift if these are not null.
template <class T, norm_steps S, bool Accumulate>
struct norm_gradient {
  using value_type = T;
  static constexpr norm_steps steps = S;
  static constexpr bool is_gradient = true, accumulate = Accumulate;

  norm_shape shape;
  image<const T> dy{}, x{};
  operand<const T> scale{}, mean{}, rstd{};
  image<T> dx{};
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

/// Calls f(sample, position, count) for the chunks of a set.
TERN_CALLS_BACK
template <norm_steps S, class F>
TERN_HD inline void each_chunk_of_set(const norm_shape& s, index_t set, F f) {
  if constexpr (S.batch) {
    each_chunk(s.batch, s.extent, f);
  } else {
    for (index_t first = 0; first < s.positions(); first += dot_chunk) {
      const index_t left = s.positions() - first;
      f(set, first, left < dot_chunk ? left : index_t{dot_chunk});
    }
  }
}

/// The sum over a set of chains, one per chunk: chain = f(n, z, y, x, chain).
TERN_CALLS_BACK
template <norm_steps S, class T, class F>
TERN_HD inline T sum_over_set(const norm_shape& s, index_t set, F f) {
  T total = 0;
  each_chunk_of_set<S>(s, set, [&](index_t n0, index_t position, index_t count) {
    T chain = 0;
    each_row(s.extent, n0, position, count, [&](index_t n, index_t z, index_t y, index_t x, index_t width) {
      for (index_t i = x; i < x + width; ++i) chain = f(n, z, y, i, chain);
    });
    total = total + chain;
  });
  return total;
}
/// Sums dy and dy (x - mean), in batch norms dy ((x - mean) rstd), over the positions of a channel.
template <norm_steps S, class T>
TERN_HD inline T sum_of_channel(const norm_shape& s, const image<const T>& dy, index_t set, index_t c) {
  return sum_over_set<S, T>(
      s, set, [&](index_t n, index_t z, index_t y, index_t x, T chain) { return chain + *dy.at(n, c, z, y, x); });
}
template <norm_steps S, class T>
TERN_HD inline T sum_of_products(const norm_shape& s, const image<const T>& dy, const image<const T>& x, index_t set,
                                 index_t c, T mean, T rstd) {
  return sum_over_set<S, T>(s, set, [&](index_t n, index_t z, index_t y, index_t i, T chain) {
    const T v = *x.at(n, c, z, y, i), d = S.center ? v - mean : v;
    return math::fma(*dy.at(n, c, z, y, i), S.batch ? math::product(d, rstd) : d, chain);
  });
}
/// Statistics of a channel over a set, chunk by chunk; without the mean, the sum of squares.
template <norm_steps S, class T>
TERN_HD inline moments<T> channel_moments(const norm_shape& s, const image<const T>& x, index_t set, index_t c) {
  moments<T> all{T(0), T(0)};
  index_t before = 0;
  each_chunk_of_set<S>(s, set, [&](index_t n0, index_t position, index_t count) {
    const auto each = [&](auto f) {
      each_row(s.extent, n0, position, count, [&](index_t n, index_t z, index_t y, index_t i, index_t width) {
        const T* p = x.at(n, c, z, y, i);
        for (index_t k = 0; k < width; ++k) f(p[k * x.axis[2]]);
      });
    };
    T sum = 0, squares = 0;
    if constexpr (S.center) each([&](T v) { sum = sum + v; });
    const T mean = sum / static_cast<T>(count);
    each([&](T v) {
      const T d = S.center ? v - mean : v;
      squares = math::fma(d, d, squares);
    });
    if constexpr (S.center)
      all = join(all, before, {mean, squares}, count);
    else
      all.squares = all.squares + squares;
    before += count;
  });
  return all;
}

/// 1 / sqrt(variance + eps).
template <class V>
TERN_FN V reciprocal_deviation(V variance, V eps) {
  using math::sqrt;
  return V(1.0f) / sqrt(variance + eps);
}

/// The contribution of S2 to the gradients of a group.
template <class V>
TERN_FN V share_of_products(V sum, V rstd, V values) {
  using math::product;
  return product(product(sum, rstd), rstd) / values;
}

/// Rule 5 applied to the statistics of a group of one channel.
template <class V>
struct channel_deviation {
  V mean, variance, rstd;
};
template <bool Center, class V>
TERN_FN channel_deviation<V> deviation_of(const moments<V>& m, V values, V eps) {
  using math::fma;
  using math::product;
  const V zero(0.0f), mean = Center ? zero + m.mean : zero, d = m.mean - mean;
  V squares = zero + m.squares;
  if constexpr (Center) squares = fma(product(values, d), d, squares);
  const V variance = squares / values;
  return {mean, variance, reciprocal_deviation(variance, eps)};
}

/// The common shares of the gradients in a group of one channel, from its sums S1 and S2; in a batch norm, from the
/// gradients of shift and scale.
template <class V>
struct gradient_shares {
  V a, b;
};
template <norm_steps S, class V>
TERN_FN gradient_shares<V> shares_of(V sum, V products, V scale, V rstd, V values) {
  using math::fma;
  using math::product;
  if constexpr (S.batch) {
    if constexpr (S.scale) sum = product(scale, sum), products = product(scale, products);
    return {sum / values, product(products, rstd) / values};
  } else {
    const V zero(0.0f);
    if constexpr (S.scale) sum = fma(scale, sum, zero), products = fma(scale, products, zero);
    return {(zero + sum) / values, share_of_products(zero + products, rstd, values)};
  }
}

/// Normalises, scales and shifts.
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
/// \param a, b  the group's shares of the sums S1 and S2
template <norm_steps S, class V>
TERN_FN V norm_gradient_of(V dy, V x, V mean, V scale, V rstd, V a, V b) {
  using math::fma;
  using math::product;
  const V g = S.scale ? product(dy, scale) : dy;
  return product(fma(S.center ? x - mean : x, -b, S.center ? g - a : g), rstd);  // -b is the same for many elements
}

/// A norm with known statistics as the function of a mapping: of x, and those of mean, rstd, scale, shift, residual
/// that it has, in this order.
template <norm_steps S>
struct norm_map {
  static constexpr int inputs = 3 + S.scale + S.shift + S.residual, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 4;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::product;
    const V factor = S.scale ? product(in[3], in[2]) : in[2];
    out[0] = normalized<S>(in[0], in[1], factor, in[S.shift ? 3 + S.scale : 0], in[S.residual ? inputs - 1 : 0]);
  }
};

/// The gradient of x from known shares of a group: of dy, x, mean, rstd, a, b and, if there is one, scale.
template <norm_steps S, bool Accumulate>
struct norm_shares_map {
  static constexpr int inputs = 6 + S.scale, outputs = 1;
  static constexpr bool accumulates = Accumulate;
  static constexpr index_t operations = 6;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    const V d = norm_gradient_of<S>(in[0], in[1], in[2], in[S.scale ? 6 : 3], in[3], in[4], in[5]);
    out[0] = Accumulate ? out[0] + d : d;
  }
};

/// Sums of dy and of its products with deviations from the mean: of dy, x, mean.
struct deviation_terms : plain_sums<2, false> {
  static constexpr int inputs = 3, fields = 2;
  static constexpr index_t operations = 3;

  template <int, class V>
  TERN_FN void add(const V* in, V* chain) const {
    using math::fma;
    chain[0] = chain[0] + in[0];
    chain[1] = fma(in[0], in[1] - in[2], chain[1]);
  }
};

/// Sums of squares, or of products of two tensors.
template <bool Squares>
struct product_terms : plain_sums<1, false> {
  static constexpr int inputs = Squares ? 1 : 2, fields = inputs;
  static constexpr index_t operations = 2;

  template <int, class V>
  TERN_FN void add(const V* in, V* chain) const {
    using math::fma;
    chain[0] = fma(in[0], in[inputs - 1], chain[0]);
  }
};

/// The gradient of x from totals over more than one call: of dy, x, mean, rstd, dscale, dshift and, if there is one,
/// scale.
template <norm_steps S, class T, bool Accumulate>
struct norm_gradient_map {
  static constexpr int inputs = 6 + S.scale, outputs = 1;
  static constexpr bool accumulates = Accumulate;
  static constexpr index_t operations = 10;

  T values = 1;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    const V scale = S.scale ? in[inputs - 1] : V(1.0f), rstd = in[3];
    const auto shares = shares_of<S>(in[5], in[4], scale, rstd, V(values));
    const V d = norm_gradient_of<S>(in[0], in[1], in[2], scale, rstd, shares.a, shares.b);
    out[0] = Accumulate ? out[0] + d : d;
  }
};

/// Statistics of channels: mean, and sum of squared deviations from it.
/// \tparam Join  true if they are joined to earlier ones
template <bool Join>
struct moment_terms {
  static constexpr int inputs = 1, fields = 1, results = 2, passes = 2;
  static constexpr bool accumulates = Join;
  static constexpr index_t operations = 4;

  template <int Pass, class V>
  TERN_FN void add(const V* in, V* chain) const {
    if constexpr (Pass == 0) {
      chain[0] = chain[0] + in[0];
    } else {
      using math::fma;
      const V d = in[0] - chain[0];
      chain[1] = fma(d, d, chain[1]);
    }
  }
  template <class V>
  TERN_FN void between(V* chain, V count) const {
    chain[0] = chain[0] / count;
  }
  template <class V>
  TERN_FN void join(V* total, const V* chain, index_t before, index_t count) const {
    const moments<V> all = tile::join(moments<V>{total[0], total[1]}, before, moments<V>{chain[0], chain[1]}, count);
    total[0] = all.mean, total[1] = all.squares;
  }
};

/// Gradients of scale and shift: of dy, x, rstd and, if x is centred, mean.
template <bool Center, bool Accumulate>
struct norm_weight_terms : plain_sums<2, Accumulate> {
  static constexpr int inputs = 3 + Center, fields = 2;
  static constexpr index_t operations = 4;

  template <int, class V>
  TERN_FN void add(const V* in, V* chain) const {
    using math::fma;
    using math::product;
    chain[0] = fma(in[0], product(Center ? in[1] - in[inputs - 1] : in[1], in[2]), chain[0]);
    chain[1] = chain[1] + in[0];
  }
};

}  // namespace tern::tile::inline TERN_ISA

namespace tern::inline TERN_ISA {

/// Statistics of every channel over the batch, joined to the results, which hold those of `seen` values.
template <class T, bool Join>
constexpr place_sums<T, tile::moment_terms<Join>> channel_statistics(const norm_shape& s, const image<const T>& x,
                                                                     const operand<T>& mean, const operand<T>& squares,
                                                                     index_t seen = 0) {
  place_sums<T, tile::moment_terms<Join>> q;
  q.channels = s.channels, q.summed = s.places(), q.seen = seen;
  q.in[0] = scattered(x);
  q.out[0] = image_of_channels(mean, s.channels), q.out[1] = image_of_channels(squares, s.channels);
  return q;
}

/// The gradients of scale and shift, one number per channel; dshift may be null. Rows of mean and rstd are samples,
/// columns groups: in a batch norm `row` is 0.
template <class T, bool Center, bool Accumulate>
constexpr place_sums<T, tile::norm_weight_terms<Center, Accumulate>> norm_weight_sums(
    const norm_shape& s, const image<const T>& dy, const image<const T>& x, const operand<const T>& mean,
    const operand<const T>& rstd, const operand<T>& dscale, const operand<T>& dshift) {
  const auto of_groups = [&](const operand<const T>& v) {
    scattered_image<const T> i{.p = v.p, .sample = v.row};
    if (s.groups == s.channels)
      i.channel = v.column, i.block = s.channels;
    else
      i.channel = 0, i.block = s.group_channels(), i.block_stride = v.column;
    return i;
  };
  place_sums<T, tile::norm_weight_terms<Center, Accumulate>> q;
  q.channels = s.channels, q.summed = s.places();
  q.in[0] = scattered(dy), q.in[1] = scattered(x), q.in[2] = of_groups(rstd);
  if constexpr (Center) q.in[3] = of_groups(mean);
  q.out[0] = image_of_channels(dscale, s.channels), q.out[1] = image_of_channels(dshift, s.channels);
  return q;
}

/// The channel sums that a batch norm's results, or its gradient of x, need.
template <class T, norm_steps S>
constexpr place_sums<T, tile::moment_terms<false>> channel_sums_of(const norm_values<T, S>& q) {
  return channel_statistics<T, false>(q.shape, q.x, {}, {});
}
template <class T, norm_steps S, bool Accumulate>
constexpr auto channel_sums_of(const norm_gradient<T, S, Accumulate>& q) {
  return norm_weight_sums<T, true, false>(q.shape, q.dy, q.x, {q.mean.p, 0, q.mean.column, 0},
                                          {q.rstd.p, 0, q.rstd.column, 0}, {}, {});
}

}  // namespace tern::inline TERN_ISA
