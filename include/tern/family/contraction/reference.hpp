// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions in their canonical order: chains of fmas over chunks, added from left to right.
#pragma once

#include "tern/core/activate.hpp"
#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/order.hpp"
#include "tern/core/workspace.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/reference.hpp"

namespace tern::inline TERN_ISA {

template <>
struct contraction_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  /// Cost: one scalar fma per product.
  template <class T, epilogue E, contraction_shape S>
  static void run(const context&, const contraction<T, E, S>& q, workspace = {}) {
    if (q.n == 0) return;  // even if there are rows
    const operand<const T> right = q.right_by_rows();
    for (index_t item = 0; item < q.batch; ++item) {
      const auto a = q.a.item(item), b = right.item(item);
      const auto c = q.c.item(item);
      const auto with = q.with.item(item);
      for (index_t i = 0; i < q.m; ++i)
        for (index_t j = 0; j < q.n; ++j) {
          T total = E.accumulate ? *c.at(i, j) : T(0);
          for (index_t k0 = 0; k0 < q.k; k0 += q.chunk) {
            T sum = 0;
            for (index_t k = k0; k < q.k && k < k0 + q.chunk; ++k) sum = math::fma(*a.at(i, k), *b.at(k, j), sum);
            total = total + sum;
          }
          if constexpr (E.bias) total = total + *with.bias.at(i, j);
          if constexpr (E.residual) total = total + *with.residual.at(i, j);
          if constexpr (E.act.takes_slope())
            *c.at(i, j) = tile::sloped(total, *with.slope.at(i, j));
          else
            *c.at(i, j) = tile::activate<E.act>(total);
        }
    }
  }

  /// The plan of a call of these sizes.
  template <class T>
  static constexpr plan plan_for(index_t m, index_t n, index_t k, index_t batch = 1) {
    plan p{.op = "contraction",
           .element = dtype<T>::name,
           .numerics = numerics::exact::name,
           .m = m,
           .n = n,
           .k = k,
           .batch = batch};
    p.packed_bytes = packed_size<T>(k, n) * static_cast<index_t>(sizeof(T));
    p.bytes_moved = batch * (m * k + k * n + m * n) * static_cast<index_t>(sizeof(T));
    p.flops = contraction_flops(m, n, k, batch);
    return p;
  }

  /// Weights are stored row by row.
  template <class T>
  static constexpr index_t packed_size(index_t k, index_t n) {
    return packed_rows::size(k, n);
  }
  template <class T>
  static void pack(const operand<const T>& b, index_t k, index_t n, T* to) {
    packed_rows::pack(b, k, n, to);
  }
};

