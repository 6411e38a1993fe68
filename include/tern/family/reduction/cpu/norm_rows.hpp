// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms of samples without positions on one core with vector units: all data stays in L1. Lanes are channels.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/operand.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_sums.hpp"
#include "tern/family/reduction/normalization.hpp"

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

  /// Groups [first, last), counted over samples and groups, of a call with contiguous channels.
  /// \param non_temporal  true for non-temporal stores of results; end_non_temporal_stores() must follow
  template <class Call>
  static void groups(const Call& q, index_t first, index_t last, bool non_temporal) {
    if (numbers_lie_together(q))
      rows<true>(q, first, last, non_temporal);
    else
      rows<false>(q, first, last, non_temporal);
  }

  /// Numbers of channels from c on.
  template <class N>
  TERN_INLINE static V parameter(const operand<const T>& p, index_t c, N valid) {
    return load_strided<V>(p.at(c, 0), p.row, valid);
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
  /// The position of a row: a sample, a group and its first channel.
  struct place {
    index_t n, g, c;
  };
  /// The row `after` samples after p, in an image with contiguous channels. Avoids the divisions of image::at, which
  /// take longer than a short row.
  template <class U>
  TERN_INLINE static U* row_at(const image<U>& i, const place& p, index_t after = 0) {
    return i.p + ((p.n + after) * i.sample + p.c - i.skipped);
  }
  /// Numbers of channels from c on.
  template <bool Dense, class N>
  TERN_INLINE static V number(const operand<const T>& p, index_t c, N valid) {
    if constexpr (Dense)
      return load_lanes<V>(p.p + c, valid);
    else
      return parameter(p, c, valid);
  }

  /// \tparam Dense  true if numbers of channels are contiguous
  template <bool Dense, class Call>
  static void rows(const Call& q, index_t first, index_t last, bool non_temporal) {
    const index_t groups = q.shape.groups, members = q.shape.group_channels();
    constexpr int at_once = requires { q.eps; } && V::size >= 16 ? 2 : 1;  // rows that fit the registers
    index_t i = first;
    place p{first / groups, first % groups, first % groups * members};
    const auto each = [&]<int Rows>(std::integral_constant<int, Rows>, auto row_of) {
      for (; i + Rows <= last; i += Rows) {
        row_of(p);
        if (groups == 1)
          p.n += Rows;
        else if (++p.g < groups)
          p.c += members;
        else
          ++p.n, p.g = p.c = 0;
      }
    };
    constexpr std::integral_constant<int, 1> one;
    if constexpr (Dense) {
      const auto short_rows = [&](auto n) {
        each(one, [&](const place& r) { short_row<n>(q, r, members, non_temporal); });
      };
      if (sums::in_registers(members, short_rows)) return;
    }
    if (at_once > 1 && groups == 1)
      each(std::integral_constant<int, at_once>(),
           [&](const place& r) { row<Dense, at_once>(q, r, members, non_temporal); });
    each(one, [&](const place& r) { row<Dense, 1>(q, r, members, non_temporal); });
  }

  /// A row of N vectors, with contiguous numbers of channels.
  template <int N, norm_steps S>
  __attribute__((noinline)) static void short_row(const norm_values<T, S>& q, const place& p, index_t members,
                                                  bool non_temporal) {
    const index_t last = members - (N - 1) * V::size;
    const V zero(T(0));
    const auto there = sums::first_of(last);
    V x[N], lane[N];
    sums::load_row(row_at(q.x, p), last, x);
    T mean = 0;
    if constexpr (S.center) {
      each_constant<N>([&](auto v) __attribute__((always_inline)) { lane[v] = zero + x[v]; });
      mean = sums::of_row(lane) / static_cast<T>(members);
    }
    const V m(mean);
    each_constant<N>([&](auto v) __attribute__((always_inline)) {
      if constexpr (S.center) {
        const V d = v == N - 1 ? select(there, x[v] - m, zero) : x[v] - m;
        lane[v] = fma(d, d, zero);
      } else {
        lane[v] = zero + product(x[v], x[v]);
      }
    });
    const T variance = sums::of_row(lane) / static_cast<T>(members), rstd = reciprocal_deviation(variance, q.eps);
    keep_statistics(q, p.n, p.g, mean, rstd, variance);
    const V r(rstd);
    V scale[N], shift[N], rest[N];
    if constexpr (S.scale) sums::load_row(q.scale.p + p.c, last, scale);
    if constexpr (S.shift) sums::load_row(q.shift.p + p.c, last, shift);
    if constexpr (S.residual) sums::load_row(row_at(q.residual, p), last, rest);
    sums::template store_row<N, false>(row_at(q.y, p), last, non_temporal, [&](auto v) __attribute__((always_inline)) {
      return normalized<S>(x[v], m, S.scale ? product(scale[v], r) : r, S.shift ? shift[v] : r,
                           S.residual ? rest[v] : r);
    });
  }
  template <int N, norm_steps S, bool Accumulate>
  __attribute__((noinline)) static void short_row(const norm_gradient<T, S, Accumulate>& q, const place& p,
                                                  index_t members, bool non_temporal) {
    const index_t last = members - (N - 1) * V::size;
    const T rstd = *q.rstd.at(p.n, p.g), values = static_cast<T>(members);
    const V m(S.center ? *q.mean.at(p.n, p.g) : T(0)), r(rstd), zero(T(0));
    const auto there = sums::first_of(last);
    V x[N], dy[N], scale[N], first[N], second[N];
    sums::load_row(row_at(q.x, p), last, x), sums::load_row(row_at(q.dy, p), last, dy);
    if constexpr (S.scale) sums::load_row(q.scale.p + p.c, last, scale);
    each_constant<N>([&](auto v) __attribute__((always_inline)) {
      V term = product(dy[v], S.center ? x[v] - m : x[v]);
      if constexpr (v == N - 1) term = select(there, term, zero);
      first[v] = S.scale ? fma(scale[v], dy[v], zero) : zero + dy[v];
      second[v] = S.scale ? fma(scale[v], term, zero) : zero + term;
    });
    const V a(S.center ? sums::of_row(first) / values : T(0)), b(share_of_products(sums::of_row(second), rstd, values));
    sums::template store_row<N, Accumulate>(
        row_at(q.dx, p), last, non_temporal, [&](auto v) __attribute__((always_inline)) {
          return norm_gradient_of<S>(dy[v], x[v], m, S.scale ? scale[v] : r, r, a, b);
        });
  }

  /// Samples n to n + Rows.
  template <bool Dense, int Rows, norm_steps S>
  static void row(const norm_values<T, S>& q, const place& p, index_t members, bool non_temporal) {
    const T *x[Rows], *residual[Rows];
    T* y[Rows];
    V mean[Rows], rstd[Rows];
    T sum[Rows] = {};
    for (int r = 0; r < Rows; ++r) {
      x[r] = row_at(q.x, p, r), y[r] = row_at(q.y, p, r);
      residual[r] = S.residual ? row_at(q.residual, p, r) : nullptr;
    }
    if constexpr (S.center)
      sums::of(members, sum, [&](auto r, V lane, index_t i, auto valid) __attribute__((always_inline)) {
        return lane + load_lanes<V>(x[r] + i, valid);
      });
    T of_row[Rows];
    for (int r = 0; r < Rows; ++r)
      of_row[r] = S.center ? sum[r] / static_cast<T>(members) : T(0), mean[r] = V(of_row[r]);
    sums::of(members, sum, [&](auto r, V lane, index_t i, auto valid) __attribute__((always_inline)) {
      const V v = load_lanes<V>(x[r] + i, valid);
      if constexpr (S.center) {
        const V d = first_lanes(v - mean[r], valid);
        return fma(d, d, lane);
      } else {
        return lane + product(v, v);
      }
    });
    for (int r = 0; r < Rows; ++r) {
      const T variance = sum[r] / static_cast<T>(members), deviation = reciprocal_deviation(variance, q.eps);
      keep_statistics(q, p.n + r, p.g, of_row[r], deviation, variance);
      rstd[r] = V(deviation);
    }
    for (int r = 0; r < Rows; ++r) non_temporal = non_temporal && begins_line(y[r]);
    with_non_temporal(non_temporal, [&](auto nt) __attribute__((always_inline)) {
      each_vector_of<V>(y[0], members, [&](index_t i, auto valid) __attribute__((always_inline)) {
        const V scale = S.scale ? number<Dense>(q.scale, p.c + i, valid) : rstd[0];
        const V shift = S.shift ? number<Dense>(q.shift, p.c + i, valid) : rstd[0];
        TERN_UNROLL
        for (int r = 0; r < Rows; ++r) {
          const V factor = S.scale ? product(scale, rstd[r]) : rstd[r];
          const V rest = S.residual ? load_lanes<V>(residual[r] + i, valid) : rstd[r];
          store_lanes(nt, normalized<S>(load_lanes<V>(x[r] + i, valid), mean[r], factor, shift, rest), y[r] + i, valid);
        }
      });
    });
  }

  template <bool Dense, int, norm_steps S, bool Accumulate>
  static void row(const norm_gradient<T, S, Accumulate>& q, const place& p, index_t members, bool non_temporal) {
    const T *x = row_at(q.x, p), *dy = row_at(q.dy, p);
    T* dx = row_at(q.dx, p);
    const T rstd = *q.rstd.at(p.n, p.g), values = static_cast<T>(members);
    const V m(S.center ? *q.mean.at(p.n, p.g) : T(0)), r(rstd);
    // The sums S2 and, if x is centred, S1.
    T sum[1 + S.center];
    sums::of(members, sum, [&](auto which, V lane, index_t i, auto valid) __attribute__((always_inline)) {
      V term = load_lanes<V>(dy + i, valid);
      if constexpr (which == 0) {
        const V v = load_lanes<V>(x + i, valid);
        term = first_lanes(product(term, S.center ? v - m : v), valid);
      }
      if constexpr (S.scale)
        return fma(number<Dense>(q.scale, p.c + i, valid), term, lane);
      else
        return lane + term;
    });
    const V a(S.center ? sum[S.center] / values : T(0)), b(share_of_products(sum[0], rstd, values));
    with_non_temporal(non_temporal && begins_line(dx), [&](auto nt) __attribute__((always_inline)) {
      each_vector_of<V>(dx, members, [&](index_t i, auto valid) __attribute__((always_inline)) {
        const V scale = S.scale ? number<Dense>(q.scale, p.c + i, valid) : r;
        const V d = norm_gradient_of<S>(load_lanes<V>(dy + i, valid), load_lanes<V>(x + i, valid), m, scale, r, a, b);
        store_lanes(nt, Accumulate ? load_lanes<V>(dx + i, valid) + d : d, dx + i, valid);
      });
    });
  }
};

}  // namespace tern::tile::inline TERN_ISA
