// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of undeclared calls: null views, and memory to pack into.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/layout.hpp"

namespace tern::inline TERN_ISA::impl {

template <class View>
TERN_COLD void null_violation(const char* op, const char* name, const View& v) {
  violation("%s: %s is a null view of %s elements", op, name, text_of(v).text);
}

/// The address for packed weights of `size` elements in memory of the caller.
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

/// True if intervals of `x` and `y` elements, repeated every `period`, are disjoint; y begins `shift` after x.
TERN_COLD inline bool apart(index_t x, index_t y, index_t shift, index_t period) {
  shift %= period;
  if (shift < 0) shift += period;
  return shift >= x && shift + y <= period;
}

}  // namespace tern::inline TERN_ISA::impl
