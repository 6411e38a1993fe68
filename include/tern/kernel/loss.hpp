// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of losses that are sums over elements: forward, and the gradients of their inputs.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/loss_results.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/loss.hpp"

namespace tern::inline TERN_ISA {

template <loss_kind K, loss_config Config, class T, class Op, class Policy>
struct operations<element_loss<K, Config, T>, Op, Policy> {
  static_assert(
      requires { sizeof(loss_kernel<Policy>); },
      "losses: there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "losses: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;

  /// The loss of every sample, and what `.reduce` makes of them.
  ///
  ///     k([state,] x, target, losses [, total] [, tern::accumulate])                     others
  ///     k([state,] mean, log_variance, target, losses [, total] [, tern::accumulate])    gaussian_nll
  ///     k([state,] mean, log_variance, losses [, total] [, tern::accumulate])            gaussian_kl
  ///
  /// \param x, mean, log_variance, target  (n, channels, spatial...), in any layout, of one shape
  /// \param losses  n elements: the loss of every sample, summed over its elements
  /// \param total   given exactly where `.reduce` is not none: one element; with tern::accumulate, where `.reduce` is
  ///                sum, the sum is added to what it holds: batches that are cut at grains give the bits of the whole
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, a view is null, an output shares
  /// elements with another tensor, there is nothing to average, or tiles are too small. Cost: inputs are read once, as
  /// vectors where a sample lies channels last and dense, else one by one.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool adds = impl::has_option<accumulate_t, Args...>;
    constexpr bool right = impl::tensor_count<Args...> == inputs + 1 + results::reduced &&
                           results::template well_formed<Args...> && impl::count_of<loss_scale, Args...> == 0 &&
                           impl::count_of<label_smoothing, Args...> == 0;
    static_assert(right,
                  "losses: the call takes (x, target, losses, total), of gaussian_nll (mean, log_variance, target, "
                  "losses, total), of gaussian_kl (mean, log_variance, losses, total); total exactly where .reduce is "
                  "not none");
    static_assert(!adds || C.reduce == reduction::sum, "losses: tern::accumulate adds to a total whose .reduce is sum");
    if constexpr (right && (!adds || C.reduce == reduction::sum))
      forward<adds>(impl::state_of<loss_kernel<Policy>>(args...), args...);
  }

  /// The gradients of the reduced loss with respect to x, or to mean and log_variance.
  ///
  ///     k.backward_data([state,] x, target [, dlosses], dx [, tern::accumulate] [, tern::loss_scale{1}])
  ///     k.backward_data([state,] mean, log_variance, target [, dlosses], dmean, dlog_variance, ...)    gaussian_nll
  ///     k.backward_data([state,] mean, log_variance [, dlosses], dmean, dlog_variance, ...)            gaussian_kl
  ///
  /// \param dlosses  given exactly where `.reduce` is none: n elements, the gradients with respect to the losses
  /// \param dx, ...  shape of x; may be the input of which they are the gradient, or another one
  /// Errors are those of the forward pass. Cost: inputs are read and gradients written once.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == inputs + !results::reduced + gradients &&
                           results::template well_formed<Args...> && impl::count_of<label_smoothing, Args...> == 0 &&
                           (results::reduced || impl::count_of<loss_scale, Args...> == 0);
    static_assert(right,
                  "losses: backward_data takes (x, target, dlosses, dx), of gaussian_nll (mean, log_variance, target, "
                  "dlosses, dmean, dlog_variance), of gaussian_kl the same without target; dlosses exactly where "
                  ".reduce is none, a tern::loss_scale only where it is not");
    if constexpr (right) gradient(impl::state_of<mapping_kernel<Policy>>(args...), args...);
  }

