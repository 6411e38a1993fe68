// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of convolutions and transposed ones: forward, data gradient, weight and bias gradient, each callable alone.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/conv_operands.hpp"
#include "tern/kernel/conv_stream.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/packed.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// What convolutions and transposed ones share.
template <class OpType, class Op, class Policy, bool Transposed>
struct conv_operations : conv_operands<OpType, Op, Policy, Transposed> {
  using operands = conv_operands<OpType, Op, Policy, Transposed>;
  using operands::C, operands::Rank;
  using typename operands::T;

  static_assert(
      requires { sizeof(convolution_kernel<Policy>); },
      "convolution: there is no kernel under this policy here: include tern/reference.hpp, tern/simd.hpp, "
      "tern/mimd.hpp or tern/simt.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "convolution: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;
  using typename operands::packed_type;
  using family = convolution_kernel<Policy>;

  /// y = act(sum scale + bias + residual), the sum being the convolution of x and w, or the transposed one.
  ///
  ///     k([state,] x, w, [scale,] [bias,] [residual,] [slope,] y [, tern::accumulate] [, tern::workspace])
  ///
  /// \param x         (n, in, spatial...)
  /// \param w         (kernel..., in / groups, out), or what `pack()` returned; of a transposed convolution
  ///                  (kernel..., out / groups, in)
  /// \param scale     out elements; given exactly where `.scale` is set
  /// \param bias      out elements; given exactly where `.bias` is set
  /// \param residual  shape of y; given exactly where `.residual` is set
  /// \param slope     given exactly where `.act` is prelu: out elements, or (1, out, spatial...) with the extents of y
  ///                  or 1
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
                  "convolution: the call takes (x, w, y), with scale, bias, residual and slope in this order before y "
                  "where .scale, .bias and .residual are set and .act is prelu");
    if constexpr (right) {
      decltype(auto) state = impl::state_of<family>(args...);
      const workspace memory = impl::find_workspace(args...);
      const auto q = sums_of(axis_of_call{}, args...);
      check_sums(q, memory);
      family::run(state, q, memory);
    }
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
    if constexpr (right) {
      decltype(auto) state = impl::state_of<family>(args...);
      const workspace memory = impl::find_workspace(args...);
      const auto q = sums_of_gradient(args...);
      check_sums(q, memory);
      family::run(state, q, memory);
    }
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
    if constexpr (right) gradient_of_w(impl::state_of<family>(args...), args...);
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
    tern::plan p = family::template plan_for<T>(work, shape_of(sizes), forward ? after : epilogue{}, how...);
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
      const conv_shape s = shape_of(sizes);
      return family::template make_state_with<T>(s,
                                                 std::tuple{bias_sums(s, &window_axis::out, s.groups * s.out),
                                                            bias_sums(s, &window_axis::in, s.groups * s.in)},
                                                 how...);
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
    return family::template packed_size<T>(weights_shape(), direction_of<For>);
  }

  /// Arranges w for the calls of this kernel, once. Allocates packed_size<For>() elements.
  /// \tparam For  the pass that is to be fast: forward, whose weights backward_data can use, too, or backward_data
  template <tern::pass For = tern::pass::forward, class W>
  packed<Op, Policy, For> pack(const W& w) const {
    const filters<const T> f = operands::template weights_to_pack<For>(w);
    packed<Op, Policy, For> result(rows_of_weights, narrow_channels, packed_size<For>());
    family::pack(weights_shape(), f, result.owned_, direction_of<For>);
    return result;
  }

  /// The same into memory of the caller: at least packed_size<For>() elements, alive as long as the result.
  template <tern::pass For = tern::pass::forward, class W, class Memory>
  packed<Op, Policy, For> pack(const W& w, Memory&& memory) const {
    const filters<const T> f = operands::template weights_to_pack<For>(w);
    const index_t size = packed_size<For>();
    T* const to = impl::memory_to_pack_into<T>(op, memory, size);
    impl::interval_set into;
    into.add(1, size);
    if (impl::intervals_of(f, weights_shape()).meets(into.begin_at(to)))
      violation("%s: the memory to pack into shares elements with w", op);
    family::pack(weights_shape(), f, to, direction_of<For>);
    return packed<Op, Policy, For>(rows_of_weights, narrow_channels, size, to);
  }

 protected:
  using operands::check, operands::check_output, operands::op, operands::per_channel, operands::per_position;
  using operands::narrow, operands::narrow_channels, operands::wide;
  using operands::rows_of_weights, operands::shape_of, operands::weights, operands::weights_shape;
  using typename operands::axis_of_call;
  static constexpr conv_pass forward_pass = operands::forward_pass, backward_pass = operands::backward_pass;
  template <tern::pass For>
  static constexpr conv_pass direction_of = operands::template direction_of<For>;

  template <conv_work W>
  static constexpr conv_paths paths_of = paths_for(W, operands::weights_shape());

  static constexpr int scale_at = 2, bias_at = scale_at + (C.scale ? 1 : 0), residual_at = bias_at + (C.bias ? 1 : 0),
                       slope_at = residual_at + (C.residual ? 1 : 0), y_at = slope_at + (C.act.takes_slope() ? 1 : 0),
                       tensors_of_call = y_at + 1;

  /// Checks that output and workspace share nothing with an input or each other.
  template <class Sums>
  TERN_INLINE static void check_sums(const Sums& q, workspace memory) {
    impl::interval_set lent;
    lent.add(1, memory.bytes);
    check_output(q, memory.bytes > 0 ? lent.begin_at(static_cast<const char*>(memory.data)) : impl::interval_set{});
  }
  /// The forward pass of a call, checked but for what its output shares.
  template <class AxisOf, class... Args>
  static auto sums_of(AxisOf axis_of, Args&... args) {
    const auto x = as_view(impl::nth_tensor<0>(args...));
    decltype(auto) w_arg = impl::nth_tensor<1>(args...);
    const auto w = operands::template weights_view<tern::pass::forward>(w_arg);
    const auto y = as_view(impl::nth_tensor<y_at>(args...));
    constexpr epilogue after{.accumulate = impl::has_option<accumulate_t, Args...>,
                             .bias = C.bias,
                             .residual = C.residual,
                             .act = C.act,
                             .scale = C.scale,
                             .slope_by_position = slope_rank<Args...>() > 1};
    on_paths<conv_sums<T, forward_pass, after>, paths_of<Transposed ? conv_work::data : conv_work::forward>> q;
    q.from = impl::image_operand<const T, Rank>(op, "x", x);
    q.to = impl::image_operand<T, Rank>(op, "y", y);
    q.shape = check("x", x, "w", w, "y", y, axis_of);
    q.w = weights(w_arg, w, q.shape);
    if constexpr (C.scale)
      q.scale = operands::template per_channel<const T>("scale", as_view(impl::nth_tensor<scale_at>(args...)));
    if constexpr (C.bias)
      q.bias = operands::template per_channel<const T>("bias", as_view(impl::nth_tensor<bias_at>(args...)));
    if constexpr (C.residual) {
      const auto r = as_view(impl::nth_tensor<residual_at>(args...));
      q.residual = impl::image_operand<const T, Rank>(op, "residual", r);
      for (int i = 0; i < Rank + 2; ++i)
        if (r.extent(i) != y.extent(i))
          violation("%s: residual is %s and y is %s: their shapes must be equal", op, impl::text_of(r).text,
                    impl::text_of(y).text);
    }
    if constexpr (C.act.takes_slope()) {
      const auto slope = as_view(impl::nth_tensor<slope_at>(args...));
      if constexpr (after.slope_by_position)
        q.slopes = per_position("slope", slope, y);
      else
        q.slope = operands::template per_channel<const T>("slope", slope);
    }
    return q;
  }
  /// The rank of the slopes of a call; 0 where there are none.
  template <class... Args>
  static constexpr int slope_rank() {
    if constexpr (C.act.takes_slope())
      return decltype(as_view(impl::nth_tensor<slope_at>(std::declval<Args&>()...)))::rank;
    else
      return 0;
  }

  /// The same of a data gradient.
  template <class... Args>
  static auto sums_of_gradient(Args&... args) {
    const auto dy = as_view(impl::nth_tensor<0>(args...));
    decltype(auto) w_arg = impl::nth_tensor<1>(args...);
    const auto w = operands::template weights_view<tern::pass::backward_data>(w_arg);
    const auto dx = as_view(impl::nth_tensor<2>(args...));
    on_paths<conv_sums<T, backward_pass, epilogue{impl::has_option<accumulate_t, Args...>}>,
             paths_of<Transposed ? conv_work::forward : conv_work::data>>
        q;
    q.from = impl::image_operand<const T, Rank>(op, "dy", dy);
    q.to = impl::image_operand<T, Rank>(op, "dx", dx);
    q.shape = check("dx", dx, "w", w, "dy", dy);
    q.w = weights(w_arg, w, q.shape);
    return q;
  }

  /// A bias gradient that is only planned: of the narrow image, or of the wide one after a transposed convolution.
  static auto bias_sums(const conv_shape& s, index_t window_axis::* size, index_t channels) {
    const impl::image_shape i{s.batch, channels, {s.axis[0].*size, s.axis[1].*size, s.axis[2].*size}};
    return image_sums<true>({i.batch, {i.extent[0], i.extent[1], i.extent[2]}}, channels, impl::planned_image<T>(i),
                            operand<T>{});
  }

  template <class State, class... Args>
  static void gradient_of_w(State&& state, Args&... args) {
    constexpr bool add = impl::has_option<accumulate_t, Args...>;
    const auto x = as_view(impl::nth_tensor<0>(args...));
    const auto dy = as_view(impl::nth_tensor<1>(args...));
    const auto dw = as_view(impl::nth_tensor<2>(args...));
    on_paths<conv_gradient<T, add>, paths_of<conv_work::weights>> q;
    const image<const T> x_image = impl::image_operand<const T, Rank>(op, "x", x),
                         dy_image = impl::image_operand<const T, Rank>(op, "dy", dy);
    q.dw = impl::filter_operand<T, Rank>(op, "dw", dw, C.groups);
    q.shape = check("x", x, "dw", dw, "dy", dy);
    q.x = Transposed ? dy_image : x_image, q.dy = Transposed ? x_image : dy_image;
    const impl::interval_set inputs[] = {wide(q.x, q.shape), narrow(q.dy, q.shape)};
    const impl::interval_set out = impl::intervals_of(q.dw, q.shape);
    impl::check_output(op, out, inputs[0], inputs[1]);
    if constexpr (impl::tensor_count<Args...> == 4) {
      place_box all{q.shape.batch};
      for (int r = 0; r < 3; ++r) all.extent[r] = Transposed ? q.shape.axis[r].in : q.shape.axis[r].out;
      const operand<T> sums = operands::template per_channel<T>("dbias", as_view(impl::nth_tensor<3>(args...)));
      impl::check_output(op, impl::intervals_of(sums, C.out), inputs[0], inputs[1], out);
      const auto sum = image_sums<add>(all, C.out, scattered(dy_image), sums);
      impl::check_fit<place_sums_kernel<Policy>>(state, sum);
      family::run(state, q), place_sums_kernel<Policy>::run(state, sum);
    } else {
      family::run(state, q);
    }
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
