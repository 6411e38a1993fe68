// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses: sums over the elements of samples, cross-entropies of rows, totals over a batch; and arithmetic that numbers
// and vectors share.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/expm1.hpp"
#include "tern/core/math/log.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/math/sigmoid.hpp"
#include "tern/core/math/softplus.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/reduction/softmax.hpp"
#include "tern/op/loss.hpp"

namespace tern::inline TERN_ISA {

/// y[n] = the sum over the elements of sample n of a function of the elements at one place in some tensors.
/// \tparam F  the function: `inputs`, how many tensors; `operations`; f(in, sum) = sum + term
template <class T, class F>
struct element_sums {
  using value_type = T;
  static constexpr int inputs = F::inputs;

  index_t batch = 0, channels = 0;
  index_t extent[3] = {1, 1, 1};
  scattered_image<const T> in[F::inputs];
  operand<T> y{};  ///< a column
  F f{};

  TERN_FN constexpr index_t of_sample() const { return channels * extent[0] * extent[1] * extent[2]; }
  /// What can be dealt out, and how many operations one of it is worth.
  TERN_FN constexpr index_t parts() const { return batch; }
  TERN_FN constexpr index_t part_work() const { return of_sample() * F::operations; }
  /// Element e of sample n of tensor i, channels fastest.
  TERN_FN const T* at(int i, index_t n, index_t e) const {
    const index_t c = e % channels, p = e / channels, x = p % extent[2], line = p / extent[2];
    return in[i].at(n, c, line / extent[1], line % extent[1], x);
  }
};

/// y = the cross-entropy of every row.
/// \tparam Smooth  whether targets are smoothed
template <class T, bool Smooth>
struct cross_entropy_values {
  using value_type = T;
  static constexpr bool smooth = Smooth;

  row_shape shape;
  scattered_image<const T> x{};
  scattered_image<const std::int32_t> target{};  ///< one per row; negative where the row takes no part
  scattered_image<T> y{};                        ///< one per row
  T keep = 1, share = 0;                         ///< of smoothed targets: what the target keeps, and every class gets

  TERN_FN constexpr index_t parts() const { return shape.rows(); }
  TERN_FN constexpr index_t part_work() const { return shape.features * 20; }
};

/// Its gradient, dx = (softmax(x) - target) weight dy.
/// \tparam Each  whether there is a dy per row; where not, it is 1
template <class T, bool Each, bool Accumulate>
struct cross_entropy_gradient {
  using value_type = T;
  static constexpr bool each = Each, accumulate = Accumulate;

  row_shape shape;
  scattered_image<const T> x{};
  scattered_image<const std::int32_t> target{};
  scattered_image<const T> dy{};
  scattered_image<T> dx{};
  T keep = 1, share = 0, weight = 1;

  TERN_FN constexpr index_t parts() const { return shape.rows(); }
  TERN_FN constexpr index_t part_work() const { return shape.features * 24; }
};

}  // namespace tern::inline TERN_ISA

namespace tern::tile::inline TERN_ISA {

/// What a loss adds to a sum, and its gradients times `weight`.
template <loss_kind K>
struct loss_term;

template <>
struct loss_term<loss_kind::squared_error> {
  static constexpr int inputs = 2, gradients = 1;

  template <class V>
  static TERN_FN V add(const V* in, V sum) {
    using math::fma;
    const V d = in[0] - in[1];
    return fma(d, d, sum);
  }
  template <class V>
  static TERN_FN void gradient(const V* in, V weight, V* d) {
    using math::product;
    const V e = in[0] - in[1];
    d[0] = product(e + e, weight);
  }
};

template <>
struct loss_term<loss_kind::bce_with_logits> {
  static constexpr int inputs = 2, gradients = 1;

