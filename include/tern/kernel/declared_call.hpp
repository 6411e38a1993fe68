// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are declared (declaration.hpp): from the arguments to the problem of a family, and on to its kernels.
//
// A pass of an op is a class with
//
//     declared                    what its call takes: a constexpr declaration
//     required, optional          declare::options<...>: options that a call must, and may, have besides, each once
//     value_type                  the element type of the op: float or double
//     of_any_type                 where there is one and it is true: the element type may be another one, too
//     kernel<Policy>              the kernels that run its problem, or on_calling_thread, which calls it
//     problem<Add>(op, options..., views...)   the problem, from options that have a value and tensors; Add: with
//                                 tern::accumulate. A tern::workspace goes to the kernels
//     cost_of(problem)            what it costs
//     of_weights                  where it is true: the gradients are those of weights
//     judge(sentence, op, facts)  where there is one: what else may be wrong with its tensors
//     made(extents, rank)         where tensors have shapes that are made of others': makes one of the other, as far as
//                                 that is not dynamic; false where the other may not be so, and then
//     demand(sentence, fact)      says why
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/workspace.hpp"
#include "tern/family/kernels.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/checked_call.hpp"
#include "tern/kernel/declaration.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/packed.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA::declare {

/// Types of options of a call.
template <class... Option>
struct options {
  template <class A>
  static constexpr bool has = (std::is_same_v<std::remove_cvref_t<A>, Option> || ...);
};
/// What a sentence calls an option.
template <class Option>
inline constexpr const char* name_of_option = "an option";
template <>
inline constexpr const char* name_of_option<accumulate_t> = "tern::accumulate";
template <>
inline constexpr const char* name_of_option<accumulate_weights_t> = "tern::accumulate_weights";
template <>
inline constexpr const char* name_of_option<workspace> = "tern::workspace";

/// Whether an option is a number or the like, which is part of the problem.
template <class Option>
inline constexpr bool has_value = !std::is_empty_v<Option> && !std::is_same_v<Option, workspace>;
/// Options of a pass that have a value, or its default.
template <class Done, class... Left>
struct with_value {
  using type = Done;
};
template <class... Done, class First, class... Left>
struct with_value<options<Done...>, First, Left...>
    : with_value<std::conditional_t<has_value<First>, options<Done..., First>, options<Done...>>, Left...> {};
template <class... R, class... O>
with_value<options<>, R..., O...> all_with_value(options<R...>, options<O...>);
template <class Pass>
using values_of = typename decltype(all_with_value(typename Pass::required{}, typename Pass::optional{}))::type;

template <class Pass, class... Args>
inline constexpr bool starts_with_option = false;
template <class Pass, class First, class... Rest>
inline constexpr bool starts_with_option<Pass, First, Rest...> =
    Pass::required::template has<First> || Pass::optional::template has<First>;

/// The same without its article; empty where the option is unknown.
template <class A>
constexpr const char* plain_name_of_option() {
  const char* const name = name_of_option<std::remove_cvref_t<A>>;
  return same_text(name, "an option") ? "" : name[0] == 'a' && name[1] == ' ' ? name + 2 : name;
}
/// Whether an argument is an option, but none of the pass.
template <class Pass, class A>
inline constexpr bool is_foreign_option = !impl::is_tensor<A> && *plain_name_of_option<A>() != '\0' &&
                                          !Pass::required::template has<A> && !Pass::optional::template has<A>;

/// What is wrong with packed weights as a tensor of a call.
template <class Op, class Policy, class Pass, class A>
constexpr void judge_packed(sentence&, const tensor&) {}
template <class Op, class Policy, class Pass, class Packed>
  requires is_packed<Packed>
constexpr void judge_packed(sentence& s, const tensor& t) {
  constexpr bool right_kernel = std::is_same_v<typename Packed::op_type, Op> &&
                                std::is_same_v<typename Packed::policy_type, Policy>,
                 right_pass = Packed::for_pass == pass::forward || same_text(Pass::declared.pass, "backward_data");
  if (s.size() > 0 || (t.packable && right_kernel && right_pass)) return;
  s << Op::name << ": " << t.name;
  if (!t.packable)
    s << " must not be packed weights";
  else
    s << " was packed for another " << (right_kernel ? "pass" : "op or policy");
}

