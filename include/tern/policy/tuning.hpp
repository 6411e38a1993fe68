// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that change speed and never bits. A tuning is a stateless callable from a device and an element size to an
// aggregate; write your own to measure a variant: it is the third argument of a policy.
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

namespace tern {

/// The blocking of the contraction family on a SIMD machine.
struct contraction_tuning {
  int rows = 6;              ///< rows of a register tile
  int vectors = 2;           ///< vectors per row of a register tile
  index_t block_k = 512;     ///< steps of k that a block of b covers, a multiple of the chunk
  index_t block_columns = 128;     ///< columns of b that stay in L2 while all rows pass by
  index_t fork_fmas = 1 << 17;     ///< multiply-adds below which a call stays on the calling thread

  friend TERN_FN constexpr bool operator==(const contraction_tuning&, const contraction_tuning&) = default;
};

namespace tuning {

/// Goto's blocking [Goto and van de Geijn 2008, doi 10.1145/1356052.1356053] from the device's registers and caches.
struct automatic {
  constexpr contraction_tuning operator()(const device& d, int element_bytes) const {
    contraction_tuning t;
    t.rows = d.vector_registers >= 32 ? 12 : 6;
    t.vectors = 2;
    (void)element_bytes;
    return t;
  }
};

}  // namespace tuning

}  // namespace tern
