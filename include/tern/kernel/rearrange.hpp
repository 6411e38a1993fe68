// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of ops that move elements: reorder, channel_shuffle, space_to_depth, depth_to_space, upsample, pad.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/core/part.hpp"
#include "tern/family/index/rearrangement.hpp"
#include "tern/family/index/resampling.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/rearrange_rules.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/channel_shuffle.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/reorder.hpp"
#include "tern/op/space_to_depth.hpp"
#include "tern/op/upsample.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// What ops that move elements share.
template <class OpType, class Op, class Policy>
struct moving_operations {
  static_assert(
      requires { sizeof(rearrangement_kernel<Policy>); },
      "rearrangement: there is no kernel under this policy here: include the header of its model, such as "
      "tern/simd.hpp");
  using T = typename OpType::value_type;
  using value_type = T;
  using family = rearrangement_kernel<Policy>;

  /// y = the elements of x, elsewhere; of linear upsampling, sums of them (docs/numerics.md).
  ///
  ///     k([state,] x, y)            under border::constant also k([state,] x, y, tern::padding_value{-1})
  ///
  /// \param x  (n, c, spatial...), channels next to each other; of reorder in any layout
  /// \param y  the shape that the op says; may share no element with x
  /// Throws std::invalid_argument, before anything is written, where shapes disagree with the op, a view is null, or y
  /// shares elements with x. Copies keep all bits. Cost: every element is read and written once; linear upsampling
  /// reads two per axis.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr int values = count_of<padding_value, Args...>;
    constexpr bool right = tensor_count<Args...> == 2 && option_count<Args...> == 0 &&
                           with_options<padding_value>::template well_formed<Args...>;
    static_assert(right, "rearrangement: the call takes (x, y)");
    static_assert(values == 0 || rule::takes_value,
                  "rearrangement: a tern::padding_value goes with a pad whose .mode is tern::border::constant");
    if constexpr (right) forward(state_of<family>(args...), args...);
  }

  /// dx = the gradient of the loss with respect to x: every element of dy goes back to where it came from.
  ///
  ///     k.backward_data([state,] dy, dx [, tern::accumulate])
  ///
  /// \param dy  shape of y
  /// \param dx  shape of x
  /// Of upsample and pad, where several meet, for float and double. Errors are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = tensor_count<Args...> == 2 && well_formed<Args...>;
    static_assert(right, "rearrangement: backward_data takes (dy, dx)");
    static_assert(!rule::sums_gradients || std::is_floating_point_v<T>,
                  "rearrangement: gradients of upsample and pad are for float and double");
    if constexpr (right && (!rule::sums_gradients || std::is_floating_point_v<T>))
      gradient(state_of<family>(args...), args...);
  }

  /// How a call on a tensor of x's shape will run: the bytes it reads and writes, and under mimd tiles, memory and
  /// cycles. Elements of x are not looked at. `how` is what the model takes besides: the concurrency of the executor
  /// under simd, tiles under mimd.
  ///
  ///     std::cout << decltype(k)::plan(x);
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    require_pass_of_elements(op, which);
    const auto [from, to] = planned_shapes(as_view(x));
    const index_t elements = static_cast<index_t>(elements_of(from) + elements_of(to));
    const auto describe = [&](const auto& call) {
      tern::plan p = plan_of_moves<family, Policy, T>(op, which, elements, call, how...);
      p.m = to.batch * to.extent[0] * to.extent[1] * to.extent[2], p.n = to.channels, p.k = 1;
      return p;
    };
    return which == tern::pass::forward ? describe(forward_call(from, to)) : describe(backward_call(from, to));
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for both passes, which allocates; the default state under the other policies.
  /// Elements of x are not looked at. `how` is what the model's make_state takes besides: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "rearrangement: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      const auto [from, to] = planned_shapes(as_view(x));
      return family::make_state(std::tuple{forward_call(from, to), backward_call(from, to)}, how...);
    }
  }

 private:
  using rule = moving_rule<OpType>;
  static constexpr const char* op = Op::name;

  static double elements_of(const image_shape& s) {
    double all = static_cast<double>(s.batch) * static_cast<double>(s.channels);
    for (const index_t e : s.extent) all *= static_cast<double>(e);
    return all;
  }

  struct shapes {
    image_shape from, to;
  };
  /// Of x, which is only planned, and of its result, which some memory could hold.
  template <class X>
  static shapes planned_shapes(const X& x) {
    check_extents(op, "x", x);
    const image_shape from = shape_of(x);
    if (const char* demand = rule::demand(from)) violation("%s: x is %s: %s", op, text_of(x).text, demand);
    const image_shape to = rule::result(from);
    if (elements_of(from) + elements_of(to) > 0x1p48 / sizeof(T))
      violation("%s: x is %s: no memory holds its result", op, text_of(x).text);
    return {from, to};
  }

  /// Checks that shapes agree with the op, and that the output shares nothing.
  template <class X, class Y>
  static void check(const char* x_name, const X& x, const char* y_name, const Y& y) {
    static_assert(
        X::rank == Y::rank && X::rank >= 2 && X::rank <= 5,
        "rearrangement: both tensors must have the rank (sample, channel, spatial...), with up to three axes");
    static_assert(rule::rank < 0 || X::rank == rule::rank + 2,
                  "rearrangement: both tensors must have the rank (sample, channel, spatial...) of the op");
    check_extents(op, x_name, x), check_extents(op, y_name, y);
    const image_shape from = shape_of(x);
    if (const char* demand = rule::demand(from)) violation("%s: %s is %s: %s", op, x_name, text_of(x).text, demand);
    if (const image_shape wanted = rule::result(from); wanted != shape_of(y))
      disagreement(x_name, x, y_name, y, wanted);
  }
  template <class X, class Y>
  TERN_COLD static void disagreement(const char* x_name, const X& x, const char* y_name, const Y& y,
                                     const image_shape& wanted) {
    const index_t sizes[] = {wanted.batch, wanted.channels, wanted.extent[0], wanted.extent[1], wanted.extent[2]};
    const auto text = [&]<std::size_t... R>(std::index_sequence<R...>) {
      return text_of(view<const T, dims<X::rank>>(nullptr, dims<X::rank>(sizes[R < 2 ? R : R + 5 - X::rank]...)));
    }(std::make_index_sequence<static_cast<std::size_t>(X::rank)>{});
    violation("%s: %s is %s and %s is %s: %s must be %s", op, x_name, text_of(x).text, y_name, text_of(y).text, y_name,
              text.text);
  }
  template <class From, class To>
  static void check_output(const scattered_image<const T>& from, const From& x, const scattered_image<T>& to,
                           const To& y) {
    const interval_set out = intervals_of(to, shape_of(y));
    if (intervals_of(from, shape_of(x)).meets(out)) violation("%s: the output shares elements with the input", op);
    if (!out.nested()) violation("%s: the strides of the output give two results one element", op);
  }

  template <class State, class... Args>
  static void forward(State&& state, Args&... args) {
    const auto x = as_view(nth_tensor<0>(args...));
    const auto y = as_view(nth_tensor<1>(args...));
    check("x", x, "y", y);
    const auto from = scattered_operand<const T, rule::adjacent>(op, "x", x);
    const auto to = scattered_operand<T, rule::adjacent>(op, "y", y);
    check_output(from, x, to, y);
    if constexpr (rule::interpolates) {
      static_assert(std::is_floating_point_v<T>, "rearrangement: linear interpolation is for float and double");
      family::run(state, sums_of<resample_pass::forward, false>(shape_of(x), from, to));
    } else {
      auto q = copy_of<false>(shape_of(x), shape_of(y), rule::map(shape_of(x)), from, to);
      if constexpr (count_of<padding_value, Args...> == 1)
        q.value = converted(find_argument<padding_value>(args...).value);
      family::run(state, q);
    }
  }
  static T converted(double value) {
    if constexpr (std::is_same_v<T, bfloat16> || std::is_same_v<T, half>)
      return T(static_cast<float>(value));
    else
      return static_cast<T>(value);
  }

  template <class State, class... Args>
  static void gradient(State&& state, Args&... args) {
    constexpr bool add = has_option<accumulate_t, Args...>;
    const auto dy = as_view(nth_tensor<0>(args...));
    const auto dx = as_view(nth_tensor<1>(args...));
    check("dx", dx, "dy", dy);
    const auto from = scattered_operand<const T, rule::adjacent>(op, "dy", dy);
    const auto to = scattered_operand<T, rule::adjacent>(op, "dx", dx);
    check_output(from, dy, to, dx);
    if constexpr (rule::sums_gradients) {
      family::run(state, sums_of<resample_pass::data, add>(shape_of(dx), from, to));
    } else {
      static_assert(!add || std::is_arithmetic_v<T>, "rearrangement: tern::accumulate is for numbers with a sum");
      family::run(state, copy_of<add>(shape_of(dy), shape_of(dx), rule::inverse(shape_of(dx)), from, to));
    }
  }

  /// The calls of the passes.
  template <bool Add, class Map>
  static rearrangement<T, Map, Add> copy_of(const image_shape& source, const image_shape& result, const Map& map,
                                            const scattered_image<const T>& from = {},
                                            const scattered_image<T>& to = {}) {
    rearrangement<T, Map, Add> q;
    q.batch = result.batch, q.channels = result.channels, q.from_channels = source.channels;
    for (int r = 0; r < 3; ++r) q.extent[r] = result.extent[r], q.from_extent[r] = source.extent[r];
    q.from = from, q.to = to, q.map = map;
    return q;
  }
  template <resample_pass P, bool Add>
  static auto sums_of(const image_shape& x, const scattered_image<const T>& from = {},
                      const scattered_image<T>& to = {}) {
    resampling<T, P, typename rule::axis_type, Add> q;
    q.batch = x.batch, q.channels = x.channels;
    for (int r = 0; r < 3; ++r) q.axis[r] = rule::axis(r, x.extent[r]);
    q.from = adjacent(from), q.to = adjacent(to);
    return q;
  }
  /// Of tensors of these shapes, for who plans them.
  static auto forward_call(const image_shape& x, const image_shape& y) {
    if constexpr (rule::interpolates)
      return sums_of<resample_pass::forward, false>(x);
    else
      return copy_of<false>(x, y, rule::map(x));
  }
  static auto backward_call(const image_shape& x, const image_shape& y) {
    if constexpr (!rule::sums_gradients)
      return copy_of<std::is_floating_point_v<T>>(y, x, rule::inverse(x));
    else if constexpr (std::is_floating_point_v<T>)
      return sums_of<resample_pass::data, true>(x);
    else
      return forward_call(x, y);  // there is none
  }
};

}  // namespace impl