/// What is wrong with the arguments of a call; empty where nothing is, as far as types tell.
template <class Op, class Policy, class Pass, class... Args>
constexpr sentence error_of_arguments() {
  constexpr auto add_options = []<class... R, class... O>(sentence& s, options<R...>, options<O...>) {
    const char* const last = Pass::declared.has_choices() ? ", and " : " and ";
    int left = sizeof...(R);
    ((s << (left-- > 1 ? ", " : last) << name_of_option<R>), ...);
    ((has_value<O> ? void(s << last << "perhaps " << name_of_option<O>) : void()), ...);
  };
  constexpr auto required_once = []<class... R>(options<R...>) { return ((impl::count_of<R, Args...> == 1) && ...); };
  constexpr auto optional_once = []<class... O>(options<O...>) { return ((impl::count_of<O, Args...> <= 1) && ...); };
  constexpr int known = (0 + ... +
                         static_cast<int>(impl::is_tensor<Args> || Pass::required::template has<Args> ||
                                          Pass::optional::template has<Args>));
  constexpr bool wrong_form = impl::tensor_count<Args...> != Pass::declared.given() ||
                              starts_with_option<Pass, Args...> ||
                              known + static_cast<int>(impl::has_state<Args...>) != sizeof...(Args) ||
                              !required_once(typename Pass::required{}) || !optional_once(typename Pass::optional{});
  if constexpr (wrong_form) {
    sentence s;
    add_form(s, Op::name, Pass::declared);
    add_options(s, typename Pass::required{}, typename Pass::optional{});
    ((is_foreign_option<Pass, Args> ? void(s << ": it takes no " << plain_name_of_option<Args>()) : void()), ...);
    return s;
  } else {
    return []<int... I>(std::integer_sequence<int, I...>) {
      sentence s;
      (judge_packed<Op, Policy, Pass, std::remove_cvref_t<decltype(impl::nth_tensor<I>(std::declval<Args&>()...))>>(
           s, Pass::declared[I]),
       ...);
      if (s.size() == 0)
        s = error_of_types<Pass,
                           std::remove_cvref_t<decltype(as_view(impl::nth_tensor<I>(std::declval<Args&>()...)))>...>(
            Op::name);
      return s;
    }(std::make_integer_sequence<int, Pass::declared.given()>{});
  }
}

/// Runs a pass of an op under a policy. A wrong call is one compile error, or std::invalid_argument before anything is
/// written.
template <class Op, class Policy, class Pass, class... Args>
TERN_INLINE void run(Args&... args) {
  using kernels = typename Pass::template kernel<Policy>;
  constexpr text error(error_of_arguments<Op, Policy, Pass, Args...>());
  if constexpr (error.empty()) {
    decltype(auto) state = impl::state_of<kernels>(args...);
    constexpr bool add = impl::has_option<accumulate_t, Args...>, lends = impl::has_option<workspace, Args...>;
    [&]<int... I, class... R>(std::integer_sequence<int, I...>, options<R...>) __attribute__((always_inline)) {
      const auto call = [&](const auto&... view) __attribute__((always_inline)) {
        check<Pass>(Op::name, view...);
        if constexpr (lends) check_workspace<Pass>(Op::name, impl::find_workspace(args...), view...);
        return Pass::template problem<add>(Op::name, impl::find_argument<R>(args...)..., view...);
      };
      if constexpr (lends)
        kernels::run(state, call(as_view(impl::nth_tensor<I>(args...))...), impl::find_workspace(args...));
      else
        kernels::run(state, call(as_view(impl::nth_tensor<I>(args...))...));
    }(std::make_integer_sequence<int, Pass::declared.given()>{}, values_of<Pass>{});
  } else {
    static_cast<void>(sizeof(wrong_call<error>));
  }
}

/// The only tensor of a call that has no kernels, as a view. Checked as by run().
template <class Op, class Policy, class Pass, class X>
auto checked_view(const X& x) {
  constexpr text error(error_of_arguments<Op, Policy, Pass, const X>());
  if constexpr (error.empty()) {
    const auto v = as_view(x);
    check<Pass>(Op::name, v);
    return v;
  } else {
    static_cast<void>(sizeof(wrong_call<error>));
    return view<const typename Pass::value_type, dims<Pass::declared.most_rank(Pass::declared[0].shape)>>();
  }
}

/// Runs a pass without kernels, whose problem is a function.
struct on_calling_thread {
  using context = impl::no_state;
  template <class F>
  static void run(const context&, const F& f) {
    f();
  }
};

