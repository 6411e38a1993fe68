// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions whose sizes and strides are all known while compiling, unrolled into register tiles with no packing, no
// buffers and no loop over anything but rows of tiles. Columns behind the last whole vector are masked, and half
// vectors serve where they suffice. The same chains as everywhere, so the same bits.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/tile/activation.hpp"
#include "tern/tile/contraction.hpp"
#include "tern/tile/epilogue.hpp"

namespace tern::tile::inline TERN_ISA {

/// Multiply-adds up to which a contraction of static shape is unrolled. Measured on Zen 5 and Zen 4 with float32: at
/// 64 x 64 x 64 (2^18) packed panels and this code are level.
inline constexpr index_t small_fmas = index_t(1) << 18;

/// Whether calls of this shape are unrolled.
constexpr bool is_small(const contraction_shape& s) {
  const bool known = s.m > 0 && s.n > 0 && s.k > 0 && s.a_row != dynamic && s.a_column != dynamic &&
                     s.c_row != dynamic && s.c_column == 1 && s.k <= s.chunk;
  const bool rows_of_b = s.b == weights::packed || (s.b == weights::strided && s.b_row != dynamic && s.b_column == 1);
  return known && rows_of_b && s.m <= 1024 && s.n <= 256 && s.m * s.n * s.k <= small_fmas;
}

/// The product of shape S with the epilogue E on vectors V, in register files of `Registers`.
/// \tparam Panel  columns of a panel where S.b is packed
template <class V, int Registers, index_t Panel, epilogue E, contraction_shape S>
struct small {
  using T = typename V::value_type;

  /// One item of the batch.
  TERN_INLINE static void multiply(const T* a, const T* b, const operand<T>& c, const operand<const T>& bias,
                                   const operand<const T>& residual) {
    columns<V, 0>(a, b, c, bias, residual);
  }

 private:
  /// Columns from J on: as many whole vectors as make a good tile, then the rest. Vectors halve where half is enough.
  template <class W, index_t J>
  TERN_INLINE static void columns(const T* a, const T* b, const operand<T>& c, const operand<const T>& bias,
                                  const operand<const T>& residual) {
    constexpr index_t left = S.n - J;
    if constexpr (left > 0) {
      if constexpr (!std::is_void_v<typename W::half> && left <= W::size / 2) {
        columns<typename W::half, J>(a, b, c, bias, residual);
      } else {
        constexpr int vectors = left < W::size ? 1 : vectors_per_tile(left / W::size);
        constexpr int masked = left < W::size ? static_cast<int>(left) : 0;
        rows<W, J, vectors, masked>(a, b, c, bias, residual);
        columns<W, J + vectors * W::size>(a, b, c, bias, residual);
      }
    }
  }

  /// Vectors per row of a tile out of `whole` that are left: those that leave the fewest columns to narrow tiles.
  static constexpr int vectors_per_tile(index_t whole) {
    if (whole <= 4) return static_cast<int>(whole);
    return whole % 4 == 0 ? 4 : whole % 3 == 0 || whole % 3 == 2 ? 3 : whole == 5 ? 3 : 4;
  }

  /// The rows of a tile of this many vectors: what the registers hold beside the vectors of b and one of a.
  static constexpr index_t rows_per_tile(int vectors) {
    const index_t most = (Registers - vectors - 2) / vectors;
    const index_t tiles = (S.m + most - 1) / most;
    return (S.m + tiles - 1) / tiles;
  }

  template <class W, index_t J, int NV, int Masked>
  TERN_INLINE static void rows(const T* a, const T* b, const operand<T>& c, const operand<const T>& bias,
                               const operand<const T>& residual) {
    constexpr index_t height = rows_per_tile(NV);
    constexpr index_t whole = S.m / height, rest = S.m % height;
    for (index_t t = 0; t < whole; ++t)
      tile<W, J, NV, Masked, height>(a + t * height * S.a_row, b, c, bias, residual, t * height);
    if constexpr (rest > 0)
      tile<W, J, NV, Masked, rest>(a + whole * height * S.a_row, b, c, bias, residual, whole * height);
  }

  static constexpr index_t b_row = S.b == weights::packed ? Panel : S.b_row;
  /// Where column j of b begins.
  static constexpr index_t b_offset(index_t j) {
    return S.b == weights::packed ? j / Panel * Panel * S.k + j % Panel : j;
  }

  template <class W, index_t J, int NV, int Masked, index_t MR>
  TERN_INLINE static void tile(const T* a, const T* b, const operand<T>& c, const operand<const T>& bias,
                               const operand<const T>& residual, index_t i0) {
    W s[MR][NV];
    TERN_UNROLL for (int i = 0; i < MR; ++i) TERN_UNROLL for (int j = 0; j < NV; ++j) s[i][j] = W(T(0));
    const auto step = [&](const T* ak, const T* bk) __attribute__((always_inline)) {
      W v[NV];
      TERN_UNROLL for (int j = 0; j < NV; ++j) {
        const T* p = bk + b_offset(J + j * W::size);
        v[j] = Masked ? W::load(p, Masked) : W::load(p);
      }
      TERN_UNROLL for (int i = 0; i < MR; ++i) {
        const W aik = W::broadcast(ak + i * S.a_row);
        TERN_UNROLL for (int j = 0; j < NV; ++j) s[i][j] = fma(aik, v[j], s[i][j]);
      }
    };
    if constexpr (S.k <= 16) {
      TERN_UNROLL for (index_t k = 0; k < S.k; ++k) step(a + k * S.a_column, b + k * b_row);
    } else {
      for (index_t k = 0; k < S.k; ++k) step(a + k * S.a_column, b + k * b_row);
    }
    TERN_UNROLL for (int i = 0; i < MR; ++i) TERN_UNROLL for (int j = 0; j < NV; ++j) {
      constexpr index_t n = Masked ? Masked : W::size;
      const index_t at = J + j * W::size;
      T* to = c.p + (i0 + i) * S.c_row + at;
      W y = E.accumulate ? (Masked ? W::load(to, n) : W::load(to)) : W(T(0));
      y = y + s[i][j];
      if constexpr (E.bias) y = y + load_strided<W>(bias.at(i0 + i, at), bias.column, n);
      if constexpr (E.residual) y = y + load_strided<W>(residual.at(i0 + i, at), residual.column, n);
      y = activate<E.act>(y);
      if constexpr (Masked)
        y.store(to, n);
      else
        y.store(to);
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
