// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of cross-entropies: forward, and the gradient of x.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/loss_results.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/loss.hpp"

namespace tern::inline TERN_ISA {

template <loss_config Config, class T, class Op, class Policy>
struct operations<cross_entropy<Config, T>, Op, Policy> {
  static_assert(
      requires { sizeof(loss_kernel<Policy>); },
      "losses: there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "losses: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;

  /// The cross-entropy of every row with its target, and what `.reduce` makes of them. A row with a negative target is
  /// left out; a target that is no class makes it NaN.
  ///
  ///     k([state,] x, target, losses [, total] [, tern::label_smoothing{0.1}] [, tern::accumulate])
  ///
  /// \param x       (n, classes, spatial...), up to three spatial axes, in any layout: logarithms of probabilities but
  ///                for a number per row, such as the results of a last layer without activation
  /// \param target  (n, spatial...) of std::int32_t: the class of every row. A negative one leaves the row out: its
  ///                loss and gradient are 0, though it counts in a mean. One that is no class makes them NaN
  /// \param losses  (n, spatial...)
  /// \param total   given exactly where `.reduce` is not none: one element; with tern::accumulate, where `.reduce` is
  ///                sum, the sum is added to what it holds: batches that are cut at grains give the bits of the whole
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, there are no classes, a view is
  /// null, an output shares elements with another tensor, there is nothing to average, a label smoothing is not in
  /// [0, 1), or tiles are too small. Cost: an exponential per element; x is read from memory once.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool adds = impl::has_option<accumulate_t, Args...>;
    constexpr bool right = impl::tensor_count<Args...> == 3 + results::reduced &&
                           results::template well_formed<Args...> && impl::count_of<loss_scale, Args...> == 0;
    static_assert(right,
                  "losses: the call takes (x, target, losses, total), of which total is given exactly where .reduce is "
                  "not none");
    static_assert(!adds || C.reduce == reduction::sum, "losses: tern::accumulate adds to a total whose .reduce is sum");
    if constexpr (right && (!adds || C.reduce == reduction::sum))
      forward<adds>(impl::state_of<loss_kernel<Policy>>(args...), args...);
  }

  /// dx = the gradient of the reduced loss with respect to x.
  ///
  ///     k.backward_data([state,] x, target [, dlosses], dx [, tern::label_smoothing{0.1}] [, tern::accumulate]
  ///                     [, tern::loss_scale{1}])
  ///
  /// \param dlosses  (n, spatial...), given exactly where `.reduce` is none: the gradients with respect to the losses
  /// \param dx       shape of x; may be x itself
  /// The label smoothing must be that of the forward pass. Errors are those of the forward pass. Cost: as softmax.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == 3 + !results::reduced &&
                           results::template well_formed<Args...> &&
                           (results::reduced || impl::count_of<loss_scale, Args...> == 0);
    static_assert(right,
                  "losses: backward_data takes (x, target, dlosses, dx), of which dlosses is given exactly where "
                  ".reduce is none, and a tern::loss_scale only where it is not");
    if constexpr (right) gradient(impl::state_of<loss_kernel<Policy>>(args...), args...);
  }