  /// How a call on tensors of x's shape will run: the bytes it reads and writes, operations, and under mimd tiles,
  /// memory and cycles, those of a total aside. Elements of x are not looked at. `how` is what the model takes besides:
  /// the concurrency of the executor under simd, tiles under mimd.
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    impl::require_pass_of_elements(op, which);
    const auto v = as_view(x);
    impl::check_extents(op, "x", v);
    const auto finish = [&](tern::plan p, index_t elements, index_t operations) {
      p.m = v.extent(0), p.n = elements, p.k = 1;
      p.flops = static_cast<double>(p.m * elements * operations);
      return p;
    };
    if (which == tern::pass::forward) {
      const auto call = planned_sums(v);
      return finish(impl::plan_of_moves<loss_kernel<Policy>, Policy, T>(
                        op, which, inputs * call.batch * call.of_sample(), call, how...),
                    call.of_sample(), sum::operations);
    }
    const auto call = planned_gradient(v);
    return finish(impl::plan_of_moves<mapping_kernel<Policy>, Policy, T>(
                      op, which, (inputs + gradients) * call.elements(), call, how...),
                  planned_sums(v).of_sample(), gradient_map<true>::operations);
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for both passes and the total, which allocates; the default state under the other
  /// policies. Elements of x are not looked at. `how` is what the model's make_state takes besides: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using family = loss_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "losses: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      const auto v = as_view(x);
      impl::check_extents(op, "x", v);
      const auto total = results::planned_sum(v.extent(0), {1, 1, 1});
      return family::make_state(std::tuple{planned_sums(v), planned_gradient(v), total}, how...);
    }
  }

 private:
  static constexpr loss_config C = Config;
  static constexpr const char* op = Op::name;
  using results = impl::loss_results<C, T, Op, Policy>;
  using sum = tile::loss_sum<K>;
  static constexpr int inputs = tile::loss_term<K>::inputs, gradients = tile::loss_term<K>::gradients;
  template <bool Add>
  using gradient_map = tile::loss_gradient<K, T, !results::reduced, Add>;

  static constexpr const char* input_names[3] = {
      K == loss_kind::gaussian_nll || K == loss_kind::gaussian_kl ? "mean" : "x",
      K == loss_kind::gaussian_nll || K == loss_kind::gaussian_kl ? "log_variance" : "target", "target"};
  static constexpr const char* gradient_names[2] = {gradients == 2 ? "dmean" : "dx", "dlog_variance"};

  template <class Call, class View>
  static void set_shape(Call& q, const View& v) {
    static_assert(View::rank >= 2 && View::rank <= 5,
                  "losses: x must have the rank (sample, channel, spatial...), with up to three axes");
    impl::set_sizes(q, v);
  }
  /// Of calls that are only planned.
  template <class View>
  static element_sums<T, sum> planned_sums(const View& v) {
    element_sums<T, sum> q;
    set_shape(q, v);
    return q;
  }
  template <class View>
  static mapping<T, gradient_map<true>> planned_gradient(const View& v) {
    mapping<T, gradient_map<true>> q;
    set_shape(q, v);
    for (auto& i : q.in) i = impl::planned_image<T>(q);
    return q;
  }

  /// The i-th tensor of x's shape; x itself is the first one.
  template <int I, class U, class X, class... Args>
  static scattered_image<U> tensor(const char* name, const X& x, Args&... args) {
    const auto v = as_view(impl::nth_tensor<I>(args...));
    static_assert(decltype(v)::rank == X::rank, "losses: tensors of x's shape must have its rank");
    if constexpr (I > 0) impl::check_equal_shapes(op, name, v, input_names[0], x);
    return impl::scattered_operand<U, false>(op, name, v);
  }

  template <bool Add, class State, class... Args>
  static void forward(State&& state, Args&... args) {
    const auto x = as_view(impl::nth_tensor<0>(args...));
    impl::check_extents(op, input_names[0], x);
    element_sums<T, sum> q;
    set_shape(q, x);
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((q.in[I] = tensor<I, const T>(input_names[I], x, args...)), ...);
    }(std::make_integer_sequence<int, inputs>());
    q.y = results::template per_sample<T>("losses", as_view(impl::nth_tensor<inputs>(args...)), input_names[0], x);
    const impl::interval_set to = impl::intervals_of(q.y, q.batch);
    T* total = nullptr;
    double divisor = 1;
    if constexpr (results::reduced) {
      total = results::total_operand(as_view(impl::nth_tensor<inputs + 1>(args...)));
      divisor = results::divisor(input_names[0], x, q.batch * q.of_sample(), q.batch);
      impl::check_output(op, results::interval_of(total), to);
    }
    const impl::image_shape s = impl::shape_of(x);
    for (const auto& i : q.in) {
      impl::check_output(op, to, impl::intervals_of(i, s));
      if constexpr (results::reduced) impl::check_output(op, results::interval_of(total), impl::intervals_of(i, s));
    }
    results::template run<Add>(state, q, scattered_image<T>{.p = q.y.p, .sample = q.y.row}, q.batch, {1, 1, 1}, total,
                               divisor);
  }

  template <class State, class... Args>
  static void gradient(State&& state, Args&... args) {
    using map = gradient_map<impl::has_option<accumulate_t, Args...>>;
    const auto x = as_view(impl::nth_tensor<0>(args...));
    impl::check_extents(op, input_names[0], x);
    mapping<T, map> q;
    set_shape(q, x);
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((q.in[I] = tensor<I, const T>(input_names[I], x, args...)), ...);
    }(std::make_integer_sequence<int, inputs>());
    const impl::image_shape s = impl::shape_of(x);
    impl::interval_set of_losses{};
    if constexpr (!results::reduced) {
      const auto dy = results::template per_sample<const T>("dlosses", as_view(impl::nth_tensor<inputs>(args...)),
                                                            input_names[0], x);
      q.in[inputs] = {.p = dy.p, .sample = dy.row, .channel = 0, .block = q.channels > 0 ? q.channels : 1};
      of_losses = impl::intervals_of(dy, q.batch);
    } else {
      index_t of_sample = q.channels;
      for (const index_t e : q.extent) of_sample *= e;
      q.f.weight = results::weight(results::divisor(input_names[0], x, q.batch * of_sample, q.batch), args...);
    }
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((q.out[I] = tensor<inputs + !results::reduced + I, T>(gradient_names[I], x, args...)), ...);
    }(std::make_integer_sequence<int, gradients>());
    for (const auto& o : q.out) {
      const impl::interval_set to = impl::intervals_of(o, s);
      impl::check_output(op, to);
      if constexpr (!results::reduced) impl::check_output(op, to, of_losses);
      for (int i = 0; i < inputs; ++i)
        if (!impl::same_place(q.in[i], o)) impl::check_output(op, to, impl::intervals_of(q.in[i], s));
    }
    if constexpr (gradients == 2)
      impl::check_output(op, impl::intervals_of(q.out[0], s), impl::intervals_of(q.out[1], s));
    mapping_kernel<Policy>::run(state, q);
  }
};

}  // namespace tern::inline TERN_ISA
