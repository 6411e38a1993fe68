// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of optimisers, moving averages and sums of squares, on flat tensors.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/map/optimizer.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/operands.hpp"
#include "tern/op/optimizer.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// Checks that `v` is a flat tensor of T: numbers at equal distances.
template <class T, class View>
operand<T> flat_operand(const char* op, const char* name, const View& v) {
  constexpr bool of_type = std::is_same_v<std::remove_const_t<typename View::element_type>, std::remove_const_t<T>>,
                 writable = std::is_const_v<T> || !std::is_const_v<typename View::element_type>;
  static_assert(View::rank == 1, "optimisers: every tensor must be flat, of rank 1");
  static_assert(of_type, "optimisers: every tensor must have the element type of the op");
  static_assert(writable, "optimisers: parameters and what is remembered must not be const");
  check_extents(op, name, v);
  if (v.data() == nullptr && v.size() > 0) null_violation(op, name, v);
  if constexpr (of_type && writable)
    return {v.data(), v.stride(0), 0, 0};
  else
    return {};
}
/// Ops that change some flat tensors by one that they read.
/// Flat tensors are channels of one sample; numbers of one element have the stride 0.
/// \tparam Map   the function of a mapping: of (read, changed..., numbers...)
/// \tparam Step  the option with its numbers
template <class Op, class Policy, class Map, class Step>
struct flat_operations {
  static_assert(
      requires { sizeof(mapping_kernel<Policy>); },
      "optimisers: there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp");
  using value_type = typename Op::value_type;
  static_assert(std::is_same_v<value_type, float> || std::is_same_v<value_type, double>,
                "optimisers: the element type must be float or double: there are no kernels for others yet");

  /// How a call on so many elements will run: the bytes it reads and writes, operations, and under mimd tiles, memory
  /// and cycles. `how` is what the model takes besides: the concurrency of the executor under simd, tiles under mimd.
  template <class... How>
  static tern::plan plan(index_t elements, How... how) {
    const auto call = planned(elements);
    tern::plan p =
        plan_of_moves<mapping_kernel<Policy>, Policy, T>(op, pass::forward, (1 + 2 * changed) * elements, call, how...);
    p.m = 1, p.n = elements, p.k = 1, p.flops = static_cast<double>(elements * Map::operations);
    return p;
  }

  /// Run-time state with which calls on so many elements run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine, which allocates; the default state under the other policies.
  template <class... How>
  static auto make_state(index_t elements, How&&... how) {
    using family = mapping_kernel<Policy>;
    if constexpr (requires { typename family::context; })
      return typename family::context{};
    else
      return family::make_state(std::tuple{planned(elements)}, how...);
  }

 protected:
  using T = value_type;
  static constexpr const char* op = Op::name;
  static constexpr int changed = Map::outputs, numbers = Map::inputs - 1 - changed;  ///< numbers: of one element each

  template <class... Args>
  static constexpr bool well_formed = tensor_count<Args...> == Map::inputs && option_count<Args...> == 0 &&
                                      with_options<Step>::template well_formed<Args...>;

  static mapping<T, Map> planned(index_t elements) {
    if (elements < 0 || elements >> 45 != 0)
      violation("%s: %td elements: the number must be at least 0 and less than 2^45", op, elements);
    mapping<T, Map> q;
    q.batch = 1, q.channels = elements;
    for (int i = 0; i < Map::inputs; ++i) q.in[i] = image_of_channels(operand<const T>{nullptr, 1, 0, 0}, elements);
    return q;
  }

