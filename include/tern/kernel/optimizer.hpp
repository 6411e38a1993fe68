// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of optimisers, moving averages and sums of squares, on flat tensors.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/map/optimizer.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/op/optimizer.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

template <>
inline constexpr const char* name_of_option<sgd_step> = "a tern::sgd_step";
template <>
inline constexpr const char* name_of_option<adam_step> = "a tern::adam_step";
template <>
inline constexpr const char* name_of_option<rmsprop_step> = "a tern::rmsprop_step";
template <>
inline constexpr const char* name_of_option<lars_step> = "a tern::lars_step";
template <>
inline constexpr const char* name_of_option<lamb_step> = "a tern::lamb_step";
template <>
inline constexpr const char* name_of_option<moving_average_step> = "a tern::moving_average_step";

/// The declaration of a call on flat tensors.
template <class... Tensor>
constexpr declaration flat(const Tensor&... all) {
  return {"", 0, 0, all...};
}

/// A flat tensor as channels of one sample; a number of one element has the stride 0.
template <class T, class View>
TERN_INLINE scattered_image<T> channels_of(const View& v, index_t channels, bool is_number = false) {
  return image_of_channels(operand<T>{v.data(), is_number ? 0 : v.stride(0), 0, 0}, channels);
}

/// Base of ops that read one flat tensor and update others.
/// \tparam Map   the function of a mapping: of (read, changed..., numbers...)
/// \tparam Step  the option with its numbers
template <class Op, class Map, class Step>
struct flat_pass {
  using T = typename Op::value_type;
  using value_type = T;
  using required = options<>;
  using optional = options<Step>;
  template <class Policy>
  using kernel = mapping_kernel<Policy>;

  template <bool, class Read, class... View>
  static mapping<T, Map> problem(const char* op, const Step& step, const Read& read, const View&... view) {
    check_step(op, step);
    const index_t n = read.extent(0);
    mapping<T, Map> q;
    q.batch = 1, q.channels = n, q.f = Map(step);
    q.in[0] = channels_of<const T>(read, n);
    int i = 1;
    const auto add = [&](const auto& v) {
      q.in[i] = channels_of<const T>(v, n, i > Map::outputs);
      if constexpr (!std::is_const_v<typename std::remove_cvref_t<decltype(v)>::element_type>)
        if (i <= Map::outputs) q.out[i - 1] = channels_of<T>(v, n);
      ++i;
    };
    (add(view), ...);
    return q;
  }
  /// A planned call on `elements` elements.
  static mapping<T, Map> planned(index_t elements) {
    if (elements < 0 || elements >> 45 != 0)
      violation("%s: %td elements: the number must be at least 0 and less than 2^45", Op::name, elements);
    mapping<T, Map> q;
    q.batch = 1, q.channels = elements;
    for (auto& i : q.in) i = image_of_channels(operand<const T>{nullptr, 1, 0, 0}, elements);
    return q;
  }

