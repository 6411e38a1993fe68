// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of convolutions and transposed ones: forward, data gradient, weight and bias gradient, each callable alone.
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/packed.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/tile/convolution.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// What convolutions and transposed ones share. Their windows slide over the wide tensor, and have a position for every
/// element of the narrow one: x and y of a convolution, y and x of a transposed one.
template <class OpType, class Op, class Policy, bool Transposed>
struct conv_operations {
  using T = typename OpType::value_type;
  static constexpr auto C = OpType::config;
  static constexpr int Rank = OpType::rank;

  static_assert(
      requires { sizeof(convolution_kernel<Policy>); },
      "convolution: there is no kernel under this policy here: include tern/reference.hpp or tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "convolution: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;
  using packed_type = packed<Op, Policy>;

  /// y = act(sum scale + bias + residual), the sum being the convolution of x and w, or the transposed one.
  ///
  ///     k([state,] x, w, [scale,] [bias,] [residual,] y [, tern::accumulate])
  ///
  /// \param x         (n, in, spatial...)
  /// \param w         (kernel..., in / groups, out), or what `pack` returned; of a transposed convolution
  ///                  (kernel..., out / groups, in)
  /// \param scale     out elements; given exactly where `.scale` is set
  /// \param bias      out elements; given exactly where `.bias` is set
  /// \param residual  shape of y; given exactly where `.residual` is set
  /// \param y         (n, out, spatial...); may share no element with an input
  /// With tern::accumulate the sum starts from what y holds. Throws std::invalid_argument where shapes disagree, before
  /// anything is written. Canonical order: docs/numerics.md.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr int wanted = 3 + (C.scale ? 1 : 0) + (C.bias ? 1 : 0) + (C.residual ? 1 : 0);
    constexpr bool right = impl::tensor_count<Args...> == wanted && well_formed<Args...>;
    static_assert(right,
                  "convolution: the call takes (x, w, y), with scale, bias and residual in this order before y where "
                  ".scale, .bias and .residual are set");
    if constexpr (right)
      with_state<convolution_kernel<Policy>>([&](auto&& state) { forward(state, args...); }, args...);
  }

