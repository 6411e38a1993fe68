// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prepared calls: checked and planned once for known shapes, then run many times.
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/layout.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/call_options.hpp"
#include "tern/kernel/checked_call.hpp"
#include "tern/kernel/declaration.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/planned_call.hpp"
#include "tern/policy/call_plans.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA {

template <class Kernel, pass For>
class prepared;

namespace impl {

/// Calls f(axis, number) for the run-time numbers that determine a view's offsets: extents and, if the layout does not
/// give them, strides, as axes from rank on.
template <class View, class F>
TERN_INLINE void each_number(const View& v, F f) {
  [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
    (f(R, v.extent(R)), ...);
    if constexpr (strided_mapping<typename View::mapping_type> && !declare::is_dense<typename View::layout_type>)
      (f(View::rank + R, v.stride(R)), ...);
  }(std::make_integer_sequence<int, View::rank>{});
}

/// The shapes of a prepared call.
class call_shapes {
 public:
  /// \tparam Call  a type that identifies the pass and its options
  template <class Call, class... View>
  void set(const View&... view) {
    static_assert((0 + ... + (2 * View::rank)) <= most_numbers);
    types_ = &types_of<Call, View...>;
    int at = 0;
    const auto add = [&](int, index_t number) { numbers_[at++] = number; };
    (each_number(view, add), ...);
  }
  template <class Call, class... View>
  TERN_INLINE bool are(const View&... view) const {
    if (types_ != &types_of<Call, View...>) return false;
    bool same = true;
    int at = 0;
    const auto compare = [&](int, index_t number) { same &= numbers_[at++] == number; };
    (each_number(view, compare), ...);
    return same;
  }
  /// Throws if these views differ from the prepared ones; the sentence shows the difference.
  template <class Call, class Pass, class... View>
  TERN_COLD void explain(const char* op, const View&... view) const {
    using declare::fact;
    const types &had = *types_, &has = types_of<Call, View...>;
    if (had.call != has.call) violation("%s: the call was prepared with other options", op);
    const fact t[] = {declare::fact_of<typename Pass::value_type>(view)...};
    int i = 0, at = 0;
    const auto validate = [&](const auto& v) {
      fact wanted = t[i];
      wanted.rank = had.rank[i];
      for (int r = 0; r < wanted.rank; ++r) wanted.extent[r] = numbers_[at + r];
      declare::sentence s;
      s << op << ": " << Pass::declared[i].name << " is " << t[i];
      bool same_shape = wanted.rank == t[i].rank, same = true;
      for (int r = 0; same_shape && r < wanted.rank; ++r) same_shape = wanted.extent[r] == t[i].extent[r];
      if (!same_shape) {
        s << ": the call was prepared for " << wanted;
        violation("%s", s.text());
      }
      if (had.tensor[i] != has.tensor[i]) {
        s << " of another element type or layout than the call was prepared for";
        violation("%s", s.text());
      }
      const auto compare = [&](int, index_t number) { same &= numbers_[at++] == number; };
      each_number(v, compare);
      if (!same) {
        s << " with other strides than the call was prepared for";
        violation("%s", s.text());
      }
      ++i;
    };
    (validate(view), ...);
  }

 private:
  static constexpr int most_numbers = 192;
  template <class...>
  static constexpr char id = 0;
  /// A call by its types: addresses of `id`, and the number of axes of each tensor.
  struct types {
    const void *call, *tensor[declare::most_tensors];
    int rank[declare::most_tensors];
  };
  /// Static extents and const elements do not make another call.
  template <class Call, class... View>
  static constexpr types types_of{
      &id<Call>,
      {&id<view<typename View::value_type, dims<View::rank>, typename View::layout_type>>...},
      {View::rank...}};

  const types* types_ = nullptr;
  index_t numbers_[most_numbers];
};

/// The plan of a call, and the facts from which it was made.
template <class Policy>
struct preparation {
  tern::plan plan;
  call_shapes shapes;
  call_plans<Policy> plans;
};

/// The first argument of a prepared call, or of one being prepared: wraps its run-time state or no_state.
/// \tparam Finds  true if the call is being prepared, and does not run
template <class State, class Preparation, bool Finds>
struct prepared_state {
  using state_type = std::remove_const_t<State>;
  State& state;
  Preparation& call;
  pass of;
};
/// A pass with its options.
template <class Pass, bool Add>
struct pass_with;

}  // namespace impl

/// A checked and planned call of a kernel: the result of the kernel's `prepare`. Calls through it take tensors of the
/// same types, shapes and strides, with the options it was prepared with, and give the bits of a plain call. They
/// compare shapes and check memory, and plan nothing. Shared between threads as kernels are.
///
///     const auto multiply = k.prepare({.m = 8, .n = 8, .k = 8});      multiply(a, b, c);
template <class Kernel, pass For>
class prepared {
  using preparation = impl::preparation<typename Kernel::policy_type>;

 public:
  /// \param args  the arguments of the call to prepare
  template <class... Args>
  explicit prepared(std::in_place_t, Args&... args) {
    start<true>(call_, args...);
  }