  /// \param names  of the tensors: what is read, what is changed, and the numbers
  template <class State, class... Args>
  static void run(State&& state, const Step& step, const char* const (&names)[Map::inputs], Args&... args) {
    check_step(step);
    const auto read = as_view(nth_tensor<0>(args...));
    const index_t n = read.size();
    mapping<T, Map> q;
    q.batch = 1, q.channels = n, q.f = Map(step);
    interval_set inputs[1 + numbers];
    const operand<const T> from = flat_operand<const T>(op, names[0], read);
    q.in[0] = image_of_channels(from, n), inputs[0] = interval_of(from, n);
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (add_changed<I>(q, names, n, as_view(nth_tensor<1 + I>(args...))), ...);
    }(std::make_integer_sequence<int, changed>());
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((inputs[1 + I] = add_number<1 + changed + I>(q, names, as_view(nth_tensor<1 + changed + I>(args...)))), ...);
    }(std::make_integer_sequence<int, numbers>());
    for (int i = 0; i < changed; ++i) {
      const auto of = [&](int c) { return interval_of(operand<const T>{q.out[c].p, q.out[c].channel, 0, 0}, n); };
      for (const interval_set& other : inputs) check_output(op, of(i), other);
      for (int j = 0; j < i; ++j) check_output(op, of(i), of(j));
    }
    mapping_kernel<Policy>::run(state, q);
  }

 private:
  /// Numbers with which parameters would become NaN, or go the wrong way.
  static void check_step(const Step& s) {
    const auto check = [](bool right, const char* field, double value, const char* bound) {
      if (!right) violation("%s: .%s is %g: it must be %s", op, field, value, bound);
    };
    const auto finite = [](double x) { return x - x == 0; };
    const auto share = [&](const char* field, double x) { check(x >= 0 && x < 1, field, x, "in [0, 1)"); };
    if constexpr (requires { s.rate; }) check(finite(s.rate), "rate", s.rate, "finite");
    if constexpr (requires { s.momentum; }) check(finite(s.momentum), "momentum", s.momentum, "finite");
    if constexpr (requires { s.beta1; }) share("beta1", s.beta1), share("beta2", s.beta2);
    if constexpr (requires { s.alpha; }) share("alpha", s.alpha);
    if constexpr (requires { s.epsilon; })
      check(s.epsilon >= 0 && finite(s.epsilon), "epsilon", s.epsilon, "at least 0 and finite");
    if constexpr (std::is_same_v<Step, moving_average_step>)
      check(s.decay >= 0 && s.decay <= 1, "decay", s.decay, "in [0, 1]");
    else if constexpr (requires { s.decay; })
      check(finite(s.decay), "decay", s.decay, "finite");
    if constexpr (requires { s.scale; }) {
      const T inverse = static_cast<T>(1 / s.scale);
      check(s.scale > 0 && finite(s.scale) && inverse > 0 && inverse - inverse == 0, "scale", s.scale,
            "positive and finite, as its inverse must be in the element type");
    }
    if constexpr (requires { s.step; })
      if (s.step < 1) violation("%s: .step is %td: steps are counted from 1", op, s.step);
    if constexpr (requires { s.most; }) {
      constexpr bool clips = requires { requires Op::config.clip; };
      check(!clips || s.most > 0, "most", s.most, "positive, the largest norm of the gradient");
      check(clips || s.most == 0, "most", s.most, "0, as the config has no .clip");
    }
  }
  static interval_set interval_of(const operand<const T>& x, index_t n) {
    interval_set b;
    b.add(x.row, n);
    b.begin_at(x.p);
    return b;
  }
  template <int I, class View>
  static void add_changed(mapping<T, Map>& q, const char* const (&names)[Map::inputs], index_t n, const View& v) {
    const operand<T> x = flat_operand<T>(op, names[1 + I], v);
    if (v.size() != n)
      violation("%s: %s has %td elements and %s %td: their sizes must be equal", op, names[1 + I], v.size(), names[0],
                n);
    q.in[1 + I] = image_of_channels(operand<const T>{x.p, x.row, 0, 0}, n), q.out[I] = image_of_channels(x, n);
  }
  template <int I, class View>
  static interval_set add_number(mapping<T, Map>& q, const char* const (&names)[Map::inputs], const View& v) {
    const operand<const T> x = flat_operand<const T>(op, names[I], v);
    if (v.size() != 1) violation("%s: %s has %td elements: it must have one", op, names[I], v.size());
    q.in[I] = image_of_channels(operand<const T>{x.p, 0, 0, 0}, q.channels);
    return interval_of(x, 1);
  }
};

}  // namespace impl

