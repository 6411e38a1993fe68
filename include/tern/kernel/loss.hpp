// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of losses that sum over elements: forward, and the gradients of their inputs.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/loss_results.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/loss.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

/// The inputs of both passes of elementwise losses.
template <loss_kind K, loss_config C, class T>
struct element_loss_inputs : loss_pass<C, T> {
  static constexpr int inputs = tile::loss_term<K>::inputs, gradients = tile::loss_term<K>::gradients;
  static constexpr const char* shape = "n channels spatial...";

  /// Declares the inputs, then others.
  template <class... Tensor>
  static constexpr declaration taking(const char* pass, const Tensor&... more) {
    if constexpr (gradients == 1)
      return {pass, 0, 3, in("x", shape), in("target", shape), more...};
    else if constexpr (inputs == 2)
      return {pass, 0, 3, in("mean", shape), in("log_variance", shape), more...};
    else
      return {pass, 0, 3, in("mean", shape), in("log_variance", shape), in("target", shape), more...};
  }
  static constexpr const char* first_name = gradients == 1 ? "x" : "mean";
};

template <loss_kind K, loss_config C, class T>
struct element_loss_pass : element_loss_inputs<K, C, T> {
  using base = element_loss_inputs<K, C, T>;
  using optional = typename base::template forward_options<>;
  using call = element_sums<T, tile::loss_sum<K>>;
  template <class Policy>
  using kernel = typename base::template forward_kernel<Policy>;
  static constexpr declaration declared = base::taking("", out("losses", "n"), base::total);

  template <bool Add, class... Any>
  static auto problem(const char* op, const Any&... any) {
    typename base::template with_total<call, Add> q;
    impl::set_sizes(q, impl::nth_tensor<0>(any...));
    int number = 0;
    const auto add = [&](const auto& v) {
      if constexpr (std::remove_cvref_t<decltype(v)>::rank > 1) q.in[number++] = impl::places_of<const T>(v);
    };
    (add(any), ...);
    const auto& y = impl::nth_tensor<base::inputs>(any...);
    q.y = {y.data(), y.stride(0), 0, 0};
    base::template set_total<Add, base::inputs>(op, base::first_name, q, static_cast<double>(q.batch * q.of_sample()),
                                                scattered_image<T>{.p = q.y.p, .sample = q.y.row}, {q.batch, {1, 1, 1}},
                                                any...);
    return q;
  }
  static constexpr cost cost_of(const call& q) {
    const index_t elements = q.batch * q.of_sample();
    return {base::inputs * elements, q.batch, q.of_sample(), static_cast<double>(elements * decltype(q.f)::operations)};
  }
};

template <loss_kind K, loss_config C, class T>
struct element_loss_gradient_pass : element_loss_inputs<K, C, T> {
  using base = element_loss_inputs<K, C, T>;
  using optional = typename base::template gradient_options<>;
  template <class Policy>
  using kernel = mapping_kernel<Policy>;
  static constexpr declaration declared = [] {
    constexpr const char* inputs = "x mean log_variance target";
    if constexpr (base::gradients == 1)
      return base::taking("backward_data", base::dlosses("n"), out("dx", base::shape).may_be(inputs));
    else
      return base::taking("backward_data", base::dlosses("n"), out("dmean", base::shape).may_be(inputs),
                          out("dlog_variance", base::shape).may_be(inputs));
  }();

  template <bool Add, class... Any>
  static auto problem(const char* op, const Any&... any) {
    mapping<T, tile::loss_gradient<K, T, !base::reduced, Add>> q;
    impl::set_sizes(q, impl::nth_tensor<0>(any...));
    int number = 0;
    const auto add = [&](const auto& v) {
      using view = std::remove_cvref_t<decltype(v)>;
      if constexpr (!impl::is_tensor<view>) {
      } else if constexpr (view::rank == 1) {
        q.in[base::inputs] = {
            .p = v.data(), .sample = v.stride(0), .channel = 0, .block = q.channels > 0 ? q.channels : 1};
      } else {
        if (number < base::inputs)
          q.in[number] = impl::places_of<const T>(v);
        else if constexpr (!std::is_const_v<typename view::element_type>)
          q.out[number - base::inputs] = impl::places_of<T>(v);
        ++number;
      }
    };
    (add(any), ...);
    if constexpr (base::reduced)
      q.f.weight = base::weight(op, base::first_name, static_cast<double>(q.elements()), q.batch, any...);
    return q;
  }
  static constexpr cost cost_of(const auto& q) {
    return {(base::inputs + base::gradients) * q.elements(), q.batch, q.batch > 0 ? q.elements() / q.batch : 0,
            static_cast<double>(q.elements() * decltype(q.f)::operations)};
  }
};

}  // namespace declare

template <loss_kind K, loss_config Config, class T, class Op, class Policy>
struct operations<element_loss<K, Config, T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::element_loss_pass<K, Config, T>,
                                   declare::element_loss_gradient_pass<K, Config, T>> {
  /// The loss of every sample, and their reduction by `.reduce`.
  ///
  ///     k([state,] x, target, losses [, total] [, tern::accumulate])                     others
  ///     k([state,] mean, log_variance, target, losses [, total] [, tern::accumulate])    gaussian_nll
  ///     k([state,] mean, log_variance, losses [, total] [, tern::accumulate])            gaussian_kl
  ///
  /// \param x, mean, log_variance, target  (n, channels, spatial...), in any layout, of one shape
  /// \param losses  n elements: the loss of every sample, summed over its elements
  /// \param total   given exactly if `.reduce` is not none: one element. With tern::accumulate, where `.reduce` is sum,
  ///                the sum is added to the old value: batches cut at grains give the bits of the whole
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, a view is null, an output shares
  /// elements with another tensor, a mean has no terms, or tiles are too small. Cost: inputs are read once, in vectors
  /// if a sample is dense and channels last, else one by one.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::element_loss_pass<K, Config, T>>(args...);
  }

  /// The gradients of the reduced loss with respect to x, or to mean and log_variance.
  ///
  ///     k.backward_data([state,] x, target [, dlosses], dx [, tern::accumulate] [, tern::loss_scale{1}])
  ///     k.backward_data([state,] mean, log_variance, target [, dlosses], dmean, dlog_variance, ...)    gaussian_nll
  ///     k.backward_data([state,] mean, log_variance [, dlosses], dmean, dlog_variance, ...)            gaussian_kl
  ///
  /// \param dlosses  given exactly if `.reduce` is none: n elements, the gradients with respect to the losses
  /// \param dx, ...  shape of x; each may alias an input, also another one than its own
  /// Errors are those of the forward pass. Cost: inputs are read and gradients written once.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::element_loss_gradient_pass<K, Config, T>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
