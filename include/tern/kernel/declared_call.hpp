// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declared calls (declaration.hpp): from the arguments to the problem of a family, and on to its kernels.
//
// A pass of an op is a class with
//
//     declared                    the tensors of its call: a constexpr declaration
//     required, optional          declare::options<...>: options that a call must, and may, add, each once
//     value_type                  the element type of the op: float or double
//     of_any_type                 optional; true: other element types are allowed, too
//     kernel<Policy>              the kernels that run its problem, or on_calling_thread, which calls it
//     problem<Add>(op, options..., views...)   the problem, from options with a value and tensors; Add: with
//                                 tern::accumulate. A tern::workspace goes to the kernels
//     cost_of(problem)            its cost
//     of_weights                  optional; true: the gradients are those of weights
//     validate(sentence, op, facts)  optional: reports further errors of its tensors
//     made(extents, rank)         optional, for shapes derived from others: replaces extents that are not dynamic by
//                                 the derived ones; returns false for impossible ones, which
//     demand(sentence, fact)      explains
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
#include "tern/kernel/call_options.hpp"
#include "tern/kernel/checked_call.hpp"
#include "tern/kernel/declaration.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/numbers.hpp"
#include "tern/kernel/packed.hpp"
#include "tern/kernel/planned_call.hpp"
#include "tern/kernel/prepared.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA::declare {

template <class Pass, class... Args>
inline constexpr bool starts_with_option = false;
template <class Pass, class First, class... Rest>
inline constexpr bool starts_with_option<Pass, First, Rest...> =
    Pass::required::template has<First> || Pass::optional::template has<First>;

/// The name of an option without its article; empty if unknown.
template <class A>
constexpr const char* plain_name_of_option() {
  const char* const name = name_of_option<std::remove_cvref_t<A>>;
  return same_text(name, "an option") ? "" : name[0] == 'a' && name[1] == ' ' ? name + 2 : name;
}
/// True if an argument is an option, but none of the pass.
template <class Pass, class A>
inline constexpr bool is_foreign_option = !impl::is_tensor<A> && *plain_name_of_option<A>() != '\0' &&
                                          !Pass::required::template has<A> && !Pass::optional::template has<A>;

/// Describes an argument that is neither tensor, option nor state; empty otherwise.
template <class A>
constexpr const char* kind_of_stranger() {
  using type = std::remove_cvref_t<A>;
  if (impl::is_tensor<A> || *plain_name_of_option<A>() != '\0') return "";
  if (std::is_null_pointer_v<type>) return "nullptr";
  if (std::is_array_v<type>) return std::is_array_v<std::remove_extent_t<type>> ? "an array of arrays" : "an array";
  if (std::is_pointer_v<type>) return "a pointer";
  if (std::is_same_v<type, bool>) return "a bool";
  if (std::is_arithmetic_v<type>) return "a number";
  return "";
}

/// Reports packed weights that do not fit a tensor of a call.
template <class Op, class Policy, class Pass, class A>
constexpr void judge_packed(sentence&, const tensor&) {}
template <class Op, class Policy, class Pass, class Packed>
  requires is_packed<Packed>
constexpr void judge_packed(sentence& s, const tensor& t) {
  constexpr bool matching_kernel = std::is_same_v<typename Packed::op_type, Op> &&
                                   std::is_same_v<typename Packed::policy_type, Policy>,
                 matching_pass = Packed::for_pass == pass::forward || same_text(Pass::declared.pass, "backward_data");
  if (s.size() > 0 || (t.packable && matching_kernel && matching_pass)) return;
  s << Op::name << ": " << t.name;
  if (!t.packable)
    s << " must not be packed weights";
  else
    s << " was packed for another " << (matching_kernel ? "pass" : "op or policy");
}

