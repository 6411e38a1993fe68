// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

namespace tern {

/// Whether data of so many bytes has room on a device: spread evenly over the tiles of a MIMD machine, so that the
/// largest share counts; in the memory of any other, and of tiles that share the host's. Memory of unknown size has
/// room. \param bytes  in one place or many, program and working copies included where they matter
TERN_FN constexpr bool fits(const device& d, index_t bytes) {
  if (d.execution == model::mimd && !d.shares_host_memory) {
    const index_t share = d.units > 0 ? (bytes + d.units - 1) / d.units : bytes;
    return share <= d.local_bytes;
  }
  return d.memory_bytes == 0 || bytes <= d.memory_bytes;
}

}  // namespace tern
