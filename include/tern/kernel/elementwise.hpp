// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of elementwise ops: forward, and the gradient of x.
#pragma once

#include <tuple>
#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/tile/mapping.hpp"

namespace tern::inline TERN_ISA {

template <elementwise_config Config, class T, class Op, class Policy>
struct operations<elementwise<Config, T>, Op, Policy> {
  static_assert(
      requires { sizeof(mapping_kernel<Policy>); },
      "elementwise: there is no kernel under this policy here: include the header of its model, such as "
      "tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "elementwise: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;

  /// y = act(x scale + bias + residual).
  ///
  ///     k([state,] x [, scale] [, bias] [, residual], y)
  ///
  /// \param x            (n, channels, spatial...), in any layout
  /// \param scale, bias  given exactly where `.scale`, `.bias` are set: a number per channel (rank 1), or a tensor of
  ///                     x's rank whose extents are those of x or, except for that of channels, 1
  /// \param residual     shape of x, given exactly where `.residual` is set
  /// \param y            shape of x; may be x or residual itself, and shares no other element with an input
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, a view is null, y shares elements
  /// with an input, or tiles are too small. Cost: every element is read and written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == 2 + C.scale + C.bias + C.residual &&
                           impl::well_formed<Args...> && impl::option_count<Args...> == 0;
    static_assert(right,
                  "elementwise: the call takes (x, scale, bias, residual, y), of which scale, bias and residual are "
                  "given exactly where .scale, .bias and .residual are set");
    if constexpr (right)
      impl::with_state<mapping_kernel<Policy>>([&](auto&& state) { forward(state, args...); }, args...);
  }

  /// dx = dy act' scale: the gradient of the loss with respect to x.
  ///
  ///     k.backward_data([state,] dy [, saved] [, scale], dx [, tern::accumulate])
  ///
  /// \param dy     shape of x: the gradient with respect to y
  /// \param saved  given where there is an activation: y where tern::derivative_from_result(act), else what the
  ///               activation was applied to
  /// \param scale  given exactly where `.scale` is set, as in the forward pass
  /// \param dx     shape of x; may be dy itself
  /// Without `.scale` it is the gradient of bias, element by element, and of residual, too. Errors and cost are those
  /// of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == 2 + has_activation + C.scale && impl::well_formed<Args...>;
    static_assert(
        right,
        "elementwise: backward_data takes (dy, saved, scale, dx), of which saved is given exactly where there "
        "is an activation and scale where .scale is set");
    if constexpr (right)
      impl::with_state<mapping_kernel<Policy>>([&](auto&& state) { gradient(state, args...); }, args...);
  }