  /// Runs the call: run-time state if it takes one, tensors, options and an optional workspace, as without preparation.
  /// Throws std::invalid_argument, before anything is written, if tensors differ from the prepared ones.
  template <class... Args>
  TERN_INLINE void operator()(Args&&... args) const {
    start<false>(call_, args...);
  }

  /// The plan of the calls, as the kernel's `plan` gives it.
  const tern::plan& plan() const { return call_.plan; }
  /// Workspace in bytes with which calls are fastest.
  index_t workspace_bytes() const { return call_.plan.workspace_bytes; }

 private:
  template <bool Finds, class Preparation, class First, class... Rest>
  TERN_INLINE static void start(Preparation& call, First& first, Rest&... rest) {
    if constexpr (impl::has_state<First>) {
      const impl::prepared_state<First, Preparation, Finds> state{first, call, For};
      run(state, rest...);
    } else {
      impl::no_state none;
      const impl::prepared_state<impl::no_state, Preparation, Finds> state{none, call, For};
      run(state, first, rest...);
    }
  }
  template <class... Args>
  TERN_INLINE static void run(Args&... args) {
    if constexpr (For == pass::forward)
      Kernel{}(args...);
    else if constexpr (For == pass::backward_data)
      Kernel{}.backward_data(args...);
    else
      Kernel{}.backward_weights(args...);
  }

  preparation call_;
};

namespace declare {

/// The operation `prepare` of an op.
template <class Op, class Policy>
struct prepared_operations {
  /// Judges and plans a call without running it: see tern::prepared.
  ///
  ///     const auto convolve = k.prepare(machine, x, w, bias, y);           // views may be null: memory may come later
  ///     const auto gradient = k.template prepare<tern::pass::backward_data>(dy, w, dx, tern::accumulate);
  ///
  /// \tparam For  the pass: the call itself, backward_data or backward_weights
  /// \param args  the arguments of the call. Throws std::invalid_argument if the call would
  template <tern::pass For = tern::pass::forward, class... Args>
  static prepared<kernel<Op, Policy>, For> prepare(Args&&... args) {
    return prepared<kernel<Op, Policy>, For>(std::in_place, args...);
  }
};

/// Calls f with the resources of a state that plans depend on: concurrent tasks under simd, tiles under mimd.
template <class Kernels, class State, class F>
auto with_resources(const State& state, F f) {
  if constexpr (requires { Kernels::resources_of(state); })
    return f(Kernels::resources_of(state));
  else if constexpr (requires { static_cast<index_t>(state.concurrency()); })
    return f(static_cast<index_t>(state.concurrency()));
  else
    return f();
}

/// Runs a prepared call, or prepares one, as run() does a plain call.
template <class Op, class Policy, class Pass, class State, class Preparation, bool Finds, class... Args>
TERN_INLINE void run_prepared(const impl::prepared_state<State, Preparation, Finds>& first, Args&... args) {
  using kernels = typename Pass::template kernel<Policy>;
  constexpr bool add = impl::has_option<accumulate_t, Args...>, lends = impl::has_option<workspace, Args...>;
  using call_type = impl::pass_with<Pass, add>;
  [&]<int... I, class... R>(std::integer_sequence<int, I...>, options<R...>) __attribute__((always_inline)) {
    const auto on = [&](auto& state, const auto&... view) __attribute__((always_inline)) {
      auto& [given, call, of] = first;
      if constexpr (Finds) {
        judge_shapes<Pass>(Op::name, view...);
        const auto q = Pass::template problem<add>(Op::name, impl::find_argument<R>(args...)..., view...);
        call.shapes.template set<call_type>(view...);
        call.plan =
            with_resources<kernels>(state, [&](auto... how) { return plan_of_call<Op, Policy, Pass>(of, q, how...); });
        call.plans.template find<kernels>(state, q);
        // instantiates the call: a state that it cannot run on is an error here, too
        if (false) kernels::run(state, q);
      } else {
        if (!call.shapes.template are<call_type>(view...)) [[unlikely]]
          call.shapes.template explain<call_type, Pass>(Op::name, view...);
        check_memory<Pass>(Op::name, view...);
        if constexpr (lends) check_workspace<Pass>(Op::name, impl::find_workspace(args...), view...);
        const auto problem = [&]() __attribute__((always_inline)) {
          return Pass::template problem<add>(Op::name, impl::find_argument<R>(args...)..., view...);
        };
        if constexpr (lends)
          call.plans.template run<kernels>(state, problem, impl::find_workspace(args...));
        else
          call.plans.template run<kernels>(state, problem);
      }
    };
    if constexpr (std::is_same_v<State, impl::no_state>) {
      decltype(auto) state = impl::state_of<kernels>(args...);
      on(state, as_view(impl::nth_tensor<I>(args...))...);
    } else {
      decltype(auto) state = impl::state_of<kernels>(first.state, args...);
      on(state, as_view(impl::nth_tensor<I>(args...))...);
    }
  }(std::make_integer_sequence<int, Pass::declared.given()>{}, values_of<Pass>{});
}

}  // namespace declare

}  // namespace tern::inline TERN_ISA
