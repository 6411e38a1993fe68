// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of elementwise ops: forward, and the gradients of x, scale, bias and slope, each callable alone.
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
#include "tern/family/map/mapping.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/elementwise.hpp"

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
  ///     k([state,] x [, scale] [, bias] [, residual] [, slope], y)
  ///
  /// \param x         (n, channels, spatial...), in any layout
  /// \param scale, bias, slope  given exactly where `.scale`, `.bias` are set or `.act` is prelu: a number per channel
  ///                  (rank 1), or a tensor of x's rank whose extents are those of x or, except for that of channels, 1
  /// \param residual  shape of x, given exactly where `.residual` is set
  /// \param y         shape of x; may be an input itself, and shares no other element with one
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, a view is null, y shares elements
  /// with an input, or tiles are too small. Cost: every element is read and written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == 2 + C.scale + C.bias + C.residual + has_slope &&
                           impl::well_formed<Args...> && impl::option_count<Args...> == 0;
    static_assert(right,
                  "elementwise: the call takes (x, scale, bias, residual, slope, y), of which scale, bias and residual "
                  "are given exactly where .scale, .bias and .residual are set, and slope where .act is prelu");
    if constexpr (right) forward(impl::state_of<mapping_kernel<Policy>>(args...), args...);
  }

  /// dx = dy act' scale: the gradient of the loss with respect to x.
  ///
  ///     k.backward_data([state,] dy [, saved] [, scale] [, slope], dx [, tern::accumulate])
  ///
  /// \param dy     shape of x: the gradient with respect to y
  /// \param saved  given where there is an activation: y where tern::derivative_from_result(act), else what the
  ///               activation was applied to
  /// \param scale, slope  given exactly as in the forward pass
  /// \param dx     shape of x; may be an input itself
  /// Without `.scale` it is the gradient of bias, element by element, and of residual, too. Errors and cost are those
  /// of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right =
        impl::tensor_count<Args...> == 2 + has_activation + C.scale + has_slope && impl::well_formed<Args...>;
    static_assert(
        right,
        "elementwise: backward_data takes (dy, saved, scale, slope, dx), of which saved is given exactly where there "
        "is an activation, scale where .scale is set and slope where .act is prelu");
    if constexpr (right) gradient(impl::state_of<mapping_kernel<Policy>>(args...), args...);
  }

  /// The gradients of the loss with respect to scale, bias and slope, summed over the samples and positions that one of
  /// their elements stands for.
  ///
  ///     k.backward_scale([state,] dy [, saved] [, slope], x, dscale [, tern::accumulate])      where .scale is set
  ///     k.backward_bias([state,] dy [, saved] [, slope], dbias [, tern::accumulate])           where .bias is set
  ///     k.backward_slope([state,] dy, saved, dslope [, tern::accumulate])                      where .act is prelu
  ///
  /// \param dy, saved, slope        as of backward_data
  /// \param x                       that of the forward pass
  /// \param dscale, dbias, dslope   shapes of scale, bias and slope; share no element with an input
  /// A batch that is cut at grains (docs/numerics.md) and accumulated in order gives the bits of the uncut batch.
  /// Errors are those of the forward pass. Cost: every input is read once. On tiles all that is summed to one element
  /// is on one tile, except of a number per channel.
  template <class... Args>
  void backward_scale(Args&&... args) const {
    constexpr bool right =
        C.scale && impl::tensor_count<Args...> == 3 + has_activation + has_slope && impl::well_formed<Args...>;
    static_assert(right,
                  "elementwise: backward_scale takes (dy, saved, slope, x, dscale) of an op with .scale, of which "
                  "saved is given exactly where there is an activation and slope where .act is prelu");
    if constexpr (right) sum<tile::scale_terms<C.act, impl::has_option<accumulate_t, Args...>>>("dscale", args...);
  }
  template <class... Args>
  void backward_bias(Args&&... args) const {
    constexpr bool right =
        C.bias && impl::tensor_count<Args...> == 2 + has_activation + has_slope && impl::well_formed<Args...>;
    static_assert(right,
                  "elementwise: backward_bias takes (dy, saved, slope, dbias) of an op with .bias, of which saved is "
                  "given exactly where there is an activation and slope where .act is prelu");
    if constexpr (right) sum<tile::bias_terms<C.act, impl::has_option<accumulate_t, Args...>>>("dbias", args...);
  }
  template <class... Args>
  void backward_slope(Args&&... args) const {
    constexpr bool right = has_slope && impl::tensor_count<Args...> == 3 && impl::well_formed<Args...>;
    static_assert(right, "elementwise: backward_slope takes (dy, saved, dslope) of an op whose .act is prelu");
    if constexpr (right) sum<tile::slope_terms<impl::has_option<accumulate_t, Args...>>>("dslope", args...);
  }

  /// How a call on a tensor of x's shape will run: the bytes it reads and writes, operations, and under mimd tiles,
  /// memory and cycles. Elements of x are not looked at; scale and bias are taken to be numbers per channel. `how` is
  /// what the model takes besides: the concurrency of the executor under simd, tiles under mimd.
  ///
  ///     std::cout << decltype(k)::plan(x);
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    if constexpr (!has_weights) impl::require_pass_of_elements(op, which);
    const auto v = as_view(x);
    impl::check_extents(op, "x", v);
    const auto describe = [&]<class Family>(std::type_identity<Family>, const auto& call, int tensors) {
      constexpr index_t operations = std::remove_cvref_t<decltype(call.f)>::operations;
      tern::plan p = impl::plan_of_moves<Family, Policy, T>(op, which, tensors * call.elements(), call, how...);
      p.m = call.channels > 0 ? call.elements() / call.channels : 0, p.n = call.channels, p.k = 1;
      p.flops = static_cast<double>(call.elements() * operations);
      return p;
    };
    const std::type_identity<mapping_kernel<Policy>> maps;
    if constexpr (has_weights)
      if (which == tern::pass::backward_weights)
        return describe(std::type_identity<place_sums_kernel<Policy>>(), planned_sum(v), 1 + has_activation + C.scale);
    return which == tern::pass::forward ? describe(maps, planned<forward_map>(v), 2 + C.residual)
                                        : describe(maps, planned<gradient_map<true>>(v), 2 + has_activation);
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for every pass and for a scale, bias and slope of any shape, as far as the device has
  /// it, which allocates; the default state under the other policies. Elements of x are not looked at.
  /// `how` is what the model's make_state takes besides: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using family = mapping_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "elementwise: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      const auto v = as_view(x);
      impl::check_extents(op, "x", v);
      const std::tuple maps{planned<forward_map>(v, true), planned<gradient_map<true>>(v, true)};
      if constexpr (has_weights)
        return family::make_state(
            std::tuple_cat(maps, planned_sums(v, std::make_index_sequence<(1 << (decltype(v)::rank - 1))>())), how...);
      else
        return family::make_state(maps, how...);
    }
  }

 private:
  static constexpr elementwise_config C = Config;
  static constexpr const char* op = Op::name;
  static constexpr bool has_activation = C.act != activation::none, has_slope = C.act.takes_slope(),
                        has_weights = C.scale || C.bias || has_slope;
  using forward_map = epilogue_map<epilogue{.bias = C.bias, .residual = C.residual, .act = C.act, .scale = C.scale}>;
  template <bool Add>
  using gradient_map = epilogue_gradient_map<C.scale, C.act, Add>;

  /// The call on a tensor of v's shape, which is only planned.
  /// \param full  whether scale, bias and slope have all elements of x
  template <class F, class View>
  static mapping<T, F> planned(const View& v, bool full = false) {
    mapping<T, F> q;
    set_shape(q, "x", v);
    constexpr bool forward = std::is_same_v<F, forward_map>;
    for (int i = 0; i < F::inputs; ++i) {
      const bool repeats =
          forward ? i > 0 && (i <= C.scale + C.bias || i > C.scale + C.bias + C.residual) : i > has_activation;
      q.in[i] = repeats && !full ? image_of_channels(operand<const T>{nullptr, 1, 0, 0}, q.channels)
                                 : impl::planned_image<T>(q);
    }
    return q;
  }
  /// The gradient of most inputs.
  /// \param kept  bit by bit whether samples, width, height and depth have results of their own
  template <class View>
  static auto planned_sum(const View& v, std::size_t kept = 0) {
    using F = std::conditional_t<C.scale, tile::scale_terms<C.act, true>, tile::bias_terms<C.act, true>>;
    place_sums<T, F> q;
    q.channels = v.extent(1);
    const mapping<T, forward_map> all = planned<forward_map>(v);
    (kept & 1 ? q.of : q.summed).batch = all.batch;
    for (int r = 0; r < 3; ++r) (kept & 8u >> r ? q.of : q.summed).extent[r] = all.extent[r];
    for (auto& i : q.in) i = impl::planned_image<T>(all);
    q.out[0] = {.channel = 1, .block = q.channels > 0 ? q.channels : 1};
    return q;
  }
  template <class View, std::size_t... Kept>
  static auto planned_sums(const View& v, std::index_sequence<Kept...>) {
    return std::tuple{planned_sum(v, Kept)...};
  }
  template <class View>
  static void check_rank() {
    static_assert(View::rank >= 2 && View::rank <= 5,
                  "elementwise: x must have the rank (sample, channel, spatial...), with up to three axes");
  }

  template <class State, class... Args>
  static void forward(State&& state, Args&... args) {
    constexpr int residual = 1 + C.scale + C.bias, slope = residual + C.residual;
    const auto x = tensor<0>(args...);
    mapping<T, forward_map> q;
    set_shape(q, "x", x);
    q.in[0] = impl::scattered_operand<const T, false>(op, "x", x);
    if constexpr (C.scale) q.in[1] = broadcast<const T>("scale", tensor<1>(args...), "x", x);
    if constexpr (C.bias) q.in[1 + C.scale] = broadcast<const T>("bias", tensor<1 + C.scale>(args...), "x", x);
    if constexpr (C.residual) q.in[residual] = whole("residual", tensor<residual>(args...), "x", x);
    if constexpr (has_slope) q.in[slope] = broadcast<const T>("slope", tensor<slope>(args...), "x", x);
    run(state, q, "y", tensor<forward_map::inputs>(args...), "x", x);
  }

  template <class State, class... Args>
  static void gradient(State&& state, Args&... args) {
    using map = gradient_map<impl::has_option<accumulate_t, Args...>>;
    constexpr int scale = 1 + has_activation, slope = scale + C.scale;
    const auto dy = tensor<0>(args...);
    mapping<T, map> q;
    set_shape(q, "dy", dy);
    q.in[0] = impl::scattered_operand<const T, false>(op, "dy", dy);
    if constexpr (has_activation) q.in[1] = whole("saved", tensor<1>(args...), "dy", dy);
    if constexpr (has_slope) q.in[2] = broadcast<const T>("slope", tensor<slope>(args...), "dy", dy);
    if constexpr (C.scale) q.in[map::before] = broadcast<const T>("scale", tensor<scale>(args...), "dy", dy);
    run(state, q, "dx", tensor<map::inputs>(args...), "dy", dy);
  }

  /// A gradient that is summed: of dy, saved, slope, x, of those that F takes.
  template <class F, class... Args>
  static void sum(const char* name, Args&... args) {
    decltype(auto) state = impl::state_of<place_sums_kernel<Policy>>(args...);
    constexpr bool of_scale = F::inputs == tile::epilogue_gradient<C.act>::inputs + 1,
                   of_slope = std::is_same_v<F, tile::slope_terms<F::accumulates>>;
    const auto dy = tensor<0>(args...);
    check_rank<decltype(dy)>();
    impl::check_extents(op, "dy", dy);
    const scattered_image<const T> of_dy = impl::scattered_operand<const T, false>(op, "dy", dy);
    const impl::image_shape s = impl::shape_of(dy);
    const auto to = tensor<F::inputs>(args...);
    place_sums<T, F> q;
    q.channels = s.channels;
    q.out[0] = broadcast<T>(name, to, "dy", dy);
    q.in[0] = of_dy;
    if constexpr (has_activation) q.in[1] = whole("saved", tensor<1>(args...), "dy", dy);
    if constexpr (has_slope && !of_slope) q.in[2] = broadcast<const T>("slope", tensor<2>(args...), "dy", dy);
    if constexpr (of_scale && !of_slope) q.in[F::inputs - 1] = whole("x", tensor<F::inputs - 1>(args...), "dy", dy);
    // What a result stands for is summed.
    impl::image_shape results = {.batch = 1, .channels = s.channels};
    if constexpr (decltype(to)::rank > 1) results = impl::shape_of(to);
    (results.batch == s.batch ? q.of : q.summed).batch = s.batch;
    for (int r = 0; r < 3; ++r) (results.extent[r] == s.extent[r] ? q.of : q.summed).extent[r] = s.extent[r];
    const impl::interval_set written = impl::intervals_of(q.out[0], results);
    if (!written.nested()) violation("%s: the strides of %s give two results one element", op, name);
    for (const auto& in : q.in)
      if (impl::intervals_of(in, impl::distinct_elements(in, s)).meets(written))
        violation("%s: %s shares elements with an input", op, name);
    place_sums_kernel<Policy>::run(state, q);
  }

  template <int I, class... Args>
  TERN_INLINE static auto tensor(Args&... args) {
    return as_view(impl::nth_tensor<I>(args...));
  }
  template <class Call, class View>
  TERN_INLINE static void set_shape(Call& q, const char* name, const View& v) {
    check_rank<View>();
    impl::check_extents(op, name, v);
    impl::set_sizes(q, v);
  }
  /// A tensor of x's shape.
  template <class View, class X>
  TERN_INLINE static scattered_image<const T> whole(const char* name, const View& v, const char* x_name, const X& x) {
    static_assert(View::rank == X::rank, "elementwise: tensors of x's shape must have its rank");
    impl::check_equal_shapes(op, name, v, x_name, x);
    return impl::scattered_operand<const T, false>(op, name, v);
  }
  /// A number per channel, or a tensor that is repeated where its extents are 1.
  /// \tparam U  T, or const T of inputs
  template <class U, class View, class X>
  TERN_INLINE static scattered_image<U> broadcast(const char* name, const View& v, const char* x_name, const X& x) {
    static_assert(
        View::rank == 1 || View::rank == X::rank,
        "elementwise: scale, bias, slope and their gradients must have one element per channel, or the rank of x");
    if constexpr (View::rank == 1) {
      constexpr bool of_type = std::is_same_v<typename View::value_type, T>,
                     writable = std::is_const_v<U> || !std::is_const_v<typename View::element_type>;
      static_assert(of_type, "elementwise: every tensor must have the element type of the op");
      static_assert(writable, "elementwise: the output must be a view of elements that are not const");
      if (v.extent(0) != x.extent(1))
        violation("%s: %s has %td elements and %s is %s: one per channel is needed", op, name, v.extent(0), x_name,
                  impl::text_of(x).text);
      if (v.data() == nullptr && v.size() > 0) impl::null_violation(op, name, v);
      if constexpr (of_type && writable)
        return image_of_channels(operand<U>{v.data(), v.stride(0), 0, 0}, v.extent(0));
      else
        return scattered_image<U>{};
    } else {
      bool right = v.extent(1) == x.extent(1);
      for (int r = 0; r < X::rank; ++r) right = right && (v.extent(r) == x.extent(r) || (r != 1 && v.extent(r) == 1));
      if (!right)
        violation("%s: %s is %s and %s is %s: the extents of %s must be those of %s or, except for channels, 1", op,
                  name, impl::text_of(v).text, x_name, impl::text_of(x).text, name, x_name);
      scattered_image<U> i = impl::scattered_operand<U, false>(op, name, v);
      if (v.extent(0) == 1) i.sample = 0;
      for (int r = 2; r < X::rank; ++r)
        if (v.extent(r) == 1) i.axis[5 - X::rank + r - 2] = 0;
      return i;
    }
  }
  template <class State, class F, class Y, class X>
  TERN_INLINE static void run(State&& state, mapping<T, F>& q, const char* y_name, const Y& y, const char* x_name,
                              const X& x) {
    static_assert(Y::rank == X::rank, "elementwise: tensors of x's shape must have its rank");
    impl::check_equal_shapes(op, y_name, y, x_name, x);
    q.out[0] = impl::scattered_operand<T, false>(op, y_name, y);
    const impl::image_shape s = impl::shape_of(y);
    const impl::interval_set to = impl::intervals_of(q.out[0], s);
    TERN_UNROLL
    for (int i = 0; i < F::inputs; ++i) {
      const scattered_image<const T>& from = q.in[i];
      if (!impl::same_place(from, q.out[0]) && impl::intervals_of(from, impl::distinct_elements(from, s)).meets(to))
        violation("%s: %s shares elements with an input, and is not that input itself", op, y_name);
    }
    if (!to.nested()) violation("%s: the strides of %s give two results one element", op, y_name);
    mapping_kernel<Policy>::run(state, q);
  }
};

}  // namespace tern::inline TERN_ISA
