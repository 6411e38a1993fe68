// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands in vectors: random ones, their bits, and views of them with channels last.
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {

/// Other numbers from seed to seed of a run.
template <class T = float>
std::vector<T> random_vector(index_t size, unsigned seed) {
  numbers next(Catch::rngSeed() + seed);
  std::vector<T> v(static_cast<std::size_t>(size));
  for (T& x : v) x = static_cast<T>(next());
  return v;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  bool equal = a.size() == b.size();
  for (std::size_t i = 0; equal && i < a.size(); ++i) equal = equal_bits(a[i], b[i]);
  return equal;
}

/// Elements as a tensor (n, c, spatial axes...) with channels last.
template <class T, index_t... E>
auto last(std::vector<T>& v, extents<E...> e) {
  return view<T, extents<E...>, layout_channels_last>(unchecked, v.data(), e);
}
template <class T, std::integral... E>
auto last(std::vector<T>& v, E... e) {
  return last(v, dims<sizeof...(E)>(e...));
}

}  // namespace tern::test