template <sgd_config C, class T, class Op, class Policy>
struct operations<sgd<C, T>, Op, Policy> : impl::flat_operations<Op, Policy, tile::sgd_map<C, T>, sgd_step> {
  /// A step of gradient descent.
  ///
  ///     k([state,] gradient, parameters [, velocity] [, squares] [, tern::sgd_step{.rate = 0.01}])
  ///
  /// \param velocity  given exactly where `.momentum` is set; zeros before the first step
  /// \param squares   given exactly where `.clip` is set: one element, what tern::sum_of_squares made of the gradient
  /// All have as many elements as the gradient. Throws std::invalid_argument, before anything is written, where sizes
  /// disagree, a view is null, a changed tensor shares elements with another one, numbers of the step are outside of
  /// their bounds (op/optimizer.hpp), or tiles are too small. Cost: every element is read and, but for the gradient,
  /// written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    using base = impl::flat_operations<Op, Policy, tile::sgd_map<C, T>, sgd_step>;
    constexpr bool right = base::template well_formed<Args...>;
    static_assert(right,
                  "sgd: the call takes (gradient, parameters, velocity, squares), of which velocity is given exactly "
                  "where .momentum is set and squares where .clip is, and a tern::sgd_step");
    if constexpr (right) {
      decltype(auto) state = impl::state_of<mapping_kernel<Policy>>(args...);
      const sgd_step step = impl::find_argument<sgd_step>(args...);
      if constexpr (C.momentum && C.clip)
        base::run(state, step, {"gradient", "parameters", "velocity", "squares"}, args...);
      else if constexpr (C.momentum || C.clip)
        base::run(state, step, {"gradient", "parameters", C.clip ? "squares" : "velocity"}, args...);
      else
        base::run(state, step, {"gradient", "parameters"}, args...);
    }
  }
};

template <adam_config C, class T, class Op, class Policy>
struct operations<adam<C, T>, Op, Policy> : impl::flat_operations<Op, Policy, tile::adam_map<C, T>, adam_step> {
  /// A step of Adam or AdamW.
  ///
  ///     k([state,] gradient, parameters, mean, square [, squares] [, tern::adam_step{.rate = 1e-3, .step = 1}])
  ///
  /// \param mean, square  averages of the gradient and of its square; zeros before the first step
  /// \param squares       given exactly where `.clip` is set: one element, what tern::sum_of_squares made of the
  ///                      gradient
  /// Errors and cost are those of sgd.
  template <class... Args>
  void operator()(Args&&... args) const {
    using base = impl::flat_operations<Op, Policy, tile::adam_map<C, T>, adam_step>;
    constexpr bool right = base::template well_formed<Args...>;
    static_assert(
        right,
        "adam: the call takes (gradient, parameters, mean, square, squares), of which squares is given exactly "
        "where .clip is set, and a tern::adam_step");
    if constexpr (right) {
      const adam_step step = impl::find_argument<adam_step>(args...);
      decltype(auto) state = impl::state_of<mapping_kernel<Policy>>(args...);
      if constexpr (C.clip)
        base::run(state, step, {"gradient", "parameters", "mean", "square", "squares"}, args...);
      else
        base::run(state, step, {"gradient", "parameters", "mean", "square"}, args...);
    }
  }
};