  /// Refuses numbers that would make parameters NaN or reverse the step.
  static void check_step(const char* op, const Step& s) {
    const auto check = [op](bool valid, const char* field, double value, const char* bound) {
      if (!valid) violation("%s: .%s is %g: it must be %s", op, field, value, bound);
    };
    const auto finite = [](double x) { return static_cast<T>(x) - static_cast<T>(x) == 0; };  // in the element type
    const auto share = [&](const char* field, double x) { check(x >= 0 && x < 1, field, x, "in [0, 1)"); };
    const auto positive = [&](const char* field, double x) {
      check(x >= 0 && finite(x), field, x, "at least 0, and finite in the element type");
    };
    if constexpr (requires { s.rate; }) positive("rate", s.rate);
    if constexpr (requires { s.momentum; }) share("momentum", s.momentum);
    if constexpr (requires { s.beta1; }) share("beta1", s.beta1), share("beta2", s.beta2);
    if constexpr (requires { s.alpha; }) share("alpha", s.alpha);
    if constexpr (requires { s.epsilon; })
      check(finite(s.epsilon) && static_cast<T>(s.epsilon) > 0, "epsilon", s.epsilon,
            "positive and finite in the element type, or a denominator may be 0");
    if constexpr (std::is_same_v<Step, moving_average_step>)
      check(s.decay >= 0 && s.decay <= 1, "decay", s.decay, "in [0, 1]"), positive("factor", s.factor);
    else if constexpr (requires { s.decay; })
      positive("decay", s.decay);
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
};

/// The call of an optimiser.
template <class Op>
struct flat_call;
template <sgd_config C, class T>
struct flat_call<sgd<C, T>> : flat_pass<sgd<C, T>, tile::sgd_map<C, T>, sgd_step> {
  static constexpr declaration declared =
      flat(in("gradient", "elements"), changed("parameters", "elements"),
           changed("velocity", "elements").when(C.momentum, ".momentum"), in("squares", "1").when(C.clip, ".clip"));
};
template <adam_config C, class T>
struct flat_call<adam<C, T>> : flat_pass<adam<C, T>, tile::adam_map<C, T>, adam_step> {
  static constexpr declaration declared =
      flat(in("gradient", "elements"), changed("parameters", "elements"), changed("mean", "elements"),
           changed("square", "elements"), in("squares", "1").when(C.clip, ".clip"));
};
template <rmsprop_config C, class T>
struct flat_call<rmsprop<C, T>> : flat_pass<rmsprop<C, T>, tile::rmsprop_map<C, T>, rmsprop_step> {
  static constexpr declaration declared =
      flat(in("gradient", "elements"), changed("parameters", "elements"), changed("square", "elements"),
           changed("velocity", "elements").when(C.momentum, ".momentum"), in("squares", "1").when(C.clip, ".clip"));
};
template <class T>
struct flat_call<lars<T>> : flat_pass<lars<T>, tile::lars_map<T>, lars_step> {
  static constexpr declaration declared =
      flat(in("gradient", "elements"), changed("parameters", "elements"), changed("velocity", "elements"),
           in("parameter_squares", "1"), in("gradient_squares", "1"));
};
template <class T>
struct flat_call<lamb_update<T>> : flat_pass<lamb_update<T>, tile::lamb_update_map<T>, adam_step> {
  static constexpr declaration declared = flat(in("parameters", "elements"), changed("gradient", "elements"),
                                               changed("mean", "elements"), changed("square", "elements"));
};
template <class T>
struct flat_call<lamb<T>> : flat_pass<lamb<T>, tile::lamb_map<T>, lamb_step> {
  static constexpr declaration declared = flat(in("update", "elements"), changed("parameters", "elements"),
                                               in("parameter_squares", "1"), in("update_squares", "1"));
};
template <class T>
struct flat_call<moving_average<T>> : flat_pass<moving_average<T>, tile::moving_average_map<T>, moving_average_step> {
  static constexpr declaration declared = flat(in("x", "elements"), changed("average", "elements"));
};

/// total = the sum of the squares of x.
template <class T>
struct flat_call<sum_of_squares<T>> {
  using value_type = T;
  using required = options<>;
  using optional = options<>;
  static constexpr declaration declared = flat(in("x", "elements"), out("total", "1"));
  template <class Policy>
  using kernel = loss_kernel<Policy>;

  template <bool, class X, class Total>
  static element_sums<T, tile::square_sum> problem(const char*, const X& x, const Total& total) {
    auto q = planned(x.extent(0));
    q.in[0] = channels_of<const T>(x, x.extent(0)), q.y = {total.data(), total.stride(0), 0, 0};
    return q;
  }
  static element_sums<T, tile::square_sum> planned(index_t elements) {
    element_sums<T, tile::square_sum> q;
    q.batch = 1, q.channels = elements;
    return q;
  }
};

/// The call of an op on flat tensors, its plan and its state. Op is the underlying op of Named.
template <class Op, class Named, class Policy>
struct flat_operations {
  using value_type = typename Op::value_type;
  using pass = flat_call<Op>;
  using kernels = typename pass::template kernel<Policy>;
  static constexpr text of_op{error_of_op<Named, Policy, pass>()};
  static_assert(sizeof(wrong_call<of_op>) == 1);

  /// The plan of a call on `elements` elements: bytes read and written, operations, and under mimd tiles, memory and
  /// cycles. `how` are further arguments of the model: the concurrency of the executor under simd, tiles under mimd.
  template <class... How>
  static tern::plan plan(index_t elements, How... how)
    requires requires { decltype(pass::planned(elements).f)::operations; }
  {
    const auto q = pass::planned(elements);
    constexpr int outputs = decltype(q)::outputs;
    tern::plan p = impl::plan_of_moves<kernels, Policy, value_type>(Named::name, tern::pass::forward,
                                                                    (1 + 2 * outputs) * elements, q, how...);
    p.m = 1, p.n = elements, p.k = 1, p.flops = static_cast<double>(elements * decltype(q.f)::operations);
    return p;
  }

  /// Run-time state for calls on `elements` elements, to be passed as their first argument. Under mimd a
  /// tern::tile_machine, which allocates; the default state under the other policies.
  template <class... How>
  static auto make_state(index_t elements, How&&... how) {
    if constexpr (has_context<kernels>)
      return default_state<kernels>();
    else
      return kernels::make_state(std::tuple{pass::planned(elements)}, how...);
  }

 protected:
  template <class... Args>
  static void run(Args&... args) {
    declare::run<Named, Policy, pass>(args...);
  }
};

}  // namespace declare

template <sgd_config C, class T, class Op, class Policy>
struct operations<sgd<C, T>, Op, Policy> : declare::flat_operations<sgd<C, T>, Op, Policy> {
  /// A step of gradient descent.
  ///
  ///     k([state,] gradient, parameters [, velocity] [, squares] [, tern::sgd_step{.rate = 0.01}])
  ///
  /// \param velocity  given exactly if `.momentum` is set; zeros before the first step
  /// \param squares   given exactly if `.clip` is set: one element, the tern::sum_of_squares of the gradient
  /// All have as many elements as the gradient. Throws std::invalid_argument, before anything is written, if sizes
  /// disagree, a view is null, a changed tensor shares elements with another one, numbers of the step are out of bounds
  /// (op/optimizer.hpp), or tiles are too small. Cost: every element is read and, but for the gradient, written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    operations::run(args...);
  }
};

