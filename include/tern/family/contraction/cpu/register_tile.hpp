// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register tile of the contraction family: MR rows times NV vectors of chains, kept in registers over one chunk of
// k and folded into totals at its end. Matmuls and convolutions spend their time here.
//
// Canonical order (docs/numerics.md, rule 1): within a chunk one fma chain from +0 with k ascending; chunk sums added
// left to right to the totals. Neither MR nor NV nor the vector width appears in it, so every tile gives the same bits.
#pragma once

#include <utility>

#include "tern/core/config.hpp"

namespace tern::tile::inline TERN_ISA {

/// The left operand of a tile: element (i, k) at p[i * row + k * column].
template <class T>
struct left_tile {
  const T* p;
  index_t row;
  index_t column;
};

/// The right operand of a tile, in panels as wide as the tile: vector j of panel q for k at
/// p[q * panel + k * row + j * V::size]. A row-major matrix is its own panels: row = its row stride, panel = width.
template <class T>
struct right_tile {
  const T* p;
  index_t row;
  index_t panel;
};

/// The final step of a tile's sums.
enum class ending {
  write,  ///< c = +0 + sums: the first chunk
  add,    ///< c = c + sums: the next chunks
  carry   ///< c holds unfinished chains: they start from it and continue in it
};

/// Starts chains at +0.
template <int MR, int NV, class V>
TERN_INLINE void clear(V (&s)[MR][NV]) {
  TERN_UNROLL
  for (int i = 0; i < MR; ++i) {
    TERN_UNROLL
    for (int j = 0; j < NV; ++j) s[i][j] = V(typename V::value_type(0));
  }
}

/// s(i, j) = s(i, j) + sum over k of a(i, k) * b(k, j): one fma chain each, k ascending.
/// \tparam NV  vectors of a panel
/// \tparam NP  panels
/// Rows are addressed in threes from one pointer each: one pointer per row spills, and strides known only at run time
/// cost nothing this way. The empty asm keeps the compiler from merging the pointers again.
/// \param ahead  prefetch distance in elements; 0: no prefetch
/// \param load   loads the j-th vector of b from its address
/// \tparam First, Last  the rows of s to continue, a being the first of them
template <int MR, int NV, int NP, int First = 0, int Last = MR, class V, class T, class Load>
TERN_INLINE void chains(V (&s)[MR][NP * NV], const left_tile<T>& a, const right_tile<T>& b, index_t k, index_t ahead,
                        Load load) {
  constexpr int rows = Last - First, groups = (rows + 2) / 3;
  constexpr int line = 64 / sizeof(T);
  const T* row[groups];
  TERN_UNROLL
  for (int g = 0; g < groups; ++g) row[g] = a.p + 3 * g * a.row;
  const T* panel[NP];
  TERN_UNROLL
  for (int q = 0; q < NP; ++q) panel[q] = b.p + q * b.panel;
  for (; k > 0; --k) {
    V bk[NP * NV];
    TERN_UNROLL
    for (int q = 0; q < NP; ++q) {
      TERN_UNROLL
      for (int j = 0; j < NV; ++j) bk[q * NV + j] = load(panel[q] + j * V::size, j);
      if (!(__builtin_constant_p(ahead) && ahead == 0)) {
        TERN_UNROLL
        for (int j = 0; j < NV * V::size; j += line) __builtin_prefetch(panel[q] + j + ahead, 0, 3);
      }
      panel[q] += b.row;
    }
    TERN_UNROLL
    for (int g = 0; g < groups; ++g) __asm__("" : "+r"(row[g]));
    TERN_UNROLL
    for (int i = 0; i < rows; ++i) {
      const V aik = V::broadcast(row[i / 3] + i % 3 * a.row);
      TERN_UNROLL
      for (int j = 0; j < NP * NV; ++j) s[First + i][j] = fma(aik, bk[j], s[First + i][j]);
    }
    TERN_UNROLL
    for (int g = 0; g < groups; ++g) row[g] += a.column;
  }
}

/// One chunk, or a part of one, of MR rows and NP panels; c in rows of NP * NV vectors.
/// Cost: MR * NP * NV fmas, MR broadcasts and NP * NV loads for each k, plus one addition per vector of c.
/// 12 x 2 registers of AVX-512 reach 97 % of the peak of Zen 4 and Zen 5 with operands in L1 (64 steps and more).
/// The arguments are the members of left_tile and right_tile, so that most are passed in registers.
template <int MR, int NV, int NP, class V, class T>
__attribute__((noinline)) void multiply(const T* a, index_t a_row, index_t a_column, const T* b, index_t b_row,
                                        index_t k, index_t b_panel, T* c, index_t c_row, ending end, index_t ahead) {
  V s[MR][NP * NV];
  if (end == ending::carry) {
    TERN_UNROLL
    for (int i = 0; i < MR; ++i) {
      TERN_UNROLL
      for (int j = 0; j < NP * NV; ++j) s[i][j] = V::load(c + i * c_row + j * V::size);
    }
  } else {
    clear(s);
    if (end == ending::add) {  // needed at the end, and maybe out of cache
      TERN_UNROLL
      for (int i = 0; i < MR; ++i) {
        TERN_UNROLL
        for (int j = 0; j < NP * NV; ++j) __builtin_prefetch(c + i * c_row + j * V::size, 1, 3);
      }
    }
  }
  chains<MR, NV, NP>(s, left_tile<T>{a, a_row, a_column}, right_tile<T>{b, b_row, b_panel}, k, ahead,
                     [](const T* p, int) __attribute__((always_inline)) { return V::load(p); });
  if (end == ending::add) {
    TERN_UNROLL
    for (int i = 0; i < MR; ++i) {
      TERN_UNROLL
      for (int j = 0; j < NP * NV; ++j) (V::load(c + j * V::size) + s[i][j]).store(c + j * V::size);
      c += c_row;
      __asm__("" : "+r"(c));
    }
    return;
  }
  if (end == ending::write) {
    TERN_UNROLL
    for (int i = 0; i < MR; ++i) {
      TERN_UNROLL
      for (int j = 0; j < NP * NV; ++j) s[i][j] = V(T(0)) + s[i][j];
    }
  }
  TERN_UNROLL
  for (int i = 0; i < MR; ++i) {
    TERN_UNROLL
    for (int j = 0; j < NP * NV; ++j) s[i][j].store(c + j * V::size);
    c += c_row;
    __asm__("" : "+r"(c));
  }
}

/// Loads NV vectors of a row; the last one has n lanes, n at least 1. Without masked loads all are whole.
/// \tparam Part  true if n may be less than a vector
template <int NV, bool Part, class V>
struct row_load {
  index_t n;

