// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of batch, layer, group, instance and RMS norms: forward, and the gradients of x, scale and shift, each
// callable alone.
#pragma once

#include <tuple>
#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/normalization.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/norm_parts.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/norm.hpp"

namespace tern::inline TERN_ISA {

template <norm_kind K, norm_config Config, class T, class Op, class Policy>
struct operations<normalization<K, Config, T>, Op, Policy> : impl::norm_parts<K, Config, T, Op, Policy> {
  static_assert(
      requires { sizeof(normalization_kernel<Policy>); },
      "norm: there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "norm: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;

  /// y = act((x - mean) / sqrt(variance + eps) scale + shift + residual).
  ///
  ///     k([state,] x [, scale] [, shift] [, residual], y [, mean, rstd [, variance]] [, tern::epsilon{1e-5}])
  ///
  /// \param x             (n, channels, spatial...), channels next to each other
  /// \param scale, shift  channels elements; given exactly where `.scale`, `.shift` are set
  /// \param residual      shape of x; given exactly where `.residual` is set
  /// \param y             shape of x; shares no element with an input, but may be x or residual itself
  /// \param mean, rstd    on demand, for the gradients: (n, groups), or n elements of layer and RMS norms, or of batch
  ///                      norms channels elements; RMS norms have rstd = 1 / sqrt(variance + eps) only
  /// \param variance      of batch norms, on demand, for running averages: the biased one
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, groups do not divide the
  /// channels, a sample has no elements, eps is not positive, channels are not next to each other, a view is null, an
  /// output shares elements with another tensor, or tiles are too small. Cost: x is read from memory once or twice, y
  /// written once; 6 operations per element.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr int given = impl::tensor_count<Args...>;
    constexpr bool right = (given == first_statistic || given == first_statistic + statistic_count ||
                            (whole_batch && given == first_statistic + 3)) &&
                           well_formed<Args...> && impl::option_count<Args...> == 0;
    static_assert(
        right,
        "norm: the call takes (x, scale, shift, residual, y) and on demand (mean, rstd), of RMS norms (rstd), of batch "
        "norms (mean, rstd, variance), too, and a tern::epsilon; scale, shift and residual are given exactly where "
        ".scale, .shift and .residual are set");
    if constexpr (right) forward(impl::state_of<normalization_kernel<Policy>>(args...), args...);
  }

  /// dx = the gradient of the loss with respect to x.
  ///
  ///     k.backward_data([state,] dy, x [, scale] [, mean], rstd, dx [, tern::accumulate])
  ///
  /// \param dy          shape of x: the gradient after the activation has been undone, which is that of residual, too
  /// \param mean, rstd  of the forward pass; RMS norms have no mean
  /// \param dx          shape of x; may be dy itself
  /// Errors are those of the forward pass. Cost: dy and x are read from memory once or twice, dx written once.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == 3 + C.scale + statistic_count && impl::well_formed<Args...>;
    static_assert(
        right,
        "norm: backward_data takes (dy, x, scale, mean, rstd, dx), of which scale is given exactly where .scale "
        "is set, and mean not of RMS norms");
    if constexpr (right) gradient(impl::state_of<normalization_kernel<Policy>>(args...), args...);
  }

  /// dscale and dshift = the gradients of the loss with respect to scale and shift, summed over the batch.
  ///
  ///     k.backward_weights([state,] dy, x [, mean], rstd, dscale [, dshift] [, tern::accumulate])
  ///
  /// \param dscale, dshift  channels elements
  /// A batch that is cut at grains (docs/numerics.md) and accumulated in order gives the bits of the uncut batch.
  /// Errors are those of the forward pass. Cost: dy and x are read once.
  template <class... Args>
  void backward_weights(Args&&... args) const {
    constexpr int given = impl::tensor_count<Args...> - statistic_count;
    constexpr bool right = (given == 3 || given == 4) && impl::well_formed<Args...>;
    static_assert(
        right,
        "norm: backward_weights takes (dy, x, mean, rstd, dscale) or (dy, x, mean, rstd, dscale, dshift); RMS "
        "norms have no mean");
    if constexpr (right) weight_gradient(impl::state_of<place_sums_kernel<Policy>>(args...), args...);
  }

