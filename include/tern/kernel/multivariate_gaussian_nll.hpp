// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the negative log likelihood of several numbers at once: values with their totals, and gradients.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/multivariate_gaussian.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/elementwise.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/loss_results.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/multivariate_gaussian_nll.hpp"

namespace tern::inline TERN_ISA {

template <index_t N, loss_config Config, class T, class Op, class Policy>
struct operations<multivariate_gaussian_nll<N, Config, T>, Op, Policy> {
  static_assert(
      requires { sizeof(loss_kernel<Policy>); },
      "losses: there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "losses: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;

  /// The loss of every sample, and what `.reduce` makes of them.
  ///
  ///     k([state,] x, target, losses [, total] [, tern::accumulate])
  ///
  /// \param x       (n, N + N (N + 1) / 2): of every sample the means, then the rows of the lower triangle
  /// \param target  (n, N)
  /// \param losses  n elements: the loss of every sample
  /// \param total   given exactly where `.reduce` is not none: one element; with tern::accumulate, where `.reduce` is
  ///                sum, the sum is added to what it holds: batches that are cut at grains give the bits of the whole
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, a view is null, an output shares
  /// elements with another tensor, there is nothing to average, or tiles are too small. Cost: some 40 N operations for
  /// a sample; inputs are read once.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool adds = impl::has_option<accumulate_t, Args...>;
    constexpr bool right = impl::tensor_count<Args...> == 3 + results::reduced &&
                           results::template well_formed<Args...> && impl::count_of<loss_scale, Args...> == 0 &&
                           impl::count_of<label_smoothing, Args...> == 0;
    static_assert(
        right,
        "multivariate_gaussian_nll: the call takes (x, target, losses, total); total exactly where .reduce is "
        "not none");
    static_assert(!adds || C.reduce == reduction::sum, "losses: tern::accumulate adds to a total whose .reduce is sum");
    if constexpr (right && (!adds || C.reduce == reduction::sum))
      forward<adds>(impl::state_of<loss_kernel<Policy>>(args...), args...);
  }

  /// The gradient of the reduced loss with respect to x.
  ///
  ///     k.backward_data([state,] x, target [, dlosses], dx [, tern::accumulate] [, tern::loss_scale{1}])
  ///
  /// \param dlosses  given exactly where `.reduce` is none: n elements, the gradients with respect to the losses
  /// \param dx       shape of x, and not x itself
  /// Errors are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool right = impl::tensor_count<Args...> == 3 + !results::reduced &&
                           results::template well_formed<Args...> && impl::count_of<label_smoothing, Args...> == 0 &&
                           (results::reduced || impl::count_of<loss_scale, Args...> == 0);
    static_assert(right,
                  "multivariate_gaussian_nll: backward_data takes (x, target, dlosses, dx); dlosses exactly where "
                  ".reduce is none, a tern::loss_scale only where it is not");
    if constexpr (right) gradient(impl::state_of<mapping_kernel<Policy>>(args...), args...);
  }

