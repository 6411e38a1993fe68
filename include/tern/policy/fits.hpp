// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

namespace tern {

/// True if `bytes` bytes of data fit a device. A MIMD machine spreads them evenly over its tiles, so the largest share
/// counts; other devices, and tiles that share the host's memory, use one memory. Memory of unknown size fits all.
/// \param bytes  total, with program and working copies if they matter
TERN_FN constexpr bool fits(const device& d, index_t bytes) {
  if (d.execution == model::mimd && !d.shares_host_memory) {
    const index_t share = d.units > 0 ? (bytes + d.units - 1) / d.units : bytes;
    return share <= d.local_bytes;
  }
  return d.memory_bytes == 0 || bytes <= d.memory_bytes;
}

}  // namespace tern
