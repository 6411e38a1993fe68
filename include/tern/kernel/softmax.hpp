// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of softmax and its logarithm: forward, and the gradient.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/family/reduction/softmax.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/softmax.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

/// What both passes share: rows are the elements along the axis.
template <softmax_config C, class T>
struct softmax_rows {
  using value_type = T;
  using required = options<>;
  template <class Policy>
  using kernel = row_kernel<Policy>;

  static constexpr void judge(sentence& s, const char* op, const fact* t) {
    const int axis = C.axis_of(t[0].rank);
    if (axis < 0 || axis >= t[0].rank)
      s << op << ": .axis must be an axis of the tensor";
    else if (!t[0].strided && axis != 1)
      s << op << ": the layout must be strided, or channel-blocked where .axis is that of channels";
  }

  template <class View>
  TERN_INLINE static row_shape shape_of(const char* op, const char* name, const View& v) {
    constexpr int axis = C.axis_of(View::rank);
    row_shape s{.batch = 1, .features = v.extent(axis)};
    int to = 3;
    for (int r = View::rank - 1; r >= 0; --r)
      if (r != axis) (--to >= 0 ? s.extent[to] : s.batch) = v.extent(r);
    if (s.features == 0 && s.rows() > 0)
      violation("%s: %s is %s: axis %d has no elements", op, name, impl::text_of(v).text, axis);
    return s;
  }
  /// A tensor as an image whose channels are the axis: the other axes are samples and, from behind, spatial ones.
  template <class U, class View>
  TERN_INLINE static scattered_image<U> rows_of(const View& v) {
    constexpr int axis = C.axis_of(View::rank);
    if constexpr (!strided_mapping<typename View::mapping_type>) {
      return impl::places_of<U>(v);
    } else {
      scattered_image<U> i{.p = v.data(), .channel = v.stride(axis), .block = v.extent(axis) > 0 ? v.extent(axis) : 1};
      int to = 3;  // the axis of the image behind the next one, or samples
      for (int r = View::rank - 1; r >= 0; --r)
        if (r != axis) (--to >= 0 ? i.axis[to] : i.sample) = v.stride(r);
      return i;
    }
  }
  /// The same of a mask, which is repeated along axes where it has one element.
  template <class View>
  static scattered_image<const std::uint8_t> mask_of(const View& v) {
    constexpr int axis = C.axis_of(View::rank);
    auto i = rows_of<const std::uint8_t>(v);
    int to = 3;
    for (int r = View::rank - 1; r >= 0; --r)
      if (r != axis) {
        index_t& stride = --to >= 0 ? i.axis[to] : i.sample;
        if (v.extent(r) == 1) stride = 0;
      }
    return i;
  }
  static constexpr cost cost_of_rows(const row_shape& s, index_t tensors, int operations) {
    const index_t elements = s.rows() * s.features;
    return {tensors * elements, s.rows(), s.features, static_cast<double>(elements) * operations};
  }
};

template <softmax_config C, class T>
struct softmax_pass : softmax_rows<C, T> {
  using optional = options<>;
  using call = softmax_values<T, C.log, C.mask>;
  static constexpr declaration declared{"",
                                        2,
                                        5,
                                        in("x", "axes..."),
                                        in("mask", "axes...|1").elements_are(element::uint8).when(C.mask, ".mask"),
                                        out("y", "axes...").may_be("x")};
  static constexpr cost cost_of(const call& q) { return softmax_pass::cost_of_rows(q.shape, 2, 20); }

  static constexpr void judge(sentence& s, const char* op, const fact* t) {
    softmax_rows<C, T>::judge(s, op, t);
    if (!C.mask || s.size() > 0) return;
    const int axis = C.axis_of(t[0].rank);
    if (t[1].extent[axis] != t[0].extent[axis] && t[1].extent[axis] != dynamic && t[0].extent[axis] != dynamic)
      s << op << ": mask is " << t[1] << " and x is " << t[0]
        << ": the extents of mask must be those of x or, except for axis " << axis << ", 1";
  }

  template <bool, class X, class... More>
  static call problem(const char* op, const X& x, const More&... more) {
    call q;
    q.x = softmax_pass::template rows_of<const T>(x), q.shape = softmax_pass::shape_of(op, "x", x);
    if constexpr (C.mask)
      [&](const auto& mask, const auto& y) {
        if (constexpr int axis = C.axis_of(X::rank); mask.extent(axis) != x.extent(axis))
          explain<softmax_pass>(op, x, mask, y);
        q.mask = softmax_pass::mask_of(mask), q.y = softmax_pass::template rows_of<T>(y);
      }(more...);
    else
      ((q.y = softmax_pass::template rows_of<T>(more)), ...);
    return q;
  }
};

template <softmax_config C, class T>
struct softmax_gradient_pass : softmax_rows<C, T> {
  using optional = options<accumulate_t>;
  static constexpr declaration declared{
      "backward_data", 2, 5, in("dy", "axes..."), in("y", "axes..."), out("dx", "axes...").may_be("dy")};
  static constexpr cost cost_of(const auto& q) { return softmax_gradient_pass::cost_of_rows(q.shape, 3, 4); }

  template <bool Add, class Dy, class Y, class Dx>
  static auto problem(const char* op, const Dy& dy, const Y& y, const Dx& dx) {
    softmax_gradient<T, C.log, Add> q;
    q.dy = softmax_gradient_pass::template rows_of<const T>(dy);
    q.shape = softmax_gradient_pass::shape_of(op, "dy", dy);
    q.y = softmax_gradient_pass::template rows_of<const T>(y);
    q.dx = softmax_gradient_pass::template rows_of<T>(dx);
    return q;
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
  /// \param mask  given exactly where `.mask` is set: std::uint8_t, 0 where an element takes no part; extents are those
  ///              of x or, except for that of `.axis`, 1
  /// \param y     shape of x; may be x itself, and shares no other element with an input
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, the axis has no elements, a view
  /// is null, y shares elements with an input, or tiles are too small. Cost: an exponential per element, two of
  /// logarithms under simt; x is read from memory once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::softmax_pass<Config, T>>(args...);
  }

  /// dx = the gradient of the loss with respect to x, from the result y. A mask is not needed: what it left out is 0 in
  /// y, and of logarithms dy must be 0 there.
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
