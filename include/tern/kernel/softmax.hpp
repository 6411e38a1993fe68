// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of softmax and its logarithm: forward, and the gradient.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/reduction/softmax.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/softmax.hpp"

namespace tern::inline TERN_ISA {

template <softmax_config Config, class T, class Op, class Policy>
struct operations<softmax<Config, T>, Op, Policy> {
  static_assert(
      requires { sizeof(softmax_kernel<Policy>); },
      "softmax: there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "softmax: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;

  /// y = exp(x) / sum of exp(x) along the axis, or its logarithm.
  ///
  ///     k([state,] x [, mask], y)
  ///
  /// \param x     two to five axes, in any layout
  /// \param mask  given exactly where `.mask` is set: std::uint8_t, 0 where an element takes no part; extents are those
  ///              of x or, except for that of `.axis`, 1
  /// \param y     shape of x; may be x itself, and shares no other element with an input
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, the axis has no elements, a view
  /// is null, y shares elements with an input, or tiles are too small. Cost: an exponential per element, two of
  /// logarithms under simt; x is read from memory once.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool right =
        impl::tensor_count<Args...> == 2 + C.mask && impl::well_formed<Args...> && impl::option_count<Args...> == 0;
    static_assert(right, "softmax: the call takes (x, y), or (x, mask, y) where .mask is set");
    if constexpr (right)
      if constexpr (check_axis<decltype(as_view(impl::nth_tensor<0>(args...)))>())
        forward(impl::state_of<softmax_kernel<Policy>>(args...), args...);
  }

  /// dx = the gradient of the loss with respect to x, from the result y. A mask is not needed: what it left out is 0 in
  /// y, and of logarithms dy must be 0 there.
  ///
  ///     k.backward_data([state,] dy, y, dx [, tern::accumulate])
  ///
  /// \param dx  shape of x; may be dy itself
  /// Errors are those of the forward pass. Cost: dy and y are read from memory once; of logarithms an exponential per
  /// element.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == 3 && impl::well_formed<Args...>;
    static_assert(right, "softmax: backward_data takes (dy, y, dx)");
    if constexpr (right)
      if constexpr (check_axis<decltype(as_view(impl::nth_tensor<0>(args...)))>())
        gradient(impl::state_of<softmax_kernel<Policy>>(args...), args...);
  }

