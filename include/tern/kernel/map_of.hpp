// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the caller's own functions at every place: forward, and the gradient of functions of one tensor.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/map_calls.hpp"
#include "tern/op/map_of.hpp"

namespace tern::tile::inline TERN_ISA {

template <class F>
inline constexpr index_t work_of = 1;
template <class F>
  requires requires { F::operations; }
inline constexpr index_t work_of<F> = F::operations;

template <class F, int N>
struct function_map {
  static constexpr int inputs = N, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = work_of<F>;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    static_assert(detail::maps_numbers<const F, V>,
                  "map_of: the function must take vectors, too: template <class V> V operator()(V a) const");
    const F f{};
    if constexpr (!detail::maps_numbers<const F, V>)
      return;
    else if constexpr (N == 1)
      out[0] = f(in[0]);
    else if constexpr (N == 2)
      out[0] = f(in[0], in[1]);
    else if constexpr (N == 3)
      out[0] = f(in[0], in[1], in[2]);
    else
      out[0] = f(in[0], in[1], in[2], in[3]);
  }
};
/// Maps dy and a to da.
template <class F>
struct function_gradient_map {
  static constexpr int inputs = 2, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = work_of<F> + 1;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::product;
    out[0] = product(in[0], F{}.derivative(in[1]));
  }
};

}  // namespace tern::tile::inline TERN_ISA

namespace tern::inline TERN_ISA {

namespace declare {

/// True if there is a gradient: a function of one tensor that has a derivative.
template <class F, class T>
concept has_derivative = detail::function_operands<F, T> == 1 && requires(T x) { F{}.derivative(x); };

template <class F, class T>
struct map_of_pass : mapped<T, tile::function_map<F, detail::function_operands<F, T>>> {
  static constexpr const char* shape = "n channels spatial...";
  static constexpr tensor more(const char* name, int number) {
    return in(number < detail::function_operands<F, T> ? name : "", shape);
  }
  static constexpr declaration declared{
      "", 0, 3, in("a", shape), more("b", 1), more("c", 2), more("d", 3), out("y", shape).may_be("a b c d")};
};
template <class F, class T>
struct map_of_gradient_pass : mapped<T, tile::function_gradient_map<F>> {
  static constexpr const char* shape = "n channels spatial...";
  static constexpr declaration declared{
      "backward_data", 0, 3, in("dy", shape), in("a", shape), out("da", shape).may_be("dy a")};
};

/// The operations of a function that map_of refuses: none.
struct no_operations {};
template <class F, class T, class Op, class Policy>
using map_of_operations = std::conditional_t<
    detail::broken_function<F, T>() != nullptr, no_operations,
    std::conditional_t<has_derivative<F, T>,
                       declared_operations<Op, Policy, map_of_pass<F, T>, map_of_gradient_pass<F, T>>,
                       declared_operations<Op, Policy, map_of_pass<F, T>>>>;

}  // namespace declare

template <class F, class T, class Op, class Policy>
struct operations<map_of<F, T>, Op, Policy> : declare::map_of_operations<F, T, Op, Policy> {
  /// y = F(a, ...), of as many tensors as F takes.
  ///
  ///     k([state,] a [, b] [, c] [, d], y)
  ///
  /// \param a        (n, channels, spatial...), in any layout
  /// \param b, c, d  shape of a
  /// \param y        shape of a; may be an input itself, and shares no other element with one
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, a view is null, y shares elements
  /// with an input, or tiles are too small. Accuracy: that of F. Cost: every element is read and written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    if constexpr (detail::broken_function<F, T>() == nullptr)
      declare::run<Op, Policy, declare::map_of_pass<F, T>>(args...);
  }

  /// da = dy F'(a), rounded once, of a function of one tensor that has a `derivative`.
  ///
  ///     k.backward_data([state,] dy, a, da)
  ///
  /// \param da  shape of dy; may be an input itself
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    static_assert(declare::has_derivative<F, T>,
                  "map_of: a gradient is that of a function of one tensor that has `V derivative(V x) const`");
    if constexpr (declare::has_derivative<F, T>) declare::run<Op, Policy, declare::map_of_gradient_pass<F, T>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
