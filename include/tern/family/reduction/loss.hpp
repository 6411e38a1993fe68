// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses: sums over the elements of samples, cross-entropies of rows, totals over a batch; and their arithmetic for
// numbers and vectors.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/expm1.hpp"
#include "tern/core/math/log.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/math/sigmoid.hpp"
#include "tern/core/math/softplus.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/row_program.hpp"
#include "tern/family/reduction/softmax.hpp"
#include "tern/op/loss.hpp"

namespace tern::inline TERN_ISA {

/// y[n] = the sum over the elements of sample n of a function of some tensors' elements at a place.
/// \tparam F  the function: `inputs`, the number of tensors; `operations`; f(in, sum) = sum + term
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
  /// Units of partition, and the operations of one.
  TERN_FN constexpr index_t parts() const { return batch; }
  TERN_FN constexpr index_t part_work() const { return of_sample() * F::operations; }
  /// Element e of sample n of tensor i, channels fastest.
  TERN_FN const T* at(int i, index_t n, index_t e) const {
    const index_t c = e % channels, p = e / channels, x = p % extent[2], line = p / extent[2];
    return in[i].at(n, c, line / extent[1], line % extent[1], x);
  }
};

/// y = the cross-entropy of every row.
/// \tparam Smooth    true if targets are smoothed
/// \tparam Weighted  true if classes have weights
template <class T, bool Smooth, bool Weighted = false>
struct cross_entropy_values {
  using value_type = T;
  template <class Policy>
  using kernel = row_kernel<Policy>;

  row_shape shape;
  scattered_image<const T> x{};
  scattered_image<const std::int32_t> target{};  ///< one per row; negative if the row takes no part
  scattered_image<T> y{};                        ///< one per row
  T keep = 1, share = 0;                         ///< of smoothed targets: the target's share, and that of every class
  scattered_image<const T> weights{};            ///< of the classes, the same for all rows
};

/// Weights of classes: none, without and with smoothed targets.
enum class class_weighting { none, plain, smooth };

/// The gradient, dx = (softmax(x) - target) weight dy.
/// \tparam Each  true if there is a dy per row; otherwise it is 1
template <class T, bool Each, bool Accumulate, class_weighting Weighted = class_weighting::none>
struct cross_entropy_gradient {
  using value_type = T;
  template <class Policy>
  using kernel = row_kernel<Policy>;

  row_shape shape;
  scattered_image<const T> x{};
  scattered_image<const std::int32_t> target{};
  scattered_image<const T> dy{};
  scattered_image<T> dx{};
  T keep = 1, share = 0, weight = 1;
  scattered_image<const T> weights{};
};

}  // namespace tern::inline TERN_ISA

namespace tern::tile::inline TERN_ISA {

/// The term of a loss in a sum, and its gradients times `weight`.
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

/// Its gradients as the function of a mapping: of the inputs of the loss and, if present, dy of the sample.
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
/// The same with class weights: w is the target's, `of_all` the sum of products of weights and z, `weights` the sum of
/// weights.
template <bool Smooth, class V>
TERN_FN V weighted_cross_entropy_of(V sum, V z, V w, V of_all, V weights, V keep, V share) {
  using math::fma;
  using math::product;
  const V l = math::log(sum);
  if constexpr (Smooth)
    return fma(product(keep, w), l - z, product(share, fma(weights, l, -of_all)));
  else
    return product(w, l - z);
}
/// The gradient of an element with the probability p; the target's has keep + share for `share`.
template <class V>
TERN_FN V cross_entropy_gradient_of(V p, V share, V weight) {
  using math::product;
  return product(p - share, weight);
}

/// The same for smoothed targets and class weights.
/// \param all  the total weight of p
template <class V>
TERN_FN V smooth_weighted_gradient_of(V p, V all, V share, V weight) {
  using math::fma;
  using math::product;
  return product(fma(p, all, -share), weight);
}

}  // namespace tern::tile::inline TERN_ISA

namespace tern::row::inline TERN_ISA {

/// The first steps of a cross-entropy and its gradient.
template <class Call>
struct cross_entropy_rows {
  using x = input<&Call::x>;
  using target = index<&Call::target>;