  /// dx, dscale and dshift: what backward_data and backward_weights give, to the bit.
  ///
  ///     k.backward([state,] dy, x [, scale] [, mean], rstd, dx, dscale [, dshift] [, tern::accumulate_weights])
  ///
  /// tern::accumulate_weights adds to dscale and dshift, tern::accumulate to dx, too. Errors are those of both
  /// passes. Cost: of a batch norm that does not accumulate that of backward_data, whose sums are dscale and dshift;
  /// else that of both, but that of simd reads large tensors from memory once.
  template <class... Args>
  void backward(Args&&... args) const {
    constexpr int given = impl::tensor_count<Args...> - 3 - C.scale - statistic_count;
    constexpr bool right =
        (given == 1 || given == 2) && impl::with_options<accumulate_weights_t>::template well_formed<Args...>;
    static_assert(right,
                  "norm: backward takes (dy, x, scale, mean, rstd, dx, dscale) or (dy, x, scale, mean, rstd, dx, "
                  "dscale, dshift), of which scale is given exactly where .scale is set, and mean not of RMS norms");
    if constexpr (right) all_gradients(impl::state_of<normalization_kernel<Policy>>(args...), args...);
  }

  /// What a batch norm with known statistics is, such as running averages in inference: factors and offsets with which
  /// y = act(x factor + offset + residual), element by element (tern::elementwise), or fused into the convolution
  /// before it as its .scale and .bias; of a matmul before it the columns of b are multiplied by the factors. On the
  /// calling thread.
  ///
  ///     k.fold(mean, variance [, scale] [, shift], factor, offset [, tern::epsilon{1e-5}])
  ///
  /// All of them have one element per channel, and memory that the host can read. factor = scale / sqrt(variance +
  /// eps), offset = shift - mean factor: where the mean is far larger than the deviation, this loses what the norm
  /// itself keeps. factor and offset may be inputs themselves. Throws std::invalid_argument, before anything is
  /// written, where sizes disagree, a view is null, an output shares other elements with another tensor or eps is not
  /// positive.
  template <class... Args>
  void fold(Args&&... args) const {
    static_assert(whole_batch, "norm: only batch norms have known statistics: others take them from every sample");
    constexpr int factor_at = 2 + C.scale + C.shift;
    constexpr bool right = impl::tensor_count<Args...> == factor_at + 2 && well_formed<Args...> &&
                           impl::option_count<Args...> == 0 && !impl::has_state<Args...>;
    static_assert(right || !whole_batch,
                  "norm: fold takes (mean, variance, scale, shift, factor, offset), of which scale and shift are given "
                  "exactly where .scale and .shift are set");
    if constexpr (right && whole_batch) {
      const auto mean = tensor<0>(args...);
      const auto all = [&]<class U>(std::type_identity<U>, const char* name, const auto& v) {
        return per_channel<U>(name, v, view<const T, dims<2>>(nullptr, dims<2>(1, mean.extent(0))));
      };
      const auto in = [&](const char* name, const auto& v) { return all(std::type_identity<const T>(), name, v); };
      const operand<const T> m = in("mean", mean), v = in("variance", tensor<1>(args...));
      operand<const T> scale, shift;
      if constexpr (C.scale) scale = in("scale", tensor<2>(args...));
      if constexpr (C.shift) shift = in("shift", tensor<2 + C.scale>(args...));
      const operand<T> factor = all(std::type_identity<T>(), "factor", tensor<factor_at>(args...)),
                       offset = all(std::type_identity<T>(), "offset", tensor<factor_at + 1>(args...));
      const T eps = impl::checked_epsilon<T>(op, impl::find_argument<epsilon>(args...));
      const auto at = [&](const auto& numbers) { return impl::intervals_of(numbers, mean.extent(0)); };
      impl::check_output(op, at(factor), at(offset));
      for (const operand<T>& to : {factor, offset})
        for (const operand<const T>& from : {m, v, scale, shift})
          if (from.p != nullptr && !(from.p == to.p && from.row == to.row)) impl::check_output(op, at(to), at(from));
      for (index_t c = 0; c < mean.extent(0); ++c) {
        const T rstd = tile::reciprocal_deviation(*v.at(c, 0), eps), of_mean = *m.at(c, 0);
        const T a = C.scale ? math::product(*scale.at(c, 0), rstd) : rstd, b = C.shift ? *shift.at(c, 0) : T(0);
        *factor.at(c, 0) = a, *offset.at(c, 0) = math::fma(-of_mean, a, b);
      }
    }
  }