template <class T, class Op, class Policy>
struct operations<reorder<T>, Op, Policy> : impl::moving_operations<reorder<T>, Op, Policy> {};

template <channel_shuffle_config C, class T, class Op, class Policy>
struct operations<channel_shuffle<C, T>, Op, Policy> : impl::moving_operations<channel_shuffle<C, T>, Op, Policy> {};

template <int Rank, space_to_depth_config<Rank> C, class T, class Op, class Policy>
struct operations<space_to_depth<Rank, C, T>, Op, Policy>
    : impl::moving_operations<space_to_depth<Rank, C, T>, Op, Policy> {};

template <int Rank, space_to_depth_config<Rank> C, class T, class Op, class Policy>
struct operations<depth_to_space<Rank, C, T>, Op, Policy>
    : impl::moving_operations<depth_to_space<Rank, C, T>, Op, Policy> {};

template <int Rank, upsample_config<Rank> C, class T, class Op, class Policy>
struct operations<upsample<Rank, C, T>, Op, Policy> : impl::moving_operations<upsample<Rank, C, T>, Op, Policy> {};

template <int Rank, pad_config<Rank> C, class T, class Op, class Policy>
struct operations<pad<Rank, C, T>, Op, Policy> : impl::moving_operations<pad<Rank, C, T>, Op, Policy> {};

}  // namespace tern::inline TERN_ISA
