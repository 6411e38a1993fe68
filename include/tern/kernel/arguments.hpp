// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a kernel call: [run-time state,] tensors..., [options...]. Run-time state is an executor, a tile
// machine, a block context or a stream; options are told from tensors by their type and may come in any order.
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/workspace.hpp"
#include "tern/family/kernels.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/packed.hpp"

namespace tern {

/// Option of a call: adds the result to the old value of the output.
struct accumulate_t {};
inline constexpr accumulate_t accumulate{};

/// Option of a pass with gradients of weights among its outputs: adds these to their old values, and overwrites the
/// others.
struct accumulate_weights_t {};
inline constexpr accumulate_weights_t accumulate_weights{};

/// Option of a norm: the number added to the variance, in place of the config's.
struct epsilon {
  static constexpr double of_config = -__builtin_inf();
  double value = of_config;
};

}  // namespace tern

namespace tern::inline TERN_ISA::impl {

template <class A>
inline constexpr bool is_tensor = is_packed<std::remove_cvref_t<A>> || tensor<A>;

/// True if the first argument is run-time state.
template <class... Args>
inline constexpr bool has_state = false;
template <class First, class... Rest>
inline constexpr bool has_state<First, Rest...> =
    !is_tensor<First> && !std::is_same_v<std::remove_cvref_t<First>, accumulate_t> &&
    !std::is_same_v<std::remove_cvref_t<First>, workspace>;

template <class... Args>
inline constexpr int tensor_count = (static_cast<int>(is_tensor<Args>) + ... + 0);

template <class Option, class... Args>
inline constexpr bool has_option = (std::is_same_v<std::remove_cvref_t<Args>, Option> || ...);

/// The number of arguments of a type.
template <class Type, class... Args>
inline constexpr int count_of = (static_cast<int>(std::is_same_v<std::remove_cvref_t<Args>, Type>) + ... + 0);

/// The argument of a type, or its default.
template <class Type>
TERN_INLINE Type find_argument() {
  return {};
}
template <class Type, class First, class... Rest>
TERN_INLINE Type find_argument(const First& first, const Rest&... rest) {
  if constexpr (std::is_same_v<First, Type>)
    return first;
  else
    return find_argument<Type>(rest...);
}

/// The place of the i-th tensor among the arguments.
template <int Index, class... Args>
inline constexpr int place_of_tensor = [] {
  constexpr bool of[] = {is_tensor<Args>...};
  int place = 0;
  for (int left = Index; !of[place] || left > 0; ++place) left -= of[place];
  return place;
}();
template <int>
struct any_argument {
  using type = const volatile void*;
};
template <class Before>
struct arguments_behind;
template <int... Before>
struct arguments_behind<std::integer_sequence<int, Before...>> {
  template <class First, class... Rest>
  TERN_INLINE static constexpr First& first(typename any_argument<Before>::type..., First* first, Rest*...) {
    return *first;
  }
};
/// The i-th tensor among the arguments. Only two functions for any i, as calls instantiate hundreds of these.
template <int Index, class... Args>
TERN_INLINE decltype(auto) nth_tensor(Args&... args) {
  return arguments_behind<std::make_integer_sequence<int, place_of_tensor<Index, Args...>>>::first(&args...);
}

/// The run-time state of the call, or the default state of the kernels if they have one.
template <class Kernels, class First, class... Rest>
TERN_INLINE decltype(auto) state_of(First& first, Rest&...) {
  if constexpr (has_state<First>) {
    constexpr bool takes_none = [] {
      if constexpr (requires { typename Kernels::context; })
        return std::is_same_v<typename Kernels::context, no_state> &&
               !std::is_same_v<std::remove_const_t<First>, no_state>;
      else
        return false;
    }();
    static_assert(!takes_none, "kernel: the first argument of the call must be a tensor: there is no run-time state");
    if constexpr (takes_none)
      return no_state{};  // suppresses further errors
    else
      return (first);
  } else if constexpr (requires { typename Kernels::context; }) {
    return typename Kernels::context{};
  } else {
    return no_state{};
  }
}

/// The first argument of a prepared call, or of a call being prepared (prepared.hpp).
template <class State, class Preparation, bool Finds>
struct prepared_state;
template <class... Args>
inline constexpr bool is_prepared = false;
template <class State, class Preparation, bool Finds, class... Args>
inline constexpr bool is_prepared<const prepared_state<State, Preparation, Finds>, Args...> = true;

/// The workspace among the arguments, or an empty one.
template <class... Args>
TERN_INLINE workspace find_workspace(const Args&... args) {
  return find_argument<workspace>(args...);
}

}  // namespace tern::inline TERN_ISA::impl