  /// How a call on a tensor of x's shape will run: the bytes of the tensors of x's shape, operations, and under mimd
  /// tiles, memory and cycles. Elements of x are not looked at. `how` is what the model takes besides: the concurrency
  /// of the executor under simd, tiles under mimd.
  ///
  ///     std::cout << decltype(k)::plan(x);
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    const auto v = as_view(x);
    using view = decltype(v);
    const norm_shape s = planned_shape(v);
    const auto describe = [&]<class Family>(std::type_identity<Family>, const auto& call, index_t tensors,
                                            int operations) {
      const index_t elements = s.batch * s.channels * s.positions();
      tern::plan p = impl::plan_of_moves<Family, Policy, T>(op, which, tensors * elements, call, how...);
      p.m = s.batch * s.positions(), p.n = s.channels, p.k = 1;
      p.flops = static_cast<double>(elements) * operations;
      return p;
    };
    const std::type_identity<normalization_kernel<Policy>> norms;
    if (which == tern::pass::forward) return describe(norms, planned_values<view>(s), 2 + C.residual, 8);
    if (which == tern::pass::backward_data) return describe(norms, planned_gradient<view, false>(s), 3, 12);
    return describe(std::type_identity<place_sums_kernel<Policy>>(), planned_weights<false>(s), 2, 5);
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for every pass, which allocates; the default state under the other policies. Elements
  /// of x are not looked at. `how` is what the model's make_state takes besides: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using family = normalization_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "norm: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      const auto v = as_view(x);
      using view = decltype(v);
      const norm_shape s = planned_shape(v);
      return family::make_state(
          std::tuple{planned_values<view>(s), planned_gradient<view, true>(s), planned_weights<true>(s)}, how...);
    }
  }

 private:
  static constexpr norm_config C = Config;
  static constexpr const char* op = Op::name;
  static constexpr bool center = K != norm_kind::rms, whole_batch = K == norm_kind::batch;
  static constexpr int statistic_count = center ? 2 : 1, first_statistic = 2 + C.scale + C.shift + C.residual;
  /// \tparam Views  of all images
  template <class... Views>
  static constexpr norm_steps steps{
      center,
      C.scale,
      C.shift,
      C.residual,
      C.act,
      whole_batch,
      !whole_batch && ((Views::rank == 2 && strided_mapping<typename Views::mapping_type>) && ...)};

  template <class... Args>
  static constexpr bool well_formed = impl::with_options<epsilon>::template well_formed<Args...>;
  template <class... Args>
  static constexpr bool adds_weights =
      impl::has_option<accumulate_t, Args...> || impl::has_option<accumulate_weights_t, Args...>;

  template <int I, class... Args>
  TERN_INLINE static auto tensor(Args&... args) {
    return as_view(impl::nth_tensor<I>(args...));
  }
  template <int I, class... Args>
  using view_of = decltype(tensor<I>(std::declval<Args&>()...));

  template <class State, class... Args>
  static void forward(State&& state, Args&... args) {
    const auto x = tensor<0>(args...);
    constexpr int rest = C.residual ? 1 + C.scale + C.shift : 0;
    norm_values<T, steps<view_of<0, Args...>, view_of<rest, Args...>, view_of<first_statistic - 1, Args...>>> q;
    q.x = operand_of<const T>("x", x);
    q.shape = shape_of("x", x);
    if constexpr (C.scale) q.scale = per_channel<const T>("scale", tensor<1>(args...), x);
    if constexpr (C.shift) q.shift = per_channel<const T>("shift", tensor<1 + C.scale>(args...), x);
    if constexpr (C.residual) q.residual = same_shape<const T>("residual", tensor<rest>(args...), "x", x);
    q.y = same_shape<T>("y", tensor<first_statistic - 1>(args...), "x", x);
    q.eps = impl::checked_epsilon<T>(op, impl::find_argument<epsilon>(args...));
    const impl::interval_set to = elements(q.y, q.shape);
    impl::check_output(op, to);
    if (!impl::same_place(q.x, q.y)) impl::check_output(op, to, elements(q.x, q.shape));
    if constexpr (C.residual)
      if (!impl::same_place(q.residual, q.y)) impl::check_output(op, to, elements(q.residual, q.shape));
    check_parameters(to, q);
    if constexpr (impl::tensor_count < Args... >> first_statistic) {
      if constexpr (center) q.mean = per_group<T>("mean", tensor<first_statistic>(args...), q.shape);
      q.rstd = per_group<T>("rstd", tensor<first_statistic + statistic_count - 1>(args...), q.shape);
      const impl::interval_set x_at = elements(q.x, q.shape), deviations = elements(q.rstd, q.shape);
      const auto check = [&](const impl::interval_set& statistic, const auto&... others) {
        impl::check_output(op, statistic, to, x_at, others...);
        if constexpr (C.residual) impl::check_output(op, statistic, elements(q.residual, q.shape));
        check_parameters(statistic, q);
      };
      check(deviations);
      if constexpr (center) check(elements(q.mean, q.shape), deviations);
      if constexpr (impl::tensor_count < Args... >> first_statistic + 2) {
        q.variance = per_group<T>("variance", tensor<first_statistic + 2>(args...), q.shape);
        check(elements(q.variance, q.shape), deviations, elements(q.mean, q.shape));
      }
    }
    normalization_kernel<Policy>::run(state, q);
  }

  template <class State, class... Args>
  static void gradient(State&& state, Args&... args) {
    normalization_kernel<Policy>::run(state, checked_gradient(args...));
  }
  template <class State, class... Args>
  static void weight_gradient(State&& state, Args&... args) {
    place_sums_kernel<Policy>::run(state, checked_weights<false>(args...));
  }
  template <class State, class... Args>
  static void all_gradients(State&& state, Args&... args) {
    auto q = checked_gradient(args...);
    const auto sums = checked_weights<true>(args...);
    const operand<T> dscale{sums.out[0].p, sums.out[0].channel, 0, 0}, dshift{sums.out[1].p, sums.out[1].channel, 0, 0};
    const impl::interval_set dx = elements(q.dx, q.shape);
    for (const operand<T>& of_channels : {dscale, dshift}) {
      if (of_channels.p == nullptr) continue;
      const impl::interval_set to = impl::intervals_of(of_channels, q.shape.channels);
      impl::check_output(op, to, dx);
      if constexpr (C.scale) impl::check_output(op, to, impl::intervals_of(q.scale, q.shape.channels));
    }
    constexpr bool adds = adds_weights<Args...>;
    if constexpr (whole_batch && !adds) {
      q.dscale = dscale, q.dshift = dshift;
      normalization_kernel<Policy>::run(state, q);
    } else if constexpr (!whole_batch && requires { normalization_kernel<Policy>::samples_in_cache(state, q); }) {
      for (const operand<T>& of_channels : {dscale, dshift})
        if (!adds && of_channels.p != nullptr)
          for (index_t c = 0; c < q.shape.channels; ++c) *of_channels.at(c, 0) = T(0);
      each_part(q, normalization_kernel<Policy>::samples_in_cache(state, q), [&](const auto& part) {
        place_sums_kernel<Policy>::run(state, norm_weight_sums<T, center, true>(part.shape, part.dy, part.x, part.mean,
                                                                                part.rstd, dscale, dshift));
        normalization_kernel<Policy>::run(state, part);
      });
    } else {
      impl::check_fit<normalization_kernel<Policy>>(state, q);
      place_sums_kernel<Policy>::run(state, sums);
      normalization_kernel<Policy>::run(state, q);
    }
  }
  /// f of the calls on so many samples at a time.
  template <class Call, class F>
  static void each_part(const Call& q, index_t at_once, F f) {
    for (index_t first = 0; first < q.shape.batch; first += at_once) {
      Call part = q;
      part.shape.batch = q.shape.batch - first < at_once ? q.shape.batch - first : at_once;
      part.dy.p += first * q.dy.sample, part.x.p += first * q.x.sample, part.dx.p += first * q.dx.sample;
      if constexpr (center) part.mean.p += first * q.mean.row;
      part.rstd.p += first * q.rstd.row;
      f(part);
    }
  }

  /// The call of the first tensors, which are those of backward_data.
  template <class... Args>
  static auto checked_gradient(Args&... args) {
    const auto dy = tensor<0>(args...);
    constexpr int dx = 2 + C.scale + statistic_count;
    norm_gradient<T, steps<view_of<0, Args...>, view_of<1, Args...>, view_of<dx, Args...>>.of_gradient(),
                  impl::has_option<accumulate_t, Args...>>
        q;
    q.dy = operand_of<const T>("dy", dy);
    q.shape = shape_of("dy", dy);
    q.x = same_shape<const T>("x", tensor<1>(args...), "dy", dy);
    if constexpr (C.scale) q.scale = per_channel<const T>("scale", tensor<2>(args...), dy);
    if constexpr (center) q.mean = per_group<const T>("mean", tensor<2 + C.scale>(args...), q.shape);
    q.rstd = per_group<const T>("rstd", tensor<1 + C.scale + statistic_count>(args...), q.shape);
    q.dx = same_shape<T>("dx", tensor<dx>(args...), "dy", dy);
    const impl::interval_set to = elements(q.dx, q.shape);
    impl::check_output(op, to);
    if (!impl::same_place(q.dy, q.dx)) impl::check_output(op, to, elements(q.dy, q.shape));
    impl::check_output(op, to, elements(q.x, q.shape), elements(q.rstd, q.shape));
    if constexpr (center) impl::check_output(op, to, elements(q.mean, q.shape));
    if constexpr (C.scale) impl::check_output(op, to, impl::intervals_of(q.scale, q.shape.channels));
    return q;
  }

  /// \tparam All  whether scale and dx are among the tensors
  template <bool All, class... Args>
  static auto checked_weights(Args&... args) {
    constexpr int mean_at = 2 + (All && C.scale), rstd_at = mean_at + statistic_count - 1, first = rstd_at + 1 + All;
    const auto dy = tensor<0>(args...);
    const norm_shape s = shape_of("dy", dy);
    const image<const T> of_dy = operand_of<const T>("dy", dy),
                         of_x = same_shape<const T>("x", tensor<1>(args...), "dy", dy);
    operand<const T> mean;
    if constexpr (center) mean = per_group<const T>("mean", tensor<mean_at>(args...), s);
    const operand<const T> rstd = per_group<const T>("rstd", tensor<rstd_at>(args...), s);
    const operand<T> dscale = per_channel<T>("dscale", tensor<first>(args...), dy);
    operand<T> dshift;
    const auto check = [&](const impl::interval_set& to) {
      impl::check_output(op, to, elements(of_dy, s), elements(of_x, s), elements(rstd, s));
      if constexpr (center) impl::check_output(op, to, elements(mean, s));
    };
    check(impl::intervals_of(dscale, s.channels));
    if constexpr (impl::tensor_count < Args... >> first + 1) {
      dshift = per_channel<T>("dshift", tensor<first + 1>(args...), dy);
      check(impl::intervals_of(dshift, s.channels));
      impl::check_output(op, impl::intervals_of(dshift, s.channels), impl::intervals_of(dscale, s.channels));
    }
    return norm_weight_sums<T, center, adds_weights<Args...>>(s, of_dy, of_x, mean, rstd, dscale, dshift);
  }

  template <class View>
  static norm_shape planned_shape(const View& v) {
    impl::check_extents(op, "x", v);
    return shape_of("x", v);
  }
  // Calls on dense tensors, which are only planned.
  static constexpr operand<const T> planned_groups(const norm_shape& s) {
    return {nullptr, whole_batch ? 0 : s.groups, 1, 0};
  }
  template <class View>
  static auto planned_values(const norm_shape& s) {
    norm_values<T, steps<View>> q{.shape = s};
    q.x = q.residual = impl::adjacent(impl::planned_image<T>(s));
    return q;
  }
  template <class View, bool Add>
  static auto planned_gradient(const norm_shape& s) {
    norm_gradient<T, steps<View>.of_gradient(), Add> q{.shape = s};
    q.x = q.dy = impl::adjacent(impl::planned_image<T>(s)), q.mean = q.rstd = planned_groups(s);
    return q;
  }
  template <bool Add>
  static auto planned_weights(const norm_shape& s) {
    const image<const T> x = impl::adjacent(impl::planned_image<T>(s));
    const operand<T> of_channels{nullptr, 1, 0, 0};
    return norm_weight_sums<T, center, Add>(s, x, x, planned_groups(s), planned_groups(s), of_channels, of_channels);
  }
  /// The sizes of a call, whose samples have elements and whose groups divide the channels.
  template <class View>
  TERN_INLINE static norm_shape shape_of(const char* name, const View& v) {
    norm_shape s{.batch = v.extent(0), .channels = v.extent(1)};
    s.groups = K == norm_kind::instance || whole_batch ? s.channels : C.groups;
    for (int r = 2; r < View::rank; ++r) s.extent[3 - View::rank + r] = v.extent(r);
    if (s.channels * s.positions() == 0 || (whole_batch && s.batch == 0))
      violation("%s: %s is %s: there are no elements to normalise", op, name, impl::text_of(v).text);
    if (s.channels % s.groups != 0)
      violation("%s: %s has %td channels, which .groups = %td does not divide", op, name, s.channels, s.groups);
    return s;
  }
  template <class U, class View>
  TERN_INLINE static image<U> operand_of(const char* name, const View& v) {
    static_assert(View::rank >= 2 && View::rank <= 5,
                  "norm: x must have the rank (sample, channel, spatial...), with up to three axes");
    return impl::image_operand<U, View::rank - 2>(op, name, v);
  }
  template <class U, class View, class X>
  TERN_INLINE static image<U> same_shape(const char* name, const View& v, const char* x_name, const X& x) {
    static_assert(View::rank == X::rank, "norm: residual, y and gradients of x must have the rank of x");
    impl::check_equal_shapes(op, name, v, x_name, x);
    return operand_of<U>(name, v);
  }
  /// Numbers at these steps; null where v cannot hold them, which is one error.
  template <class U, class View>
  TERN_INLINE static operand<U> numbers(const char* name, const View& v, index_t row, index_t column) {
    constexpr bool of_type = std::is_same_v<typename View::value_type, T>,
                   writable = std::is_const_v<U> || !std::is_const_v<typename View::element_type>;
    static_assert(of_type, "norm: every tensor must have the element type of the op");
    static_assert(writable, "norm: the output must be a view of elements that are not const");
    if (v.data() == nullptr && v.size() > 0) impl::null_violation(op, name, v);
    if constexpr (of_type && writable)
      return {v.data(), row, column, 0};
    else
      return {};
  }
  template <class U, class View, class X>
  TERN_INLINE static operand<U> per_channel(const char* name, const View& v, const X& x) {
    static_assert(View::rank == 1, "norm: scale, shift and their gradients must have rank 1");
    if (v.extent(0) != x.extent(1))
      violation("%s: %s has %td elements and there are %td channels", op, name, v.extent(0), x.extent(1));
    return numbers<U>(name, v, v.stride(0), 0);
  }
  template <class U, class View>
  TERN_INLINE static operand<U> per_group(const char* name, const View& v, const norm_shape& s) {
    constexpr bool one_group = K == norm_kind::layer || K == norm_kind::rms;
    static_assert(
        whole_batch ? View::rank == 1 : View::rank == 2 || (one_group && View::rank == 1),
        "norm: mean and rstd must have the rank (sample, group), or of layer and RMS norms (sample), or of batch "
        "norms (channel)");
    if constexpr (whole_batch) {
      if (v.extent(0) != s.channels)
        violation("%s: %s has %td elements and there are %td channels", op, name, v.extent(0), s.channels);
      return numbers<U>(name, v, 0, v.stride(0));
    } else {
      index_t step = 0;
      if constexpr (View::rank == 1) {
        if (v.extent(0) != s.batch)
          violation("%s: %s has %td elements and there are %td samples", op, name, v.extent(0), s.batch);
      } else {
        if (v.extent(0) != s.batch || v.extent(1) != s.groups)
          violation("%s: %s is %s and there are %tdx%td samples and groups", op, name, impl::text_of(v).text, s.batch,
                    s.groups);
        step = v.stride(1);
      }
      return numbers<U>(name, v, v.stride(0), step);
    }
  }

  template <class U>
  TERN_INLINE static impl::interval_set elements(const image<U>& i, const norm_shape& s) {
    return impl::intervals_of(i, s.batch, s.channels, s.extent);
  }
  template <class U>
  TERN_INLINE static impl::interval_set elements(const operand<U>& x, const norm_shape& s) {
    impl::interval_set b;
    if (!whole_batch) b.add(x.row, s.batch);
    b.add(x.column, s.groups);
    b.begin_at(x.p);
    return b;
  }
  template <class Call>
  TERN_INLINE static void check_parameters(const impl::interval_set& to, const Call& q) {
    if constexpr (C.scale) impl::check_output(op, to, impl::intervals_of(q.scale, q.shape.channels));
    if constexpr (C.shift) impl::check_output(op, to, impl::intervals_of(q.shift, q.shape.channels));
  }
};

}  // namespace tern::inline TERN_ISA
