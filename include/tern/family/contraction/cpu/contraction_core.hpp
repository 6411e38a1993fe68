// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction on one core with vector units: a batch of small items, or a rectangle of c. Models that run on cores
// (simd, and mimd on tiles that access the caller's memory) assign the parts.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/workspace.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/transpose.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/cpu/chunk_row.hpp"
#include "tern/family/contraction/cpu/macro_kernel.hpp"
#include "tern/family/contraction/cpu/small.hpp"
#include "tern/family/contraction/cpu/totals.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V          vectors
/// \tparam Registers  number of vector registers
/// \tparam Tuning     numbers that change speed and never bits
template <class V, int Registers, contraction_tuning Tuning>
struct contraction_core {
  using T = typename V::value_type;
  using vector = V;
  using macro_kernel = tile::macro_kernel<V, Tuning.rows, Tuning.vectors>;

  /// Elements of packed weights: whole panels.
  static constexpr index_t packed_size(index_t k, index_t n) {
    return whole_panels(n, macro_kernel::panel_columns) * k;
  }
  static void pack(const operand<const T>& b, index_t k, index_t n, T* to) {
    constexpr index_t columns = macro_kernel::panel_columns;
    for (index_t k0 = 0; k0 < k; k0 += slab_k) {
      const index_t steps = k - k0 < slab_k ? k - k0 : slab_k;
      pack_slab<V>(b.shifted(k0, 0), steps, n, columns, to + k0 * whole_panels(n, columns));
    }
  }

  /// Columns of packed weights that are multiplied by all rows before the next ones are; at most `n`.
  static constexpr index_t block_columns(index_t m, index_t n) {
    const index_t tiles = (m + Tuning.rows - 1) / Tuning.rows;
    const index_t columns = tiles == 1                  ? n
                            : tiles < Tuning.many_tiles ? Tuning.block_columns
                                                        : Tuning.long_block_columns;
    return columns < n ? columns : n;
  }
  /// Bytes of memory for arranged weights with which a rectangle of this many rows and columns is fastest.
  static constexpr index_t memory_bytes(index_t m, index_t n) {
    const index_t columns = block_columns(m, n), most = Tuning.long_block_columns;
    return slab_k * whole_panels(columns < most ? columns : most, macro_kernel::panel_columns) * element_bytes;
  }
  /// Bytes of the smallest memory that helps: one panel.
  static constexpr index_t least_memory_bytes = slab_k * macro_kernel::panel_columns * static_cast<index_t>(sizeof(T));

  /// Items [first, last) of a batch of a small static shape.
  template <epilogue E, contraction_shape S>
  TERN_INLINE static void items(const contraction<T, E, S>& q, index_t first, index_t last) {
    using small = tile::small<V, Registers, macro_kernel::panel_columns, E, S>;
    const auto b = [&](index_t i) { return S.b == weights::packed ? q.packed : q.b.item(i).p; };
    const bool out_of_cache = from_memory(q);
    for (index_t i = first; i < last; ++i)
      small::multiply(q.a.item(i).p, b(i), q.c.item(i), q.with.item(i),
                      out_of_cache && i + 1 < last ? next_item<T>{q.a.item(i + 1).p, b(i + 1)} : next_item<T>{});
  }

  /// Runs items [first, last) of a batch without blocking if the call overhead would dominate and the operands are
  /// contiguous; returns whether they ran.
  template <epilogue E, contraction_shape S>
  TERN_INLINE static bool short_items(const contraction<T, E, S>& q, index_t first, index_t last) {
    constexpr index_t width = macro_kernel::panel_columns;
    if constexpr (S.b == weights::packed_transposed || (S.b == weights::strided && !V::has_masks)) return false;
    const bool is_short = q.m > 0 && q.n > 0 && q.k > 0 && q.k <= q.chunk && q.m * q.n * q.k <= short_fmas &&
                          q.c.column == 1 && (S.b == weights::packed || q.b.column == 1) &&
                          (q.m >= macro_kernel::rows_for_one_panel || q.n <= width);
    if (!is_short) return false;
    for (index_t i = first; i < last; ++i) {
      const panels<T> b =
          S.b == weights::packed ? panels<T>{q.packed, width, q.k * width} : panels<T>{q.b.item(i).p, q.b.row, width};
      macro_kernel::template multiply_short<E>(q.a.item(i), b, q.m, q.n, q.k, q.c.item(i), q.with.item(i));
    }
    return true;
  }