  /// How a call on tensors of x's shape will run: the bytes it reads and writes, operations, and under mimd tiles,
  /// memory and cycles, those of a total aside. Elements of x are not looked at. `how` is what the model takes besides:
  /// the concurrency of the executor under simd, tiles under mimd.
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    impl::require_pass_of_elements(op, which);
    const index_t batch = samples_of(as_view(x));
    const auto finish = [&](tern::plan p, index_t operations) {
      p.m = batch, p.n = features, p.k = 1;
      p.flops = static_cast<double>(batch * operations);
      return p;
    };
    if (which == tern::pass::forward)
      return finish(impl::plan_of_moves<loss_kernel<Policy>, Policy, T>(op, which, sum::inputs * batch,
                                                                        planned_sums(batch), how...),
                    sum::operations);
    return finish(impl::plan_of_moves<mapping_kernel<Policy>, Policy, T>(op, which, (sum::inputs + features) * batch,
                                                                         planned_gradient(batch), how...),
                  gradient_map<true>::operations);
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
      const index_t batch = samples_of(as_view(x));
      return family::make_state(
          std::tuple{planned_sums(batch), planned_gradient(batch), results::planned_sum(batch, {1, 1, 1})}, how...);
    }
  }

 private:
  static constexpr loss_config C = Config;
  static constexpr const char* op = Op::name;
  using results = impl::loss_results<C, T, Op, Policy>;
  using sum = tile::multivariate_gaussian_sum<static_cast<int>(N)>;
  static constexpr index_t features = Op::op_type::features;
  template <bool Add>
  using gradient_map = tile::multivariate_gaussian_gradient<static_cast<int>(N), T, !results::reduced, Add>;

  /// The rows of x; throws where they are not of the right length.
  template <class View>
  static index_t samples_of(const View& x) {
    static_assert(View::rank == 2, "multivariate_gaussian_nll: x must have the rank (sample, feature)");
    impl::check_extents(op, "x", x);
    if (x.extent(1) != features)
      violation("%s: x is %s: it must have %td features, %td means and a triangle", op, impl::text_of(x).text, features,
                N);
    return x.extent(0);
  }
  // Calls in which every feature is a tensor of its own, with an element for each sample.
  static element_sums<T, sum> planned_sums(index_t batch) {
    element_sums<T, sum> q;
    q.batch = batch, q.channels = 1;
    return q;
  }
  static mapping<T, gradient_map<true>> planned_gradient(index_t batch) {
    mapping<T, gradient_map<true>> q;
    q.batch = batch, q.channels = 1;
    for (auto& i : q.in) i = impl::planned_image<T>(q);
    return q;
  }

  /// Column `first + i` of a matrix for each i.
  template <class U>
  static void set_columns(scattered_image<U>* to, const scattered_image<U>& matrix, index_t count) {
    for (index_t i = 0; i < count; ++i)
      to[i] = {.p = matrix.at(0, i, 0, 0, 0), .sample = matrix.sample, .channel = 0, .block = 1};
  }
  template <class U, class View, class X>
  static scattered_image<U> matrix(const char* name, const View& v, const X& x, index_t wanted) {
    static_assert(View::rank == 2, "multivariate_gaussian_nll: x, target and dx must have the rank (sample, feature)");
    if (v.extent(0) != x.extent(0) || v.extent(1) != wanted)
      violation("%s: %s is %s and x is %s: it must have as many samples, of %td each", op, name, impl::text_of(v).text,
                impl::text_of(x).text, wanted);
    return impl::scattered_operand<U, false>(op, name, v);
  }
  /// x and the target as the inputs of a call, and where they lie.
  struct sources {
    impl::interval_set x, target;
  };
  template <class Call, class X, class Target>
  static sources set_inputs(Call& q, const X& x, const Target& target) {
    q.batch = samples_of(x), q.channels = 1;
    const auto from = matrix<const T>("x", x, x, features), wanted = matrix<const T>("target", target, x, N);
    set_columns(q.in, from, features);
    set_columns(q.in + features, wanted, N);
    return {impl::intervals_of(from, impl::shape_of(x)), impl::intervals_of(wanted, impl::shape_of(target))};
  }

  template <bool Add, class State, class... Args>
  static void forward(State&& state, Args&... args) {
    const auto x = as_view(impl::nth_tensor<0>(args...));
    element_sums<T, sum> q;
    const sources from = set_inputs(q, x, as_view(impl::nth_tensor<1>(args...)));
    q.y = results::template per_sample<T>("losses", as_view(impl::nth_tensor<2>(args...)), "x", x);
    const impl::interval_set to = impl::intervals_of(q.y, q.batch);
    T* total = nullptr;
    double divisor = 1;
    impl::check_output(op, to, from.x);
    impl::check_output(op, to, from.target);
    if constexpr (results::reduced) {
      total = results::total_operand(as_view(impl::nth_tensor<3>(args...)));
      divisor = results::divisor("x", x, q.batch * N, q.batch);
      impl::check_output(op, results::interval_of(total), to);
      impl::check_output(op, results::interval_of(total), from.x);
      impl::check_output(op, results::interval_of(total), from.target);
    }
    results::template run<Add>(state, q, scattered_image<T>{.p = q.y.p, .sample = q.y.row}, q.batch, {1, 1, 1}, total,
                               divisor);
  }

  template <class State, class... Args>
  static void gradient(State&& state, Args&... args) {
    const auto x = as_view(impl::nth_tensor<0>(args...));
    mapping<T, gradient_map<impl::has_option<accumulate_t, Args...>>> q;
    const sources from = set_inputs(q, x, as_view(impl::nth_tensor<1>(args...)));
    const auto dx_view = as_view(impl::nth_tensor<2 + !results::reduced>(args...));
    const auto dx = matrix<T>("dx", dx_view, x, features);
    set_columns(q.out, dx, features);
    const impl::interval_set to = impl::intervals_of(dx, impl::shape_of(dx_view));
    impl::check_output(op, to);
    impl::check_output(op, to, from.x);
    impl::check_output(op, to, from.target);
    if constexpr (!results::reduced) {
      const auto dy = results::template per_sample<const T>("dlosses", as_view(impl::nth_tensor<2>(args...)), "x", x);
      q.in[sum::inputs] = {.p = dy.p, .sample = dy.row, .channel = 0, .block = 1};
      impl::check_output(op, to, impl::intervals_of(dy, q.batch));
    } else {
      q.f.weight = results::weight(results::divisor("x", x, q.batch * N, q.batch), args...);
    }
    mapping_kernel<Policy>::run(state, q);
  }
};

}  // namespace tern::inline TERN_ISA