template <rmsprop_config C, class T, class Op, class Policy>
struct operations<rmsprop<C, T>, Op, Policy>
    : impl::flat_operations<Op, Policy, tile::rmsprop_map<C, T>, rmsprop_step> {
  /// A step of RMSprop.
  ///
  ///     k([state,] gradient, parameters, square [, velocity] [, squares] [, tern::rmsprop_step{.rate = 0.01}])
  ///
  /// \param square    the average of the gradient's square; zeros before the first step
  /// \param velocity  given exactly where `.momentum` is set; zeros before the first step
  /// \param squares   given exactly where `.clip` is set: one element, what tern::sum_of_squares made of the gradient
  /// Errors and cost are those of sgd.
  template <class... Args>
  void operator()(Args&&... args) const {
    using base = impl::flat_operations<Op, Policy, tile::rmsprop_map<C, T>, rmsprop_step>;
    constexpr bool right = base::template well_formed<Args...>;
    static_assert(
        right,
        "rmsprop: the call takes (gradient, parameters, square, velocity, squares), of which velocity is given "
        "exactly where .momentum is set and squares where .clip is, and a tern::rmsprop_step");
    if constexpr (right) {
      decltype(auto) state = impl::state_of<mapping_kernel<Policy>>(args...);
      const rmsprop_step step = impl::find_argument<rmsprop_step>(args...);
      if constexpr (C.momentum && C.clip)
        base::run(state, step, {"gradient", "parameters", "square", "velocity", "squares"}, args...);
      else if constexpr (C.momentum || C.clip)
        base::run(state, step, {"gradient", "parameters", "square", C.clip ? "squares" : "velocity"}, args...);
      else
        base::run(state, step, {"gradient", "parameters", "square"}, args...);
    }
  }
};

template <class T, class Op, class Policy>
struct operations<lars<T>, Op, Policy> : impl::flat_operations<Op, Policy, tile::lars_map<T>, lars_step> {
  /// A step of LARS for one layer.
  ///
  ///     k([state,] gradient, parameters, velocity, parameter_squares, gradient_squares
  ///       [, tern::lars_step{.rate = 0.1}])
  ///
  /// \param velocity  zeros before the first step
  /// \param parameter_squares, gradient_squares  one element each, what tern::sum_of_squares made of the layer's
  ///                  parameters and gradient; where either is 0 the rate is not scaled
  /// Errors and cost are those of sgd.
  template <class... Args>
  void operator()(Args&&... args) const {
    using base = impl::flat_operations<Op, Policy, tile::lars_map<T>, lars_step>;
    constexpr bool right = base::template well_formed<Args...>;
    static_assert(right,
                  "lars: the call takes (gradient, parameters, velocity, parameter_squares, gradient_squares) and a "
                  "tern::lars_step");
    if constexpr (right)
      base::run(impl::state_of<mapping_kernel<Policy>>(args...), impl::find_argument<lars_step>(args...),
                {"gradient", "parameters", "velocity", "parameter_squares", "gradient_squares"}, args...);
  }
};

template <class T, class Op, class Policy>
struct operations<lamb_update<T>, Op, Policy> : impl::flat_operations<Op, Policy, tile::lamb_update_map<T>, adam_step> {
  /// The first half of a step of LAMB: the gradient becomes the update, Adam's with decay times the parameters.
  ///
  ///     k([state,] parameters, gradient, mean, square [, tern::adam_step{.step = 1}])
  ///
  /// \param mean, square  averages of the gradient and of its square; zeros before the first step
  /// The rate of the step is not used. Errors and cost are those of adam.
  template <class... Args>
  void operator()(Args&&... args) const {
    using base = impl::flat_operations<Op, Policy, tile::lamb_update_map<T>, adam_step>;
    constexpr bool right = base::template well_formed<Args...>;
    static_assert(right, "lamb_update: the call takes (parameters, gradient, mean, square) and a tern::adam_step");
    if constexpr (right) {
      const adam_step step = impl::find_argument<adam_step>(args...);
      base::run(impl::state_of<mapping_kernel<Policy>>(args...), step, {"parameters", "gradient", "mean", "square"},
                args...);
    }
  }
};