  /// Items [first, last) of a batch.
  template <epilogue E, contraction_shape S>
  static void batch(const contraction<T, E, S>& q, index_t first, index_t last, workspace memory);
  /// A call with k = 0: applies the epilogue to zero, or to the old c.
  template <epilogue E, contraction_shape S>
  static void without_sum(const contraction<T, E, S>& q);
  /// Rows [i0, i1) and columns [j0, j1) of one item; j0 is the first column of a panel.
  /// \param memory  for arranged weights; if it is too small for a panel, the stack holds one at a time
  template <epilogue E, contraction_shape S>
  static void rectangle(const contraction<T, E, S>& q, index_t item, index_t i0, index_t i1, index_t j0, index_t j1,
                        workspace memory);

 private:
  static constexpr index_t element_bytes = sizeof(T);
  static constexpr index_t short_fmas = 1 << 17;  // beyond, the overhead of a call is negligible
  /// Columns of a row-major b that are read in place: without masked loads only whole panels.
  static constexpr index_t least_in_place = V::has_masks ? 1 : macro_kernel::panel_columns;

  /// True if the chains of one chunk of one row are too few to hide the latency of an fma.
  template <class Q>
  TERN_INLINE static bool is_chunk_row(const Q& q, index_t m, index_t j0, index_t j1) {
    const bool rows_of_b =
        Q::shape.b == weights::packed ? q.n <= macro_kernel::panel_columns : V::has_masks && q.b.column == 1;
    return m == 1 && j0 == 0 && j1 <= 2 * V::size && q.k > q.chunk && rows_of_b;
  }

  /// True if the operands of a batch are assumed out of cache.
  template <class Q>
  TERN_INLINE static bool from_memory(const Q& q) {
    if (q.batch == 1) return false;
    return q.batch * (q.m * q.k + q.k * q.n + q.m * q.n) * element_bytes > Tuning.memory_bytes;
  }
};

