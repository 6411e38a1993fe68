// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of row programs: ops whose rows are the elements along one axis of a tensor.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/row_program.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/scattered.hpp"

namespace tern::inline TERN_ISA::declare {

/// \tparam C  config of the op; axis_of(rank) is the axis
template <auto C, class T>
struct along_axis {
  using value_type = T;
  using required = options<>;
  using optional = options<>;
  template <class Policy>
  using kernel = row_kernel<Policy>;

  static constexpr void validate(sentence& s, const char* op, const fact* t) {
    const int axis = C.axis_of(t[0].rank);
    if (axis < 0 || axis >= t[0].rank)
      s << op << ": .axis must be an axis of the tensor";
    else if (!t[0].strided && axis != 1)
      s << op << ": the layout must be strided, or channel-blocked where .axis is that of channels";
  }
  static constexpr cost cost_of_rows(const row_shape& s, index_t tensors, int operations) {
    const index_t elements = s.rows() * s.features;
    return {tensors * elements, s.rows(), s.features, static_cast<double>(elements) * operations};
  }

  /// A problem on these tensors, in the order of its program.
  /// \param name  of the first one
  template <class Call, class First, class... More>
  TERN_INLINE static Call rows(const char* op, const char* name, const First& first, const More&... more) {
    Call q;
    q.shape = shape_of(op, name, first);
    set(q, typename row::program<Call>::tensors(), first, more...);
    return q;
  }

 private:
  template <class Call, class... Tensor, class... View>
  TERN_INLINE static void set(Call& q, row::list<Tensor...>, const View&... view) {
    ((Tensor::of(q) = rows_of<typename Tensor::element>(view)), ...);
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
  /// A tensor as an image whose channels are the axis; the other axes become samples and, from the last one on, spatial
  /// axes. A mask is broadcast along its axes of extent 1.
  template <class U, class View>
  TERN_INLINE static scattered_image<U> rows_of(const View& v) {
    constexpr int axis = C.axis_of(View::rank);
    constexpr bool mask = std::is_same_v<U, const std::uint8_t>;
    constexpr bool strided = strided_mapping<typename View::mapping_type>;
    scattered_image<U> i;
    if constexpr (strided)
      i.p = v.data(), i.channel = v.stride(axis), i.block = v.extent(axis) > 0 ? v.extent(axis) : 1;
    else
      i = impl::places_of<U>(v);
    int to = 3;  // the next free axis of the image, from the last one on; then samples
    for (int r = View::rank - 1; r >= 0; --r)
      if (r != axis) {
        index_t& stride = --to >= 0 ? i.axis[to] : i.sample;
        if constexpr (strided) stride = v.stride(r);
        if (mask && v.extent(r) == 1) stride = 0;
      }
    return i;
  }
};

/// A pass that runs a program.
/// \tparam Self  the pass, which derives from this
/// \tparam Adding  the program for accumulating calls
template <class Self, auto C, class Program, class Adding = Program>
struct row_pass : along_axis<C, typename Program::value_type> {
  static constexpr cost cost_of(const auto& q) {
    return row_pass::cost_of_rows(q.shape, Program::inputs + !Program::out::of_rows, Program::operations);
  }
  template <bool Add, class... View>
  static auto problem(const char* op, const View&... view) {
    return row_pass::template rows<row::call<std::conditional_t<Add, Adding, Program>>>(op, Self::declared[0].name,
                                                                                        view...);
  }
};

}  // namespace tern::inline TERN_ISA::declare