template <class T, class Op, class Policy>
struct operations<lamb<T>, Op, Policy> : impl::flat_operations<Op, Policy, tile::lamb_map<T>, lamb_step> {
  /// The second half of a step of LAMB for one layer.
  ///
  ///     k([state,] update, parameters, parameter_squares, update_squares [, tern::lamb_step{.rate = 1e-3}])
  ///
  /// \param parameter_squares, update_squares  one element each, what tern::sum_of_squares made of the layer's
  ///                  parameters and update; where either is 0 the rate is not scaled
  /// Errors and cost are those of sgd.
  template <class... Args>
  void operator()(Args&&... args) const {
    using base = impl::flat_operations<Op, Policy, tile::lamb_map<T>, lamb_step>;
    constexpr bool right = base::template well_formed<Args...>;
    static_assert(right,
                  "lamb: the call takes (update, parameters, parameter_squares, update_squares) and a tern::lamb_step");
    if constexpr (right)
      base::run(impl::state_of<mapping_kernel<Policy>>(args...), impl::find_argument<lamb_step>(args...),
                {"update", "parameters", "parameter_squares", "update_squares"}, args...);
  }
};

template <class T, class Op, class Policy>
struct operations<moving_average<T>, Op, Policy>
    : impl::flat_operations<Op, Policy, tile::moving_average_map<T>, moving_average_step> {
  /// average = decay average + (1 - decay) x.
  ///
  ///     k([state,] x, average [, tern::moving_average_step{.decay = 0.999}])
  ///
  /// Errors and cost are those of sgd.
  template <class... Args>
  void operator()(Args&&... args) const {
    using base = impl::flat_operations<Op, Policy, tile::moving_average_map<T>, moving_average_step>;
    constexpr bool right = base::template well_formed<Args...>;
    static_assert(right, "moving_average: the call takes (x, average) and a tern::moving_average_step");
    if constexpr (right)
      base::run(impl::state_of<mapping_kernel<Policy>>(args...), impl::find_argument<moving_average_step>(args...),
                {"x", "average"}, args...);
  }
};

template <class T, class Op, class Policy>
struct operations<sum_of_squares<T>, Op, Policy> {
  static_assert(
      requires { sizeof(loss_kernel<Policy>); },
      "optimisers: there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp");
  using value_type = T;

  /// total = the sum of the squares of x, by rule 5 of docs/numerics.md.
  ///
  ///     k([state,] x, total)
  ///
  /// \param x      flat
  /// \param total  one element
  /// Throws std::invalid_argument, before anything is written, where total has another size, a view is null, total is
  /// an element of x, or tiles are too small. Cost: x is read once, by one task.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool right =
        impl::tensor_count<Args...> == 2 && impl::well_formed<Args...> && impl::option_count<Args...> == 0;
    static_assert(right, "sum_of_squares: the call takes (x, total)");
    if constexpr (right) {
      decltype(auto) state = impl::state_of<loss_kernel<Policy>>(args...);
      const auto x = as_view(impl::nth_tensor<0>(args...));
      const auto total = as_view(impl::nth_tensor<1>(args...));
      const operand<const T> from = impl::flat_operand<const T>(Op::name, "x", x);
      const operand<T> to = impl::flat_operand<T>(Op::name, "total", total);
      if (total.size() != 1) violation("%s: total has %td elements: it must have one", Op::name, total.size());
      auto q = planned(x.size());
      q.in[0] = image_of_channels(from, x.size()), q.y = to;
      impl::interval_set all, one;
      all.add(from.row, x.size());
      impl::check_output(Op::name, one.begin_at(to.p), all.begin_at(from.p));
      loss_kernel<Policy>::run(state, q);
    }
  }

  /// Run-time state with which calls on so many elements run, as of optimisers.
  template <class... How>
  static auto make_state(index_t elements, How&&... how) {
    using family = loss_kernel<Policy>;
    if constexpr (requires { typename family::context; })
      return typename family::context{};
    else
      return family::make_state(std::tuple{planned(elements)}, how...);
  }

 private:
  static element_sums<T, tile::square_sum> planned(index_t elements) {
    element_sums<T, tile::square_sum> q;
    q.batch = 1, q.channels = elements;
    return q;
  }
};

}  // namespace tern::inline TERN_ISA
