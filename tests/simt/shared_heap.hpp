// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs whose kernels read and write vectors of the host. On the executor each allocation has its own bounds
// (ptx/host_heap.cpp); on a GPU it is CUDA's managed memory (managed_heap.cpp). Programs are linked with one of them.
#pragma once

namespace tern::test {

/// Everything that `new` returns from now on is memory of the GPU, too, and launches wait for their kernels. To be
/// called before any function of CUDA.
void share_heap();

}  // namespace tern::test
