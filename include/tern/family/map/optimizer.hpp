// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimisers as functions of mappings. Inputs are the gradient, the parameter and its state and, for clipping, the sum
// of squares of all gradients; results are the parameter and its state.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/op/optimizer.hpp"

namespace tern::tile::inline TERN_ISA {

/// x to the power n, by squaring: the same bits everywhere, unlike the system library's pow.
inline double power(double x, index_t n) {
  double p = 1;
  for (; n > 0; n /= 2, x = x * x)
    if (n % 2 != 0) p = math::product(p, x);  // a sum may follow
  return p;
}

/// The first factor of a gradient: 1 over the scale of the loss.
template <class T, class Step>
T unscaled(const Step& s) {
  return static_cast<T>(1 / s.scale);
}
/// The gradient of the loss itself, scaled down if its norm exceeds `most`.
/// \param squares  the sum of the squares of the scaled gradient
template <bool Clip, class V>
TERN_FN V clipped(V gradient, const V* squares, V most, V unscale) {
  using math::product;
  using math::select;
  using math::sqrt;
  gradient = product(gradient, unscale);
  if constexpr (Clip) {
    const V norm = product(sqrt(*squares), unscale);
    gradient = product(gradient, select(norm > most, most / norm, V(1.0f)));
  }
  return gradient;
}
/// average + share (x - average).
template <class V>
TERN_FN V averaged(V average, V share, V x) {
  using math::fma;
  return fma(share, x - average, average);
}
/// The same for the average of x's square.
template <class V>
TERN_FN V averaged_square(V average, V share, V x) {
  using math::fma;
  return fma(share, fma(x, x, -average), average);
}

template <sgd_config C, class T>
struct sgd_map {
  static constexpr int inputs = 2 + C.momentum + C.clip, outputs = 1 + C.momentum;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 3;

  T rate = 0, momentum = 0, decay = 0, most = 1, unscale = 1;

  sgd_map() = default;
  explicit sgd_map(const sgd_step& s)
      : rate(static_cast<T>(s.rate)),
        momentum(static_cast<T>(s.momentum)),
        decay(static_cast<T>(s.decay)),
        most(static_cast<T>(s.most)),
        unscale(unscaled<T>(s)) {}

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::fma;
    const V parameter = in[1];
    V step = fma(V(decay), parameter, clipped<C.clip>(in[0], in + inputs - 1, V(most), V(unscale)));
    if constexpr (C.momentum) {
      const V velocity = fma(V(momentum), in[2], step);
      step = C.nesterov ? fma(V(momentum), velocity, step) : velocity;
      out[1] = velocity;
    }
    out[0] = fma(V(-rate), step, parameter);
  }
};

template <adam_config C, class T>
struct adam_map {
  static constexpr int inputs = 4 + C.clip, outputs = 3;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 12;

  T rate = 0, share1 = 0, share2 = 0, scale = 1, epsilon = 0, decay = 0, most = 1, unscale = 1;

  adam_map() = default;
  explicit adam_map(const adam_step& s)
      : rate(static_cast<T>(s.rate / (1 - power(s.beta1, s.step)))),
        share1(static_cast<T>(1 - s.beta1)),
        share2(static_cast<T>(1 - s.beta2)),
        scale(static_cast<T>(1 / math::sqrt(1 - power(s.beta2, s.step)))),
        epsilon(static_cast<T>(s.epsilon)),
        decay(static_cast<T>(C.decoupled ? -(s.rate * s.decay) : s.decay)),
        most(static_cast<T>(s.most)),
        unscale(unscaled<T>(s)) {}

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::fma;
    using math::sqrt;
    V gradient = clipped<C.clip>(in[0], in + inputs - 1, V(most), V(unscale)), parameter = in[1];
    if constexpr (C.decoupled)
      parameter = fma(V(decay), parameter, parameter);
    else
      gradient = fma(V(decay), parameter, gradient);
    const V mean = averaged(in[2], V(share1), gradient), square = averaged_square(in[3], V(share2), gradient);
    out[0] = fma(V(-rate), mean / fma(sqrt(square), V(scale), V(epsilon)), parameter);
    out[1] = mean;
    out[2] = square;
  }
};

template <rmsprop_config C, class T>
struct rmsprop_map {
  static constexpr int inputs = 3 + C.momentum + C.clip, outputs = 2 + C.momentum;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 10;

  T rate = 0, share = 0, epsilon = 0, decay = 0, momentum = 0, most = 1, unscale = 1;

