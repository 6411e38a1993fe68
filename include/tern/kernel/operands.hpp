// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What checks of calls share that are not declared: shapes as text, and memory to pack into.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/layout.hpp"

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

constexpr index_t greatest_common_divisor(index_t a, index_t b) {
  while (b != 0) {
    const index_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

/// Whether intervals of `x` and `y` elements, repeated every `period`, miss each other; y begins `shift` behind x.
TERN_COLD inline bool apart(index_t x, index_t y, index_t shift, index_t period) {
  shift %= period;
  if (shift < 0) shift += period;
  return shift >= x && shift + y <= period;
}

}  // namespace tern::inline TERN_ISA::impl
