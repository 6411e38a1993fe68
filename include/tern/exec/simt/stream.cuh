// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#if !defined(__CUDACC__)
#error "tern/exec/simt/stream.cuh needs a CUDA compiler; the host contexts are in tern/simt.hpp"
#endif

#include <cuda_runtime_api.h>

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/cuda_block.cuh"

namespace tern {

/// Run-time state of SIMT kernels: a CUDA stream of the current GPU. Calls return as soon as the work is in the stream;
/// they allocate nothing, wait for nothing and touch no other stream, so they can be captured into a graph. The default
/// stream must be requested: simt_stream{cudaStreamPerThread} or simt_stream{cudaStreamLegacy}. Every tensor of a call
/// must be in device memory. `pack` works on the host: pass weights unpacked, which is as fast here, or pack them into
/// managed memory.
struct simt_stream {
  explicit simt_stream(cudaStream_t s) : stream(s) {}
  cudaStream_t stream;
};
template <>
inline constexpr bool is_simt_state<simt_stream> = true;
template <>
inline constexpr bool is_on_device<simt_stream> = true;

}  // namespace tern

namespace tern::inline TERN_ISA {

namespace impl {

/// The number of blocks that share a multiprocessor, which bounds a thread's registers: Kernel::resident_blocks, or 0
/// to leave it to the compiler.
template <class Kernel>
inline constexpr int resident_blocks = 0;
template <class Kernel>
  requires requires { Kernel::resident_blocks; }
inline constexpr int resident_blocks<Kernel> = Kernel::resident_blocks;

/// The one __global__ function of the library. Constraints belong on Kernel: nvcc's host stubs do not compile with a
/// trailing requires-clause here.
template <class Kernel, class... Arguments>
__global__ void __launch_bounds__(Kernel::threads, resident_blocks<Kernel>) simt_entry(const Arguments... arguments) {
  extern __shared__ __align__(16) unsigned char memory[];
  cuda_block<Kernel::threads> block;
  Kernel::run(block, *reinterpret_cast<typename Kernel::shared*>(memory), arguments...);
}

/// The shared memory of a block that needs no opt-in.
inline constexpr std::size_t default_shared_bytes = 48 * 1024;

}  // namespace impl

/// Launches `blocks` blocks of Kernel in the stream. Throws std::invalid_argument with CUDA's text if the launch is
/// refused; faults during execution show at the caller's next synchronisation.
template <class Kernel, class... Arguments>
void launch(const simt_stream& to, index_t blocks, const Arguments&... arguments) {
  using shared = typename Kernel::shared;
  static_assert((std::is_trivially_copyable_v<Arguments> && ...), "simt: arguments of kernels are copied to the GPU");
  static_assert(alignof(shared) <= 16, "simt: shared memory is aligned to 16 bytes");
  if (blocks == 0) return;
  if (blocks > 0x7fffffff) violation("simt: the call needs %td blocks, a grid has at most 2147483647", blocks);
  const auto entry = reinterpret_cast<const void*>(&impl::simt_entry<Kernel, Arguments...>);
  cudaError_t error = cudaSuccess;
  if constexpr (sizeof(shared) > impl::default_shared_bytes)
    error = cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sizeof(shared)));
  if (error == cudaSuccess) {
    void* values[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    error = cudaLaunchKernel(entry, dim3(static_cast<unsigned>(blocks)), dim3(Kernel::threads), values, sizeof(shared),
                             to.stream);
  }
  if (error != cudaSuccess) {
    cudaGetLastError();  // clears the error, so that the next call does not report it again
    violation("simt: a launch of %td blocks of %d threads with %zu bytes of shared memory each failed: %s", blocks,
              Kernel::threads, sizeof(shared), cudaGetErrorString(error));
  }
}

}  // namespace tern::inline TERN_ISA