template <>
struct convolution_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  /// Cost: one scalar fma per product.
  template <class T, conv_pass P, epilogue E>
  static void run(const context&, const conv_sums<T, P, E>& q, workspace = {}) {
    const index_t channels = q.shape.groups * q.results();
    for (index_t n = 0; n < q.shape.batch; ++n)
      for (index_t z = 0; z < q.extent(0); ++z)
        for (index_t y = 0; y < q.extent(1); ++y)
          for (index_t x = 0; x < q.extent(2); ++x)
            for (index_t c = 0; c < channels; ++c) {
              T* to = q.to.at(n, c, z, y, x);
              T total = sum(q, n, z, y, x, c, E.accumulate ? *to : T(0));
              if constexpr (E.scale) total = math::product(total, *q.scale.at(c, 0));
              if constexpr (E.bias) total = total + *q.bias.at(c, 0);
              if constexpr (E.residual) total = total + *q.residual.at(n, c, z, y, x);
              if constexpr (E.channel_slope())
                *to = tile::sloped(total, *q.slope.at(c, 0));
              else if constexpr (E.position_slope())
                *to = tile::sloped(total, *q.slopes.at(n, c, z, y, x));
              else
                *to = tile::activate<E.act>(total);
            }
  }

  /// Weight gradients. Cost: one scalar fma per product.
  template <class T, bool Accumulate>
  static void run(const context&, const conv_gradient<T, Accumulate>& q) {
    const conv_shape& s = q.shape;
    const index_t positions[] = {s.axis[0].out, s.axis[1].out, s.axis[2].out};
    for (index_t tz = 0; tz < s.axis[0].kernel; ++tz)
      for (index_t ty = 0; ty < s.axis[1].kernel; ++ty)
        for (index_t tx = 0; tx < s.axis[2].kernel; ++tx)
          for (index_t c = 0; c < s.in; ++c)
            for (index_t o = 0; o < s.groups * s.out; ++o) {
              T* to = q.dw.at(tz, ty, tx, o / s.out, c, o % s.out);
              const index_t channel = o / s.out * s.in + c;
              const auto extend = [&](index_t n, index_t pz, index_t py, index_t px, T chain) {
                const index_t z = s.axis[0].input(pz, tz), y = s.axis[1].input(py, ty), x = s.axis[2].input(px, tx);
                if (!s.axis[0].has(z) || !s.axis[1].has(y) || !s.axis[2].has(x)) return chain;
                return math::fma(*q.x.at(n, channel, z, y, x), *q.dy.at(n, o, pz, py, px), chain);
              };
              *to = over_samples(s.batch, positions, Accumulate ? *to : T(0), extend);
            }
  }

  template <class T>
  static constexpr plan plan_for(conv_work work, const conv_shape& s, epilogue = {}) {
    return conv_plan_of<T>(work, s, model::reference, "", numerics::exact::name, packed_size<T>(s));
  }

  /// Weights are stored as (group, tap, input channel, output channel), for every pass.
  template <class T>
  static constexpr index_t packed_size(const conv_shape& s, conv_pass = conv_pass::forward) {
    return packed_filters_size(s, s.out);
  }
  template <class T>
  static filters<T> packed(T* p, const conv_shape& s, conv_pass = conv_pass::forward) {
    return packed_filters(p, s, s.out);
  }
  template <class T>
  static void pack(const conv_shape& s, const filters<const T>& w, T* to, conv_pass = conv_pass::forward) {
    copy_filters(s, w, packed(to, s));
  }

 private:
  /// The total of one result: chunk sums, in ascending order, added to `total`.
  template <class T, conv_pass P, epilogue E>
  static T sum(const conv_sums<T, P, E>& q, index_t n, index_t z, index_t y, index_t x, index_t channel, T total) {
    const index_t group = channel / q.results(), result = channel % q.results(), channels = q.summed();
    const conv_chunks chunk = chunks_of(channels);
    T chain = 0;
    index_t in_chunk = 0;  // taps
    const auto end_chunk = [&] { total = total + chain, chain = 0, in_chunk = 0; };
    for (index_t tz = 0; tz < q.shape.axis[0].kernel; ++tz)
      for (index_t ty = 0; ty < q.shape.axis[1].kernel; ++ty)
        for (index_t tx = 0; tx < q.shape.axis[2].kernel; ++tx) {
          const index_t sz = q.source(0, z, tz), sy = q.source(1, y, ty), sx = q.source(2, x, tx);
          const bool there = sz >= 0 && sy >= 0 && sx >= 0;
          for (index_t c = 0; c < channels; ++c) {
            if (c > 0 && c % chunk.channels == 0) end_chunk();
            if (there)
              chain = math::fma(*q.from.at(n, group * channels + c, sz, sy, sx),
                                *q.weight(tz, ty, tx, group, c, result), chain);
          }
          if (++in_chunk == chunk.taps) end_chunk();
        }
    if (in_chunk > 0) end_chunk();
    return total;
  }

  /// The sum over samples and positions: chunks of at most 512 products, restarted at every grain.
  template <class T, class Extend>
  static T over_samples(index_t batch, const index_t (&extent)[3], T total, Extend extend) {
    const index_t grain = grain_samples(extent[0] * extent[1] * extent[2]);
    T chain = 0;
    index_t in_chunk = 0;
    const auto end_chunk = [&] { total = total + chain, chain = 0, in_chunk = 0; };
    for (index_t n = 0; n < batch; ++n) {
      if (n % grain == 0 && in_chunk > 0) end_chunk();
      for (index_t z = 0; z < extent[0]; ++z)
        for (index_t y = 0; y < extent[1]; ++y)
          for (index_t x = 0; x < extent[2]; ++x) {
            chain = extend(n, z, y, x, chain);
            if (++in_chunk == dot_chunk) end_chunk();
          }
    }
    if (in_chunk > 0) end_chunk();
    return total;
  }
};

}  // namespace tern::inline TERN_ISA
