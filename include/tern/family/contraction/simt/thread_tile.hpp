// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of one thread in a contraction: its rows and columns, and their chains.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/policy/simt_tuning.hpp"

namespace tern::inline TERN_ISA::impl {

/// Loads N contiguous elements of shared memory in one access. nvcc compiles the aligned memcpy to one wide load.
template <int N, class T>
TERN_FN void load_group(const T* from, T* to) {
  __builtin_memcpy(to, __builtin_assume_aligned(from, N * sizeof(T)), N * sizeof(T));
}

/// thread_m x thread_n results of a block. Rows and columns come in groups of 16 bytes, and neighbouring threads have
/// neighbouring groups; a warp covers 4 threads by 8. So two threads of a warp access the same bank of shared memory
/// only if they read the same word, which is no conflict.
template <class T, simt_tuning U>
struct thread_tile {
  static constexpr int rows = U.thread_m, columns = U.thread_n;
  static constexpr int threads_m = U.block_m / rows, threads_n = U.block_n / columns;
  static constexpr int width = 16 / sizeof(T);
  static constexpr int row_group = rows < width ? rows : width, column_group = columns < width ? columns : width;
  static_assert(rows * threads_m == U.block_m && columns * threads_n == U.block_n && threads_m % 4 == 0 &&
                    threads_n % 8 == 0 && rows % row_group == 0 && columns % column_group == 0,
                "simt_tuning: a block must be a whole number of threads, 4 by 8 of them a warp");

  T sum[rows][columns];    ///< the chains of this chunk
  T total[rows][columns];  ///< chunks so far

  /// Row i and column j of thread t's tile, in the block.
  TERN_FN static int row(int t, int i) {
    constexpr int warps_n = threads_n / 8;
    const int r = t / warp_threads / warps_n * 4 + t % warp_threads / 8;
    return i / row_group * (threads_m * row_group) + r * row_group + i % row_group;
  }
  TERN_FN static int column(int t, int j) {
    constexpr int warps_n = threads_n / 8;
    const int c = t / warp_threads % warps_n * 8 + t % 8;
    return j / column_group * (threads_n * column_group) + c * column_group + j % column_group;
  }

  /// Calls f(i, j, row, column) for every result of thread t.
  template <class F>
  TERN_FN static void each(int t, F f) {
    TERN_UNROLL
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) f(i, j, row(t, i), column(t, j));
  }

  /// Continues the chains by steps [first, last) of k.
  template <class A, class B>
  TERN_FN void multiply(int t, const A& a, const B& b, int first, int last) {
    T s[rows][columns];  // a local array, because host compilers keep no member in vector registers
    copy(sum, s);
    if (first == 0 && last == U.block_k) {
      TERN_UNROLL
      for (int k = 0; k < U.block_k; ++k) step(t, a.at[k], b.at[k], s, [](int) { return true; });
    } else {
      for (int k = first; k < last; ++k) step(t, a.at[k], b.at[k], s, [](int) { return true; });
    }
    copy(s, sum);
  }

  /// The same for rows of the block with there[row] != 0; the others have no fma.
  template <class A, class B>
  TERN_FN void multiply_rows(int t, const A& a, const B& b, int first, int last, const std::uint8_t* there) {
    std::uint8_t is_active[rows];
    TERN_UNROLL
    for (int i = 0; i < rows; i += row_group) load_group<row_group>(there + row(t, i), is_active + i);
    int count = 0;
    TERN_UNROLL
    for (int i = 0; i < rows; ++i) count += is_active[i];
    if (count == rows) return multiply(t, a, b, first, last);
    if (count == 0) return;
    T s[rows][columns];
    copy(sum, s);
    for (int k = first; k < last; ++k) step(t, a.at[k], b.at[k], s, [&](int i) { return is_active[i] != 0; });
    copy(s, sum);
  }

  /// The same for steps k with there[k] != 0.
  template <class A, class B>
  TERN_FN void multiply_steps(int t, const A& a, const B& b, int steps, const std::uint8_t* there) {
    int count = 0;
    for (int k = 0; k < steps; ++k) count += there[k];
    if (count == steps) return multiply(t, a, b, 0, steps);
    if (count == 0) return;
    T s[rows][columns];
    copy(sum, s);
    for (int k = 0; k < steps; ++k)
      if (there[k]) step(t, a.at[k], b.at[k], s, [](int) { return true; });
    copy(s, sum);
  }

  /// Ends a chunk.
  TERN_FN void fold() {
    TERN_UNROLL
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        total[i][j] = total[i][j] + sum[i][j];
        sum[i][j] = T(0);
      }
  }

 private:
  static TERN_FN void copy(const T (&from)[rows][columns], T (&to)[rows][columns]) {
    TERN_UNROLL
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) to[i][j] = from[i][j];
  }

  /// One step of k, in the rows i with takes_part(i). The loop over columns is left to the compiler: if it is unrolled
  /// by hand, g++ 12 no longer vectorises it, at half the speed.
  template <class IsActive>
  static TERN_FN void step(int t, const T* a, const T* b, T (&s)[rows][columns], IsActive is_active) {
    T x[rows], y[columns];
    TERN_UNROLL
    for (int i = 0; i < rows; i += row_group) load_group<row_group>(a + row(t, i), x + i);
    TERN_UNROLL
    for (int j = 0; j < columns; j += column_group) load_group<column_group>(b + column(t, j), y + j);
    TERN_UNROLL
    for (int i = 0; i < rows; ++i)
      if (is_active(i))
        for (int j = 0; j < columns; ++j) s[i][j] = math::fma(x[i], y[j], s[i][j]);
  }
};

}  // namespace tern::inline TERN_ISA::impl
