// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a vector in groups.
#pragma once

#include <utility>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"

namespace tern::inline TERN_ISA {

namespace impl {
template <int G, int K, class V>
V through_memory(V x) {
  typename V::value_type e[V::size], r[V::size];
  x.store(e);
  for (int i = 0; i < V::size; ++i) r[i] = e[i / G * G + K];
  return V::load(r);
}
}  // namespace impl

/// Lane i holds lane i / G * G + K of x: one of the lanes of each group, for all of the group.
/// Cost: one permutation where registers are vectors of the compiler; else through memory.
template <int G, int K, class V>
TERN_INLINE V repeat_in_groups(V x) {
  static_assert(K < G && V::size % G == 0);
  if constexpr (!__is_class(decltype(x.native()))) {  // not for emulated registers, which are arrays
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return V(typename V::batch_type(__builtin_shufflevector(x.native(), x.native(), (I / G * G + K)...)));
    }(std::make_integer_sequence<int, V::size>{});
  } else {
    return impl::through_memory<G, K>(x);
  }
}

}  // namespace tern::inline TERN_ISA
