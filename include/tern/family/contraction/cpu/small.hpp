// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions with static sizes and strides, unrolled into register tiles: no packing, no buffers, and only a loop
// over rows of tiles. Remainder columns are masked, and half vectors are used if they suffice. The chains are the
// canonical ones, and so are the bits.
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/activate.hpp"
#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/cpu/panels.hpp"
#include "tern/family/contraction/cpu/totals.hpp"

namespace tern::tile::inline TERN_ISA {

/// Multiply-adds up to which a contraction of static shape is unrolled. Up to there it is at least as fast as packed
/// panels (Zen 5, float32: 128 x 64 x 128 at 97 % of peak against 91 %).
inline constexpr index_t small_fmas = index_t(5) << 19;
/// Largest column-major b in elements that is transposed onto the stack.
inline constexpr index_t small_transposed = 16384;

/// True if calls of this shape are unrolled.
constexpr bool is_small(const contraction_shape& s) {
  const bool known = s.m > 0 && s.n > 0 && s.k > 0 && s.a_row != dynamic && s.a_column != dynamic &&
                     s.c_row != dynamic && s.c_column == 1 && s.k <= s.chunk;
  const bool rows_of_b = s.b == weights::packed || (s.b == weights::strided && s.b_row != dynamic && s.b_column == 1);
  const bool columns_of_b =
      s.b == weights::strided && s.b_column != dynamic && s.b_row == 1 && s.k * s.n <= small_transposed;
  return known && (rows_of_b || columns_of_b) && s.m <= 1024 && s.n <= 512 && s.m * s.n * s.k <= small_fmas;
}

/// The operands of the next batch item, to prefetch during this one; null: none.
template <class T>
struct next_item {
  const T* a = nullptr;
  const T* b = nullptr;
};

/// The product of shape S with the epilogue E on vectors V, with `Registers` vector registers.
/// \tparam Panel  columns of a panel if S.b is packed
template <class V, int Registers, index_t Panel, epilogue E, contraction_shape S>
struct small {
  using T = typename V::value_type;

  /// One item of the batch.
  TERN_INLINE static void multiply(const T* a, const T* b, const operand<T>& c, const epilogue_operands<T>& with,
                                   next_item<T> next) {
    if constexpr (S.b == weights::strided && S.b_column != 1) {
      constexpr index_t row = (S.n + V::size - 1) / V::size * V::size;
      constexpr contraction_shape by_rows{S.chunk, S.b, S.m, S.n, S.k, S.a_row, S.a_column, row, 1, S.c_row, 1};
      alignas(64) T transposed[S.k * row];
      copy_transposed<V>(b, S.b_column, S.n, S.k, transposed, row, row);
      small<V, Registers, Panel, E, by_rows>::multiply(a, transposed, c, with, next);
    } else {
      columns<V, 0>(a, b, c, with, next);
    }
  }

 private:
  /// Columns from J on: groups of four vectors in a loop, then the remainder in at most three steps. Vectors are halved
  /// if half is enough.
  template <class W, index_t J>
  TERN_INLINE static void columns(const T* a, const T* b, const operand<T>& c, const epilogue_operands<T>& with,
                                  next_item<T> next) {
    constexpr index_t left = S.n - J, group = 4 * W::size;
    if constexpr (left >= 2 * group) {
      static_assert(J == 0 && (S.b != weights::packed || group % Panel == 0 || Panel % group == 0));
      // One vector alone would be slow: then five are left to two steps.
      constexpr index_t groups = left / W::size % 4 == 1 ? left / group - 1 : left / group;
      for (index_t g = 0; g < groups; ++g)
        rows<W, 0, 4, 0>(a, b + b_offset(g * group), c.shifted(0, g * group), with.shifted(0, g * group),
                         g == 0 ? next : next_item<T>{});
      columns<W, groups * group>(a, b, c, with, next);
    } else if constexpr (left > 0) {
      if constexpr (!std::is_void_v<typename W::half> && left <= W::size / 2) {
        if constexpr (pairs_fit<W>(left)) {
          paired_rows<W, J>(a, b, c, with);
        } else {
          columns<typename W::half, J>(a, b, c, with, next);
        }
      } else {
        constexpr int vectors = left < W::size ? 1 : vectors_per_tile(left / W::size);
        constexpr int masked = left < W::size ? static_cast<int>(left) : 0;
        rows<W, J, vectors, masked>(a, b, c, with, next);
        columns<W, J + vectors * W::size>(a, b, c, with, next);
      }
    }
  }