/// Tensor I of a call without memory, for calls that are only planned. Axes have the extents of those of x with their
/// names, or the shape is made of x's. x stands for the first tensor whose shape is its own. Tensors of which there may
/// be vectors have one element along the axes `ones` that may have it, bit by bit.
template <class Pass, int I, class X>
auto planned_view(const X& x, unsigned ones = 0) {
  using T = typename Pass::value_type;
  constexpr declaration d = Pass::declared;
  constexpr tensor t = d[I];
  using stored = std::conditional_t<t.of == element::op, T,
                                    std::conditional_t<t.of == element::uint8, std::uint8_t, std::int32_t>>;
  using element_type = std::conditional_t<t.is == role::input, const stored, stored>;
  constexpr bool made = d.source_of(I) >= 0;
  constexpr const char* shape = d.first_of_own_shape().shape;
  constexpr int rank = made ? X::rank : declaration::rank_beside(t.shape, shape, X::rank);
  index_t extent[rank];
  for (int r = 0; r < rank; ++r) {
    const axis_name name = declaration::name_of(made ? shape : t.shape, rank, r);
    extent[r] = d.extent_of(name).value != dynamic ? d.extent_of(name).value : 1;
    for (int q = 0; q < X::rank; ++q)
      if (declaration::name_of(shape, X::rank, q) == name) extent[r] = x.extent(q);
    if (t.may_be_vector() && (ones >> r & 1) != 0 && name.name.or_one) extent[r] = 1;
  }
  if constexpr (made) static_cast<void>(Pass::made(extent, rank));  // judged later
  return [&]<std::size_t... R>(std::index_sequence<R...>) {
    using layout = std::conditional_t<t.adjacent, layout_channels_last, layout_row>;
    return view<element_type, dims<rank>, layout>(nullptr, dims<rank>(extent[R]...));
  }(std::make_index_sequence<rank>{});
}
/// The problem of a call on a tensor of x's shape, which is only planned.
/// \tparam Add  whether it accumulates
/// \param ones_of_inputs, ones_of_outputs  as of planned_view
template <class Op, class Pass, bool Add, class X>
auto planned(const X& x, unsigned ones_of_inputs = 0, unsigned ones_of_outputs = 0) {
  return [&]<int... I, class... R>(std::integer_sequence<int, I...>, options<R...>) {
    const auto call = [](const auto&... view) {
      const fact t[] = {[](fact f) {
        f.null = false;
        return f;
      }(fact_of<typename Pass::value_type>(view))...};
      if (const sentence s = judged<Pass>(Op::name, t); s.size() > 0) violation("%s", s.text());
      return Pass::template problem<Add>(Op::name, R{}..., view...);
    };
    return call(planned_view<Pass, I>(x, Pass::declared[I].is == role::input ? ones_of_inputs : ones_of_outputs)...);
  }(std::make_integer_sequence<int, Pass::declared.given()>{}, values_of<Pass>{});
}
/// The problems of calls on tensors of x's shape for which a state must have room: they accumulate where calls may, and
/// of outputs of which there may be vectors there are those with every shape.
template <class Op, class Pass, class X>
auto planned_for_state(const X& x) {
  if constexpr (std::is_void_v<Pass>) {
    return std::tuple{};
  } else {
    constexpr tensor last = Pass::declared[Pass::declared.given() - 1];
    constexpr unsigned shapes = last.may_be_vector() ? 1u << (X::rank - 1) : 1u;  // axis 1 is that of channels
    return [&]<unsigned... Ones>(std::integer_sequence<unsigned, Ones...>) {
      return std::tuple{
          planned<Op, Pass, Pass::optional::template has<accumulate_t>>(x, 0, (Ones & 1u) | (Ones >> 1 << 2))...};
    }(std::make_integer_sequence<unsigned, shapes>{});
  }
}
/// What is wrong with a call on a tensor like X that is only planned; empty where nothing is, as far as types tell.
template <class Op, class Pass, class X>
constexpr sentence error_of_plan() {
  return []<int... I>(std::integer_sequence<int, I...>) {
    return error_of_types<Pass, decltype(planned_view<Pass, I>(std::declval<const X&>()))...>(Op::name);
  }(std::make_integer_sequence<int, Pass::declared.given()>{});
}

/// Whether kernels have a default state. Through this, as nvcc 13.0 hands g++ `typename kernels::context` without the
/// `template` that it needs where kernels are those of a pass.
template <class Kernels>
inline constexpr bool has_context = requires { typename Kernels::context; };
template <class Kernels>
auto default_state() {
  return typename Kernels::context{};
}

