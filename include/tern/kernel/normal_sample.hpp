// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that sample normal distributions: forward, and the gradients of their parameters.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/family/map/drawing.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/draws.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/normal_sample.hpp"

namespace tern::inline TERN_ISA {

template <class T, class Op, class Policy>
struct operations<normal_sample<T>, Op, Policy> {
  static_assert(
      requires { sizeof(drawing_kernel<Policy>); },
      "normal_sample: there is no kernel under this policy here: include the header of its model, such as "
      "tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "normal_sample: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;

  /// y = mean + exp(log_variance / 2) z.
  ///
  ///     k([state,] mean, log_variance, y, tern::random_site{.seed = 1, .step = 7, .site = 3})
  ///
  /// \param mean, log_variance, y  (n, channels, spatial...), in any layout, of one shape, with at most 2^34 elements
  ///                               of a sample; y may be an input itself, and shares no other element with them
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, a view is null, y shares elements
  /// with an input, or tiles are too small. Cost: some 100 operations for an element, in vectors where rows of channels
  /// are dense; inputs are read and y is written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool right = well_formed<3, Args...> && impl::option_count<Args...> == 0;
    static_assert(right, "normal_sample: the call takes (mean, log_variance, y) and a tern::random_site");
    if constexpr (right)
      run<tile::normal_sampling<T>>(impl::state_of<drawing_kernel<Policy>>(args...), {"mean", "log_variance", "y"},
                                    args...);
  }

  /// The gradients of the loss with respect to mean, which is dy, and log_variance, with the numbers of the forward
  /// pass.
  ///
  ///     k.backward_data([state,] dy, log_variance, dmean, dlog_variance, tern::random_site{...}
  ///                     [, tern::accumulate])
  ///
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = well_formed<4, Args...>;
    static_assert(
        right, "normal_sample: backward_data takes (dy, log_variance, dmean, dlog_variance) and a tern::random_site");
    if constexpr (right)
      run<tile::normal_sampling_gradient<T, impl::has_option<accumulate_t, Args...>>>(
          impl::state_of<drawing_kernel<Policy>>(args...), {"dy", "log_variance", "dmean", "dlog_variance"}, args...);
  }

  /// How a call on tensors of x's shape will run: the bytes it reads and writes, and under mimd tiles, memory and
  /// cycles. Elements of x are not looked at. `how` is what the model takes besides: the concurrency of the executor
  /// under simd, tiles under mimd.
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    impl::require_pass_of_elements(op, which);
    const auto describe = [&](const auto& q, index_t tensors) {
      tern::plan p =
          impl::plan_of_moves<drawing_kernel<Policy>, Policy, T>(op, which, tensors * q.elements(), q, how...);
      p.m = q.rows() * q.extent[2], p.n = q.channels, p.k = 1;
      return p;
    };
    return which == tern::pass::forward ? describe(planned<tile::normal_sampling<T>>(as_view(x)), 3)
                                        : describe(planned<tile::normal_sampling_gradient<T, true>>(as_view(x)), 4);
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for both passes, which allocates; the default state under the other policies.
  /// Elements of x are not looked at. `how` is what the model's make_state takes besides: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using family = drawing_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "normal_sample: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      return family::make_state(std::tuple{planned<tile::normal_sampling<T>>(as_view(x)),
                                           planned<tile::normal_sampling_gradient<T, true>>(as_view(x))},
                                how...);
    }
  }

 private:
  static constexpr const char* op = Op::name;

  template <int Tensors, class... Args>
  static constexpr bool well_formed =
      impl::tensor_count<Args...> == Tensors && impl::with_options<random_site>::template well_formed<Args...> &&
      impl::count_of<random_site, Args...> == 1;

  template <class F, class View>
  static drawing<T, F> planned(const View& v) {
    impl::check_extents(op, "x", v);
    drawing<T, F> q;
    impl::set_drawn_shape(op, q, v);
    return q;
  }

  template <class F, class State, class... Args>
  static void run(State&& state, const char* const (&names)[F::inputs + F::outputs], Args&... args) {
    const auto first = as_view(impl::nth_tensor<0>(args...));
    impl::check_extents(op, names[0], first);
    drawing<T, F> q;
    impl::set_drawn_shape(op, q, first);
    const auto tensor = [&]<class U>(std::type_identity<U>, const char* name, const auto& v) {
      static_assert(std::remove_cvref_t<decltype(v)>::rank == decltype(first)::rank,
                    "normal_sample: all tensors must have one rank");
      impl::check_equal_shapes(op, name, v, names[0], first);
      return impl::scattered_operand<U, false>(op, name, v);
    };
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((q.in[I] = tensor(std::type_identity<const T>(), names[I], as_view(impl::nth_tensor<I>(args...)))), ...);
    }(std::make_integer_sequence<int, F::inputs>());
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((q.out[I] =
            tensor(std::type_identity<T>(), names[F::inputs + I], as_view(impl::nth_tensor<F::inputs + I>(args...)))),
       ...);
    }(std::make_integer_sequence<int, F::outputs>());
    q.key = impl::key_of(impl::find_argument<random_site>(args...));
    impl::check_drawn(op, q);
    drawing_kernel<Policy>::run(state, q);
  }
};

}  // namespace tern::inline TERN_ISA
