// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of softmax and its logarithm: forward, and the gradient.
#pragma once

#include "tern/core/config.hpp"
#include "tern/family/reduction/softmax.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/row_calls.hpp"
#include "tern/op/softmax.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

template <softmax_config C, class T>
struct softmax_pass : along_axis<C, T> {
  using call = softmax_values<T, C.log, C.mask>;
  static constexpr declaration declared{"",
                                        2,
                                        5,
                                        in("x", "axes..."),
                                        in("mask", "axes...|1").elements_are(element::uint8).when(C.mask, ".mask"),
                                        out("y", "axes...").may_be("x")};
  static constexpr cost cost_of(const call& q) { return softmax_pass::cost_of_rows(q.shape, 2, 20); }

  static constexpr void validate(sentence& s, const char* op, const fact* t) {
    along_axis<C, T>::validate(s, op, t);
    if (!C.mask || s.size() > 0) return;
    const int axis = C.axis_of(t[0].rank);
    if (t[1].extent[axis] != t[0].extent[axis] && t[1].extent[axis] != dynamic && t[0].extent[axis] != dynamic)
      s << op << ": mask is " << t[1] << " and x is " << t[0]
        << ": the extents of mask must be those of x or, except for axis " << axis << ", 1";
  }

  template <bool, class X, class... More>
  static call problem(const char* op, const X& x, const More&... more) {
    if constexpr (C.mask)
      [&](const auto& mask, const auto&) {
        if (constexpr int axis = C.axis_of(X::rank); mask.extent(axis) != x.extent(axis))
          explain<softmax_pass>(op, x, more...);
      }(more...);
    return softmax_pass::template rows<call>(op, "x", x, more...);
  }
};

template <softmax_config C, class T>
struct softmax_gradient_pass : along_axis<C, T> {
  using optional = options<accumulate_t>;
  static constexpr declaration declared{
      "backward_data", 2, 5, in("dy", "axes..."), in("y", "axes..."), out("dx", "axes...").may_be("dy")};
  static constexpr cost cost_of(const auto& q) { return softmax_gradient_pass::cost_of_rows(q.shape, 3, 4); }

  template <bool Add, class... View>
  static auto problem(const char* op, const View&... view) {
    return softmax_gradient_pass::template rows<softmax_gradient<T, C.log, Add>>(op, "dy", view...);
  }
};

}  // namespace declare

template <softmax_config Config, class T, class Op, class Policy>
struct operations<softmax<Config, T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::softmax_pass<Config, T>,
                                   declare::softmax_gradient_pass<Config, T>> {
  /// y = exp(x) / sum of exp(x) along the axis, or its logarithm.
  ///
  ///     k([state,] x [, mask], y)
  ///
  /// \param x     two to five axes, in any layout
  /// \param mask  given exactly if `.mask` is set: std::uint8_t, 0 excludes an element; each extent is that of x or,
  ///              but for `.axis`, 1
  /// \param y     shape of x; may be x itself, and shares no other element with an input
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, the axis has no elements, a view is
  /// null, y shares elements with an input, or tiles are too small. Cost: an exponential per element, two for
  /// logarithms under simt; x is read from memory once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::softmax_pass<Config, T>>(args...);
  }

  /// dx = the gradient of the loss with respect to x, from the result y. It needs no mask: excluded elements are 0 in
  /// y; of logarithms dy must be 0 there.
  ///
  ///     k.backward_data([state,] dy, y, dx [, tern::accumulate])
  ///
  /// \param dx  shape of x; may be dy itself
  /// Errors are those of the forward pass. Cost: dy and y are read from memory once; of logarithms an exponential per
  /// element.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::softmax_gradient_pass<Config, T>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
