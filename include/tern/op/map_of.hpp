// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

namespace detail {

/// The number of operands that a function object takes, from 1 to 4; 0 otherwise.
template <class F, class T>
inline constexpr int function_operands = std::is_invocable_v<const F&, T>            ? 1
                                         : std::is_invocable_v<const F&, T, T>       ? 2
                                         : std::is_invocable_v<const F&, T, T, T>    ? 3
                                         : std::is_invocable_v<const F&, T, T, T, T> ? 4
                                                                                     : 0;
/// True if F, const or not, returns a V for some number of operands V.
template <class F, class V>
inline constexpr bool maps_numbers = std::is_invocable_r_v<V, F&, V> || std::is_invocable_r_v<V, F&, V, V> ||
                                     std::is_invocable_r_v<V, F&, V, V, V> || std::is_invocable_r_v<V, F&, V, V, V, V>;
/// The broken rule of a function, null if there is none.
template <class F, class T>
constexpr const char* broken_function() {
  if (function_operands<F, T> == 0)
    return maps_numbers<F, T> ? "operator() of the function must be const"
                              : "the function must take 1 to 4 numbers or vectors V: V operator()(V a) const";
  if (!maps_numbers<const F, T>) return "the function must return a number or vector V: V operator()(V a) const";
  if (!requires { F{}; }) return "the function must have a default constructor";
  return nullptr;
}
template <class F>
TERN_FN constexpr const char* name_of_function() {
  if constexpr (requires { F::name; })
    return F::name;
  else
    return "map_of";
}

}  // namespace detail

/// y = F(a, ...), a function of your own, at every place of 1 to 4 tensors of one shape (docs/own-ops.md). F is a
/// struct with a default constructor:
///
///     struct softsign {
///       static constexpr const char* name = "softsign";       // in errors and reports; optional
///       static constexpr tern::index_t operations = 3;        // per element, for plans; 1 if left out
///       template <class V>
///       TERN_FN V operator()(V x) const {                     // of numbers, and of vectors of them
///         return x / (V(1.0f) + tern::math::abs(x));
///       }
///       template <class V>
///       TERN_FN V derivative(V x) const { ... }               // of a function of one tensor, for training; optional
///     };
///     tern::kernel<tern::map_of<softsign>, tern::simd<>> k;
///
/// Results have the same bits under every policy if F uses only operators and functions of tern::math, and no bare
/// product feeds a sum: use tern::math::fma or tern::math::product. A function of one tensor is a block, too.
///
/// Tensors are (n, channels, spatial...) with up to three spatial axes and in any layout; rows of a matrix are samples.
template <class F, element T = float>
struct map_of {
  using op_type = map_of;
  using value_type = T;
  static constexpr const char* name = detail::name_of_function<F>();
  static constexpr int operands = detail::function_operands<F, T>;

  /// The first rule that the function breaks; null if it keeps all.
  static constexpr const char* broken_rule() { return detail::broken_function<F, T>(); }
};

}  // namespace tern
