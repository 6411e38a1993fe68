// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions of functions of the elements at a place: gradients of broadcast tensors, and
// statistics of channels. Canonical order: docs/numerics.md, "by grains", over the summed samples and axes.
#pragma once

#include "tern/core/activate.hpp"
#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/kernels.hpp"

namespace tern::inline TERN_ISA {

/// One call. Samples, and every axis, are either summed or have results of their own.
/// \tparam F  the summand:
///              inputs, results, passes   numbers of tensors, and of passes over a chunk
///              fields                    number of inputs that usually have elements for every place
///              accumulates               true if results are joined to their old values
///              operations                per place
///              add<Pass>(in, chain)      adds a place to the chains, one per result
///              between(chain, count)     runs between two passes
///              join(total, chain, before, count)   joins a chunk of `count` places to totals of `before`
///            of arrays of numbers or vectors
template <class T, class F>
struct place_sums {
  using value_type = T;
  template <class Policy>
  using kernel = place_sums_kernel<Policy>;
  static constexpr int inputs = F::inputs, results = F::results;

  index_t channels = 0;
  place_box summed;  ///< 1 on axes with results of their own
  place_box of;      ///< of results; 1 on summed axes
  scattered_image<const T> in[F::inputs];
  scattered_image<T> out[F::results];  ///< the last of several may be null
  index_t seen = 0;                    ///< places already in the results
  F f{};

  TERN_FN constexpr index_t elements() const { return channels * summed.places() * of.places(); }

  /// The first elements of a result's sums in the inputs, and the result.
  struct origin {
    index_t n, z, y, x, channel;
  };
  TERN_FN constexpr origin origin_of(index_t place, index_t channel) const {
    const index_t x = place % of.extent[2], row = place / of.extent[2];
    return {row / of.extent[1] / of.extent[0], row / of.extent[1] % of.extent[0], row % of.extent[1], x, channel};
  }
  template <class U>
  TERN_FN static U* at(const scattered_image<U>& i, const origin& o) {
    return i.at(o.n, o.channel, o.z, o.y, o.x);
  }

  /// Chains of a chunk, one per result.
  TERN_FN void chunk(const origin& o, index_t n0, index_t position, index_t count, T (&chain)[results]) const {
    const T* from[inputs];
    TERN_UNROLL
    for (int i = 0; i < inputs; ++i) from[i] = at(in[i], o);
    const auto pass = [&](auto add) {
      each_row(summed.extent, n0, position, count, [&](index_t n, index_t z, index_t y, index_t x, index_t size) {
        const T* p[inputs];
        T v[inputs];
        TERN_UNROLL
        for (int i = 0; i < inputs; ++i) {
          p[i] = from[i] + n * in[i].sample + z * in[i].axis[0] + y * in[i].axis[1] + x * in[i].axis[2];
          v[i] = *p[i];
        }
        for (index_t k = 0; k < size; ++k) {
          TERN_UNROLL
          for (int i = 0; i < inputs; ++i)
            if (in[i].axis[2] != 0) v[i] = p[i][k * in[i].axis[2]];
          add(v);
        }
      });
    };
    TERN_UNROLL
    for (int r = 0; r < results; ++r) chain[r] = T(0);
    pass([&](const T* v) { f.template add<0>(v, chain); });
    if constexpr (F::passes > 1) {
      f.between(chain, static_cast<T>(count));
      pass([&](const T* v) { f.template add<1>(v, chain); });
    }
  }

  /// Initialises a total.
  TERN_FN void begin(const origin& o, T (&total)[results]) const {
    TERN_UNROLL
    for (int r = 0; r < results; ++r) total[r] = F::accumulates && out[r].p != nullptr ? *at(out[r], o) : T(0);
  }
  TERN_FN void end(const origin& o, const T (&total)[results]) const {
    TERN_UNROLL
    for (int r = 0; r < results; ++r)
      if (out[r].p != nullptr) *at(out[r], o) = total[r];
  }
};

}  // namespace tern::inline TERN_ISA

namespace tern::tile::inline TERN_ISA {

/// The joins of plain sums.
template <int Results, bool Accumulate>
struct plain_sums {
  static constexpr int results = Results, passes = 1;
  static constexpr bool accumulates = Accumulate;

  template <class V>
  TERN_FN void join(V* total, const V* chain, index_t, index_t) const {
    TERN_UNROLL
    for (int r = 0; r < Results; ++r) total[r] = total[r] + chain[r];
  }
};

/// The gradient of a bias.
template <activation A, bool Accumulate>
struct bias_terms : plain_sums<1, Accumulate> {
  static constexpr int inputs = epilogue_gradient<A>::inputs, fields = inputs;
  static constexpr index_t operations = 2;

  template <int, class V>
  TERN_FN void add(const V* in, V* chain) const {
    chain[0] = chain[0] + epilogue_gradient<A>::of(in);
  }
};

/// The gradient of a scale: x comes last.
template <activation A, bool Accumulate>
struct scale_terms : plain_sums<1, Accumulate> {
  static constexpr int inputs = epilogue_gradient<A>::inputs + 1, fields = inputs;
  static constexpr index_t operations = 2;

  template <int, class V>
  TERN_FN void add(const V* in, V* chain) const {
    using math::fma;
    chain[0] = fma(epilogue_gradient<A>::of(in), in[inputs - 1], chain[0]);
  }
};

/// The gradient of a PReLU's slope: of dy, and of the activation's argument.
template <bool Accumulate>
struct slope_terms : plain_sums<1, Accumulate> {
  static constexpr int inputs = 2, fields = inputs;
  static constexpr index_t operations = 2;

  template <int, class V>
  TERN_FN void add(const V* in, V* chain) const {
    using math::fma;
    using math::select;
    const V zero(0.0f);
    chain[0] = fma(in[0], select(in[1] > zero, zero, in[1]), chain[0]);
  }
};

}  // namespace tern::tile::inline TERN_ISA

namespace tern::inline TERN_ISA {

/// The sums of an image over samples and positions, one per channel: the gradient of a bias without an activation, and
/// the total of numbers.
template <bool Accumulate, class T>
TERN_FN constexpr place_sums<T, tile::bias_terms<activation::none, Accumulate>> image_sums(
    const place_box& summed, index_t channels, const scattered_image<const T>& from, const operand<T>& sums) {
  place_sums<T, tile::bias_terms<activation::none, Accumulate>> q;
  q.channels = channels, q.summed = summed;
  q.in[0] = from, q.out[0] = image_of_channels(sums, channels);
  return q;
}

}  // namespace tern::inline TERN_ISA
