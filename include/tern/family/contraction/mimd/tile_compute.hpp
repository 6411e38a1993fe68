// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of one tile, on the vector unit of the host, with the vector code of cpu/. This file adds the initial
// values of sums.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/cpu/macro_kernel.hpp"
#include "tern/family/contraction/cpu/panels.hpp"

namespace tern::inline TERN_ISA {

/// The initial value of an output's totals.
enum class sums_from {
  zero,           ///< +0
  negative_zero,  ///< -0: adding a chain gives the chain itself, including its sign
  output          ///< the old value of the output
};

/// c = start + sums of chunks of a b, with b of any size and strides: arranged panel by panel, on the stack.
/// \tparam Core  a tile::contraction_core
template <class Core, class T>
void multiply_on_tile(const operand<const T>& a, const operand<const T>& b, index_t m, index_t n, index_t k,
                      index_t chunk, sums_from start, const operand<T>& c) {
  using kernel = typename Core::macro_kernel;
  constexpr index_t width = kernel::panel_columns;
  if (start == sums_from::negative_zero)
    for (index_t i = 0; i < m; ++i)
      for (index_t j = 0; j < n; ++j) *c.at(i, j) = T(-0.0);
  if (k == 0 && start == sums_from::zero)
    for (index_t i = 0; i < m; ++i)
      for (index_t j = 0; j < n; ++j) *c.at(i, j) = T(0);
  // Slabs are whole chunks.
  const index_t slab = chunk < tile::slab_k ? tile::slab_k / chunk * chunk : tile::slab_k;
  alignas(64) T panel[tile::slab_k * width];
  for (index_t j = 0; j < n; j += width) {
    const index_t columns = n - j < width ? n - j : width;
    for (index_t k0 = 0; k0 < k; k0 += slab) {
      const index_t steps = k - k0 < slab ? k - k0 : slab;
      tile::pack_slab<typename Core::vector>(b.shifted(k0, j), steps, columns, width, panel);
      const bool add = start != sums_from::zero || k0 > 0;
      kernel::template multiply<epilogue{}>(a.shifted(0, k0), {panel, width, 0}, m, columns, steps, chunk,
                                            {c.shifted(0, j), {}, add, false}, 0, 0);
    }
  }
}

}  // namespace tern::inline TERN_ISA