/// What a call costs: elements of the op's type that it reads and writes, operations, and sizes for a plan.
struct cost {
  index_t moved = 0, m = 0, n = 0;
  double operations = 0;
  index_t k = 1;
};

/// What is wrong with an op under a policy; empty where nothing is.
template <class Op, class Policy, class Pass>
constexpr sentence error_of_op() {
  using T = typename Pass::value_type;
  sentence s;
  if constexpr (!requires { sizeof(typename Pass::template kernel<Policy>); })
    s << Op::name
      << ": there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp";
  else if constexpr (!requires { requires Pass::of_any_type; } && !std::is_same_v<T, float> &&
                     !std::is_same_v<T, double>)
    s << Op::name << ": the element type must be float or double: there are no kernels for others yet";
  return s;
}
/// Complete where there is nothing to say.
template <text Error>
using if_right = std::conditional_t<Error.empty(), char, wrong_call<Error>>;

template <class Pass>
concept sums_weights = requires { requires Pass::of_weights; };
/// The first pass of weights, or void.
template <class... Pass>
struct pass_of_weights : std::type_identity<void> {};
template <class First, class... Rest>
struct pass_of_weights<First, Rest...>
    : std::conditional_t<sums_weights<First>, std::type_identity<First>, pass_of_weights<Rest...>> {};

/// What calls of an op have beside its passes: plans, and run-time state.
/// \tparam Backward  the pass backward_data, or void
/// \tparam Others    further passes that run on the same state
template <class Op, class Policy, class Forward, class Backward, class... Others>
struct declared_operations {
  using value_type = typename Forward::value_type;
  static_assert(sizeof(if_right<text(error_of_op<Op, Policy, Forward>())>) == 1);

  /// How a call on a tensor of x's shape will run: the bytes it reads and writes, operations, and under mimd tiles,
  /// memory and cycles. Elements of x are not looked at; tensors that may be numbers per channel are taken to be. `how`
  /// is what the model takes besides: the concurrency of the executor under simd, tiles under mimd.
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    constexpr text error(error_of_plan<Op, Forward, decltype(as_view(x))>());
    if constexpr (!error.empty()) {
      static_cast<void>(sizeof(wrong_call<error>));
      return {};
    } else if constexpr (std::is_void_v<Backward>) {
      if (which != tern::pass::forward)
        violation("%s: it has no gradients of its own: the pass of a plan must be forward", Op::name);
      return plan_of<Forward>(as_view(x), which, how...);
    } else {
      using weights = typename pass_of_weights<Others...>::type;
      if constexpr (std::is_void_v<weights>)
        impl::require_pass_of_elements(Op::name, which);
      else if (which == tern::pass::backward_weights)
        return plan_of<weights>(as_view(x), which, how...);
      if (which == tern::pass::backward_data) return plan_of<Backward>(as_view(x), which, how...);
      return plan_of<Forward>(as_view(x), which, how...);
    }
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for all passes, which allocates; the default state under the other policies. Elements
  /// of x are not looked at. `how` is what the model's make_state takes besides: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using kernels = typename Forward::template kernel<Policy>;
    constexpr text error(error_of_plan<Op, Forward, decltype(as_view(x))>());
    if constexpr (!error.empty()) {
      static_cast<void>(sizeof(wrong_call<error>));
    } else if constexpr (has_context<kernels>) {
      static_assert(sizeof...(How) == 0, "kernel: make_state takes a tensor only under this policy");
      return default_state<kernels>();
    } else {
      const auto v = as_view(x);
      return kernels::make_state(std::tuple_cat(planned_for_state<Op, Forward>(v), planned_for_state<Op, Backward>(v),
                                                planned_for_state<Op, Others>(v)...),
                                 how...);
    }
  }

 protected:
  template <class Pass, class X, class... How>
  static tern::plan plan_of(const X& x, tern::pass which, How... how) {
    const auto q = planned<Op, Pass, false>(x, ~0u, ~0u);
    const cost c = Pass::cost_of(q);
    tern::plan p = impl::plan_of_moves<typename Pass::template kernel<Policy>, Policy, value_type>(Op::name, which,
                                                                                                   c.moved, q, how...);
    p.m = c.m, p.n = c.n, p.k = c.k, p.flops = c.operations;
    return p;
  }
};

}  // namespace tern::inline TERN_ISA::declare
