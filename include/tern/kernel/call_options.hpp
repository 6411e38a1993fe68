// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/workspace.hpp"
#include "tern/kernel/arguments.hpp"

namespace tern::inline TERN_ISA::declare {

/// The types of a call's options.
template <class... Option>
struct options {
  template <class A>
  static constexpr bool has = (std::is_same_v<std::remove_cvref_t<A>, Option> || ...);
};
/// The name of an option in error sentences.
template <class Option>
inline constexpr const char* name_of_option = "an option";
template <>
inline constexpr const char* name_of_option<accumulate_t> = "tern::accumulate";
template <>
inline constexpr const char* name_of_option<accumulate_weights_t> = "tern::accumulate_weights";
template <>
inline constexpr const char* name_of_option<workspace> = "tern::workspace";

/// True if an option carries a number or the like and so belongs to the problem.
template <class Option>
inline constexpr bool has_value = !std::is_empty_v<Option> && !std::is_same_v<Option, workspace>;
/// The options of a pass that carry a value.
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

}  // namespace tern::inline TERN_ISA::declare