  /// How a call on a tensor of x's shape will run: the bytes it reads and writes, without a mask, operations, and under
  /// mimd tiles, memory and cycles. Elements of x are not looked at. `how` is what the model takes besides: the
  /// concurrency of the executor under simd, tiles under mimd.
  ///
  ///     std::cout << decltype(k)::plan(x);
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    impl::require_pass_of_elements(op, which);
    const auto v = as_view(x);
    impl::check_extents(op, "x", v);
    const auto describe = [&](const auto& call, index_t tensors) {
      const softmax_shape& s = call.shape;
      tern::plan p = impl::plan_of_moves<softmax_kernel<Policy>, Policy, T>(op, which, tensors * s.rows() * s.features,
                                                                            call, how...);
      p.m = s.rows(), p.n = s.features, p.k = 1;
      p.flops = static_cast<double>(s.rows() * s.features) * (which == tern::pass::forward ? 20 : 4);
      return p;
    };
    const softmax_shape s = shape_of("x", v);
    return which == tern::pass::forward ? describe(softmax_values<T, C.log, false>{.shape = s}, 2)
                                        : describe(softmax_gradient<T, C.log, false>{.shape = s}, 3);
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for both passes and a mask of x's shape, which allocates; the default state under the
  /// other policies. Elements of x are not looked at. `how` is what the model's make_state takes besides: see
  /// docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using family = softmax_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "softmax: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      const auto v = as_view(x);
      impl::check_extents(op, "x", v);
      const softmax_shape s = shape_of("x", v);
      softmax_values<T, C.log, C.mask> forward{.shape = s};
      forward.mask = {.sample = 1, .channel = 1, .block = s.features, .axis = {1, 1, 1}};  // of x's shape
      return family::make_state(std::tuple{forward, softmax_gradient<T, C.log, true>{.shape = s}}, how...);
    }
  }

 private:
  static constexpr softmax_config C = Config;
  static constexpr const char* op = Op::name;

  /// Fails where the first tensor of a call has no such axis, before other tensors say the same.
  template <class View>
  static consteval bool check_axis() {
    constexpr int axis = C.axis_of(View::rank);
    static_assert(axis >= 0 && axis < View::rank, "softmax: .axis must be an axis of the tensor");
    return axis >= 0 && axis < View::rank;
  }

  template <class State, class... Args>
  static void forward(State&& state, Args&... args) {
    const auto x = as_view(impl::nth_tensor<0>(args...));
    const auto y = as_view(impl::nth_tensor<1 + C.mask>(args...));
    softmax_values<T, C.log, C.mask> q;
    q.x = operand<const T>("x", x);
    q.shape = shape_of("x", x);
    if constexpr (C.mask) q.mask = mask_operand(as_view(impl::nth_tensor<1>(args...)), x);
    q.y = same_shape<T>("y", y, "x", x);
    const impl::interval_set to = elements(q.y, q.shape);
    impl::check_output(op, to);
    if (!impl::same_place(q.x, q.y)) impl::check_output(op, to, elements(q.x, q.shape));
    if constexpr (C.mask) impl::check_output(op, to, elements(q.mask, q.shape));
    softmax_kernel<Policy>::run(state, q);
  }

  template <class State, class... Args>
  static void gradient(State&& state, Args&... args) {
    const auto dy = as_view(impl::nth_tensor<0>(args...));
    softmax_gradient<T, C.log, impl::has_option<accumulate_t, Args...>> q;
    q.dy = operand<const T>("dy", dy);
    q.shape = shape_of("dy", dy);
    q.y = same_shape<const T>("y", as_view(impl::nth_tensor<1>(args...)), "dy", dy);
    q.dx = same_shape<T>("dx", as_view(impl::nth_tensor<2>(args...)), "dy", dy);
    const impl::interval_set to = elements(q.dx, q.shape);
    if (!impl::same_place(q.dy, q.dx)) impl::check_output(op, to, elements(q.dy, q.shape));
    impl::check_output(op, to, elements(q.y, q.shape));
    softmax_kernel<Policy>::run(state, q);
  }

  /// A tensor as an image whose channels are the axis: the other axes are samples and, from behind, spatial ones.
  template <class U, class View>
  TERN_INLINE static scattered_image<U> operand(const char* name, const View& v) {
    constexpr int axis = C.axis_of(View::rank);
    using mapping = typename View::mapping_type;
    static_assert(View::rank >= 2 && View::rank <= 5, "softmax: tensors must have two to five axes");
    constexpr bool of_type = std::is_same_v<typename View::value_type, std::remove_const_t<U>>,
                   writable = std::is_const_v<U> || !std::is_const_v<typename View::element_type>;
    static_assert(of_type, "softmax: x, y and gradients must have the element type of the op, and masks std::uint8_t");
    static_assert(writable, "softmax: the output must be a view of elements that are not const");
    static_assert(strided_mapping<mapping> || (impl::channel_block<mapping> > 0 && axis == 1),
                  "softmax: the layout must be strided, or channel-blocked where .axis is that of channels");
    impl::check_extents(op, name, v);
    if (v.data() == nullptr && v.size() > 0) impl::null_violation(op, name, v);
    if constexpr (!of_type || !writable) {
      return {};
    } else if constexpr (!strided_mapping<mapping>) {
      return impl::scattered_operand<U, false>(op, name, v);
    } else {
      scattered_image<U> i{.p = v.data(), .channel = v.stride(axis), .block = v.extent(axis) > 0 ? v.extent(axis) : 1};
      int to = 3;  // the axis of the image behind the next one, or samples
      for (int r = View::rank - 1; r >= 0; --r)
        if (r != axis) (--to >= 0 ? i.axis[to] : i.sample) = v.stride(r);
      return i;
    }
  }
  template <class View>
  TERN_INLINE static softmax_shape shape_of(const char* name, const View& v) {
    constexpr int axis = check_axis<View>() ? C.axis_of(View::rank) : 0;
    softmax_shape s{.batch = 1, .features = v.extent(axis)};
    int to = 3;
    for (int r = View::rank - 1; r >= 0; --r)
      if (r != axis) (--to >= 0 ? s.extent[to] : s.batch) = v.extent(r);
    if (s.features == 0 && s.rows() > 0)
      violation("%s: %s is %s: axis %d has no elements", op, name, impl::text_of(v).text, axis);
    return s;
  }
  template <class U, class View, class X>
  TERN_INLINE static scattered_image<U> same_shape(const char* name, const View& v, const char* x_name, const X& x) {
    static_assert(View::rank == X::rank, "softmax: all tensors must have the rank of x");
    impl::check_equal_shapes(op, name, v, x_name, x);
    return operand<U>(name, v);
  }
  template <class View, class X>
  static scattered_image<const std::uint8_t> mask_operand(const View& v, const X& x) {
    constexpr int axis = C.axis_of(X::rank);
    static_assert(View::rank == X::rank, "softmax: all tensors must have the rank of x");
    for (int r = 0; r < X::rank; ++r)
      if (v.extent(r) != x.extent(r) && (r == axis || v.extent(r) != 1))
        violation("%s: mask is %s and x is %s: the extents of mask must be those of x or, except for axis %d, 1", op,
                  impl::text_of(v).text, impl::text_of(x).text, axis);
    auto i = operand<const std::uint8_t>("mask", v);
    int to = 3;
    for (int r = X::rank - 1; r >= 0; --r)
      if (r != axis) {
        index_t& stride = --to >= 0 ? i.axis[to] : i.sample;
        if (v.extent(r) == 1) stride = 0;
      }
    return i;
  }

  template <class U>
  TERN_INLINE static impl::interval_set elements(const scattered_image<U>& i, const softmax_shape& s) {
    const impl::image_shape all{s.batch, s.features, {s.extent[0], s.extent[1], s.extent[2]}};
    return impl::intervals_of(i, impl::distinct_elements(i, all));
  }
};

}  // namespace tern::inline TERN_ISA
