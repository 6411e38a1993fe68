// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of dropout and stochastic depth: forward, and the gradient.
#pragma once

#include <cmath>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/family/map/drawing.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/draws.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/dropout.hpp"

namespace tern::inline TERN_ISA {

template <dropout_config Config, class T, class Op, class Policy>
struct operations<dropout<Config, T>, Op, Policy> {
  static_assert(
      requires { sizeof(drawing_kernel<Policy>); },
      "dropout: there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "dropout: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;

  /// y = x / (1 - rate), or 0 where an element, or with `.whole_samples` all of a sample, is dropped.
  ///
  ///     k([state,] x, y, tern::drop_rate{0.5}, tern::random_site{.seed = 1, .step = 7, .site = 3})
  ///
  /// \param x  (n, channels, spatial...), in any layout, with at most 2^34 elements of a sample
  /// \param y  shape of x; may be x itself, and shares no other element with it
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, a view is null, y shares elements
  /// with x, the rate is not in [0, 1), or tiles are too small. Cost: ten rounds of two multiplications for four
  /// elements, which lie in vectors where rows of channels are dense; x is read and y written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool right = well_formed<Args...> && impl::option_count<Args...> == 0;
    static_assert(right, "dropout: the call takes (x, y), a tern::drop_rate and a tern::random_site");
    if constexpr (right) {
      run<false>(impl::state_of<drawing_kernel<Policy>>(args...), "x", "y", args...);
    }
  }

  /// dx = the gradient of the loss with respect to x: what the forward pass makes of dy with the same options.
  ///
  ///     k.backward_data([state,] dy, dx, tern::drop_rate{0.5}, tern::random_site{...} [, tern::accumulate])
  ///
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = well_formed<Args...>;
    static_assert(right, "dropout: backward_data takes (dy, dx), a tern::drop_rate and a tern::random_site");
    if constexpr (right)
      run<impl::has_option<accumulate_t, Args...>>(impl::state_of<drawing_kernel<Policy>>(args...), "dy", "dx",
                                                   args...);
  }

  /// How a call on a tensor of x's shape will run: the bytes it reads and writes, and under mimd tiles, memory and
  /// cycles. Elements of x are not looked at. `how` is what the model takes besides: the concurrency of the executor
  /// under simd, tiles under mimd.
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    impl::require_pass_of_elements(op, which);
    const auto q = planned(as_view(x));
    tern::plan p = impl::plan_of_moves<drawing_kernel<Policy>, Policy, T>(op, which, 2 * q.elements(), q, how...);
    p.m = q.rows() * q.extent[2], p.n = q.channels, p.k = 1;
    return p;
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for both passes, which allocates; the default state under the other policies.
  /// Elements of x are not looked at. `how` is what the model's make_state takes besides: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using family = drawing_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "dropout: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      return family::make_state(std::tuple{planned(as_view(x))}, how...);
    }
  }

 private:
  static constexpr dropout_config C = Config;
  static constexpr const char* op = Op::name;

  template <bool Add>
  using function = tile::dropping<T, C.whole_samples, Add>;

  template <class... Args>
  static constexpr bool well_formed =
      impl::tensor_count<Args...> == 2 && impl::with_options<drop_rate, random_site>::template well_formed<Args...> &&
      impl::count_of<drop_rate, Args...> == 1 && impl::count_of<random_site, Args...> == 1;

  template <class View>
  static drawing<T, function<true>> planned(const View& v) {
    impl::check_extents(op, "x", v);
    drawing<T, function<true>> q;
    impl::set_drawn_shape(op, q, v);
    return q;
  }
  template <bool Add, class State, class... Args>
  static void run(State&& state, const char* x_name, const char* y_name, Args&... args) {
    const auto x = as_view(impl::nth_tensor<0>(args...));
    const auto y = as_view(impl::nth_tensor<1>(args...));
    static_assert(decltype(x)::rank == decltype(y)::rank, "dropout: y must have the rank of x");
    impl::check_extents(op, x_name, x);
    impl::check_equal_shapes(op, y_name, y, x_name, x);
    drawing<T, function<Add>> q;
    impl::set_drawn_shape(op, q, x);
    q.in[0] = impl::scattered_operand<const T, false>(op, x_name, x);
    q.out[0] = impl::scattered_operand<T, false>(op, y_name, y);
    const double rate = impl::find_argument<drop_rate>(args...).value;
    if (!(rate >= 0 && rate < 1)) violation("%s: drop_rate is %g: it must be in [0, 1)", op, rate);
    const double threshold = std::floor(rate * 0x1p32 + 0.5);
    q.f.threshold = threshold < 0x1p32 ? static_cast<std::uint32_t>(threshold) : ~std::uint32_t{0};
    q.f.scale = static_cast<T>(1 / (1 - rate));
    q.key = impl::key_of(impl::find_argument<random_site>(args...));
    impl::check_drawn(op, q);
    drawing_kernel<Policy>::run(state, q);
  }
};

}  // namespace tern::inline TERN_ISA