  template <class T>
  TERN_INLINE V operator()(const T* p, int j) const {
    return Part && V::has_masks && j == NV - 1 ? V::load(p, n) : V::load(p);
  }
};

/// c = (c or +0) + s for MR rows and NV vectors of columns; the last vector has n lanes, n at least 1. Touches nothing
/// of c beyond them.
/// \tparam Part  true if n may be less than a vector
/// \param add    true if c holds totals to add to
template <bool Part, int MR, int NV, class V, class T>
TERN_INLINE void store_sums(const V (&s)[MR][NV], index_t n, T* c, index_t c_row, bool add) {
  TERN_UNROLL
  for (int i = 0; i < MR; ++i) {
    TERN_UNROLL
    for (int j = 0; j < NV; ++j) {
      T* to = c + j * V::size;
      if (!Part || j < NV - 1)
        ((add ? V::load(to) : V(T(0))) + s[i][j]).store(to);
      else
        ((add ? V::load(to, n) : V(T(0))) + s[i][j]).store(to, n);
    }
    c += c_row;
    __asm__("" : "+r"(c));
  }
}

/// The same as `multiply` for NV vectors per row, the last with `n` lanes.
template <int MR, int NV, class V, class T>
__attribute__((noinline)) void multiply_part(const T* a, index_t a_row, index_t a_column, const T* b, index_t b_row,
                                             index_t k, index_t n, T* c, index_t c_row, bool add) {
  V s[MR][NV];
  clear(s);
  chains<MR, NV, 1>(s, left_tile<T>{a, a_row, a_column}, right_tile<T>{b, b_row, 0}, k, 0, row_load<NV, true, V>{n});
  store_sums<true>(s, n, c, c_row, add);
}

/// The tiles of First to Last rows, callable by their number of rows.
template <class V, int First, int Last, int NV, int NP>
struct register_tiles {
  using T = typename V::value_type;
  using function = void (*)(const T*, index_t, index_t, const T*, index_t, index_t, index_t, T*, index_t, ending,
                            index_t);

  TERN_INLINE static void multiply(index_t rows, const left_tile<T>& a, const right_tile<T>& b, index_t k, T* c,
                                   index_t c_row, ending end, index_t ahead) {
    table.of[rows - First](a.p, a.row, a.column, b.p, b.row, k, b.panel, c, c_row, end, ahead);
  }

 private:
  struct functions {  // not std::array, whose members other translation units share
    function of[Last - First + 1];
  };
  template <int... Index>
  static constexpr functions make(std::integer_sequence<int, Index...>) {
    return {{&tile::multiply<First + Index, NV, NP, V, T>...}};
  }
  static constexpr functions table = make(std::make_integer_sequence<int, Last - First + 1>{});
};

/// The same for multiply_part, by the number of rows and of columns.
template <class V, int First, int Last, int NV>
struct partial_tiles {
  using T = typename V::value_type;
  using function = void (*)(const T*, index_t, index_t, const T*, index_t, index_t, index_t, T*, index_t, bool);

  /// \param n  columns: 1 to NV * V::size
  TERN_INLINE static void multiply(index_t rows, const left_tile<T>& a, const T* b, index_t b_row, index_t k, index_t n,
                                   T* c, index_t c_row, bool add) {
    const index_t whole = (n - 1) / V::size;
    table.of[(rows - First) * NV + whole](a.p, a.row, a.column, b, b_row, k, n - whole * V::size, c, c_row, add);
  }

 private:
  static constexpr int count = (Last - First + 1) * NV;
  struct functions {
    function of[count];
  };
  template <int... Index>
  static constexpr functions make(std::integer_sequence<int, Index...>) {
    return {{&tile::multiply_part<First + Index / NV, 1 + Index % NV, V, T>...}};
  }
  static constexpr functions table = make(std::make_integer_sequence<int, count>{});
};

}  // namespace tern::tile::inline TERN_ISA