  rmsprop_map() = default;
  explicit rmsprop_map(const rmsprop_step& s)
      : rate(static_cast<T>(s.rate)),
        share(static_cast<T>(1 - s.alpha)),
        epsilon(static_cast<T>(s.epsilon)),
        decay(static_cast<T>(s.decay)),
        momentum(static_cast<T>(s.momentum)),
        most(static_cast<T>(s.most)),
        unscale(unscaled<T>(s)) {}

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::fma;
    using math::sqrt;
    const V parameter = in[1], of_loss = clipped<C.clip>(in[0], in + inputs - 1, V(most), V(unscale)),
            gradient = fma(V(decay), parameter, of_loss), square = averaged_square(in[2], V(share), gradient);
    V step = gradient / (sqrt(square) + V(epsilon));
    if constexpr (C.momentum) step = fma(V(momentum), in[3], step), out[2] = step;
    out[0] = fma(V(-rate), step, parameter);
    out[1] = square;
  }
};

/// Inputs: the gradient, the parameter, the velocity, and the squares of all parameters and of all gradients.
template <class T>
struct lars_map {
  static constexpr int inputs = 5, outputs = 2;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 8;

  T rate = 0, momentum = 0, decay = 0, trust = 0, epsilon = 0, unscale = 1;

  lars_map() = default;
  explicit lars_map(const lars_step& s)
      : rate(static_cast<T>(s.rate)),
        momentum(static_cast<T>(s.momentum)),
        decay(static_cast<T>(s.decay)),
        trust(static_cast<T>(s.trust)),
        epsilon(static_cast<T>(s.epsilon)),
        unscale(unscaled<T>(s)) {}

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::fma;
    using math::product;
    using math::select;
    using math::sqrt;
    const V one(1.0f), zero(0.0f), norm = sqrt(in[3]), slope = product(sqrt(in[4]), V(unscale));
    V ratio = product(V(trust), norm) / (fma(V(decay), norm, slope) + V(epsilon));
    ratio = select(norm > zero, select(slope > zero, ratio, one), one);
    const V step = fma(V(decay), in[1], product(in[0], V(unscale))),
            velocity = fma(V(momentum), in[2], product(product(V(rate), ratio), step));
    out[0] = in[1] - velocity;
    out[1] = velocity;
  }
};

/// Inputs: the parameter, the gradient, its average and that of its square; the gradient becomes the update.
template <class T>
struct lamb_update_map {
  static constexpr int inputs = 4, outputs = 3;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 12;

  T correction = 1, share1 = 0, share2 = 0, scale = 1, epsilon = 0, decay = 0, unscale = 1;

  lamb_update_map() = default;
  explicit lamb_update_map(const adam_step& s)
      : correction(static_cast<T>(1 / (1 - power(s.beta1, s.step)))),
        share1(static_cast<T>(1 - s.beta1)),
        share2(static_cast<T>(1 - s.beta2)),
        scale(static_cast<T>(1 / math::sqrt(1 - power(s.beta2, s.step)))),
        epsilon(static_cast<T>(s.epsilon)),
        decay(static_cast<T>(s.decay)),
        unscale(unscaled<T>(s)) {}

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::fma;
    using math::product;
    using math::sqrt;
    const V gradient = product(in[1], V(unscale)), mean = averaged(in[2], V(share1), gradient),
            square = averaged_square(in[3], V(share2), gradient);
    out[0] = fma(V(decay), in[0], product(V(correction), mean) / fma(sqrt(square), V(scale), V(epsilon)));
    out[1] = mean;
    out[2] = square;
  }
};

/// Inputs: the update, the parameter, and the squares of all parameters and of all updates.
template <class T>
struct lamb_map {
  static constexpr int inputs = 4, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 4;

  T rate = 0;

  lamb_map() = default;
  explicit lamb_map(const lamb_step& s) : rate(static_cast<T>(s.rate)) {}

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::fma;
    using math::product;
    using math::select;
    using math::sqrt;
    const V one(1.0f), zero(0.0f), norm = sqrt(in[2]), of_update = sqrt(in[3]);
    const V ratio = select(norm > zero, select(of_update > zero, norm / of_update, one), one);
    out[0] = fma(-product(V(rate), ratio), in[0], in[1]);
  }
};

/// Inputs: x and the average.
template <class T>
struct moving_average_map {
  static constexpr int inputs = 2, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 2;

  T share = 0, factor = 1;

  moving_average_map() = default;
  explicit moving_average_map(const moving_average_step& s)
      : share(static_cast<T>(1 - s.decay)), factor(static_cast<T>(s.factor)) {}

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::product;
    out[0] = averaged(in[1], V(share), product(V(factor), in[0]));
  }
};

/// Squares as the function of element_sums.
struct square_sum {
  static constexpr int inputs = 1;
  static constexpr index_t operations = 1;

  template <class V>
  TERN_FN V operator()(const V* in, V sum) const {
    using math::fma;
    return fma(in[0], in[0], sum);
  }
};

}  // namespace tern::tile::inline TERN_ISA
