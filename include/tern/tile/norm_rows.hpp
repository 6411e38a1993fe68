// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms of samples without positions on one core with vector units: everything happens in the first cache. Lanes are
// channels.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/tile/epilogue.hpp"
#include "tern/tile/feature_sums.hpp"
#include "tern/tile/normalization.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct norm_rows {
  using T = typename V::value_type;
  using sums = feature_sums<V>;

  template <class Call>
  static bool channels_lie_together(const Call& q) {
    const index_t c = q.shape.channels;
    if constexpr (requires { q.dx; })
      return q.x.block >= c && q.dy.block >= c && q.dx.block >= c;
    else
      return q.x.block >= c && q.y.block >= c && (!Call::steps.residual || q.residual.block >= c);
  }

  /// Groups [first, last), counted over samples and groups, of a call whose channels lie together.
  /// \param past  whether results go past the caches
  template <class Call>
  static void groups(const Call& q, index_t first, index_t last, bool past) {
    if (numbers_lie_together(q))
      rows<true>(q, first, last, past);
    else
      rows<false>(q, first, last, past);
    if (past) end_stores_past_caches<V>();
  }

  /// Numbers of channels from c on.
  template <class N>
  TERN_INLINE static V parameter(const operand<const T>& p, index_t c, N some) {
    return load_strided<V>(p.at(c, 0), p.row, some);
  }
  template <norm_steps S>
  static void keep_statistics(const norm_values<T, S>& q, index_t set, index_t g, T mean, T rstd, T variance) {
    if (S.center && q.mean.p != nullptr) *q.mean.at(set, g) = mean;
    if (q.rstd.p != nullptr) *q.rstd.at(set, g) = rstd;
    if (q.variance.p != nullptr) *q.variance.at(set, g) = variance;
  }

 private:
  template <class Call>
  static bool numbers_lie_together(const Call& q) {
    if constexpr (requires { q.shift; })
      return (!Call::steps.scale || q.scale.row == 1) && (!Call::steps.shift || q.shift.row == 1);
    else
      return !Call::steps.scale || q.scale.row == 1;
  }
  /// Numbers of channels from c on.
  template <bool Dense, class N>
  TERN_INLINE static V number(const operand<const T>& p, index_t c, N some) {
    if constexpr (Dense)
      return load_lanes<V>(p.p + c, some);
    else
      return parameter(p, c, some);
  }

  /// \tparam Dense  whether numbers of channels lie next to each other
  template <bool Dense, class Call>
  static void rows(const Call& q, index_t first, index_t last, bool past) {
    const index_t groups = q.shape.groups, members = q.shape.group_channels();
    constexpr int at_once = requires { q.eps; } && V::size >= 16 ? 2 : 1;  // there are registers for so many rows
    index_t i = first;
    if constexpr (at_once > 1)
      for (; groups == 1 && i + at_once <= last; i += at_once) row<Dense, at_once>(q, i, 0, members, past);
    for (; i < last; ++i) row<Dense, 1>(q, i / groups, i % groups * members, members, past);
  }

  /// Samples n to n + Rows.
  template <bool Dense, int Rows, norm_steps S>
  static void row(const norm_values<T, S>& q, index_t n, index_t c, index_t members, bool past) {
    const T *x[Rows], *residual[Rows];
    T* y[Rows];
    V mean[Rows], rstd[Rows];
    T sum[Rows] = {};
    for (int r = 0; r < Rows; ++r) {
      x[r] = q.x.at(n + r, c, 0, 0, 0), y[r] = q.y.at(n + r, c, 0, 0, 0);
      residual[r] = S.residual ? q.residual.at(n + r, c, 0, 0, 0) : nullptr;
    }
    if constexpr (S.center)
      sums::of(members, sum, [&](auto r, V lane, index_t i, auto some) __attribute__((always_inline)) {
        return lane + load_lanes<V>(x[r] + i, some);
      });
    T of_row[Rows];
    for (int r = 0; r < Rows; ++r)
      of_row[r] = S.center ? sum[r] / static_cast<T>(members) : T(0), mean[r] = V(of_row[r]);
    sums::of(members, sum, [&](auto r, V lane, index_t i, auto some) __attribute__((always_inline)) {
      const V v = load_lanes<V>(x[r] + i, some);
      if constexpr (S.center) {
        const V d = first_lanes(v - mean[r], some);
        return fma(d, d, lane);
      } else {
        return lane + product(v, v);
      }
    });
    for (int r = 0; r < Rows; ++r) {
      const T variance = sum[r] / static_cast<T>(members), deviation = reciprocal_deviation(variance, q.eps);
      keep_statistics(q, n + r, c / members, of_row[r], deviation, variance);
      rstd[r] = V(deviation);
    }
    for (int r = 0; r < Rows; ++r) past = past && begins_line(y[r]);
    with_past_caches(past, [&](auto far) {
      each_vector<V>(members, [&](index_t i, auto some) __attribute__((always_inline)) {
        const V scale = S.scale ? number<Dense>(q.scale, c + i, some) : rstd[0];
        const V shift = S.shift ? number<Dense>(q.shift, c + i, some) : rstd[0];
        TERN_UNROLL
        for (int r = 0; r < Rows; ++r) {
          const V factor = S.scale ? product(scale, rstd[r]) : rstd[r];
          const V rest = S.residual ? load_lanes<V>(residual[r] + i, some) : rstd[r];
          store_lanes(far, normalized<S>(load_lanes<V>(x[r] + i, some), mean[r], factor, shift, rest), y[r] + i, some);
        }
      });
    });
  }

  template <bool Dense, int, norm_steps S, bool Accumulate>
  static void row(const norm_gradient<T, S, Accumulate>& q, index_t n, index_t c, index_t members, bool past) {
    const index_t g = c / members;
    const T *x = q.x.at(n, c, 0, 0, 0), *dy = q.dy.at(n, c, 0, 0, 0);
    T* dx = q.dx.at(n, c, 0, 0, 0);
    const T rstd = *q.rstd.at(n, g), values = static_cast<T>(members);
    const V m(S.center ? *q.mean.at(n, g) : T(0)), r(rstd);
    // The sums S2 and, where x is centred, S1.
    T sum[1 + S.center];
    sums::of(members, sum, [&](auto which, V lane, index_t i, auto some) __attribute__((always_inline)) {
      V term = load_lanes<V>(dy + i, some);
      if constexpr (which == 0) {
        const V v = load_lanes<V>(x + i, some);
        term = first_lanes(product(term, S.center ? v - m : v), some);
      }
      if constexpr (S.scale)
        return fma(number<Dense>(q.scale, c + i, some), term, lane);
      else
        return lane + term;
    });
    const V a(S.center ? sum[S.center] / values : T(0)), b(share_of_products(sum[0], rstd, values));
    with_past_caches(past && begins_line(dx), [&](auto far) {
      each_vector<V>(members, [&](index_t i, auto some) __attribute__((always_inline)) {
        const V scale = S.scale ? number<Dense>(q.scale, c + i, some) : r;
        const V d = norm_gradient_of<S>(load_lanes<V>(dy + i, some), load_lanes<V>(x + i, some), m, scale, r, a, b);
        store_lanes(far, Accumulate ? load_lanes<V>(dx + i, some) + d : d, dx + i, some);
      });
    });
  }
};

}  // namespace tern::tile::inline TERN_ISA
