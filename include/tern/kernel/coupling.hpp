// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of couplings: forward, inverse, and conversions between streams and real numbers.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/family/map/coupling.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/map_calls.hpp"
#include "tern/op/coupling.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

template <coupling_config C, class T, bool Inverse>
struct coupling_pass : mapped<T, tile::coupling_map<C.stream, coupling<C, T>::bits, Inverse>> {
  static constexpr declaration declared =
      Inverse ? declaration("inverse", 0, 3, in("y", "n channels spatial..."), in("f", "n channels spatial..."),
                            out("x", "n channels spatial...").may_be("y f"))
              : declaration("", 0, 3, in("x", "n channels spatial..."), in("f", "n channels spatial..."),
                            out("y", "n channels spatial...").may_be("x f"));
};
template <coupling_config C, class T, bool Back>
struct stream_pass : mapped<T, tile::stream_map<C.stream, coupling<C, T>::bits, Back>> {
  static constexpr declaration declared = Back ? declaration("from_stream", 0, 3, in("s", "n channels spatial..."),
                                                             out("y", "n channels spatial...").may_be("s"))
                                               : declaration("to_stream", 0, 3, in("x", "n channels spatial..."),
                                                             out("s", "n channels spatial...").may_be("x"));
};

}  // namespace declare

template <coupling_config Config, class T, class Op, class Policy>
struct operations<coupling<Config, T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::coupling_pass<Config, T, false>, void,
                                   declare::stream_pass<Config, T, false>> {
  /// y = x + f, with f rounded to whole steps of the stream.
  ///
  ///     k([state,] x, f, y)
  ///
  /// \param x  the stream: (n, channels, spatial...), in any layout, from to_stream or a coupling
  /// \param f  shape of x: real numbers; large magnitudes are clamped and NaN counts as 0 (docs/numerics.md)
  /// \param y  shape of x; may be an input itself, and shares no other element with one
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, a view is null, y shares elements
  /// with an input, or tiles are too small. Accuracy: f is rounded to the nearest step. The sum is exact, but for one
  /// rounding if the stream drifts. On a grid a sum that leaves the range is NaN from then on. Cost: every element is
  /// read and written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::coupling_pass<Config, T, false>>(args...);
  }

  /// x = y - f: recovers all bits of the x that the forward pass mapped to y with the same f. A grid does so as long as
  /// no sum has left the range; a drifting stream approximately.
  ///
  ///     k.inverse([state,] y, f, x)
  ///
  /// \param x  shape of y; may be an input itself, and shares no other element with one
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void inverse(Args&&... args) const {
    declare::run<Op, Policy, declare::coupling_pass<Config, T, true>>(args...);
  }

  /// s = the stream nearest to real numbers x. Fixed point clamps to its range; a grid gives NaN outside of its range.
  ///
  ///     k.to_stream([state,] x, s)
  ///
  /// \param s  shape of x; may be x itself, and shares no other element with it
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void to_stream(Args&&... args) const {
    declare::run<Op, Policy, declare::stream_pass<Config, T, false>>(args...);
  }

  /// y = the real numbers that a stream represents. Those of a fixed-point stream are rounded, as an integer has more
  /// bits than a fraction.
  ///
  ///     k.from_stream([state,] s, y)
  ///
  /// \param y  shape of s; may be s itself, and shares no other element with it
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void from_stream(Args&&... args) const {
    declare::run<Op, Policy, declare::stream_pass<Config, T, true>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
