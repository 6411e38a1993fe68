// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations and their derivatives, per lane: scalars or vectors of float or double. Definitions, bits and errors:
// docs/elementary-functions.md.
#pragma once

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/expm1.hpp"
#include "tern/core/math/gelu.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/math/sigmoid.hpp"
#include "tern/core/math/softplus.hpp"
#include "tern/core/math/tanh.hpp"

namespace tern::tile::inline TERN_ISA {

/// The slope of an activation for negative numbers, rounded once.
template <class T>
TERN_FN constexpr T slope_of(const activation& a) {
  return static_cast<T>(double(a.slope));
}

/// Clamps x at a corner or limit of an activation. NaN stays NaN.
template <class V>
TERN_FN V at_least(float low, V x) {
  return math::at_least(V(low), x);
}
template <class V>
TERN_FN V at_most(float high, V x) {
  return math::at_most(V(high), x);
}

/// The constants of activations, rounded to the element type.
template <class V>
struct activation_constants {
  using T = math::scalar_of_t<V>;
  static constexpr bool single = math::is_float<V>;
  static constexpr T gelu_linear = single ? 0x1.988454p+0f : T(0x1.9884533d43651p+0);      // 2 sqrt(2 / pi)
  static constexpr T gelu_cubic = single ? 0x1.2444f2p-4f : T(0x1.2444f2a4d8b4bp-4);       // 2 sqrt(2 / pi) 0.044715
  static constexpr T gelu_cubic_slope = single ? 0x1.b6676cp-3f : T(0x1.b6676bf7450fp-3);  // 3 times gelu_cubic
  static constexpr T selu_scale = single ? 0x1.0cfabep+0f : T(0x1.0cfabd6a91132p+0);       // lambda
  static constexpr T selu_slope = single ? 0x1.c212ccp+0f : T(0x1.c212cc640f031p+0);       // lambda alpha
  static constexpr T sixth = single ? 0x1.555556p-3f : T(0x1.5555555555555p-3);
  static constexpr T third = single ? 0x1.555556p-2f : T(0x1.5555555555555p-2);
};

/// mish(x) = x n / (n + 2) with n = e (e + 2) and e = exp(x); the fraction already rounds to 1 below x = 24.
template <class V>
struct mish_parts {
  V e, n;
  TERN_FN explicit mish_parts(V x) : e(math::exp(at_most(24.0f, x))) {
    using math::product;
    n = product(e, e + V(2.0f));
  }
};

/// PReLU per lane of x, and its gradient; `saved` is the argument of the activation.
template <class V>
TERN_FN V sloped(V x, V slope) {
  using math::product;
  using math::select;
  return select(x > V(0.0f), x, product(x, slope));
}
template <class V>
TERN_FN V sloped_gradient(V dy, V saved, V slope) {
  using math::product;
  using math::select;
  return select(saved > V(0.0f), dy, product(dy, slope));
}

/// The activation A per lane of x. NaN stays NaN. Functions with limit 0 at -infinity return 0 or -0 there. Cost: that
/// of its elementary functions, and up to 7 operations more.
template <activation A, class V>
TERN_FN V activate(V x) {
  using math::fma;
  using math::product;
  using math::select;
  using constants = activation_constants<V>;
  using T = typename constants::T;
  const V zero(0.0f);
  if constexpr (A.kind == activation::none) {
    return x;
  } else if constexpr (A.kind == activation::relu) {
    return math::at_least(zero, x);
  } else if constexpr (A.kind == activation::relu6) {
    return at_most(6.0f, at_least(0.0f, x));
  } else if constexpr (A.kind == activation::sigmoid) {
    return math::sigmoid(x);
  } else if constexpr (A.kind == activation::tanh) {
    return math::tanh(x);
  } else if constexpr (A.kind == activation::gelu) {
    return math::gelu(x);
  } else if constexpr (A.kind == activation::silu) {
    const V b = at_least(-1024.0f, x);  // avoids 0 * inf, as below
    return product(b, math::sigmoid(b));
  } else if constexpr (A.kind == activation::gelu_tanh) {
    const V b = at_least(-1024.0f, x);
    return product(b, math::sigmoid(b * fma(b * b, V(constants::gelu_cubic), V(constants::gelu_linear))));
  } else if constexpr (A.kind == activation::leaky_relu) {
    return select(x > zero, x, product(x, V(slope_of<T>(A))));
  } else if constexpr (A.kind == activation::elu) {
    return select(x > zero, x, product(math::expm1(x), V(slope_of<T>(A))));
  } else if constexpr (A.kind == activation::selu) {
    return product(select(x > zero, x, math::expm1(x)),
                   select(x > zero, V(constants::selu_scale), V(constants::selu_slope)));
  } else if constexpr (A.kind == activation::hard_sigmoid) {
    return product(at_most(6.0f, at_least(0.0f, x + V(3.0f))), V(constants::sixth));
  } else if constexpr (A.kind == activation::hard_swish) {
    const V b = at_least(-3.0f, x);
    return product(b, activate<activation::hard_sigmoid>(b));
  } else if constexpr (A.kind == activation::softplus) {
    return math::softplus(x);
  } else {
    static_assert(A.kind == activation::mish, "activate: unknown activation");
    const V b = at_least(-1024.0f, x);
    const mish_parts<V> m(b);
    return product(b, m.n / (m.n + V(2.0f)));
  }
}

/// dy times the derivative of the activation A.
/// \param saved  the result of the activation, or its argument: see derivative_from_result
/// At a corner of a function the derivative is that of the left side, but 0 at the upper end of hard_sigmoid and relu6.
/// A NaN in `saved` gives NaN, and counts as negative if the function is piecewise linear. Cost: up to 2 elementary
/// functions, 2 divisions and 13 operations more.
template <activation A, class V>
TERN_FN V activation_gradient(V dy, V saved) {
  using math::fma;
  using math::product;
  using math::select;
  using constants = activation_constants<V>;
  using T = typename constants::T;
  const V zero(0.0f), one(1.0f), two(2.0f), y = saved;
  if constexpr (A.kind == activation::none) {
    return dy;
  } else if constexpr (A.kind == activation::relu) {
    return select(y > zero, dy, zero);
  } else if constexpr (A.kind == activation::relu6) {
    return select(y > zero, select(y < V(6.0f), dy, zero), zero);
  } else if constexpr (A.kind == activation::sigmoid) {
    return product(dy, y * (one - y));
  } else if constexpr (A.kind == activation::tanh) {
    return product(dy, fma(-y, y, one));
  } else if constexpr (A.kind == activation::leaky_relu) {
    return select(y > zero, dy, product(dy, V(slope_of<T>(A))));
  } else if constexpr (A.kind == activation::elu) {
    return select(y > zero, dy, product(dy, y + V(slope_of<T>(A))));
  } else if constexpr (A.kind == activation::selu) {
    return product(dy, select(y > zero, V(constants::selu_scale), y + V(constants::selu_slope)));
  } else if constexpr (A.kind == activation::hard_sigmoid) {
    const V inside = select(y < one, V(constants::sixth), zero);
    return product(dy, select(y > zero, inside, zero));
  } else if constexpr (A.kind == activation::softplus) {
    return product(dy, -math::expm1(-y));
  } else if constexpr (A.kind == activation::gelu) {
    return product(dy, math::gelu_slope(saved));
  } else if constexpr (A.kind == activation::silu) {
    const V b = at_most(1024.0f, at_least(-1024.0f, saved)), s = math::sigmoid(b);
    return product(dy, fma(b * (one - s), s, s));
  } else if constexpr (A.kind == activation::gelu_tanh) {
    const V b = at_most(64.0f, at_least(-64.0f, saved)), square = b * b;
    const V s = math::sigmoid(b * fma(square, V(constants::gelu_cubic), V(constants::gelu_linear)));
    const V slope = b * fma(square, V(constants::gelu_cubic_slope), V(constants::gelu_linear));
    return product(dy, fma(slope * (one - s), s, s));
  } else if constexpr (A.kind == activation::hard_swish) {
    const V inside = select(saved < V(3.0f), fma(saved, V(constants::third), V(0.5f)), one);
    return product(dy, select(saved > V(-3.0f), inside, zero));
  } else {
    static_assert(A.kind == activation::mish, "activation_gradient: unknown activation");
    const V b = at_least(-1024.0f, at_most(24.0f, saved));
    const mish_parts<V> m(b);
    const V whole = m.n + two, t = m.n / whole, rest = two / whole, s = m.e / (one + m.e);
    return product(dy, fma(b * s, rest * (one + t), t));
  }
}

/// The gradient of the argument of an epilogue's activation, act'(saved) dy, element by element. Inputs: dy, then saved
/// if there is an activation, then slope if it takes one.
template <activation A>
struct epilogue_gradient {
  static constexpr int inputs = 1 + (A != activation::none) + A.takes_slope();

  template <class V>
  TERN_FN static V of(const V* in) {
    if constexpr (A == activation::none)
      return in[0];
    else if constexpr (A.takes_slope())
      return sloped_gradient(in[0], in[1], in[2]);
    else
      return activation_gradient<A>(in[0], in[1]);
  }
};

}  // namespace tern::tile::inline TERN_ISA