  struct largest : max_step {
    static TERN_FN auto of(const auto& e) { return e[x()]; }
    static TERN_FN auto finish(const auto&, auto v) { return tile::softmax_origin(v); }
  };
  static TERN_FN auto distance(const auto& e) { return e[x()] - e[largest()]; }
  static constexpr index_t operations = 20;
};

template <class T, bool Smooth, bool Weighted>
struct program<cross_entropy_values<T, Smooth, Weighted>>
    : cross_entropy_rows<cross_entropy_values<T, Smooth, Weighted>> {
  using call = cross_entropy_values<T, Smooth, Weighted>;
  using rows = cross_entropy_rows<call>;
  using typename rows::largest, typename rows::target, typename rows::x;
  using weights = input<&call::weights>;
  using y = output<&call::y, false, true>;

  struct sum : sum_step {
    static TERN_FN auto of(const auto& e) { return exp_bounded(rows::distance(e)); }
  };
  struct all : sum_step {
    static TERN_FN auto of(const auto& e) {
      if constexpr (Weighted)
        return product(e[weights()], rows::distance(e));
      else
        return rows::distance(e);
    }
  };
  struct all_weights : sum_step {
    static TERN_FN auto of(const auto& e) { return e[weights()]; }
  };
  struct chosen : pick_step<target> {
    static TERN_FN auto of(const auto& e) { return rows::distance(e); }
  };
  struct chosen_weight : pick_step<target> {
    static TERN_FN auto of(const auto& e) { return e[weights()]; }
  };
  struct result : number_step<y> {
    static TERN_FN auto of(const auto& e) {
      using V = decltype(e[sum()]);
      if constexpr (Weighted && Smooth)
        return tile::weighted_cross_entropy_of<true>(e[sum()], e[chosen()], e[chosen_weight()], e[all()],
                                                     e[all_weights()], V(e.call.keep), V(e.call.share));
      else if constexpr (Weighted)
        return tile::weighted_cross_entropy_of<false>(e[sum()], e[chosen()], e[chosen_weight()], V(T(0)), V(T(0)),
                                                      V(T(1)), V(T(0)));
      else if constexpr (Smooth)
        return tile::cross_entropy_of<true>(e[sum()], e[chosen()], e[all()], V(e.call.keep), V(e.call.share));
      else
        return tile::cross_entropy_of<false>(e[sum()], e[chosen()], V(T(0)), V(T(1)), V(T(0)));
    }
  };
  using tensors = std::conditional_t<Weighted, list<x, target, weights, y>, list<x, target, y>>;
  using plain_steps =
      std::conditional_t<Smooth, list<largest, sum, all, chosen, result>, list<largest, sum, chosen, result>>;
  using weighted_steps = std::conditional_t<Smooth, list<largest, sum, all, all_weights, chosen, chosen_weight, result>,
                                            list<largest, sum, chosen, chosen_weight, result>>;
  using steps = std::conditional_t<Weighted, weighted_steps, plain_steps>;
};

template <class T, bool Each, bool Accumulate, class_weighting Weighted>
struct program<cross_entropy_gradient<T, Each, Accumulate, Weighted>>
    : cross_entropy_rows<cross_entropy_gradient<T, Each, Accumulate, Weighted>> {
  using call = cross_entropy_gradient<T, Each, Accumulate, Weighted>;
  using rows = cross_entropy_rows<call>;
  using typename rows::largest, typename rows::target, typename rows::x;
  using weights = input<&call::weights>;
  using dy = input<&call::dy, true>;
  using dx = output<&call::dx, Accumulate>;

  struct divisor : sum_step {
    using kept_in = std::conditional_t<Accumulate, void, dx>;
    static TERN_FN auto of(const auto& e) { return exp_bounded(rows::distance(e)); }
    static TERN_FN auto finish(const auto&, auto sum) { return tile::softmax_divisor<false>(sum); }
  };
  struct all_weights : sum_step {
    static TERN_FN auto of(const auto& e) { return e[weights()]; }
  };
  struct chosen_weight : pick_step<target> {
    static TERN_FN auto of(const auto& e) { return e[weights()]; }
  };
  struct weight : number_step<> {
    static TERN_FN auto of(const auto& e) {
      using V = decltype(e[divisor()]);
      V w(e.call.weight);
      if constexpr (Each) w = product(w, e[dy()]);
      if constexpr (Weighted == class_weighting::plain) w = product(w, e[chosen_weight()]);
      return w;
    }
  };
  struct result : map_step<dx> {
    static TERN_FN auto of(const auto& e) {
      using V = decltype(e[divisor()]);
      const auto p = product(e[kept<divisor>()], e[divisor()]);
      if constexpr (Weighted == class_weighting::smooth) {
        const V of_target = product(V(e.call.keep), e[chosen_weight()]), share = product(V(e.call.share), e[weights()]);
        return tile::smooth_weighted_gradient_of(p, fma(V(e.call.share), e[all_weights()], of_target),
                                                 e.at(target(), of_target + share, share), e[weight()]);
      } else {
        const V share(e.call.share), of_target(e.call.keep + e.call.share);
        return tile::cross_entropy_gradient_of(p, e.at(target(), of_target, share), e[weight()]);
      }
    }
  };
  template <class... Given>
  using with_weights = std::conditional_t<Weighted == class_weighting::none, list<x, target, Given...>,
                                          list<x, target, weights, Given...>>;
  using tensors = std::conditional_t<Each, with_weights<dy, dx>, with_weights<dx>>;
  using steps = std::conditional_t<
      Weighted == class_weighting::none, list<largest, divisor, weight, result>,
      std::conditional_t<Weighted == class_weighting::plain, list<largest, divisor, chosen_weight, weight, result>,
                         list<largest, divisor, all_weights, chosen_weight, weight, result>>>;
  static constexpr index_t operations = 24;
};

}  // namespace tern::row::inline TERN_ISA
