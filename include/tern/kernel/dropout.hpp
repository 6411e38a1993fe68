// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of dropout and stochastic depth: forward, and the gradient.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/family/map/drawing.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/draws.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/op/dropout.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

template <>
inline constexpr const char* name_of_option<drop_rate> = "a tern::drop_rate";

/// Both passes are one function, of x or of dy.
template <dropout_config C, class T, bool Backward>
struct dropout_pass : drawing_pass<T> {
  using required = options<drop_rate, random_site>;
  using optional = std::conditional_t<Backward, options<accumulate_t>, options<>>;
  static constexpr declaration declared =
      Backward ? declaration("backward_data", 0, 3, in("dy", "n channels spatial..."),
                             out("dx", "n channels spatial...").may_be("dy"))
               : declaration("", 0, 3, in("x", "n channels spatial..."), out("y", "n channels spatial...").may_be("x"));

  template <bool Add, class X, class Y>
  static auto problem(const char* op, const drop_rate& drop, const random_site& site, const X& x, const Y& y) {
    auto q = dropout_pass::template drawn<tile::dropping<T, C.whole_samples, Add>>(op, site, x, y);
    const double rate = drop.value;
    if (!(rate >= 0 && rate < 1)) violation("%s: drop_rate is %g: it must be in [0, 1)", op, rate);
    const double threshold = rate * 0x1p32 + 0.5;  // the conversion rounds down
    q.f.threshold = threshold < 0x1p32 ? static_cast<std::uint32_t>(threshold) : ~std::uint32_t{0};
    q.f.scale = static_cast<T>(1 / (1 - rate));
    return q;
  }
};

}  // namespace declare

template <dropout_config Config, class T, class Op, class Policy>
struct operations<dropout<Config, T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::dropout_pass<Config, T, false>,
                                   declare::dropout_pass<Config, T, true>> {
  /// y = x / (1 - rate), or 0 for a dropped element; with `.whole_samples` all of a sample is dropped at once.
  ///
  ///     k([state,] x, y, tern::drop_rate{0.5}, tern::random_site{.seed = 1, .step = 7, .site = 3})
  ///
  /// \param x  (n, channels, spatial...), in any layout, with at most 2^34 elements of a sample
  /// \param y  shape of x; may be x itself, and shares no other element with it
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, a view is null, y shares elements
  /// with x, the rate is not in [0, 1), or tiles are too small. Cost: ten rounds of two multiplications for four
  /// elements, in vectors if rows of channels are dense; x is read and y written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::dropout_pass<Config, T, false>>(args...);
  }

  /// dx = the gradient of the loss with respect to x: the forward pass applied to dy with the same options.
  ///
  ///     k.backward_data([state,] dy, dx, tern::drop_rate{0.5}, tern::random_site{...} [, tern::accumulate])
  ///
  /// \param dx  shape of dy; may be dy itself
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::dropout_pass<Config, T, true>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
