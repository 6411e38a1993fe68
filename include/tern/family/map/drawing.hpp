// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the elements at a place and of a random number for that place: dropout, samples of normal distributions.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/normal_quantile.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/philox.hpp"

namespace tern::inline TERN_ISA {

/// One call.
/// \tparam F  the function: `inputs` and `outputs`, the numbers of tensors; `accumulates`, true if results receive
///            their old values; `whole`, true if all elements of a sample share the word of its first one;
///            number(word), a function of the word alone; and f(in, number, out), of numbers or vectors
template <class T, class F>
struct drawing {
  using value_type = T;
  static constexpr int inputs = F::inputs, outputs = F::outputs;

  index_t batch = 0, channels = 0;
  index_t extent[3] = {1, 1, 1};
  scattered_image<const T> in[F::inputs];
  scattered_image<T> out[F::outputs];
  tile::random_key key{};
  F f{};

  TERN_FN constexpr index_t rows() const { return batch * extent[0] * extent[1]; }
  TERN_FN constexpr index_t row_elements() const { return extent[2] * channels; }
  TERN_FN constexpr index_t elements() const { return rows() * row_elements(); }
  /// The index in its sample of a row's first element; channels are the fastest.
  TERN_FN constexpr index_t first_of_row(index_t z, index_t y) const { return (z * extent[1] + y) * row_elements(); }

  TERN_FN T number(index_t n, index_t e) const { return f.number(tile::random_word(key, n, F::whole ? 0 : e)); }
  /// The results at one place.
  TERN_FN void at(index_t n, index_t c, index_t z, index_t y, index_t x) const {
    T from[F::inputs], to[F::outputs];
    TERN_UNROLL
    for (int i = 0; i < F::inputs; ++i) from[i] = *in[i].at(n, c, z, y, x);
    if constexpr (F::accumulates) {
      TERN_UNROLL
      for (int i = 0; i < F::outputs; ++i) to[i] = *out[i].at(n, c, z, y, x);
    }
    f(from, number(n, first_of_row(z, y) + x * channels + c), to);
    TERN_UNROLL
    for (int i = 0; i < F::outputs; ++i) *out[i].at(n, c, z, y, x) = to[i];
  }
};

}  // namespace tern::inline TERN_ISA

namespace tern::tile::inline TERN_ISA {

/// y = x scale, or 0 if the word of an element is below the threshold.
template <class T, bool Whole, bool Accumulate>
struct dropping {
  static constexpr int inputs = 1, outputs = 1;
  static constexpr bool accumulates = Accumulate, whole = Whole;

  std::uint32_t threshold = 0;
  T scale = 1;

  /// The factor of an element; 0 if it is dropped.
  TERN_FN T number(std::uint32_t word) const {
    using bits = decltype(math::bits(scale));  // without a branch, which would be mispredicted
    return math::from_bits<T>(math::bits(scale) & (bits{0} - static_cast<bits>(word >= threshold)));
  }
  template <class V>
  TERN_FN void operator()(const V* in, V factor, V* out) const {
    using math::product;
    using math::select;
    const V zero(T(0)), d = select(factor == zero, zero, product(in[0], factor));
    out[0] = Accumulate ? out[0] + d : d;
  }
};

/// A word as a probability p up to 1/2. The highest bit is its sign: -p stands for 1 - p.
template <class T>
TERN_FN T signed_share(std::uint32_t word) {
  const T p = math::fma(static_cast<T>(word & 0x7fffffffu), T(0x1p-32), T(0x1p-33));
  return (word >> 31) != 0 ? -p : p;
}
/// The quantile of the standard normal distribution for that probability.
template <class V>
TERN_FN V normal_of(V share) {
  using math::select;
  const V zero(0.0f), z = math::normal_quantile(select(zero > share, -share, share));
  return select(zero > share, -z, z);
}

/// y = mean + exp(log_variance / 2) z, with z of a standard normal distribution.
template <class T>
struct normal_sampling {
  static constexpr int inputs = 2, outputs = 1;
  static constexpr bool accumulates = false, whole = false;

  TERN_FN T number(std::uint32_t word) const { return signed_share<T>(word); }
  template <class V>
  TERN_FN void operator()(const V* in, V share, V* out) const {
    using math::fma;
    using math::product;
    out[0] = fma(math::exp(product(V(0.5f), in[1])), normal_of(share), in[0]);
  }
};
/// Its gradients of mean and log_variance, from dy and log_variance.
template <class T, bool Accumulate>
struct normal_sampling_gradient {
  static constexpr int inputs = 2, outputs = 2;
  static constexpr bool accumulates = Accumulate, whole = false;

  TERN_FN T number(std::uint32_t word) const { return signed_share<T>(word); }
  template <class V>
  TERN_FN void operator()(const V* in, V share, V* out) const {
    using math::product;
    const V half(0.5f), deviation = product(math::exp(product(half, in[1])), normal_of(share));
    const V d = product(product(half, deviation), in[0]);
    out[0] = Accumulate ? out[0] + in[0] : in[0];
    out[1] = Accumulate ? out[1] + d : d;
  }
};

}  // namespace tern::tile::inline TERN_ISA