/// The first error in the arguments of a call, as far as types tell; empty if there is none.
template <class Op, class Policy, class Pass, class... Args>
constexpr sentence error_of_arguments() {
  constexpr auto add_options = []<class... R, class... O>(sentence& s, options<R...>, options<O...>) {
    const char* const last = Pass::declared.has_choices() ? ", and " : " and ";
    int left = sizeof...(R);
    ((s << (left-- > 1 ? ", " : last) << name_of_option<R>), ...);
    ((has_value<O> ? void(s << last << "optionally " << name_of_option<O>) : void()), ...);
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
    int place = 0;
    const auto add_stranger = [&](const char* kind, bool is_number) {
      const int at = place++, tensor = tensors_before<Args...>(at);
      const bool may_be_number = tensor < Pass::declared.given() && Pass::declared[tensor].number;
      if (*kind == '\0' || s.size() > 0 || (is_number && (may_be_number || is_one_too_many<Pass, Args...>(at)))) return;
      s << Op::name << ": argument " << at + (impl::is_prepared<Args...> ? 0 : 1) << " is " << kind
        << ": it must be a view or a container" << (may_be_number ? ", or a number" : "");
      [&]<class... R, class... O>(options<R...>, options<O...>) {
        ((s << ", or " << name_of_option<R>), ...);
        ((has_value<O> ? void(s << ", or " << name_of_option<O>) : void()), ...);
      }(typename Pass::required{}, typename Pass::optional{});
    };
    (add_stranger(kind_of_stranger<Args>(), is_number<Args>), ...);
    if (s.size() > 0) return s;
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

/// The kernels' objection to the run-time state of a call.
template <class Kernels, class State>
constexpr const char* refusal_of_state() {
  if constexpr (requires { Kernels::template refusal_of<State>; }) return Kernels::template refusal_of<State>;
  return "";
}
template <class Kernels, class First, class... Rest>
constexpr sentence error_of_state() {
  using given = std::remove_cvref_t<First>;
  if constexpr (!impl::has_state<First> && requires { typename Kernels::context; })
    return sentence() << refusal_of_state<Kernels, typename Kernels::context>();
  else if constexpr (!impl::has_state<First>)
    return sentence() << refusal_of_state<Kernels, impl::no_state>();
  else if constexpr (!std::is_same_v<given, impl::no_state> &&
                     requires { requires std::is_same_v<typename Kernels::context, impl::no_state>; })
    return sentence() << "kernel: the first argument of the call must be a tensor: there is no run-time state";
  else
    return sentence() << refusal_of_state<Kernels, given>();
}
/// The same for state inside a prepared_state, which comes first.
template <class Kernels, class First, class... Rest>
constexpr sentence error_of_call_state() {
  if constexpr (!impl::is_prepared<First, Rest...>)
    return error_of_state<Kernels, First, Rest...>();
  else if constexpr (std::is_same_v<typename First::state_type, impl::no_state>)
    return error_of_state<Kernels, Rest...>();
  else
    return error_of_state<Kernels, typename First::state_type>();
}

/// Runs a pass on tensors that are correct by construction, in a function shared by all calls of these types.
template <class Op, class Policy, class Pass, int... I, class... R, class... Args>
[[gnu::noinline]] void run_unchecked(std::integer_sequence<int, I...>, options<R...>, Args&... args) {
  using kernels = typename Pass::template kernel<Policy>;
  kernels::run(impl::state_of<kernels>(args...),
               Pass::template problem<impl::has_option<accumulate_t, Args...>>(
                   Op::name, impl::find_argument<R>(args...)..., as_view(impl::nth_tensor<I>(args...))...));
}

/// Reports arguments and run-time state that do not fit a call.
template <class Op, class Policy, class Pass, class... Args>
constexpr sentence error_of_call() {
  constexpr sentence s = error_of_arguments<Op, Policy, Pass, Args...>();
  if constexpr (s.empty())
    return error_of_call_state<typename Pass::template kernel<Policy>, Args...>();
  else
    return s;
}
/// The same with numbers among the arguments, for which the call takes vectors.
template <class Op, class Policy, class Pass, class... Args>
constexpr sentence error_of_call_with_numbers() {
  constexpr sentence s = error_of_numbers<Op, typename Pass::template kernel<Policy>, Pass, Args...>();
  if constexpr (s.empty())
    return error_of_call<Op, Policy, Pass, number_as_vector<Pass, Args>...>();
  else
    return s;
}

template <class Op, class Policy, class Pass, class... Args>
TERN_INLINE void run(Args&... args);

/// Runs a pass whose numbers are vectors by now, of no size yet.
template <class Op, class Policy, class Pass, int... I, class... Args>
TERN_INLINE void run_vectors(std::integer_sequence<int, I...>, Args&&... args) {
  (set_size<Pass, I>(list_of(as_view(impl::nth_tensor<I>(args...))...), impl::nth_tensor<I>(args...)), ...);
  run<Op, Policy, Pass>(args...);
}

/// True if the kernel of an op has reported an error of its own, after which its calls report none.
template <class Op, class Policy>
concept refused = op<Op> && requires { requires !kernel<Op, Policy>::of_op.empty(); };

/// Runs a pass of an op under a policy. A wrong call is one compile error, or std::invalid_argument before any write.
template <class Op, class Policy, class Pass, class... Args>
TERN_INLINE void run(Args&... args) {
  if constexpr (refused<Op, Policy>) {
  } else if constexpr (first_number<Pass, Args...>() >= 0) {
    constexpr text error(error_of_call_with_numbers<Op, Policy, Pass, Args...>());
    if constexpr (error.empty())
      run_vectors<Op, Policy, Pass>(std::make_integer_sequence<int, Pass::declared.given()>{},
                                    as_vector<Pass>(args)...);
    else
      static_cast<void>(sizeof(wrong_call<error>));
  } else if constexpr (impl::has_option<unchecked_t, Args...>) {
    run_unchecked<Op, Policy, Pass>(std::make_integer_sequence<int, Pass::declared.given()>{}, values_of<Pass>{},
                                    args...);
  } else {
    using kernels = typename Pass::template kernel<Policy>;
    constexpr text error(error_of_call<Op, Policy, Pass, Args...>());
    if constexpr (!error.empty()) {
      static_cast<void>(sizeof(wrong_call<error>));
    } else if constexpr (impl::is_prepared<Args...>) {
      run_prepared<Op, Policy, Pass>(args...);
    } else {
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
    }
  }
}

/// The only tensor of a call without kernels, as a view. Checked as by run().
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

/// The first error of a planned call on a tensor like X, as far as types tell; empty if there is none.
template <class Op, class Pass, class X>
constexpr sentence error_of_plan() {
  return []<int... I>(std::integer_sequence<int, I...>) {
    return error_of_types<Pass, decltype(planned_view<Pass, I>(std::declval<const X&>()))...>(Op::name);
  }(std::make_integer_sequence<int, Pass::declared.given()>{});
}

/// True if kernels have a default state. A variable template, as nvcc 13.0 hands g++ `typename kernels::context`
/// without the `template` that kernels of a pass need.
template <class Kernels>
inline constexpr bool has_context = requires { typename Kernels::context; };
template <class Kernels>
auto default_state() {
  return typename Kernels::context{};
}

/// The first error of a pass of an op under a policy; empty if there is none, or no pass.
template <class Op, class Policy, class Pass>
constexpr sentence error_of_op() {
  sentence s;
  if constexpr (!std::is_void_v<Pass>) {
    using T = typename Pass::value_type;
    if constexpr (!requires { sizeof(typename Pass::template kernel<Policy>); })
      s << Op::name
        << ": there is no kernel under this policy here: include the header of its model: tern/reference.hpp, "
           "tern/simd.hpp, tern/mimd.hpp or tern/simt.hpp";
    else if constexpr (!requires { requires Pass::of_any_type; } && !std::is_same_v<T, float> &&
                       !std::is_same_v<T, double>)
      s << Op::name << ": the element type must be float or double: there are no kernels for others yet";
    else if constexpr (requires { Pass::template kernel<Policy>::refusal; })
      s << Pass::template kernel<Policy>::refusal;
    if (!s.empty()) return s;
    if constexpr (requires { Pass::judge_declaration(s, "", Pass::declared); })
      Pass::judge_declaration(s, Op::name, Pass::declared);
  }
  return s;
}

template <class Pass>
concept sums_weights = requires { requires Pass::of_weights; };
/// The first pass of weights, or void.
template <class... Pass>
struct pass_of_weights : std::type_identity<void> {};
template <class First, class... Rest>
struct pass_of_weights<First, Rest...>
    : std::conditional_t<sums_weights<First>, std::type_identity<First>, pass_of_weights<Rest...>> {};

/// Operations of an op beside its passes: plans, and run-time state.
/// \tparam Backward  the pass backward_data, or void
/// \tparam Others    further passes that run on the same state
template <class Op, class Policy, class Forward, class Backward = void, class... Others>
struct declared_operations : prepared_operations<Op, Policy> {
  using value_type = typename Forward::value_type;
  static constexpr text of_forward{error_of_op<Op, Policy, Forward>()};
  static constexpr text of_backward{error_of_op<Op, Policy, Backward>()};
  static constexpr text of_op = of_forward.empty() ? of_backward : of_forward;
  static_assert(sizeof(wrong_call<of_op>) == 1);

  /// The plan of a call on a tensor of x's shape: bytes read and written, operations, and under mimd tiles, memory and
  /// cycles. Does not read elements of x; assumes numbers per channel where tensors may be such. `how` are further
  /// arguments of the model: the concurrency of the executor under simd, tiles under mimd.
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    constexpr text error(error_of_plan<Op, Forward, decltype(as_view(x))>());
    if constexpr (!error.empty()) {
      static_cast<void>(sizeof(wrong_call<error>));
      return {};
    } else if constexpr (sizeof...(How) > 0 && Policy::execution != model::simd && Policy::execution != model::mimd) {
      static_assert(!std::is_same_v<X, X>, "kernel: plan takes a tensor and a pass under this policy, and no more");
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

  /// Run-time state for calls on tensors of x's shape, to be passed as their first argument. Under mimd a
  /// tern::tile_machine with room for all passes, which allocates; the default state under the other policies. Does not
  /// read elements of x. `how` are further arguments of the model's make_state: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using kernels = typename Forward::template kernel<Policy>;
    constexpr text error(error_of_plan<Op, Forward, decltype(as_view(x))>());
    if constexpr (!error.empty()) {
      static_cast<void>(sizeof(wrong_call<error>));
    } else if constexpr (has_context<kernels>) {
      static_assert(sizeof...(How) == 0, "kernel: make_state takes a tensor only under this policy");
      return default_state<kernels>();
    } else if constexpr ((impl::is_tensor<std::remove_cvref_t<How>> || ...)) {
      static_assert(sizeof...(How) == 0,
                    "kernel: make_state takes one tensor, x, and then what the tile machine takes");
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
    return plan_of_call<Op, Policy, Pass>(which, planned<Op, Pass, false>(x, ~0u, ~0u), how...);
  }
};

}  // namespace tern::inline TERN_ISA::declare