  /// True if `left` columns are computed two rows at a time, one in each half of a register: half the fmas, and rows of
  /// a are loaded into registers instead of one broadcast per fma.
  template <class W>
  static constexpr bool pairs_fit(index_t left) {
    return W::has_pairs && left > W::size / 4 && S.m >= 2 && S.a_column == 1;
  }

  /// All rows of the last columns, in pairs; an odd row alone.
  template <class W, index_t J>
  TERN_INLINE static void paired_rows(const T* a, const T* b, const operand<T>& c, const epilogue_operands<T>& with) {
    constexpr index_t pairs = S.m / 2, most = 8, tiles = (pairs + most - 1) / most;
    constexpr index_t height = (pairs + tiles - 1) / tiles, whole = pairs / height, rest = pairs % height;
    for (index_t t = 0; t < whole; ++t)
      paired_tile<W, J, height>(a + t * 2 * height * S.a_row, b, c, with, t * 2 * height);
    if constexpr (rest > 0) paired_tile<W, J, rest>(a + whole * 2 * height * S.a_row, b, c, with, whole * 2 * height);
    if constexpr (S.m % 2 != 0) {
      using H = typename W::half;
      constexpr index_t left = S.n - J;
      tile<H, J, 1, left == H::size ? 0 : static_cast<int>(left), 1>(a + (S.m - 1) * S.a_row, b, c, with, S.m - 1);
    }
  }

  /// Rows i0 to i0 + 2 * Pairs - 1 of columns J to the end, which fit half a register.
  template <class W, index_t J, index_t Pairs>
  TERN_INLINE static void paired_tile(const T* a, const T* b, const operand<T>& c, const epilogue_operands<T>& with,
                                      index_t i0) {
    using H = typename W::half;
    constexpr index_t n = S.n - J, h = H::size;
    W s[Pairs];
    TERN_UNROLL
    for (int i = 0; i < Pairs; ++i) s[i] = W(T(0));
    const auto steps = [&]<index_t Count>(std::integral_constant<index_t, Count>, index_t k)
                           __attribute__((always_inline)) {
                             W rows[Pairs];
                             TERN_UNROLL
                             for (int i = 0; i < Pairs; ++i) {
                               const T* p = a + 2 * i * S.a_row + k;
                               if constexpr (Count == h && S.a_row == h)
                                 rows[i] = W::load(p);
                               else
                                 rows[i] = W::join(load<H, Count>(p), load<H, Count>(p + S.a_row));
                             }
                             unroll<Count>([&]<int K>(std::integral_constant<int, K>) __attribute__((always_inline)) {
                               const H row = load<H, n>(b + (k + K) * b_row + b_offset(J));
                               const W twice = W::join(row, row);
                               TERN_UNROLL
                               for (int i = 0; i < Pairs; ++i) s[i] = fma(rows[i].template spread<K>(), twice, s[i]);
                             });
                           };
    for (index_t k = 0; k + h <= S.k; k += h) steps(std::integral_constant<index_t, h>{}, k);
    if constexpr (S.k % h != 0) steps(std::integral_constant<index_t, S.k % h>{}, S.k / h * h);
    TERN_UNROLL
    for (int i = 0; i < Pairs; ++i) {
      finish<H, n>(s[i].low(), c, with, i0 + 2 * i, J);
      finish<H, n>(s[i].high(), c, with, i0 + 2 * i + 1, J);
    }
  }

  template <index_t Count, class F>
  TERN_INLINE static void unroll(F f) {
    [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
      (f(std::integral_constant<int, K>{}), ...);
    }(std::make_integer_sequence<int, static_cast<int>(Count)>{});
  }

  /// The first N lanes from p.
  template <class W, index_t N>
  TERN_INLINE static W load(const T* p) {
    if constexpr (N == W::size)
      return W::load(p);
    else
      return W::load(p, N);
  }

