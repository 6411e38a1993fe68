// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of the executor for programs that link it instead of the CUDA runtime. The file runtime.cpp takes the
// PTX that nvcc left in the program, and runs launches on the calling thread. docs/simt.md lists its checks and their
// limits.
//
// Without a call of these functions the environment decides: TERN_PTX_ORDER (forward, reverse, random), TERN_PTX_COPIES
// (early, late), TERN_PTX_SEED, TERN_PTX_STEPS (instructions without a barrier) and TERN_PTX_ARCH (80, 90). The file
// TERN_PTX_REPORT gets statistics of every kernel; executed.py reads it. A fault is printed and, as on a GPU, the end
// of the context.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/simt/ptx/block.hpp"

namespace ptx {

struct options {
  thread_order order = thread_order::forward;
  copy_time copies = copy_time::late;
  std::uint32_t seed = 1;                             ///< of the random order
  std::uint64_t most_steps = std::uint64_t{1} << 28;  ///< see grid
  int architecture = 80;                              ///< of the GPU: PTX for newer ones is not run
  bool at_once = false;  ///< launches run when they are made, not when somebody waits for them
  bool print_faults = true;
};
/// The options of launches from now on.
options& settings();

/// Memory of the host that kernels may use, as if the GPU shared it. Of all memory: shared_heap.hpp.
void share_host_memory(void* first, std::size_t bytes);
void unshare_host_memory(const void* first);

/// The next launch is refused with this error of CUDA.
void refuse_next_launch(int error);
/// The GPU is as it was before the first fault.
void forget_faults();
const std::vector<std::string>& faults();

/// The kernels run since the last call, with their statistics.
std::map<std::string, statistics> take_statistics();
/// Bytes of each parameter of the kernel that belongs to a host function, as the device has them.
std::vector<std::uint32_t> parameter_bytes(const void* function);
/// A kernel's name as its source has it, without the library's namespaces.
std::string readable(const std::string& mangled);

}  // namespace ptx
