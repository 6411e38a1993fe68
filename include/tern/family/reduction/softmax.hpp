// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax along the channels of an image, the form of every tensor and axis: the calls, their arithmetic for numbers
// and vectors, and the row programs.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/log.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/family/reduction/row_program.hpp"

namespace tern::inline TERN_ISA {

/// One forward call.
/// \tparam Mask  true if there is a mask: elements with 0 take no part; its strides may be 0
template <class T, bool Log, bool Mask>
struct softmax_values {
  using value_type = T;
  static constexpr bool log = Log, masked = Mask;

  row_shape shape;
  scattered_image<const T> x{};
  scattered_image<const std::uint8_t> mask{};
  scattered_image<T> y{};
};

/// One gradient, from the result y.
template <class T, bool Log, bool Accumulate>
struct softmax_gradient {
  using value_type = T;
  static constexpr bool log = Log, accumulate = Accumulate;

  row_shape shape;
  scattered_image<const T> dy{}, y{};
  scattered_image<T> dx{};
};

}  // namespace tern::inline TERN_ISA

namespace tern::tile::inline TERN_ISA {

template <class V>
TERN_FN V minus_infinity() {
  return V(-static_cast<math::scalar_of_t<V>>(__builtin_huge_valf()));
}

/// The number subtracted from the elements of a row: the largest, or 0 if no element takes part.
template <class V>
TERN_FN V softmax_origin(V largest) {
  using math::select;
  return select(largest == minus_infinity<V>(), V(0.0f), largest);
}
/// The factor of the exponentials: 1 / sum; for logarithms, the number to subtract.
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

namespace tern::row::inline TERN_ISA {

template <class T, bool Log, bool Mask>
struct program<softmax_values<T, Log, Mask>> {
  using call = softmax_values<T, Log, Mask>;
  using x = input<&call::x>;
  using mask = input<&call::mask>;
  using y = output<&call::y>;

  static TERN_FN auto logit(const auto& e) {
    if constexpr (Mask)
      return select(e[mask()], e[x()], tile::minus_infinity<decltype(e[x()])>());
    else
      return e[x()];
  }
  struct largest : max_step {
    static TERN_FN auto of(const auto& e) { return logit(e); }
    static TERN_FN auto finish(const auto&, auto v) { return tile::softmax_origin(v); }
  };
  struct divisor : sum_step {
    static constexpr bool apart = Log;
    using kept_in = std::conditional_t<Log, void, y>;
    static TERN_FN auto of(const auto& e) { return exp_bounded(logit(e) - e[largest()]); }
    static TERN_FN auto finish(const auto&, auto sum) { return tile::softmax_divisor<Log>(sum); }
  };
  struct result : map_step<y> {
    static TERN_FN auto of(const auto& e) {
      if constexpr (Log)
        return (logit(e) - e[largest()]) - e[divisor()];
      else
        return product(e[kept<divisor>()], e[divisor()]);
    }
  };
  using tensors = std::conditional_t<Mask, list<x, mask, y>, list<x, y>>;
  using steps = list<largest, divisor, result>;
  static constexpr index_t operations = 24;
};

template <class T, bool Log, bool Accumulate>
struct program<softmax_gradient<T, Log, Accumulate>> {
  using call = softmax_gradient<T, Log, Accumulate>;
  using dy = input<&call::dy>;
  using y = input<&call::y>;
  using dx = output<&call::dx, Accumulate>;

  struct total : sum_step {  // of dy y, of logarithms of dy
    static TERN_FN auto add(const auto& e, auto sum) {
      if constexpr (Log)
        return sum + e[dy()];
      else
        return fma(e[dy()], e[y()], sum);
    }
  };
  struct result : map_step<dx> {
    static TERN_FN auto of(const auto& e) { return tile::softmax_gradient_of<Log>(e[dy()], e[y()], e[total()]); }
  };
  using tensors = list<dy, y, dx>;
  using steps = list<total, result>;
  static constexpr index_t operations = 24;
};

}  // namespace tern::row::inline TERN_ISA
