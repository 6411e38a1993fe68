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
#include "tern/kernel/conv_stream.hpp"
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
      "convolution: there is no kernel under this policy here: include tern/reference.hpp, tern/simd.hpp, "
      "tern/mimd.hpp or tern/simt.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "convolution: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;
  using packed_type = packed<Op, Policy>;
  using family = convolution_kernel<Policy>;

  /// y = act(sum scale + bias + residual), the sum being the convolution of x and w, or the transposed one.
  ///
  ///     k([state,] x, w, [scale,] [bias,] [residual,] y [, tern::accumulate] [, tern::workspace])
  ///
  /// \param x         (n, in, spatial...)
  /// \param w         (kernel..., in / groups, out), or what `pack()` returned; of a transposed convolution
  ///                  (kernel..., out / groups, in)
  /// \param scale     out elements; given exactly where `.scale` is set
  /// \param bias      out elements; given exactly where `.bias` is set
  /// \param residual  shape of y; given exactly where `.residual` is set
  /// \param y         (n, out, spatial...); may share no element with an input
  /// With tern::accumulate the sum starts from what y holds. A workspace is used by simd under numerics::relaxed, where
  /// weights are packed and the window is 3 x 3 with stride 1: by Winograd's algorithm, which has a tolerance of its
  /// own (docs/numerics.md). Throws std::invalid_argument, before anything is written, where shapes disagree, channels
  /// are not next to each other, a view is null, an output shares elements with another tensor, or a workspace or tiles
  /// are too small. Cost: a multiply-add per tap on x, channel of a group and result. Order: docs/numerics.md.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == tensors_of_call && well_formed<Args...>;
    static_assert(right,
                  "convolution: the call takes (x, w, y), with scale, bias and residual in this order before y where "
                  ".scale, .bias and .residual are set");
    if constexpr (right)
      with_state<convolution_kernel<Policy>>([&](auto&& state) { forward(state, args...); }, args...);
  }

  /// dx = the gradient of the loss with respect to x.
  ///
  ///     k.backward_data([state,] dy, w, dx [, tern::accumulate] [, tern::workspace])
  ///
  /// \param dy  shape of y: the gradient with respect to the sums, that is, after activation and scale have been undone
  /// \param w   as in the forward pass, or what `pack<tern::pass::backward_data>()` returned, which is faster
  /// \param dx  shape of x
  /// Errors and cost are those of the forward pass.
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
  /// \param dw  shape of w; dbias has out elements. Errors and cost are those of the forward pass.
  /// Sums run over samples and positions in grains of samples (docs/numerics.md, rule 2): a batch cut between grains
  /// and accumulated gives the bits of the whole.
  template <class... Args>
  void backward_weights(Args&&... args) const {
    constexpr int given = impl::tensor_count<Args...>;
    constexpr bool right = (given == 3 || given == 4) && well_formed<Args...> && packed_only_at<-1, Args...>;
    static_assert(right, "convolution: backward_weights takes (x, dy, dw) or (x, dy, dw, dbias)");
    static_assert(given != 4 || !C.scale, "convolution: there is no bias gradient where .scale is set");
    if constexpr (right)
      with_state<convolution_kernel<Policy>>([&](auto&& state) { gradient_of_w(state, args...); }, args...);
  }

  /// How a call of these sizes will run; sizes that the config knows need not be given. `how` is what the model's
  /// plan_for takes besides: the concurrency of the executor under simd, tiles under mimd.
  ///
  ///     constexpr tern::plan p = decltype(k)::plan({.batch = 4, .extent = {56, 56}});
  template <class... How>
  static constexpr tern::plan plan(conv_sizes<Rank> sizes = {}, tern::pass which = tern::pass::forward, How... how) {
    constexpr epilogue after{.bias = C.bias, .residual = C.residual, .act = C.act, .scale = C.scale};
    const bool forward = which == tern::pass::forward;
    const conv_work work = which == tern::pass::backward_weights ? conv_work::weights
                           : forward != Transposed               ? conv_work::forward
                                                                 : conv_work::data;
    tern::plan p =
        convolution_kernel<Policy>::template plan_for<T>(work, shape_of(sizes), forward ? after : epilogue{}, how...);
    p.op = Op::name, p.of = which;
    return p;
  }

  /// Run-time state with which calls of these sizes run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for every pass, which allocates; the default state under the other policies.
  /// `how` is what the model's make_state takes besides.
  template <class... How>
  static auto make_state(conv_sizes<Rank> sizes = {}, How&&... how) {
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "convolution: make_state takes sizes only under this policy");
      return typename family::context{};
    } else {
      return family::template make_state<T>(shape_of(sizes), how...);
    }
  }

  /// Workspace that makes a forward call of these sizes with packed weights fastest, in bytes; 0 where none is used.
  /// Of backward_data, where a transposed convolution uses one with weights that are packed for it, the plan says it.
  template <class... How>
  static constexpr index_t workspace_bytes(conv_sizes<Rank> sizes = {}, How... how) {
    return plan(sizes, tern::pass::forward, how...).workspace_bytes;
  }

  /// Elements that weights packed for a pass take.
  template <tern::pass For = tern::pass::forward>
  static constexpr index_t packed_size() {
    return convolution_kernel<Policy>::template packed_size<T>(weights_shape(), direction_of<For>);
  }

  /// Arranges w for the calls of this kernel, once. Allocates packed_size<For>() elements.
  /// \tparam For  the pass that is to be fast: forward, whose weights backward_data can use, too, or backward_data
  template <tern::pass For = tern::pass::forward, class W>
  packed<Op, Policy, For> pack(const W& w) const {
    const filters<const T> f = weights_to_pack<For>(w);
    packed<Op, Policy, For> result(rows_of_weights, narrow_channels, packed_size<For>());
    convolution_kernel<Policy>::pack(weights_shape(), f, result.owned_, direction_of<For>);
    return result;
  }

  /// The same into memory of the caller: at least packed_size<For>() elements, alive as long as the result.
  template <tern::pass For = tern::pass::forward, class W, class Memory>
  packed<Op, Policy, For> pack(const W& w, Memory&& memory) const {
    const filters<const T> f = weights_to_pack<For>(w);
    const index_t size = packed_size<For>();
    T* const to = impl::memory_to_pack_into<T>(op, memory, size);
    impl::interval_builder into;
    into.add(1, size);
    if (impl::share_intervals(impl::intervals_of(f, weights_shape()), into.of(to)))
      violation("%s: the memory to pack into shares elements with w", op);
    convolution_kernel<Policy>::pack(weights_shape(), f, to, direction_of<For>);
    return packed<Op, Policy, For>(rows_of_weights, narrow_channels, to);
  }

 protected:
  static constexpr const char* op = Op::name;
  static constexpr conv_pass forward_pass = Transposed ? conv_pass::data : conv_pass::forward,
                             backward_pass = Transposed ? conv_pass::forward : conv_pass::data;
  template <tern::pass For>
  static constexpr conv_pass direction_of = For == tern::pass::forward ? forward_pass : backward_pass;
  static constexpr index_t wide_channels = Transposed ? C.out : C.in, narrow_channels = Transposed ? C.in : C.out;

  static constexpr int scale_at = 2, bias_at = scale_at + (C.scale ? 1 : 0), residual_at = bias_at + (C.bias ? 1 : 0),
                       y_at = residual_at + (C.residual ? 1 : 0), tensors_of_call = y_at + 1;

  /// The sizes of a call that is only planned.
  static constexpr conv_shape shape_of(const conv_sizes<Rank>& sizes) {
    const auto known = [](index_t given, index_t configured, const char* field) {
      if (given == dynamic && configured == dynamic)
        violation("%s: %s is dynamic: give it, as in plan({.batch = 1, .extent = {...}})", op, field);
      if (given != dynamic && configured != dynamic && given != configured)
        violation("%s: %s is given as %td where the config says %td", op, field, given, configured);
      const index_t size = given != dynamic ? given : configured;
      if (size >> 45 != 0) violation("%s: %s is %td: it must be at least 0 and less than 2^45", op, field, size);
      return size;
    };
    conv_shape s = weights_shape();
    s.batch = known(sizes.batch, C.batch, ".batch");
    double wide = static_cast<double>(s.batch), narrow = wide;
    for (int r = 0; r < Rank; ++r) {
      window_axis& a = s.axis[3 - Rank + r];
      const index_t size = known(sizes.extent[r], C.extent[r], ".extent");
      a = C.axis(r, size);
      if (size > 0 && (Transposed ? a.in : a.out) < 1)
        violation("%s: .extent[%d] is %td: the window leaves nothing of its result", op, r, size);
      wide *= static_cast<double>(a.in), narrow *= static_cast<double>(a.out);
    }
    constexpr double most = 0x1p47 / sizeof(T);
    if (wide * static_cast<double>(wide_channels) > most || narrow * static_cast<double>(narrow_channels) > most)
      violation("%s: .batch=%td: no memory holds such tensors", op, s.batch);
    return s;
  }

  /// What of a call's sizes concerns weights.
  static constexpr conv_shape weights_shape() {
    conv_shape s;
    s.groups = C.groups, s.in = wide_channels / C.groups, s.out = narrow_channels / C.groups;
    for (int r = 0; r < Rank; ++r) {
      window_axis& a = s.axis[3 - Rank + r];
      a.kernel = C.kernel[r], a.stride = C.stride[r], a.dilation = C.dilation[r];
    }
    return s;
  }
  static constexpr index_t rows_of_weights = [] {
    index_t rows = wide_channels / C.groups;
    for (int r = 0; r < Rank; ++r) rows *= C.kernel[r];
    return rows;
  }();

  using packed_backward = packed<Op, Policy, tern::pass::backward_data>;
  template <class W>
  static constexpr bool is_own_packed = std::is_same_v<W, packed_type> || std::is_same_v<W, packed_backward>;
  /// Weights as a view, packed ones for their shape only.
  template <tern::pass Which, class W>
  static auto weights_view(const W& w) {
    static_assert(is_own_packed<W> || !is_packed<W>, "convolution: these weights were packed for another op or policy");
    static_assert(Which == tern::pass::backward_data || !std::is_same_v<W, packed_backward>,
                  "convolution: these weights were packed for backward_data");
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
    if constexpr (is_own_packed<W>) {
      if (w.data() == nullptr) violation("%s: the packed weights are empty: they have been moved from", op);
      return convolution_kernel<Policy>::packed(w.data(), s, direction_of<W::for_pass>);
    } else {
      return impl::filter_operand<const T, Rank>(op, "w", v, C.groups);
    }
  }
  template <tern::pass For, class W>
  static filters<const T> weights_to_pack(const W& w) {
    static_assert(For != tern::pass::backward_weights,
                  "convolution: weights are packed for forward or backward_data: backward_weights has none");
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

  /// The axis r of a call, from its x.
  struct axis_of_call {
    template <class X>
    window_axis operator()(const char* name, const X& x, int r) const {
      const window_axis a = C.axis(r, x.extent(2 + r));
      if (x.extent(2 + r) > 0 && (Transposed ? a.in : a.out) < 1) no_result(name, x, a, r);
      return a;
    }
  };
  template <class Filter>
  static constexpr bool kernel_may_agree() {
    for (int r = 0; r < Rank; ++r)
      if (!may_agree(Filter::static_extent(r), C.kernel[r])) return false;
    return true;
  }
  /// The sizes of a call, from the three tensors that every pass has; their shapes agree with each other and the
  /// config.
  template <class X, class W, class Y, class AxisOf = axis_of_call>
  static conv_shape check(const char* x_name, const X& x, const char* w_name, const W& w, const char* y_name,
                          const Y& y, AxisOf axis_of = {}) {
    using in = typename X::extents_type;
    using filter = typename W::extents_type;
    using out = typename Y::extents_type;
    // By name, so that compilers say the sentence and not the expression.
    constexpr bool in_agrees = may_agree(in::static_extent(1), C.in),
                   out_agrees = may_agree(out::static_extent(1), C.out),
                   weights_agree = may_agree(filter::static_extent(Rank), wide_channels / C.groups) &&
                                   may_agree(filter::static_extent(Rank + 1), narrow_channels),
                   kernel_agrees = kernel_may_agree<filter>(),
                   batch_agrees = may_agree(in::static_extent(0), C.batch) &&
                                  may_agree(out::static_extent(0), C.batch) &&
                                  may_agree(in::static_extent(0), out::static_extent(0)),
                   extents_agree = !std::is_same_v<AxisOf, axis_of_call> ||
                                   extents_may_agree<in, out>(C, Transposed ? &window_axis::in : &window_axis::out);
    static_assert(in_agrees, "convolution: extent 1 of x, its channels, must be .in");
    static_assert(out_agrees, "convolution: extent 1 of y, its channels, must be .out");
    static_assert(weights_agree,
                  "convolution: the last extents of w must be .in / .groups and .out, or .out / .groups and .in of a "
                  "transposed one");
    static_assert(kernel_agrees, "convolution: the first extents of w must be .kernel");
    static_assert(batch_agrees,
                  "convolution: extent 0 of x and y, the batch, must be equal, and .batch where that is set");
    static_assert(extents_agree,
                  "convolution: the spatial extents of x must be .extent where that is set, and those of y what the "
                  "window makes of them");
    conv_shape s{
        .batch = x.extent(0), .groups = C.groups, .in = wide_channels / C.groups, .out = narrow_channels / C.groups};
    bool right = x.extent(1) == C.in && y.extent(1) == C.out && y.extent(0) == s.batch &&
                 (C.batch == dynamic || C.batch == s.batch) && w.extent(Rank) == s.in &&
                 w.extent(Rank + 1) == narrow_channels;
    for (int r = 0; r < Rank; ++r) {
      window_axis& a = s.axis[3 - Rank + r];
      const index_t size = x.extent(2 + r);
      a = axis_of(x_name, x, r);
      right = right && (C.extent[r] == dynamic || C.extent[r] == size) && w.extent(r) == a.kernel &&
              y.extent(2 + r) == (Transposed ? a.in : a.out);
    }
    if (!right) disagreement(s, x_name, x, w_name, w, y_name, y);
    return s;
  }
  template <class X, class W, class Y>
  TERN_COLD static void disagreement(const conv_shape& s, const char* x_name, const X& x, const char* w_name,
                                     const W& w, const char* y_name, const Y& y) {
    const auto result = [&s](std::size_t r) {
      const window_axis& a = s.axis[3 - Rank + static_cast<int>(r)];
      return Transposed ? a.in : a.out;
    };
    const auto wanted_y = [&]<std::size_t... R>(std::index_sequence<R...>) {
      return view<const T, dims<Rank + 2>>(nullptr, dims<Rank + 2>(s.batch, C.out, result(R)...));
    }(std::make_index_sequence<Rank>{});
    violation("%s: %s is %s, %s is %s and %s is %s: with .in=%td, %s must be %s and %s %s", op, x_name,
              impl::text_of(x).text, w_name, impl::text_of(w).text, y_name, impl::text_of(y).text, C.in, y_name,
              impl::text_of(wanted_y).text, w_name, impl::text_of(weights_view_shape()).text);
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
    const auto q = sums_of(axis_of_call{}, args...);
    run_sums(state, q, impl::find_workspace(args...));
  }
  /// Runs sums whose output and workspace share nothing with an input or each other.
  template <class State, class Sums>
  static void run_sums(State&& state, const Sums& q, workspace memory) {
    impl::interval_builder lent;
    lent.add(1, memory.bytes);
    check_output(q, memory.bytes > 0 ? lent.of(static_cast<const char*>(memory.data)) : impl::interval_set{});
    convolution_kernel<Policy>::run(state, q, memory);
  }
  /// The forward pass of a call, checked but for what its output shares.
  template <class AxisOf, class... Args>
  static auto sums_of(AxisOf axis_of, Args&... args) {
    const auto x = as_view(impl::nth_tensor<0>(args...));
    decltype(auto) w_arg = impl::nth_tensor<1>(args...);
    const auto w = weights_view<tern::pass::forward>(w_arg);
    const auto y = as_view(impl::nth_tensor<y_at>(args...));
    constexpr epilogue after{.accumulate = impl::has_option<accumulate_t, Args...>,
                             .bias = C.bias,
                             .residual = C.residual,
                             .act = C.act,
                             .scale = C.scale};
    conv_sums<T, forward_pass, after> q;
    q.from = impl::image_operand<const T, Rank>(op, "x", x);
    q.to = impl::image_operand<T, Rank>(op, "y", y);
    q.shape = check("x", x, "w", w, "y", y, axis_of);
    q.w = weights(w_arg, w, q.shape);
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
    return q;
  }

  template <class State, class... Args>
  static void gradient_of_x(State&& state, Args&... args) {
    const auto dy = as_view(impl::nth_tensor<0>(args...));
    decltype(auto) w_arg = impl::nth_tensor<1>(args...);
    const auto w = weights_view<tern::pass::backward_data>(w_arg);
    const auto dx = as_view(impl::nth_tensor<2>(args...));
    conv_sums<T, backward_pass, epilogue{impl::has_option<accumulate_t, Args...>}> q;
    q.from = impl::image_operand<const T, Rank>(op, "dy", dy);
    q.to = impl::image_operand<T, Rank>(op, "dx", dx);
    q.shape = check("dx", dx, "w", w, "dy", dy);
    q.w = weights(w_arg, w, q.shape);
    run_sums(state, q, impl::find_workspace(args...));
  }

  template <class State, class... Args>
  static void gradient_of_w(State&& state, Args&... args) {
    constexpr bool add = impl::has_option<accumulate_t, Args...>;
    const auto x = as_view(impl::nth_tensor<0>(args...));
    const auto dy = as_view(impl::nth_tensor<1>(args...));
    const auto dw = as_view(impl::nth_tensor<2>(args...));
    conv_gradient<T, add> q;
    const image<const T> x_image = impl::image_operand<const T, Rank>(op, "x", x),
                         dy_image = impl::image_operand<const T, Rank>(op, "dy", dy);
    q.dw = impl::filter_operand<T, Rank>(op, "dw", dw, C.groups);
    q.shape = check("x", x, "dw", dw, "dy", dy);
    q.x = Transposed ? dy_image : x_image, q.dy = Transposed ? x_image : dy_image;
    const impl::interval_set inputs[] = {wide(q.x, q.shape), narrow(q.dy, q.shape)};
    const impl::interval_set out = impl::intervals_of(q.dw, q.shape);
    impl::check_output(op, out, inputs[0], inputs[1]);
    if constexpr (impl::tensor_count<Args...> == 4) {
      index_t extent[3];
      for (int r = 0; r < 3; ++r) extent[r] = Transposed ? q.shape.axis[r].in : q.shape.axis[r].out;
      const operand<T> sums = per_channel<T>("dbias", as_view(impl::nth_tensor<3>(args...)));
      impl::check_output(op, impl::intervals_of(sums, C.out), inputs[0], inputs[1], out);
      const T one(1);
      const auto sum = channel_sums<add>(q.shape.batch, extent, C.out, dy_image, &one, sums);
      impl::check_fit<family>(state, sum);
      family::run(state, q), family::run(state, sum);
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
    if constexpr (std::is_convertible_v<decltype(v.data()), U*>)
      return {v.data(), v.stride(0), 0, 0};
    else
      return {};
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

  /// \param second  a further output; by default there is none
  template <conv_pass P, epilogue E>
  static void check_output(const conv_sums<T, P, E>& q, const impl::interval_set& second = {}) {
    const conv_shape& s = q.shape;
    const auto out = [&s](const auto& i) { return P == conv_pass::forward ? narrow(i, s) : wide(i, s); };
    const impl::interval_set to = out(q.to);
    const auto check_both = [&](const auto&... inputs) {
      impl::check_output(op, to, inputs...), impl::check_output(op, second, inputs...);
    };
    impl::check_output(op, second, to);
    check_both(P == conv_pass::forward ? wide(q.from, s) : narrow(q.from, s), impl::intervals_of(q.w, s),
               impl::transformed_interval(q.w));
    if constexpr (E.scale) check_both(impl::intervals_of(q.scale, C.out));
    if constexpr (E.bias) check_both(impl::intervals_of(q.bias, C.out));
    if constexpr (E.residual) check_both(out(q.residual));
  }
};

}  // namespace impl

template <int Rank, conv_config<Rank> C, class T, class Acc, class Op, class Policy>
struct operations<convolution<Rank, C, T, Acc>, Op, Policy>
    : impl::streamed_convolution<impl::conv_operations<convolution<Rank, C, T, Acc>, Op, Policy, false>> {};

template <int Rank, conv_transpose_config<Rank> C, class T, class Acc, class Op, class Policy>
struct operations<transposed_convolution<Rank, C, T, Acc>, Op, Policy>
    : impl::conv_operations<transposed_convolution<Rank, C, T, Acc>, Op, Policy, true> {};

}  // namespace tern::inline TERN_ISA
