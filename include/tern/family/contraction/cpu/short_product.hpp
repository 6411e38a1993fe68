// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/cpu/register_tile.hpp"

namespace tern::tile::inline TERN_ISA {

/// Short products of run-time sizes, in tiles of one height and one vector. The height divides the rows and is chosen
/// when the call is prepared, so a call is two loops around a tile. The chains are the canonical ones.
/// \tparam V        vectors; half a vector is used if it holds all columns
/// \tparam Panel    columns of a panel of packed weights
template <class V, int Registers, index_t Panel>
struct short_product {
  using T = typename V::value_type;

  /// Multiply-adds from which the blocked kernel is as fast, with its wider tiles.
  static constexpr index_t most_fmas = 16 * 16 * 16;

  /// The function of a tile size. Its arguments are passed in registers as far as there are enough.
  using function = void (*)(const T* a, index_t a_row, index_t a_column, const T* b, index_t b_row, index_t k,
                            index_t n, T* c, index_t c_row, index_t m);

  /// The function for calls like q, or null: row-major c and weights, one chunk, no epilogue.
  template <epilogue E, contraction_shape S>
  static function function_for(const contraction<T, E, S>& q) {
    if constexpr (S.b != weights::packed_transposed && epilogue{.accumulate = E.accumulate} == E) {
      const bool rows_of_b = S.b == weights::packed ? q.n <= Panel : q.b.column == 1;
      if (q.batch != 1 || q.k < 1 || q.k > q.chunk || q.c.column != 1 || !rows_of_b || q.m * q.n * q.k > most_fmas ||
          q.m < 1 || q.n < 1)
        return nullptr;
      if constexpr (!std::is_void_v<typename V::half>)
        if (q.n <= V::half::size) return function_of<typename V::half, E.accumulate>(q.m, q.n);
      return function_of<V, E.accumulate>(q.m, q.n);
    }
    return nullptr;
  }
  template <epilogue E, contraction_shape S>
  TERN_INLINE static void run(function f, const contraction<T, E, S>& q) {
    constexpr bool packed = S.b == weights::packed;
    f(q.a.p, q.a.row, q.a.column, packed ? q.packed : q.b.p, packed ? Panel : q.b.row, q.k, q.n, q.c.p, q.c.row, q.m);
  }

 private:
  /// A tile leaves registers for a vector of b and a broadcast.
  static constexpr int most_rows = Registers >= 32 ? 16 : 12;
  static constexpr bool is_height(int rows) { return rows <= 8 || rows == 12 || rows == 16; }

  template <class W, bool Add>
  static function function_of(index_t m, index_t n);

  /// \tparam Part  true if the last vector of a row may be partial
  template <class W, int Rows, bool Part, bool Add>
  static void tiles(const T* a, index_t a_row, index_t a_column, const T* b, index_t b_row, index_t k, index_t n, T* c,
                    index_t c_row, index_t m) {
    for (index_t i = 0; i < m; i += Rows, a += Rows * a_row, c += Rows * c_row)
      for (index_t j = 0; j < n; j += W::size) {
        const index_t left = n - j < W::size ? n - j : W::size;
        W s[Rows][1];
        clear(s);
        chains<Rows, 1, 1>(s, left_tile<T>{a, a_row, a_column}, right_tile<T>{b + j, b_row, 0}, k, 0,
                           row_load<1, Part, W>{left});
        store_sums<Part>(s, left, c + j, c_row, Add);
      }
  }
};

// Outside of the class, so that it is not inline: files that link the compiled part only declare it.
template <class V, int Registers, index_t Panel>
template <class W, bool Add>
auto short_product<V, Registers, Panel>::function_of(index_t m, index_t n) -> function {
  if (!W::has_masks && n % W::size != 0) return nullptr;
  const auto choose = [m]<bool Part, int... I>(std::bool_constant<Part>, std::integer_sequence<int, I...>) {
    function f = nullptr;
    ((is_height(I + 1) && m % (I + 1) == 0 ? void(f = &tiles < W, is_height(I + 1) ? I + 1 : 1, Part, Add >) : void()),
     ...);
    return f;
  };
  constexpr std::make_integer_sequence<int, most_rows> heights;
  return n % W::size != 0 ? choose(std::true_type(), heights) : choose(std::false_type(), heights);
}

}  // namespace tern::tile::inline TERN_ISA
