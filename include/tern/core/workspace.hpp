// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"

namespace tern {

/// Option of a call: memory for the kernel, owned by the caller. `workspace_bytes` of the kernel gives the size with
/// which the call is fastest, from the sizes and the executor's concurrency. Calls also work without. Kernels that need
/// none ignore it; the others refuse one too small for a single task.
struct workspace {
  void* data = nullptr;
  index_t bytes = 0;
};

}  // namespace tern