// Outside of the class, so that they are not inline: files that link the compiled part only declare them.
template <class V, int Registers, contraction_tuning Tuning>
template <epilogue E, contraction_shape S>
void contraction_core<V, Registers, Tuning>::batch(const contraction<T, E, S>& q, index_t first, index_t last,
                                                   workspace memory) {
  if (short_items(q, first, last)) return;
  for (index_t item = first; item < last; ++item) rectangle(q, item, 0, q.m, 0, q.n, memory);
}
template <class V, int Registers, contraction_tuning Tuning>
template <epilogue E, contraction_shape S>
void contraction_core<V, Registers, Tuning>::without_sum(const contraction<T, E, S>& q) {
  for (index_t item = 0; item < q.batch; ++item) {
    const auto c = q.c.item(item);
    const auto with = q.with.item(item);
    for (index_t i = 0; i < q.m; ++i)
      for (index_t j = 0; j < q.n; ++j) {
        const T total = E.accumulate ? *c.at(i, j) : T(0);
        if constexpr (E.open)
          with.store(&total, 1, 1, 1, c.shifted(i, j), with.shifted(i, j));
        else
          *c.at(i, j) = finish<E>(total, with, i, j);
      }
  }
}
template <class V, int Registers, contraction_tuning Tuning>
template <epilogue E, contraction_shape S>
void contraction_core<V, Registers, Tuning>::rectangle(const contraction<T, E, S>& q, index_t item, index_t i0,
                                                       index_t i1, index_t j0, index_t j1, workspace memory) {
  constexpr index_t width = macro_kernel::panel_columns;
  const auto a = q.a.item(item).shifted(i0, 0);
  const index_t m = i1 - i0, tiles = (m + Tuning.rows - 1) / Tuning.rows;
  if constexpr (S.b != weights::packed_transposed)
    if (is_chunk_row(q, m, j0, j1)) {
      const operand<const T> b = S.b == weights::packed ? operand<const T>{q.packed, width, 1, 0} : q.b.item(item);
      for (index_t j = j0; j < j1; j += V::size) {
        const index_t n = j1 - j < V::size ? j1 - j : V::size;
        const operand<T> c = q.c.item(item).shifted(i0, j);
        alignas(64) T totals[V::size];
        if (E.accumulate) load_totals<V>(c, 1, n, totals, V::size);
        chunk_row<V>::multiply(a.p, a.column, b.at(0, j), b.row, q.k, q.chunk, n, totals, E.accumulate);
        store_totals<E, V>(totals, V::size, 1, n, c, q.with.item(item).shifted(i0, j));
      }
      return;
    }
  const auto output = [&](index_t j, bool add, bool last) {
    return block_output<T>{q.c.item(item).shifted(i0, j), q.with.item(item).shifted(i0, j), add || E.accumulate, last};
  };
  if constexpr (S.b == weights::packed) {
    const index_t most = block_columns(m, j1 - j0);
    for (index_t j = j0; j < j1; j += most) {
      const index_t columns = j1 - j < most ? j1 - j : most;
      for (index_t k0 = 0; k0 < q.k; k0 += slab_k) {
        const index_t k = q.k - k0 < slab_k ? q.k - k0 : slab_k;
        macro_kernel::template multiply<E>(a.shifted(0, k0), packed_panels(q.packed, q.k, q.n, width, k0, j), m,
                                           columns, k, q.chunk, output(j, k0 > 0, k0 + k >= q.k),
                                           tiles == 1                  ? Tuning.fetch_ahead
                                           : tiles < Tuning.many_tiles ? columns * k
                                                                       : 0,
                                           0);
      }
    }
  } else {
    if constexpr (S.b == weights::strided) {
      const auto b = q.b.item(item).shifted(0, j0);
      const index_t bytes = q.n * q.k * element_bytes;
      if (b.column == 1 && m <= macro_kernel::stream_rows && bytes > Tuning.stream_bytes)
        return macro_kernel::template stream<E>(a, b, m, j1 - j0, q.k, q.chunk, output(j0, false, true),
                                                bytes > Tuning.memory_bytes);
    }
    // Panels of b go into the caller's workspace, or one at a time onto the stack.
    alignas(64) T on_stack[slab_k * width];
    T* buffer = on_stack;
    index_t most = width;
    if (memory.bytes >= least_memory_bytes) {
      buffer = static_cast<T*>(memory.data);
      const index_t fit = memory.bytes / (slab_k * element_bytes) / width * width;
      most = fit < Tuning.long_block_columns ? fit : Tuning.long_block_columns;
    }
    const bool out_of_cache = item + 1 < q.batch && from_memory(q);
    for (index_t j = j0; j < j1;) {
      index_t columns = j1 - j < most ? j1 - j : most;
      bool in_place = false;
      if constexpr (S.b == weights::strided)
        in_place = q.b.column == 1 && j1 - j >= least_in_place && q.n * q.k * element_bytes <= Tuning.stream_bytes;
      if (in_place) columns = (j1 - j) / least_in_place * least_in_place;  // the remainder is copied
      for (index_t k0 = 0; k0 < q.k; k0 += slab_k) {
        const index_t k = q.k - k0 < slab_k ? q.k - k0 : slab_k;
        panels<T> right{buffer, width, k * width};
        if constexpr (S.b == weights::packed_transposed)
          repack_transposed<V>(q.packed, q.n, q.k, width, k0, k, j, columns, buffer);
        else if (in_place)
          right = {q.b.item(item).at(k0, j), q.b.row, width};
        else
          pack_slab<V>(q.b.item(item).shifted(k0, j), k, columns, width, buffer);
        macro_kernel::template multiply<E>(a.shifted(0, k0), right, m, columns, k, q.chunk,
                                           output(j, k0 > 0, k0 + k >= q.k), in_place && out_of_cache ? q.b.batch : 0,
                                           out_of_cache ? q.a.batch : 0);
      }
      j += columns;
    }
  }
}

}  // namespace tern::tile::inline TERN_ISA
