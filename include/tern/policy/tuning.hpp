// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that change speed and never bits. A tuning is a stateless callable from a device and an element size to an
// aggregate. To measure a variant, pass your own as the third argument of a policy.
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

namespace tern {

/// The blocking of the contraction family on a SIMD machine. Measurements below: AMD Zen 5, float32.
struct contraction_tuning {
  int rows = 6;                       ///< rows of a register tile
  int vectors = 2;                    ///< vectors per row of a register tile
  index_t block_columns = 256;        ///< columns of b that stay in L2 while the rows stream through
  index_t long_block_columns = 1024;  ///< the same for many rows: copying rows costs more than leaving L2
  index_t many_tiles = 8;             ///< least number of row tiles that counts as many
  index_t fetch_ahead = 4096;         ///< prefetch distance in elements for weights that are read once per call
  index_t stream_bytes = 256 * 1024;  ///< least size of an unpacked b that is read row by row if rows are few
  index_t memory_bytes = 8 << 20;     ///< least size of b, or of an image, that is assumed out of cache
  index_t fork_fmas = 1 << 17;        ///< multiply-adds below which a call stays on the calling thread

  friend TERN_FN constexpr bool operator==(const contraction_tuning&, const contraction_tuning&) = default;
};

namespace tuning {

/// Goto's blocking (Goto and van de Geijn 2008, doi 10.1145/1356052.1356053) from the device's registers and caches.
struct automatic {
  constexpr contraction_tuning operator()(const device& d, int element_bytes) const {
    contraction_tuning t;
    // 12 x 2 accumulators, 2 vectors of b and one of a fill 27 of 32 registers; 6 x 2 fill 15 of 16. Larger tiles spill
    // with g++ 12.
    t.rows = d.vector_registers >= 32 ? 12 : 6;
    // L2 for 512 steps of k. With 1 to 7 row tiles the next block is prefetched while this one is in use: weights of 17
    // to 38 MB then stream from memory at 80 to 91 % of the multiply-add peak with 32 rows.
    const index_t l2 = d.l2_bytes > 0 ? d.l2_bytes : 512 * 1024;
    t.block_columns = l2 / (512 * element_bytes);
    t.long_block_columns = 4 * t.block_columns;
    // 16 KiB: 6144 x 1536 weights with 8 rows take 0.73 to 0.81 ms instead of 1.5.
    t.fetch_ahead = 16384 / element_bytes;
    return t;
  }
};

}  // namespace tuning

}  // namespace tern
