// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"

namespace tern {

/// Option of a call: memory for the kernel to use, owned by the caller. `workspace_bytes` of the kernel says how much
/// makes the call fastest, given the executor's concurrency behind the sizes; it works without, too. Kernels that need
/// none leave it alone; those that use some refuse one in which nothing fits for one of their tasks.
struct workspace {
  void* data = nullptr;
  index_t bytes = 0;
};

}  // namespace tern
