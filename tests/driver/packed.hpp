// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of random calls as a policy packs them.
#pragma once

#include <cstddef>
#include <utility>

#include "tern/kernel/packed.hpp"
#include "tests/driver/parity.hpp"
#include "tests/support/pictures.hpp"

namespace tern::test::inline TERN_ISA {

/// Poison for the weights of a call, until the next one.
template <class T>
T* packed_memory(index_t size) {
  static poisoned<T> memory(0);
  memory = poisoned<T>(size);
  return memory.data();
}

/// Packed weights of the shape of w.
template <pass For, class W>
auto packed_view(const typename W::value_type* p, const W& w) {
  using layout = layout_packed<For>;
  using extents = dims<W::rank>;
  return [&]<std::size_t... R>(std::index_sequence<R...>) {
    return view<const typename W::value_type, extents, layout>(
        unchecked, p, typename layout::template mapping<extents>(extents(w.extent(static_cast<int>(R))...), 0));
  }(std::make_index_sequence<static_cast<std::size_t>(W::rank)>{});
}

}  // namespace tern::test::inline TERN_ISA