template <adam_config C, class T, class Op, class Policy>
struct operations<adam<C, T>, Op, Policy> : declare::flat_operations<adam<C, T>, Op, Policy> {
  /// A step of Adam or AdamW.
  ///
  ///     k([state,] gradient, parameters, mean, square [, squares] [, tern::adam_step{.rate = 1e-3, .step = 1}])
  ///
  /// \param mean, square  averages of the gradient and of its square; zeros before the first step
  /// \param squares       given exactly if `.clip` is set: one element, the tern::sum_of_squares of the gradient
  /// Errors and cost are those of sgd.
  template <class... Args>
  void operator()(Args&&... args) const {
    operations::run(args...);
  }
};

template <rmsprop_config C, class T, class Op, class Policy>
struct operations<rmsprop<C, T>, Op, Policy> : declare::flat_operations<rmsprop<C, T>, Op, Policy> {
  /// A step of RMSprop.
  ///
  ///     k([state,] gradient, parameters, square [, velocity] [, squares] [, tern::rmsprop_step{.rate = 0.01}])
  ///
  /// \param square    the average of the gradient's square; zeros before the first step
  /// \param velocity  given exactly if `.momentum` is set; zeros before the first step
  /// \param squares   given exactly if `.clip` is set: one element, the tern::sum_of_squares of the gradient
  /// Errors and cost are those of sgd.
  template <class... Args>
  void operator()(Args&&... args) const {
    operations::run(args...);
  }
};

template <class T, class Op, class Policy>
struct operations<lars<T>, Op, Policy> : declare::flat_operations<lars<T>, Op, Policy> {
  /// A step of LARS for one layer.
  ///
  ///     k([state,] gradient, parameters, velocity, parameter_squares, gradient_squares
  ///       [, tern::lars_step{.rate = 0.1}])
  ///
  /// \param velocity  zeros before the first step
  /// \param parameter_squares, gradient_squares  one element each, the tern::sum_of_squares of the layer's parameters
  ///                  and gradient; if either is 0 the rate is not scaled
  /// Errors and cost are those of sgd.
  template <class... Args>
  void operator()(Args&&... args) const {
    operations::run(args...);
  }
};

template <class T, class Op, class Policy>
struct operations<lamb_update<T>, Op, Policy> : declare::flat_operations<lamb_update<T>, Op, Policy> {
  /// The first half of a step of LAMB: the gradient becomes the update, Adam's with decay times the parameters.
  ///
  ///     k([state,] parameters, gradient, mean, square [, tern::adam_step{.step = 1}])
  ///
  /// \param mean, square  averages of the gradient and of its square; zeros before the first step
  /// The rate of the step is not used. Errors and cost are those of adam.
  template <class... Args>
  void operator()(Args&&... args) const {
    operations::run(args...);
  }
};

template <class T, class Op, class Policy>
struct operations<lamb<T>, Op, Policy> : declare::flat_operations<lamb<T>, Op, Policy> {
  /// The second half of a step of LAMB for one layer.
  ///
  ///     k([state,] update, parameters, parameter_squares, update_squares [, tern::lamb_step{.rate = 1e-3}])
  ///
  /// \param parameter_squares, update_squares  one element each, the tern::sum_of_squares of the layer's parameters and
  ///                  update; if either is 0 the rate is not scaled
  /// Errors and cost are those of sgd.
  template <class... Args>
  void operator()(Args&&... args) const {
    operations::run(args...);
  }
};

template <class T, class Op, class Policy>
struct operations<moving_average<T>, Op, Policy> : declare::flat_operations<moving_average<T>, Op, Policy> {
  /// average = decay average + (1 - decay) factor x.
  ///
  ///     k([state,] x, average [, tern::moving_average_step{.decay = 0.999, .factor = 1}])
  ///
  /// Errors and cost are those of sgd.
  template <class... Args>
  void operator()(Args&&... args) const {
    operations::run(args...);
  }
};

template <class T, class Op, class Policy>
struct operations<sum_of_squares<T>, Op, Policy> : declare::flat_operations<sum_of_squares<T>, Op, Policy> {
  /// total = the sum of the squares of x, by rule 5 of docs/numerics.md.
  ///
  ///     k([state,] x, total)
  ///
  /// \param x      flat
  /// \param total  one element
  /// Throws std::invalid_argument, before anything is written, if total has another size, a view is null, total is an
  /// element of x, or tiles are too small. Cost: x is read once, by one task.
  template <class... Args>
  void operator()(Args&&... args) const {
    operations::run(args...);
  }
};

}  // namespace tern::inline TERN_ISA
