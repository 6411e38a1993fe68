// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contraction family on cores with vector units.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/policy/simd.hpp"
#include "tern/tile/block.hpp"
#include "tern/tile/contraction.hpp"
#include "tern/tile/epilogue.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct contraction_kernel<simd<D, Numerics, Tuning>> {
  static_assert(!std::is_void_v<arch_of<D>>,
                "simd: this file is not compiled for the device's instructions: raise -march, choose another device, "
                "or build it per ISA with tern_add_isas");
  static_assert(!std::is_same_v<Numerics, numerics::exact> || has_fma(D.instructions),
                "simd: exact numerics need fma, which this device has not: compile with -march=x86-64-v3, use "
                "tern::numerics::relaxed, or build per ISA with tern_add_isas");

  /// Calls run on the calling thread unless an executor is given.
  using context = serial;

  template <class T>
  static constexpr contraction_tuning tuning = Tuning{}(D, sizeof(T));
  template <class T>
  using vector = lanes<T, arch_of<D>>;
  template <class T>
  using block = tile::block<vector<T>, tuning<T>.rows, tuning<T>.vectors>;

  /// Elements of packed weights: whole panels.
  template <class T>
  static constexpr index_t packed_size(index_t k, index_t n) {
    return tile::panel_count(n, block<T>::panel_columns) * block<T>::panel_columns * k;
  }
  template <class T>
  static void pack(const operand<const T>& b, index_t k, index_t n, T* to) {
    tile::pack_panels(b.p, b.row, b.column, k, n, block<T>::panel_columns, to);
  }

  template <executor Executor, class T, epilogue E, contraction_shape S>
  static void run(Executor&& run, const contraction<T, E, S>& q, workspace) {
    (void)run;
    if (q.c.column != 1 && q.c.row == 1 && !q.packed) return serial_run(q.transposed());
    serial_run(q);
  }

 private:
  template <class T, epilogue E, contraction_shape S>
  static void serial_run(const contraction<T, E, S>& q) {
    for (index_t item = 0; item < q.batch; ++item) rectangle(q, item, 0, q.m, 0, q.n);
  }

  /// Rows [i0, i1) and columns [j0, j1) of one item; j0 is the first column of a panel.
  template <class T, epilogue E, contraction_shape S>
  static void rectangle(const contraction<T, E, S>& q, index_t item, index_t i0, index_t i1, index_t j0, index_t j1) {
    constexpr index_t width = block<T>::panel_columns;
    constexpr index_t block_k = 512;
    alignas(64) T buffer[block_k * width];
    const auto a = q.a.item(item), b = q.b.item(item), bias = q.bias.item(item), residual = q.residual.item(item);
    const auto c = q.c.item(item);
    for (index_t j = j0; j < j1; j += width) {
      const index_t columns = j1 - j < width ? j1 - j : width;
      const index_t step = q.packed && !q.packed_transposed && q.k > 0 ? q.k : block_k;
      for (index_t k0 = 0; k0 < q.k || k0 == 0; k0 += step) {
        const index_t k = q.k - k0 < step ? q.k - k0 : step;
        tile::panels<T> panel{buffer, 0};
        if (q.packed && !q.packed_transposed) {
          panel.p = q.packed + j / width * width * q.k + k0 * width;
        } else if (q.packed) {
          // element (i, j) of b is (j, i) of the packed weights, whose panels lie along i
          for (index_t i = 0; i < k; ++i)
            for (index_t x = 0; x < width; ++x)
              buffer[i * width + x] =
                  x < columns ? q.packed[(k0 + i) / width * width * q.n + (j + x) * width + (k0 + i) % width] : T(0);
        } else {
          tile::pack_panels(b.at(k0, j), b.row, b.column, k, columns, width, buffer);
        }
        const bool first = k0 == 0, last = k0 + k >= q.k;
        block<T>::multiply(
            a.shifted(i0, k0), panel, i1 - i0, columns, k, q.chunk,
            [&](index_t i, index_t rows, T* totals, index_t row) {
              if (first && !E.accumulate) return false;
              tile::load_totals<vector<T>>(c.shifted(i0 + i, j), rows, columns, totals, row);
              return true;
            },
            [&](index_t i, index_t rows, const T* totals, index_t row) {
              if (last)
                tile::store_totals<E, vector<T>>(totals, row, rows, columns, c.shifted(i0 + i, j),
                                                 bias.shifted(i0 + i, j), residual.shifted(i0 + i, j));
              else
                tile::store_totals<epilogue{}, vector<T>>(totals, row, rows, columns, c.shifted(i0 + i, j), {}, {});
            });
      }
    }
  }
};

}  // namespace tern::inline TERN_ISA