  /// How a call on a tensor of x's shape will run: the bytes of x that it reads and writes, operations, and under mimd
  /// tiles, memory and cycles, those of a total aside. Elements of x are not looked at. `how` is what the model takes
  /// besides: the concurrency of the executor under simd, tiles under mimd.
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    impl::require_pass_of_elements(op, which);
    const softmax_shape s = shape_of(as_view(x));
    const auto describe = [&](const auto& call, index_t tensors) {
      tern::plan p =
          impl::plan_of_moves<loss_kernel<Policy>, Policy, T>(op, which, tensors * s.rows() * s.features, call, how...);
      p.m = s.rows(), p.n = s.features, p.k = 1;
      p.flops = static_cast<double>(s.rows() * s.features * 20);
      return p;
    };
    return which == tern::pass::forward ? describe(cross_entropy_values<T, false>{.shape = s}, 1)
                                        : describe(cross_entropy_gradient<T, !results::reduced, false>{.shape = s}, 2);
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for both passes and the total, which allocates; the default state under the other
  /// policies. Elements of x are not looked at. `how` is what the model's make_state takes besides: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using family = loss_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "losses: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      const softmax_shape s = shape_of(as_view(x));
      const auto total = results::planned_sum(s.batch, s.extent);
      return family::make_state(std::tuple{cross_entropy_values<T, true>{.shape = s},
                                           cross_entropy_gradient<T, !results::reduced, true>{.shape = s}, total},
                                how...);
    }
  }

 private:
  static constexpr loss_config C = Config;
  static constexpr const char* op = Op::name;
  using results = impl::loss_results<C, T, Op, Policy>;

  template <class View>
  static softmax_shape shape_of(const View& v) {
    static_assert(View::rank >= 2 && View::rank <= 5,
                  "losses: x must have the rank (sample, class, spatial...), with up to three axes");
    impl::check_extents(op, "x", v);
    const impl::image_shape s = impl::shape_of(v);
    if (s.channels == 0) violation("%s: x is %s: there are no classes", op, impl::text_of(v).text);
    return {s.batch, s.channels, {s.extent[0], s.extent[1], s.extent[2]}};
  }
  /// A number per row.
  template <class U, class View, class X>
  static scattered_image<U> per_row(const char* name, const View& v, const X& x) {
    static_assert(View::rank == X::rank - 1,
                  "losses: losses, dlosses and targets must have the axes of x without classes");
    U* const p = results::template numbers<U>(name, v);
    bool right = v.extent(0) == x.extent(0);
    for (int r = 2; r < X::rank; ++r) right = right && v.extent(r - 1) == x.extent(r);
    if (!right)
      violation("%s: %s is %s and x is %s: it must have the extents of x without classes", op, name,
                impl::text_of(v).text, impl::text_of(x).text);
    scattered_image<U> i{.p = p, .sample = v.stride(0)};
    for (int r = 2; r < X::rank; ++r) i.axis[3 - X::rank + r] = v.stride(r - 1);
    return i;
  }
  template <class U>
  static impl::interval_set elements(const scattered_image<U>& i, const softmax_shape& s, index_t channels = 1) {
    return impl::intervals_of(i, impl::image_shape{s.batch, channels, {s.extent[0], s.extent[1], s.extent[2]}});
  }
  /// What a row's target keeps of its weight, and every class gets.
  template <class Call, class... Args>
  static void smooth(Call& q, const Args&... args) {
    if constexpr (impl::count_of<label_smoothing, Args...> == 1) {
      const double share = impl::find_argument<label_smoothing>(args...).value;
      if (!(share >= 0 && share < 1)) violation("%s: label_smoothing is %g: it must be in [0, 1)", op, share);
      q.keep = static_cast<T>(1 - share), q.share = static_cast<T>(share / static_cast<double>(q.shape.features));
    }
  }

  template <bool Add, class State, class... Args>
  static void forward(State&& state, Args&... args) {
    const auto x = as_view(impl::nth_tensor<0>(args...));
    cross_entropy_values<T, impl::count_of<label_smoothing, Args...> == 1> q;
    q.shape = shape_of(x);
    const softmax_shape& s = q.shape;
    q.x = impl::scattered_operand<const T, false>(op, "x", x);
    q.target = per_row<const std::int32_t>("target", as_view(impl::nth_tensor<1>(args...)), x);
    q.y = per_row<T>("losses", as_view(impl::nth_tensor<2>(args...)), x);
    smooth(q, args...);
    const impl::interval_set to = elements(q.y, s);
    T* total = nullptr;
    double divisor = 1;
    impl::check_output(op, to, elements(q.x, s, s.features), elements(q.target, s));
    if constexpr (results::reduced) {
      total = results::total_operand(as_view(impl::nth_tensor<3>(args...)));
      divisor = results::divisor("x", x, s.rows(), s.batch);
      impl::check_output(op, results::interval_of(total), to, elements(q.x, s, s.features), elements(q.target, s));
    }
    results::template run<Add>(state, q, q.y, s.batch, s.extent, total, divisor);
  }

  template <class State, class... Args>
  static void gradient(State&& state, Args&... args) {
    const auto x = as_view(impl::nth_tensor<0>(args...));
    const auto dx = as_view(impl::nth_tensor<2 + !results::reduced>(args...));
    cross_entropy_gradient<T, !results::reduced, impl::has_option<accumulate_t, Args...>> q;
    q.shape = shape_of(x);
    const softmax_shape& s = q.shape;
    q.x = impl::scattered_operand<const T, false>(op, "x", x);
    q.target = per_row<const std::int32_t>("target", as_view(impl::nth_tensor<1>(args...)), x);
    static_assert(decltype(dx)::rank == decltype(x)::rank, "losses: tensors of x's shape must have its rank");
    impl::check_equal_shapes(op, "dx", dx, "x", x);
    q.dx = impl::scattered_operand<T, false>(op, "dx", dx);
    smooth(q, args...);
    const impl::interval_set to = elements(q.dx, s, s.features);
    if constexpr (results::reduced) {
      q.weight = results::weight(results::divisor("x", x, s.rows(), s.batch), args...);
    } else {
      q.dy = per_row<const T>("dlosses", as_view(impl::nth_tensor<2>(args...)), x);
      impl::check_output(op, to, elements(q.dy, s));
    }
    impl::check_output(op, to, elements(q.target, s));
    if (!impl::same_place(q.x, q.dx)) impl::check_output(op, to, elements(q.x, s, s.features));
    loss_kernel<Policy>::run(state, q);
  }
};

}  // namespace tern::inline TERN_ISA
