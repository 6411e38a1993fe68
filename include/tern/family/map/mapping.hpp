// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The map family: results are a function of the elements at their place in some tensors. Tensors that are the same for
// all samples or positions have strides of 0 there.
#pragma once

#include "tern/core/activate.hpp"
#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/family/kernels.hpp"

namespace tern::inline TERN_ISA {

/// One call.
/// \tparam F  the function: `inputs` and `outputs`, the numbers of tensors; `accumulates`, true if results receive
///            their old values; `operations` per result; and f(in, out), of arrays of numbers or vectors
template <class T, class F>
struct mapping {
  using value_type = T;
  template <class Policy>
  using kernel = mapping_kernel<Policy>;
  static constexpr int inputs = F::inputs, outputs = F::outputs;

  index_t batch = 0, channels = 0;
  index_t extent[3] = {1, 1, 1};
  scattered_image<const T> in[F::inputs];
  scattered_image<T> out[F::outputs];
  F f{};

  TERN_FN constexpr index_t rows() const { return batch * extent[0] * extent[1]; }
  TERN_FN constexpr index_t row_elements() const { return extent[2] * channels; }
  TERN_FN constexpr index_t elements() const { return rows() * row_elements(); }

  /// The results at one place.
  TERN_FN void at(index_t n, index_t c, index_t z, index_t y, index_t x) const {
    T from[F::inputs], to[F::outputs];
    TERN_UNROLL
    for (int i = 0; i < F::inputs; ++i) from[i] = *in[i].at(n, c, z, y, x);
    if constexpr (F::accumulates) {
      TERN_UNROLL
      for (int i = 0; i < F::outputs; ++i) to[i] = *out[i].at(n, c, z, y, x);
    }
    f(from, to);
    TERN_UNROLL
    for (int i = 0; i < F::outputs; ++i) *out[i].at(n, c, z, y, x) = to[i];
  }
};

/// The epilogue E of x. Inputs: x, and those of scale, bias, residual and slope that it has, in this order.
template <epilogue E>
struct epilogue_map {
  static constexpr int inputs = 1 + E.scale + E.bias + E.residual + E.act.takes_slope(), outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = E.scale + E.bias + E.residual + (E.act == activation::none ? 0 : 1);

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    struct {
      int scale = 1, bias = 1 + E.scale, residual = 1 + E.scale + E.bias, slope = inputs - 1;
    } constexpr operands;
    out[0] = tile::epilogue_of<E>(in[0], operands, [&](int i) { return in[i]; });
  }
};

/// dx = act'(saved) dy scale. Inputs: dy, saved if there is an activation, slope if that has one, scale.
template <bool Scale, activation A, bool Accumulate>
struct epilogue_gradient_map {
  static constexpr int before = tile::epilogue_gradient<A>::inputs, inputs = before + Scale, outputs = 1;
  static constexpr bool accumulates = Accumulate;
  static constexpr index_t operations = Scale + Accumulate + (A == activation::none ? 0 : 2);

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::product;
    V d = tile::epilogue_gradient<A>::of(in);
    if constexpr (Scale) d = product(d, in[before]);
    out[0] = Accumulate ? out[0] + d : d;
  }
};

}  // namespace tern::inline TERN_ISA