  template <class V>
  static TERN_FN V add(const V* in, V sum) {
    using math::fma;
    using math::select;
    const V x = in[0], zero(0.0f);
    const V wrong = fma(-x, in[1], select(zero > x, zero, x));  // exact for targets 0 and 1: a relu on the wrong side
    return sum + (wrong + math::softplus(select(x > zero, -x, x)));
  }
  template <class V>
  static TERN_FN void gradient(const V* in, V weight, V* d) {
    using math::product;
    d[0] = product(math::sigmoid(in[0]) - in[1], weight);
  }
};

template <>
struct loss_term<loss_kind::gaussian_nll> {
  static constexpr int inputs = 3, gradients = 2;

  template <class V>
  static TERN_FN V add(const V* in, V sum) {
    using math::fma;
    using math::product;
    const V d = in[0] - in[2];
    return fma(V(0.5f), fma(product(d, d), math::exp(-in[1]), in[1]), sum);
  }
  template <class V>
  static TERN_FN void gradient(const V* in, V weight, V* d) {
    using math::fma;
    using math::product;
    const V e = in[0] - in[2], scaled = product(e, math::exp(-in[1]));
    d[0] = product(scaled, weight);
    d[1] = product(fma(product(V(-0.5f), e), scaled, V(0.5f)), weight);
  }
};

template <>
struct loss_term<loss_kind::gaussian_kl> {
  static constexpr int inputs = 2, gradients = 2;

  template <class V>
  static TERN_FN V add(const V* in, V sum) {
    using math::fma;
    return fma(V(0.5f), fma(in[0], in[0], math::expm1(in[1]) - in[1]), sum);
  }
  template <class V>
  static TERN_FN void gradient(const V* in, V weight, V* d) {
    using math::product;
    d[0] = product(in[0], weight);
    d[1] = product(product(V(0.5f), math::expm1(in[1])), weight);
  }
};

/// A loss as the function of element_sums.
template <loss_kind K>
struct loss_sum {
  static constexpr int inputs = loss_term<K>::inputs;
  static constexpr index_t operations = K == loss_kind::squared_error ? 2 : 20;

  template <class V>
  TERN_FN V operator()(const V* in, V sum) const {
    return loss_term<K>::add(in, sum);
  }
};

/// Its gradients as the function of a mapping: of the inputs of the loss and, where there are such, dy of the sample.
template <loss_kind K, class T, bool Each, bool Accumulate>
struct loss_gradient {
  static constexpr int inputs = loss_term<K>::inputs + Each, outputs = loss_term<K>::gradients;
  static constexpr bool accumulates = Accumulate;
  static constexpr index_t operations = K == loss_kind::squared_error ? 2 : 20;

  T weight = 1;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::product;
    V d[outputs], w(weight);
    if constexpr (Each) w = product(w, in[inputs - 1]);
    loss_term<K>::gradient(in, w, d);
    TERN_UNROLL
    for (int i = 0; i < outputs; ++i) out[i] = Accumulate ? out[i] + d[i] : d[i];
  }
};

/// x / divisor as the function of a mapping.
template <class T>
struct quotient_map {
  static constexpr int inputs = 1, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 1;

  T divisor = 1;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    out[0] = in[0] / V(divisor);
  }
};

/// A row's target: taken as it is, left out, or not a class.
enum class target_kind { one, none, wrong };
TERN_FN constexpr target_kind kind_of_target(std::int32_t target, index_t classes) {
  return target < 0 ? target_kind::none : target < classes ? target_kind::one : target_kind::wrong;
}
template <class T>
TERN_FN T not_a_number() {
  return static_cast<T>(__builtin_nanf(""));
}

/// The loss of a row from `sum`, of the exponentials, z at its target, and the sum of all z; z are differences to the
/// largest element.
template <bool Smooth, class V>
TERN_FN V cross_entropy_of(V sum, V z, V of_all, V keep, V share) {
  using math::fma;
  using math::product;
  if constexpr (Smooth)
    return math::log(sum) - fma(keep, z, product(share, of_all));
  else
    return math::log(sum) - z;
}
/// The gradient of an element with the probability p; of the target's with keep + share for `share`.
template <class V>
TERN_FN V cross_entropy_gradient_of(V p, V share, V weight) {
  using math::product;
  return product(p - share, weight);
}

}  // namespace tern::tile::inline TERN_ISA