  /// How a call on a tensor of x's shape will run: the bytes it reads and writes, operations, and under mimd tiles,
  /// memory and cycles. Elements of x are not looked at; scale and bias are taken to be numbers per channel. `how` is
  /// what the model takes besides: the concurrency of the executor under simd, tiles under mimd.
  ///
  ///     std::cout << decltype(k)::plan(x);
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    impl::require_pass_of_elements(op, which);
    const auto v = as_view(x);
    impl::check_extents(op, "x", v);
    const auto describe = [&](const auto& call) {
      constexpr index_t operations = std::remove_cvref_t<decltype(call.f)>::operations;
      const index_t tensors =
          std::remove_cvref_t<decltype(call)>::inputs + 1 - C.scale - (which == tern::pass::forward ? C.bias : 0);
      tern::plan p =
          impl::plan_of_moves<mapping_kernel<Policy>, Policy, T>(op, which, tensors * call.elements(), call, how...);
      p.m = call.rows() * call.extent[2], p.n = call.channels, p.k = 1;
      p.flops = static_cast<double>(call.elements() * operations);
      return p;
    };
    return which == tern::pass::forward ? describe(planned<forward_map>(v)) : describe(planned<gradient_map<true>>(v));
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for both passes and scale and bias of every shape, which allocates; the default state
  /// under the other policies. Elements of x are not looked at. `how` is what the model's make_state takes besides: see
  /// docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using family = mapping_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "elementwise: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      const auto v = as_view(x);
      impl::check_extents(op, "x", v);
      return family::make_state(std::tuple{planned<forward_map>(v, true), planned<gradient_map<true>>(v, true)},
                                how...);
    }
  }

 private:
  static constexpr elementwise_config C = Config;
  static constexpr const char* op = Op::name;
  static constexpr bool has_activation = C.act != activation::none;
  using forward_map = epilogue_map<C.scale, C.bias, C.residual, C.act>;
  template <bool Add>
  using gradient_map = epilogue_gradient_map<C.scale, C.act, Add>;

  /// The call on a tensor of v's shape, which is only planned.
  /// \param full  whether scale and bias have all elements of x
  template <class F, class View>
  static mapping<T, F> planned(const View& v, bool full = false) {
    mapping<T, F> q;
    set_shape(q, v);
    const scattered_image<const T> all = impl::planned_image<T>(q),
                                   per_channel = image_of_channels(operand<const T>{nullptr, 1, 0, 0}, q.channels);
    constexpr bool forward = std::is_same_v<F, forward_map>;
    constexpr int first = forward ? 1 : 1 + has_activation, behind = first + C.scale + (forward ? C.bias : 0);
    for (int i = 0; i < F::inputs; ++i) q.in[i] = i >= first && i < behind && !full ? per_channel : all;
    return q;
  }
  template <class F, class View>
  static void set_shape(mapping<T, F>& q, const View& v) {
    static_assert(View::rank >= 2 && View::rank <= 5,
                  "elementwise: x must have the rank (sample, channel, spatial...), with up to three axes");
    impl::set_sizes(q, v);
  }

  template <class State, class... Args>
  static void forward(State& state, Args&... args) {
    const auto x = as_view(impl::nth_tensor<0>(args...));
    const auto y = as_view(impl::nth_tensor<forward_map::inputs>(args...));
    mapping<T, forward_map> q;
    set_shape(q, x);
    q.in[0] = impl::scattered_operand<const T, false>(op, "x", x);
    if constexpr (C.scale) q.in[1] = broadcast("scale", as_view(impl::nth_tensor<1>(args...)), x);
    if constexpr (C.bias) q.in[1 + C.scale] = broadcast("bias", as_view(impl::nth_tensor<1 + C.scale>(args...)), x);
    if constexpr (C.residual)
      q.in[1 + C.scale + C.bias] = whole("residual", as_view(impl::nth_tensor<1 + C.scale + C.bias>(args...)), "x", x);
    run(state, q, "y", y, "x", x);
  }

  template <class State, class... Args>
  static void gradient(State& state, Args&... args) {
    using map = gradient_map<impl::has_option<accumulate_t, Args...>>;
    const auto dy = as_view(impl::nth_tensor<0>(args...));
    const auto dx = as_view(impl::nth_tensor<map::inputs>(args...));
    mapping<T, map> q;
    set_shape(q, dy);
    q.in[0] = impl::scattered_operand<const T, false>(op, "dy", dy);
    if constexpr (has_activation) q.in[1] = whole("saved", as_view(impl::nth_tensor<1>(args...)), "dy", dy);
    if constexpr (C.scale)
      q.in[1 + has_activation] = broadcast("scale", as_view(impl::nth_tensor<1 + has_activation>(args...)), dy);
    run(state, q, "dx", dx, "dy", dy);
  }

  /// A tensor of x's shape.
  template <class View, class X>
  static scattered_image<const T> whole(const char* name, const View& v, const char* x_name, const X& x) {
    static_assert(View::rank == X::rank, "elementwise: tensors of x's shape must have its rank");
    impl::check_equal_shapes(op, name, v, x_name, x);
    return impl::scattered_operand<const T, false>(op, name, v);
  }
  /// A number per channel, or a tensor that is repeated where its extents are 1.
  template <class View, class X>
  static scattered_image<const T> broadcast(const char* name, const View& v, const X& x) {
    static_assert(View::rank == 1 || View::rank == X::rank,
                  "elementwise: scale and bias must have one element per channel, or the rank of x");
    if constexpr (View::rank == 1) {
      static_assert(std::is_same_v<typename View::value_type, T>,
                    "images: every tensor must have the element type of the op");
      if (v.extent(0) != x.extent(1))
        violation("%s: %s has %td elements and x is %s: one per channel is needed", op, name, v.extent(0),
                  impl::text_of(x).text);
      if (v.data() == nullptr && v.size() > 0) impl::null_violation(op, name, v);
      return image_of_channels(operand<const T>{v.data(), v.stride(0), 0, 0}, v.extent(0));
    } else {
      bool right = v.extent(1) == x.extent(1);
      for (int r = 0; r < X::rank; ++r) right = right && (v.extent(r) == x.extent(r) || (r != 1 && v.extent(r) == 1));
      if (!right)
        violation("%s: %s is %s and x is %s: the extents of %s must be those of x or, except for channels, 1", op, name,
                  impl::text_of(v).text, impl::text_of(x).text, name);
      scattered_image<const T> i = impl::scattered_operand<const T, false>(op, name, v);
      if (v.extent(0) == 1) i.sample = 0;
      for (int r = 2; r < X::rank; ++r)
        if (v.extent(r) == 1) i.axis[5 - X::rank + r - 2] = 0;
      return i;
    }
  }
  template <class State, class F, class Y, class X>
  static void run(State& state, mapping<T, F>& q, const char* y_name, const Y& y, const char* x_name, const X& x) {
    static_assert(Y::rank == X::rank, "elementwise: tensors of x's shape must have its rank");
    impl::check_equal_shapes(op, y_name, y, x_name, x);
    q.out[0] = impl::scattered_operand<T, false>(op, y_name, y);
    const impl::image_shape s = impl::shape_of(y);
    const impl::interval_set to = impl::intervals_of(q.out[0], s);
    for (const scattered_image<const T>& from : q.in) {
      if (!impl::same_place(from, q.out[0]) &&
          impl::share_intervals(impl::intervals_of(from, impl::distinct_elements(from, s)), to))
        violation("%s: %s shares elements with an input, and is not that input itself", op, y_name);
    }
    if (!to.nested) violation("%s: the strides of %s give two results one element", op, y_name);
    mapping_kernel<Policy>::run(state, q);
  }
};

}  // namespace tern::inline TERN_ISA
