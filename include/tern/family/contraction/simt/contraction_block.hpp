// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contraction family as a SIMT kernel: one block computes one tile of c, streaming slabs of a and b through shared
// memory.
//
// Canonical order (docs/numerics.md, rule 1): a thread owns its results for all of k, so tiles, slabs, the order of
// threads and the run-ahead of copies do not affect it. Cost: per result and step of k one fma; per fma 1 / thread_m +
// 1 / thread_n elements read from shared memory, and 1 / block_m + 1 / block_n from memory.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/exec/simt/chunks.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/simt/slab.hpp"
#include "tern/family/contraction/simt/thread_tile.hpp"
#include "tern/policy/simt_tuning.hpp"

namespace tern::inline TERN_ISA::impl {

/// x, opaque to the device compiler's optimiser. Otherwise it would hoist values such as the addresses of c above the
/// pipeline, and keep them until the end in more registers than a thread has.
TERN_FN int opaque(int x) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(x));
#endif
  return x;
}

template <class T, epilogue E, simt_tuning U>
struct contraction_block {
  static constexpr int threads = U.threads();

  struct stage {
    slab<T, U.block_m, U.block_k> a;
    slab<T, U.block_n, U.block_k> b;
  };
  struct shared {
    stage ring[U.stages];
  };

  /// The problem in the form of blocks, which are numbered item by item, tile row by tile row.
  struct problem {
    index_t m, n, batch;
    chunked_slabs slabs;
    slab_source<T> a, b;
    operand<T> c;
    epilogue_operands<T> with;

    TERN_FN index_t tiles_m() const { return (m + U.block_m - 1) / U.block_m; }
    TERN_FN index_t tiles_n() const { return (n + U.block_n - 1) / U.block_n; }
    index_t blocks() const { return tiles_m() * tiles_n() * batch; }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared& s, const problem& q) {
    const index_t per_item = q.tiles_m() * q.tiles_n();
    const index_t item = block.index() / per_item, tile = block.index() % per_item;
    const index_t m0 = tile / q.tiles_n() * U.block_m, n0 = tile % q.tiles_n() * U.block_n;
    const int rows = static_cast<int>(q.m - m0 < U.block_m ? q.m - m0 : U.block_m);
    const int columns = static_cast<int>(q.n - n0 < U.block_n ? q.n - n0 : U.block_n);
    const T* a = q.a.p + item * q.a.batch + m0 * q.a.along_outer;
    const T* b = q.b.p + item * q.b.batch + n0 * q.b.along_outer;
    const operand<T> c = q.c.item(item).shifted(m0, n0);
    const epilogue_operands<T> with = q.with.item(item).shifted(m0, n0);

    using tile_of_thread = thread_tile<T, U>;
    typename Block::template per_thread<tile_of_thread> tiles;
    block.pipeline(
        s.ring, static_cast<int>(q.slabs.count()),
        [&](int t, int i, stage& to, const auto& copy) {
          const slab_range r = q.slabs[i];
          to.a.template fill<threads>(t, q.a.access, rows, r.steps, q.a.from(a + r.first * q.a.along_k), copy);
          to.b.template fill<threads>(t, q.b.access, columns, r.steps, q.b.from(b + r.first * q.b.along_k), copy);
        },
        [&](int t) {
          auto& x = tiles[t];
          tile_of_thread::each(t, [&](int i, int j, int row, int column) {
            x.sum[i][j] = T(0);
            x.total[i][j] = T(0);
            if constexpr (E.accumulate)
              if (row < rows && column < columns) x.total[i][j] = *c.at(row, column);
          });
        },
        [&](int t, int i, const stage& from) {
          const slab_range r = q.slabs[i];
          tiles[t].multiply(t, from.a, from.b, 0, r.steps);
          if (r.ends_chunk) tiles[t].fold();
        },
        [&](int t) {
          auto& x = tiles[t];
          tile_of_thread::each(opaque(t), [&](int i, int j, int row, int column) {
            if (row >= rows || column >= columns) return;
            *c.at(row, column) = tile::finish<E>(x.total[i][j], with, row, column);
          });
        });
  }
};

}  // namespace tern::inline TERN_ISA::impl
