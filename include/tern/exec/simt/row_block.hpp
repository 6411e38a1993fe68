// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent results: neighbouring threads compute neighbouring results.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/simt/block.hpp"

namespace tern::inline TERN_ISA::impl {

/// Rows of results, counted over samples, depth and height. A block has one row or a piece of one; for short rows, as
/// many whole rows as it has threads for.
/// \tparam Rows  rows(), row_elements(), and elements(row, first, step): computes results first, first + step, ... of a
///               row, channels fastest
template <class Rows, int Threads>
struct row_block {
  static constexpr int threads = Threads;
  static_assert((Threads & (Threads - 1)) == 0, "simt: these blocks need a power of two of threads");

  /// Lets a thread use all registers it needs. By default the compiler uses fewer and spills.
  static constexpr int resident_blocks = 1;

  struct shared {};

  struct problem {
    Rows of;
    index_t rows, pieces;  ///< pieces of a row
    int threads_per_row;   ///< or per piece

    explicit problem(const Rows& r) : of(r), rows(r.rows()), threads_per_row(warp_threads) {
      const index_t elements = r.row_elements();
      while (threads_per_row < Threads && threads_per_row < elements) threads_per_row *= 2;
      const index_t of_piece = threads_per_row * results_of_thread;
      pieces = (elements + of_piece - 1) / of_piece;
    }
    TERN_FN index_t rows_of_block() const { return Threads / threads_per_row; }
    index_t blocks() const { return (rows + rows_of_block() - 1) / rows_of_block() * pieces; }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared&, const problem& p) {
    const index_t row = block.index() / p.pieces * p.rows_of_block(), piece = block.index() % p.pieces;
    block.step([&](int t) {
      if (row + t / p.threads_per_row < p.rows)
        p.of.elements(row + t / p.threads_per_row, piece * p.threads_per_row + t % p.threads_per_row,
                      p.pieces * p.threads_per_row);
    });
  }

 private:
  static constexpr int results_of_thread = 4;  ///< not measured on a GPU
};

/// Rows of a call whose results are given by at(n, c, z, y, x).
template <class Call>
struct rows_of_places {
  Call q;

  index_t rows() const { return q.rows(); }
  index_t row_elements() const { return q.row_elements(); }

  TERN_FN void elements(index_t row, index_t first, index_t step) const {
    const row_cursor at(row, {q.extent[0], q.extent[1]});
    for (index_t e = first; e < q.row_elements(); e += step) q.at(at.n, e % q.channels, at.z, at.y, e / q.channels);
  }
};

}  // namespace tern::inline TERN_ISA::impl
