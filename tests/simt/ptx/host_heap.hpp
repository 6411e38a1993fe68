// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ptx {

/// While one of these exists, what the thread allocates is the executor's own, and not shared with kernels.
class own_memory {
 public:
  own_memory() { ++depth; }
  ~own_memory() { --depth; }
  own_memory(const own_memory&) = delete;
  own_memory& operator=(const own_memory&) = delete;

  static inline thread_local int depth = 0;
};

}  // namespace ptx
