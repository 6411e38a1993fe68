// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the views of a call to operands of a contraction, with the checks that every model shares.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/workspace.hpp"
#include "tern/family/contraction/contraction.hpp"

namespace tern::inline TERN_ISA::impl {

/// Whether two extents can be equal, as far as types know.
constexpr bool may_agree(index_t a, index_t b) { return a == b || a == dynamic || b == dynamic; }

/// A shape as text, for messages: "3x4".
struct shape_text {
  char text[64];
};
/// Adds a size to a shape.
TERN_COLD inline void append(shape_text& t, index_t size) {
  const std::size_t used = std::strlen(t.text);
  std::snprintf(t.text + used, sizeof t.text - used, used ? "x%td" : "%td", size);
}
template <class View>
TERN_COLD shape_text text_of(const View& v) {
  shape_text s{};
  int used = 0;
  for (int r = 0; r < View::rank && used < 60; ++r)
    used +=
        std::snprintf(s.text + used, sizeof s.text - static_cast<std::size_t>(used), r ? "x%td" : "%td", v.extent(r));
  return s;
}

template <class View>
TERN_COLD void null_violation(const char* op, const char* name, const View& v) {
  violation("%s: %s is a null view of %s elements", op, name, text_of(v).text);
}

/// Throws where two tensors of one rank have different shapes.
template <class A, class B>
TERN_INLINE void check_equal_shapes(const char* op, const char* a_name, const A& a, const char* b_name, const B& b) {
  static_assert(A::rank == B::rank);
  for (int r = 0; r < A::rank; ++r)
    if (a.extent(r) != b.extent(r))
      violation("%s: %s is %s and %s is %s: their shapes must be equal", op, a_name, text_of(a).text, b_name,
                text_of(b).text);
}

/// Throws where no machine can address a tensor of v's extents: what comes behind may then multiply them.
template <class View>
TERN_INLINE void check_extents(const char* op, const char* name, const View& v) {
  constexpr double most = 0x1p47 / sizeof(typename View::element_type);
  double elements = 1;
  for (int r = 0; r < View::rank; ++r) elements *= static_cast<double>(v.extent(r) > 0 ? v.extent(r) : 1);
  if (elements > most) violation("%s: %s is %s: no machine can address so many elements", op, name, text_of(v).text);
}

/// Checks that `v` is a strided view of T of rank 2, or 3 with a leading batch dimension, and gives its operand.
template <class T, bool Batched, class View>
TERN_INLINE operand<T> matrix_operand(const char* op, const char* name, const View& v) {
  constexpr bool of_type = std::is_same_v<std::remove_const_t<typename View::element_type>, std::remove_const_t<T>>,
                 writable = std::is_const_v<T> || !std::is_const_v<typename View::element_type>,
                 in_layout = strided_mapping<typename View::mapping_type>, of_rank = View::rank == (Batched ? 3 : 2);
  static_assert(of_type, "matmul: every tensor must have the element type of the op");
  static_assert(writable, "matmul: the output must be a view of elements that are not const");
  static_assert(in_layout, "matmul: the layout of every matrix must be row, column or strided");
  static_assert(of_rank,
                "matmul: every matrix must have rank 2, or rank 3 (batch, rows, columns) where .batch is not 1");
  if constexpr (of_type && writable && in_layout && of_rank) {
    check_extents(op, name, v);
    if (v.data() == nullptr && v.size() > 0) null_violation(op, name, v);
    constexpr int r = Batched ? 1 : 0;
    return {v.data(), v.stride(r), v.stride(r + 1), Batched ? v.stride(0) : 0};
  } else {
    return {};  // one error is enough
  }
}

/// Where packed weights of `size` elements go in memory of the caller.
template <class T, class Memory>
T* memory_to_pack_into(const char* op, Memory& memory, index_t size) {
  const auto to = as_view(memory);
  using to_type = std::remove_const_t<decltype(to)>;
  constexpr bool is_span = to_type::rank == 1 && std::is_same_v<typename to_type::element_type, T> &&
                           !std::is_same_v<typename to_type::layout_type, layout_strided>;
  static_assert(is_span, "pack: the memory must be a span of elements of the op that are not const");
  if (to.size() < size)
    violation("%s: packed weights take %td elements, the memory given has %td", op, size, to.size());
  if (to.data() == nullptr && size > 0)
    violation("%s: the memory to pack into is at a null pointer, %td elements are needed", op, size);
  if constexpr (is_span)
    return to.data();
  else
    return nullptr;
}

/// A matrix per batch item as a set of addresses.
struct element_set {
  std::uintptr_t first = 0, last = 0;  ///< the smallest, and one past the largest
  index_t row = 0, column = 0, batch = 0;
  index_t rows = 0, columns = 0;