  /// Computes columns [j, j + N) of row i from their sums.
  template <class W, index_t N>
  TERN_INLINE static void finish(W sum, const operand<T>& c, const epilogue_operands<T>& with, index_t i, index_t j) {
    T* to = c.p + i * S.c_row + j;
    W y = E.accumulate ? load<W, N>(to) : W(T(0));
    y = tile::finish<E>(y + sum, with, i, j, N);
    if constexpr (N == W::size)
      y.store(to);
    else
      y.store(to, N);
  }

  /// Vectors per row of the next tile if fewer than eight are left: 5 = 3 + 2, 6 = 3 + 3, 7 = 4 + 3.
  static constexpr int vectors_per_tile(index_t whole) {
    return whole <= 4 ? static_cast<int>(whole) : whole == 7 ? 4 : 3;
  }

  /// The rows of a tile with this many vectors: registers not needed for the vectors of b and one of a.
  static constexpr index_t rows_per_tile(int vectors) {
    const index_t most = (Registers - vectors - 2) / vectors;
    const index_t tiles = (S.m + most - 1) / most;
    return (S.m + tiles - 1) / tiles;
  }

  template <class W, index_t J, int NV, int Masked>
  TERN_INLINE static void rows(const T* a, const T* b, const operand<T>& c, const epilogue_operands<T>& with,
                               next_item<T> next) {
    constexpr index_t height = rows_per_tile(NV);
    constexpr index_t whole = S.m / height, rest = S.m % height;
    for (index_t t = 0; t < whole; ++t) {
      if (J == 0 && next.a) fetch<height, whole>(next, t);
      tile<W, J, NV, Masked, height>(a + t * height * S.a_row, b, c, with, t * height);
    }
    if constexpr (rest > 0) tile<W, J, NV, Masked, rest>(a + whole * height * S.a_row, b, c, with, whole * height);
  }

  /// Prefetches a share of the next item: the rows of a for tile t, and one part in `Tiles` of a dense b.
  template <index_t Height, index_t Tiles>
  TERN_INLINE static void fetch(next_item<T> next, index_t t) {
    constexpr index_t line = 64 / sizeof(T), part = (S.k * S.n / line + Tiles) / Tiles * line;
    if constexpr (S.a_column == 1)
      for (index_t i = 0; i < Height; ++i)
        for (index_t k = 0; k < S.k; k += line) __builtin_prefetch(next.a + (t * Height + i) * S.a_row + k, 0, 3);
    for (index_t x = 0; x < part; x += line) __builtin_prefetch(next.b + t * part + x, 0, 3);
  }

  static constexpr index_t b_row = S.b == weights::packed ? Panel : S.b_row;
  /// The offset of column j of b.
  static constexpr index_t b_offset(index_t j) {
    return S.b == weights::packed ? j / Panel * Panel * S.k + j % Panel : j;
  }

  template <class W, index_t J, int NV, int Masked, index_t MR>
  TERN_INLINE static void tile(const T* a, const T* b, const operand<T>& c, const epilogue_operands<T>& with,
                               index_t i0) {
    constexpr index_t n = Masked ? Masked : W::size;
    W s[MR][NV];
    TERN_UNROLL
    for (int i = 0; i < MR; ++i) {
      TERN_UNROLL
      for (int j = 0; j < NV; ++j) s[i][j] = W(T(0));
    }
    const auto step = [&](const T* ak, const T* bk) __attribute__((always_inline)) {
      W v[NV];
      TERN_UNROLL
      for (int j = 0; j < NV; ++j) v[j] = load<W, n>(bk + b_offset(J + j * W::size));
      TERN_UNROLL
      for (int i = 0; i < MR; ++i) {
        const W aik = W::broadcast(ak + i * S.a_row);
        TERN_UNROLL
        for (int j = 0; j < NV; ++j) s[i][j] = fma(aik, v[j], s[i][j]);
      }
    };
    if constexpr (S.k <= 16) {
      TERN_UNROLL
      for (index_t k = 0; k < S.k; ++k) step(a + k * S.a_column, b + k * b_row);
    } else {
      for (index_t k = 0; k < S.k; ++k) step(a + k * S.a_column, b + k * b_row);
    }
    TERN_UNROLL
    for (int i = 0; i < MR; ++i) {
      TERN_UNROLL
      for (int j = 0; j < NV; ++j) finish<W, n>(s[i][j], c, with, i0 + i, J + j * W::size);
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
