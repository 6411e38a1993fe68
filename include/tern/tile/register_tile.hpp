// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register tile of the contraction family: MR rows times NV vectors of chains, kept in registers over one chunk of
// k and folded into totals at its end. This is where the time of every matmul and convolution goes.
//
// Canonical order (docs/numerics.md, rule 1): within a chunk one fma chain from +0 with k ascending; chunk sums added
// left to right to the totals. Neither MR nor NV nor the vector width appears in it, so every tile gives the same bits.
#pragma once

#include <array>
#include <utility>

#include "tern/core/config.hpp"

namespace tern::tile::inline TERN_ISA {

/// The left operand of a tile, element (i, k) at p[i * Row + k * Column]. Strides are constants, so that the rows of a
/// tile are displacements from one register: g++ spills the addresses of 12 rows with a run-time stride.
template <class T, index_t Row, index_t Column>
struct left_operand {
  const T* p;
  TERN_INLINE const T* row(int i) const { return p + i * Row; }
  TERN_INLINE void next() { p += Column; }
};

/// s(i, j) = sum over k of a(i, k) * b(k, j): one fma chain each, k ascending from +0.
/// \param b  NV vectors for each k, `b_row` elements from one k to the next
template <int MR, int NV, class V, class Left>
TERN_INLINE void chains(V (&s)[MR][NV], Left a, const typename V::value_type* b, index_t b_row, index_t k) {
  using T = typename V::value_type;
  TERN_UNROLL for (int i = 0; i < MR; ++i) TERN_UNROLL for (int j = 0; j < NV; ++j) s[i][j] = V(T(0));
  for (; k > 0; --k) {
    V bk[NV];
    TERN_UNROLL for (int j = 0; j < NV; ++j) bk[j] = V::load(b + j * V::size);
    TERN_UNROLL for (int i = 0; i < MR; ++i) {
      const V aik = V::broadcast(a.row(i));
      TERN_UNROLL for (int j = 0; j < NV; ++j) s[i][j] = fma(aik, bk[j], s[i][j]);
    }
    a.next();
    b += b_row;
  }
}

/// c = (add ? c : +0) + chains(a, b) for one chunk.
/// Cost: MR * NV fmas, MR broadcasts and NV loads for each k, plus one addition per vector of c.
template <int MR, int NV, class V, class Left>
__attribute__((noinline)) void multiply(Left a, const typename V::value_type* b, index_t b_row, index_t k,
                                        typename V::value_type* c, index_t c_row, bool add) {
  using T = typename V::value_type;
  V s[MR][NV];
  chains<MR, NV>(s, a, b, b_row, k);
  if (add) {
    TERN_UNROLL for (int i = 0; i < MR; ++i) TERN_UNROLL for (int j = 0; j < NV; ++j) {
      T* at = c + i * c_row + j * V::size;
      (V::load(at) + s[i][j]).store(at);
    }
  } else {
    TERN_UNROLL for (int i = 0; i < MR; ++i) TERN_UNROLL for (int j = 0; j < NV; ++j)
      (V(T(0)) + s[i][j]).store(c + i * c_row + j * V::size);
  }
}

/// The tiles of 1 to Rows rows and NV vectors, callable by their number of rows.
template <class V, class Left, int Rows, int NV>
struct register_tiles {
  using T = typename V::value_type;
  using function = void (*)(Left, const T*, index_t, index_t, T*, index_t, bool);

  TERN_INLINE static void multiply(index_t rows, Left a, const T* b, index_t b_row, index_t k, T* c, index_t c_row,
                                   bool add) {
    table[static_cast<std::size_t>(rows - 1)](a, b, b_row, k, c, c_row, add);
  }

 private:
  template <int... I>
  static constexpr std::array<function, Rows> make(std::integer_sequence<int, I...>) {
    return {&tile::multiply<I + 1, NV, V, Left>...};
  }
  static constexpr std::array<function, Rows> table = make(std::make_integer_sequence<int, Rows>{});
};

}  // namespace tern::tile::inline TERN_ISA
