// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the tensors of a convolution's calls to operands: shapes that agree with each other and the config, weights as
// they are or packed, and outputs that share nothing with inputs.
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/packed.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"

namespace tern::inline TERN_ISA::impl {

/// Of convolutions and transposed ones. Their windows slide over the wide tensor, and have a position for every element
/// of the narrow one: x and y of a convolution, y and x of a transposed one.
template <class OpType, class Op, class Policy, bool Transposed>
struct conv_operands {
  using T = typename OpType::value_type;
  static constexpr auto C = OpType::config;
  static constexpr int Rank = OpType::rank;

 protected:
  using packed_type = packed<Op, Policy>;
  static constexpr const char* op = Op::name;
  static constexpr conv_pass forward_pass = Transposed ? conv_pass::data : conv_pass::forward,
                             backward_pass = Transposed ? conv_pass::forward : conv_pass::data;
  template <tern::pass For>
  static constexpr conv_pass direction_of = For == tern::pass::forward ? forward_pass : backward_pass;
  static constexpr index_t wide_channels = Transposed ? C.out : C.in, narrow_channels = Transposed ? C.in : C.out;

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
  TERN_INLINE static auto weights_view(const W& w) {
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
  TERN_INLINE static filters<const T> weights(const W& w, const View& v, const conv_shape& s) {
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
  TERN_INLINE static conv_shape check(const char* x_name, const X& x, const char* w_name, const W& w,
                                      const char* y_name, const Y& y, AxisOf axis_of = {}) {
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
    if (x.extent(1) != C.in)
      violation("%s: %s is %s: extent 1, its channels, must be %td, as .in says", op, x_name, impl::text_of(x).text,
                C.in);
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

  /// One number for every output channel.
  template <class U, class View>
  TERN_INLINE static operand<U> per_channel(const char* name, const View& v) {
    static_assert(View::rank == 1, "convolution: scale, bias, slope and dbias must have rank 1");
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

  /// A number for every output channel and position, or axis of them.
  template <class View, class Y>
  TERN_INLINE static image<const T> per_position(const char* name, const View& v, const Y& y) {
    static_assert(View::rank == Y::rank, "convolution: slope must have rank 1, or that of y");
    image<const T> i = impl::image_operand<const T, Rank>(op, name, v);
    bool right = v.extent(0) == 1 && v.extent(1) == C.out;
    for (int r = 2; r < Rank + 2; ++r) right = right && (v.extent(r) == y.extent(r) || v.extent(r) == 1);
    if (!right)
      violation("%s: %s is %s and y is %s: it must have one sample, y's channels, and along every axis y's extent or 1",
                op, name, impl::text_of(v).text, impl::text_of(y).text);
    i.sample = 0;
    for (int r = 0; r < Rank; ++r)
      if (v.extent(2 + r) == 1) i.axis[3 - Rank + r] = 0;
    return i;
  }

  /// The elements of the wide and of the narrow tensor.
  template <class U>
  TERN_INLINE static impl::interval_set wide(const image<U>& i, const conv_shape& s) {
    return impl::intervals_of(i, s.batch, wide_channels, {s.axis[0].in, s.axis[1].in, s.axis[2].in});
  }
  template <class U>
  TERN_INLINE static impl::interval_set narrow(const image<U>& i, const conv_shape& s) {
    return impl::intervals_of(i, s.batch, narrow_channels, {s.axis[0].out, s.axis[1].out, s.axis[2].out});
  }

  /// \param second  a further output; by default there is none
  template <conv_pass P, epilogue E>
  TERN_INLINE static void check_output(const conv_sums<T, P, E>& q, const impl::interval_set& second = {}) {
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
    if constexpr (E.channel_slope()) check_both(impl::intervals_of(q.slope, C.out));
    if constexpr (E.position_slope()) {
      index_t extent[3];
      for (int r = 0; r < 3; ++r) extent[r] = q.slopes.axis[r] == 0 ? 1 : q.extent(r);
      check_both(impl::intervals_of(q.slopes, 1, C.out, extent));
    }
  }
};

}  // namespace tern::inline TERN_ISA::impl