  TERN_INLINE element_set transposed() const { return {first, last, column, row, batch, columns, rows}; }
};
template <class T>
TERN_INLINE element_set elements_of(const operand<T>& x, index_t rows, index_t columns, index_t batch) {
  const auto first = reinterpret_cast<std::uintptr_t>(x.p);
  if (rows == 0 || columns == 0 || batch == 0) return {};
  const index_t span = (rows - 1) * x.row + (columns - 1) * x.column + (batch - 1) * x.batch + 1;
  return {first, first + static_cast<std::uintptr_t>(span) * sizeof(T), x.row, x.column, x.batch, rows, columns};
}

constexpr index_t greatest_common_divisor(index_t a, index_t b) {
  while (b != 0) {
    const index_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

/// The greatest common divisor of the steps that matter of two matrices, in elements.
TERN_COLD inline index_t common_step(const element_set& x, const element_set& y, index_t batch) {
  index_t g = 0;
  for (const element_set& s : {x, y}) {
    const index_t steps[] = {s.rows > 1 ? s.row : 0, s.columns > 1 ? s.column : 0, batch > 1 ? s.batch : 0};
    for (index_t a : steps) g = greatest_common_divisor(a, g);
  }
  return g;
}

/// Whether intervals of `x` and `y` elements, repeated every `period`, miss each other; y begins `shift` behind x.
TERN_COLD inline bool apart(index_t x, index_t y, index_t shift, index_t period) {
  shift %= period;
  if (shift < 0) shift += period;
  return shift >= x && shift + y <= period;
}

/// Whether two matrices whose address ranges overlap miss each other all the same, as far as one of these shows it:
/// all elements of the one lie between those of the other; items of a batch take turns; both are column intervals of
/// rows on one grid, as parts of one matrix are.
TERN_COLD inline bool interleaved(element_set x, element_set y, index_t element_bytes, index_t batch) {
  const auto bytes = static_cast<index_t>(y.first) - static_cast<index_t>(x.first);
  if (bytes % element_bytes != 0) return false;
  const index_t shift = bytes / element_bytes;
  const index_t step = common_step(x, y, batch);
  if (step > 1 && shift % step != 0) return true;
  const auto span = [](const element_set& s) { return (s.rows - 1) * s.row + (s.columns - 1) * s.column + 1; };
  if (batch > 1 && x.batch == y.batch && x.batch > 0 && apart(span(x), span(y), shift, x.batch)) return true;
  if (x.row == 1 && y.row == 1) x = x.transposed(), y = y.transposed();
  const index_t period = x.row;
  if (x.column != 1 || y.column != 1 || period != y.row || period <= 0 || x.columns > period || y.columns > period ||
      (batch > 1 && (x.batch % period != 0 || y.batch % period != 0)))
    return false;
  return apart(x.columns, y.columns, shift, period);
}

TERN_INLINE bool share_elements(const element_set& x, const element_set& y, index_t element_bytes, index_t batch) {
  if (x.last <= y.first || y.last <= x.first) [[likely]]
    return false;
  return !interleaved(x, y, element_bytes, batch);
}

/// Whether a matrix per batch item lies partly in the memory.
TERN_INLINE bool overlaps(const element_set& x, const workspace& memory) {
  const auto first = reinterpret_cast<std::uintptr_t>(memory.data);
  return first < x.last && x.first < first + static_cast<std::uintptr_t>(memory.bytes);
}

/// Whether two elements of a matrix per batch item have one address. Exact; slow only where no stride reaches over what
/// the smaller ones span.
template <class T>
TERN_COLD bool overlaps_itself(const operand<T>& x, index_t rows, index_t columns, index_t batch) {
  if (rows == 0 || columns == 0 || batch == 0) return false;
  struct steps {
    index_t stride, count;
  };
  steps by_size[] = {{x.row, rows}, {x.column, columns}, {x.batch, batch}};
  for (int pass = 0; pass < 3; ++pass)
    if (steps* s = by_size + pass % 2; s[0].stride > s[1].stride) {
      const steps larger = s[0];
      s[0] = s[1], s[1] = larger;
    }
  bool nested = true;
  index_t reach = 0;
  for (const steps& s : by_size)
    if (s.count > 1) nested = nested && s.stride > reach, reach += (s.count - 1) * s.stride;
  if (nested) return false;
  if (columns > 1 && x.column == 0) return true;
  for (index_t b = 0; b < batch; ++b)  // from the first element of an item to element (i, j) of the b-th after it
    for (index_t i = b == 0 ? 1 : 1 - rows; i < rows; ++i) {
      const index_t distance = b * x.batch + i * x.row;
      if (distance == 0 ||
          (columns > 1 && distance % x.column == 0 && distance < columns * x.column && distance > -columns * x.column))
        return true;
    }
  return false;
}

}  // namespace tern::inline TERN_ISA::impl