  /// dx = the gradient of the loss with respect to x.
  ///
  ///     k.backward_data([state,] dy, w, dx [, tern::accumulate])
  ///
  /// \param dy  shape of y: the gradient with respect to the sums, that is, after activation and scale have been undone
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == 3 && well_formed<Args...>;
    static_assert(right, "convolution: backward_data takes (dy, w, dx)");
    if constexpr (right)
      with_state<convolution_kernel<Policy>>([&](auto&& state) { gradient_of_x(state, args...); }, args...);
  }

  /// dw = the gradient of the loss with respect to w and, where it is asked for, dbias = the sum of dy.
  ///
  ///     k.backward_weights([state,] x, dy, dw [, dbias] [, tern::accumulate])
  ///
  /// Sums run over samples and positions in grains of samples (docs/numerics.md, rule 2): a batch cut between grains
  /// and accumulated gives the bits of the whole.
  template <class... Args>
  void backward_weights(Args&&... args) const {
    constexpr int given = impl::tensor_count<Args...>;
    constexpr bool right = (given == 3 || given == 4) && well_formed<Args...>;
    static_assert(right, "convolution: backward_weights takes (x, dy, dw) or (x, dy, dw, dbias)");
    static_assert(given != 4 || !C.scale, "convolution: there is no bias gradient where .scale is set");
    if constexpr (right)
      with_state<convolution_kernel<Policy>>([&](auto&& state) { gradient_of_w(state, args...); }, args...);
  }

  /// Elements that packed weights take.
  static index_t packed_size() { return convolution_kernel<Policy>::template packed_size<T>(weights_shape()); }

  /// Arranges w for the calls of this kernel, once. Allocates packed_size() elements.
  template <class W>
  packed_type pack(const W& w) const {
    const filters<const T> f = weights_to_pack(w);
    packed_type result(rows_of_weights, narrow_channels, packed_size());
    convolution_kernel<Policy>::pack(weights_shape(), f, result.owned_);
    return result;
  }

  /// The same into memory of the caller: at least packed_size() elements, alive as long as the result.
  template <class W, class Memory>
  packed_type pack(const W& w, Memory&& memory) const {
    const filters<const T> f = weights_to_pack(w);
    const auto to = as_view(memory);
    const index_t size = packed_size();
    if (to.size() < size)
      violation("%s: packed weights take %td elements, the memory given has %td", op, size, to.size());
    if (to.data() == nullptr)
      violation("%s: the memory to pack into is at a null pointer, %td elements are needed", op, size);
    impl::interval_builder into;
    into.add(1, size);
    if (impl::share_intervals(impl::intervals_of(f, weights_shape()), into.of(to.data())))
      violation("%s: the memory to pack into shares elements with w", op);
    convolution_kernel<Policy>::pack(weights_shape(), f, to.data());
    return packed_type(rows_of_weights, narrow_channels, to.data());
  }

 private:
  static constexpr const char* op = Op::name;
  static constexpr conv_pass forward_pass = Transposed ? conv_pass::data : conv_pass::forward,
                             backward_pass = Transposed ? conv_pass::forward : conv_pass::data;
  static constexpr index_t wide_channels = Transposed ? C.out : C.in, narrow_channels = Transposed ? C.in : C.out;

  /// What of a call's sizes concerns weights.
  static conv_shape weights_shape() {
    conv_shape s;
    s.groups = C.groups, s.in = wide_channels / C.groups, s.out = narrow_channels / C.groups;
    for (int r = 0; r < Rank; ++r) s.axis[3 - Rank + r].kernel = C.kernel[r];
    return s;
  }
  static constexpr index_t rows_of_weights = [] {
    index_t rows = wide_channels / C.groups;
    for (int r = 0; r < Rank; ++r) rows *= C.kernel[r];
    return rows;
  }();

  template <class W>
  static constexpr bool is_own_packed = std::is_same_v<std::remove_cvref_t<W>, packed_type>;
  /// Weights as a view, packed ones for their shape only.
  template <class W>
  static auto weights_view(const W& w) {
    static_assert(is_own_packed<W> || !is_packed<W>, "convolution: these weights were packed for another op or policy");
    if constexpr (is_own_packed<W>) {
      return weights_view_shape();
    } else if constexpr (is_packed<W>) {
      return view<const T, dims<Rank + 2>>();
    } else {
      return as_view(w);
    }
  }
  template <class W, class View>
  static filters<const T> weights(const W& w, const View& v, const conv_shape& s) {
    if constexpr (is_own_packed<W>)
      return convolution_kernel<Policy>::packed(w.data(), s);
    else
      return impl::filter_operand<const T, Rank>(op, "w", v, C.groups);
  }
  template <class W>
  static filters<const T> weights_to_pack(const W& w) {
    static_assert(!is_packed<W>, "convolution: pack takes weights that are not packed yet");
    if constexpr (is_packed<W>) {
      return {};
    } else {
      const auto v = as_view(w);
      const filters<const T> f = impl::filter_operand<const T, Rank>(op, "w", v, C.groups);
      const auto wanted = weights_view_shape();
      bool right = true;
      for (int r = 0; r < Rank + 2; ++r) right = right && v.extent(r) == wanted.extent(r);
      if (!right) violation("%s: w is %s: it must be %s", op, impl::text_of(v).text, impl::text_of(wanted).text);
      return f;
    }
  }
  static auto weights_view_shape() {
    return [&]<std::size_t... R>(std::index_sequence<R...>) {
      return view<const T, dims<Rank + 2>>(
          nullptr, dims<Rank + 2>(C.kernel[static_cast<int>(R)]..., wide_channels / C.groups, narrow_channels));
    }(std::make_index_sequence<Rank>{});
  }

  /// The sizes of a call, from the three tensors that every pass has; their shapes agree with each other and the
  /// config.
  template <class X, class W, class Y>
  static conv_shape check(const char* x_name, const X& x, const char* w_name, const W& w, const char* y_name,
                          const Y& y) {
    conv_shape s{
        .batch = x.extent(0), .groups = C.groups, .in = wide_channels / C.groups, .out = narrow_channels / C.groups};
    bool right = x.extent(1) == C.in && y.extent(1) == C.out && y.extent(0) == s.batch &&
                 (C.batch == dynamic || C.batch == s.batch) && w.extent(Rank) == s.in &&
                 w.extent(Rank + 1) == narrow_channels;
    impl::shape_text wanted_y{}, wanted_w{};
    append(wanted_y, s.batch), append(wanted_y, C.out);
    for (int r = 0; r < Rank; ++r) {
      window_axis& a = s.axis[3 - Rank + r];
      const index_t size = x.extent(2 + r);
      a = C.axis(r, size);
      const index_t result = Transposed ? a.in : a.out;
      if (size > 0 && result < 1) no_result(x_name, x, a, r);
      right = right && (C.extent[r] == dynamic || C.extent[r] == size) && w.extent(r) == a.kernel &&
              y.extent(2 + r) == result;
      append(wanted_y, result), append(wanted_w, a.kernel);
    }
    append(wanted_w, s.in), append(wanted_w, narrow_channels);
    if (!right)
      violation("%s: %s is %s, %s is %s and %s is %s: with .in=%td, %s must be %s and %s %s", op, x_name,
                impl::text_of(x).text, w_name, impl::text_of(w).text, y_name, impl::text_of(y).text, C.in, y_name,
                wanted_y.text, w_name, wanted_w.text);
    return s;
  }
  template <class X>
  TERN_COLD static void no_result(const char* name, const X& x, const window_axis& a, int axis) {
    if constexpr (Transposed)
      violation("%s: %s is %s: on axis %d the crops leave nothing of its result", op, name, impl::text_of(x).text,
                axis);
    else
      violation("%s: %s is %s: on axis %d the window reaches over %td elements, more than there are with padding", op,
                name, impl::text_of(x).text, axis, a.reach());
  }

  template <class State, class... Args>
  static void forward(State&& state, Args&... args) {
    constexpr int scale_at = 2, bias_at = scale_at + (C.scale ? 1 : 0), residual_at = bias_at + (C.bias ? 1 : 0),
                  y_at = residual_at + (C.residual ? 1 : 0);
    const auto x = as_view(impl::nth_tensor<0>(args...));
    decltype(auto) w_arg = impl::nth_tensor<1>(args...);
    const auto w = weights_view(w_arg);
    const auto y = as_view(impl::nth_tensor<y_at>(args...));
    constexpr epilogue after{.accumulate = impl::has_option<accumulate_t, Args...>,
                             .bias = C.bias,
                             .residual = C.residual,
                             .act = C.act,
                             .scale = C.scale};
    conv_sums<T, forward_pass, after> q;
    q.shape = check("x", x, "w", w, "y", y);
    q.from = impl::image_operand<const T, Rank>(op, "x", x);
    q.w = weights(w_arg, w, q.shape);
    q.to = impl::image_operand<T, Rank>(op, "y", y);
    if constexpr (C.scale) q.scale = per_channel<const T>("scale", as_view(impl::nth_tensor<scale_at>(args...)));
    if constexpr (C.bias) q.bias = per_channel<const T>("bias", as_view(impl::nth_tensor<bias_at>(args...)));
    if constexpr (C.residual) {
      const auto r = as_view(impl::nth_tensor<residual_at>(args...));
      q.residual = impl::image_operand<const T, Rank>(op, "residual", r);
      for (int i = 0; i < Rank + 2; ++i)
        if (r.extent(i) != y.extent(i))
          violation("%s: residual is %s and y is %s: their shapes must be equal", op, impl::text_of(r).text,
                    impl::text_of(y).text);
    }
    check_output(q);
    convolution_kernel<Policy>::run(state, q);
  }

  template <class State, class... Args>
  static void gradient_of_x(State&& state, Args&... args) {
    const auto dy = as_view(impl::nth_tensor<0>(args...));
    decltype(auto) w_arg = impl::nth_tensor<1>(args...);
    const auto w = weights_view(w_arg);
    const auto dx = as_view(impl::nth_tensor<2>(args...));
    conv_sums<T, backward_pass, epilogue{impl::has_option<accumulate_t, Args...>}> q;
    q.shape = check("dx", dx, "w", w, "dy", dy);
    q.from = impl::image_operand<const T, Rank>(op, "dy", dy);
    q.w = weights(w_arg, w, q.shape);
    q.to = impl::image_operand<T, Rank>(op, "dx", dx);
    check_output(q);
    convolution_kernel<Policy>::run(state, q);
  }

  template <class State, class... Args>
  static void gradient_of_w(State&& state, Args&... args) {
    constexpr bool add = impl::has_option<accumulate_t, Args...>;
    const auto x = as_view(impl::nth_tensor<0>(args...));
    const auto dy = as_view(impl::nth_tensor<1>(args...));
    const auto dw = as_view(impl::nth_tensor<2>(args...));
    conv_gradient<T, add> q;
    q.shape = check("x", x, "dw", dw, "dy", dy);
    const image<const T> x_image = impl::image_operand<const T, Rank>(op, "x", x),
                         dy_image = impl::image_operand<const T, Rank>(op, "dy", dy);
    q.x = Transposed ? dy_image : x_image, q.dy = Transposed ? x_image : dy_image;
    q.dw = impl::filter_operand<T, Rank>(op, "dw", dw, C.groups);
    const impl::interval_set inputs[] = {wide(q.x, q.shape), narrow(q.dy, q.shape)};
    const impl::interval_set out = impl::intervals_of(q.dw, q.shape);
    check_output(out, inputs[0], inputs[1]);
    if constexpr (impl::tensor_count<Args...> == 4) {
      channel_sums<T, add> sum;
      sum.batch = q.shape.batch, sum.channels = C.out, sum.from = dy_image;
      for (int r = 0; r < 3; ++r) sum.extent[r] = Transposed ? q.shape.axis[r].in : q.shape.axis[r].out;
      sum.sums = per_channel<T>("dbias", as_view(impl::nth_tensor<3>(args...)));
      check_output(impl::intervals_of(sum.sums, C.out), inputs[0], inputs[1], out);
      convolution_kernel<Policy>::run(state, q);
      convolution_kernel<Policy>::run(state, sum);
    } else {
      convolution_kernel<Policy>::run(state, q);
    }
  }

  /// One number for every output channel.
  template <class U, class View>
  static operand<U> per_channel(const char* name, const View& v) {
    static_assert(View::rank == 1, "convolution: scale, bias and dbias must have rank 1");
    static_assert(std::is_same_v<typename View::value_type, T>,
                  "convolution: every tensor must have the element type of the op");
    static_assert(std::is_const_v<U> || !std::is_const_v<typename View::element_type>,
                  "convolution: the output must be a view of elements that are not const");
    if (v.extent(0) != C.out) violation("%s: %s has %td elements, .out is %td", op, name, v.extent(0), C.out);
    if (v.data() == nullptr) impl::null_violation(op, name, v);
    return {v.data(), v.stride(0), 0, 0};
  }

  /// The elements of the wide and of the narrow tensor.
  template <class U>
  static impl::interval_set wide(const image<U>& i, const conv_shape& s) {
    return impl::intervals_of(i, s.batch, wide_channels, {s.axis[0].in, s.axis[1].in, s.axis[2].in});
  }
  template <class U>
  static impl::interval_set narrow(const image<U>& i, const conv_shape& s) {
    return impl::intervals_of(i, s.batch, narrow_channels, {s.axis[0].out, s.axis[1].out, s.axis[2].out});
  }

  template <conv_pass P, epilogue E>
  static void check_output(const conv_sums<T, P, E>& q) {
    const conv_shape& s = q.shape;
    const auto out = [&s](const auto& i) { return P == conv_pass::forward ? narrow(i, s) : wide(i, s); };
    const impl::interval_set to = out(q.to);
    check_output(to, P == conv_pass::forward ? wide(q.from, s) : narrow(q.from, s), impl::intervals_of(q.w, s));
    if constexpr (E.scale) check_output(to, impl::intervals_of(q.scale, C.out));
    if constexpr (E.bias) check_output(to, impl::intervals_of(q.bias, C.out));
    if constexpr (E.residual) check_output(to, out(q.residual));
  }
  template <class... Others>
  static void check_output(const impl::interval_set& out, const Others&... others) {
    if ((impl::share_intervals(others, out) || ...))
      violation("%s: an output shares elements with an input or another output", op);
    if (!out.nested) violation("%s: the strides of an output give two results one element", op);
  }
};

}  // namespace impl

template <int Rank, conv_config<Rank> C, class T, class Acc, class Op, class Policy>
struct operations<convolution<Rank, C, T, Acc>, Op, Policy>
    : impl::conv_operations<convolution<Rank, C, T, Acc>, Op, Policy, false> {};

template <int Rank, conv_transpose_config<Rank> C, class T, class Acc, class Op, class Policy>
struct operations<transposed_convolution<Rank, C, T, Acc>, Op, Policy>
    : impl::conv_operations<transposed_convolution<Rank, C, T, Acc>, Op, Policy, true> {};

}  // namespace tern::inline TERN_ISA
