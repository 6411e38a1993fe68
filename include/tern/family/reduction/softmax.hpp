// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax along the channels of an image, as which every tensor and axis is seen: the calls, and arithmetic that
// numbers and vectors share.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/log.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::inline TERN_ISA {

/// Sizes of one call: features are summed over, everything else is rows.
struct softmax_shape {
  index_t batch = 0, features = 0;
  index_t extent[3] = {1, 1, 1};

  TERN_FN constexpr index_t rows() const { return batch * extent[0] * extent[1] * extent[2]; }
};

/// One forward call.
/// \tparam Mask  whether there is one: elements where it is 0 take no part; its strides may be 0
template <class T, bool Log, bool Mask>
struct softmax_values {
  using value_type = T;
  static constexpr bool log = Log, masked = Mask;

  softmax_shape shape;
  scattered_image<const T> x{};
  scattered_image<const std::uint8_t> mask{};
  scattered_image<T> y{};
};

/// One gradient, from the result y.
template <class T, bool Log, bool Accumulate>
struct softmax_gradient {
  using value_type = T;
  static constexpr bool log = Log, accumulate = Accumulate;

  softmax_shape shape;
  scattered_image<const T> dy{}, y{};
  scattered_image<T> dx{};
};

}  // namespace tern::inline TERN_ISA

namespace tern::tile::inline TERN_ISA {

template <class V>
TERN_FN V minus_infinity() {
  return V(-static_cast<math::scalar_of_t<V>>(__builtin_huge_valf()));
}

/// What is subtracted from the elements of a row: the largest, or 0 where nothing takes part.
template <class V>
TERN_FN V softmax_origin(V largest) {
  using math::select;
  return select(largest == minus_infinity<V>(), V(0.0f), largest);
}
/// By what exponentials are multiplied: 1 / sum; of logarithms, what is subtracted.
template <bool Log, class V>
TERN_FN V softmax_divisor(V sum) {
  using math::select;
  if constexpr (Log)
    return select(sum == V(0.0f), V(0.0f), math::log(sum));
  else
    return select(sum == V(0.0f), V(0.0f), V(1.0f) / sum);
}

/// The gradient of one element; `sum` is that of dy y, or of dy.
template <bool Log, class V>
TERN_FN V softmax_gradient_of(V dy, V y, V sum) {
  using math::fma;
  using math::product;
  if constexpr (Log)
    return fma(-math::exp(y), sum, dy);
  else
    return product(y, dy - sum);
}

}  // namespace tern::tile::inline TERN_ISA
