// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block context on the device. Everything that the host contexts cannot test is in this file: barriers, shuffles
// and asynchronous copies (PTX ISA, "cp.async"; NVIDIA CUDA C++ programming guide, "Asynchronous data copies").
#pragma once
#if !defined(__CUDACC__)
#error "tern/exec/simt/cuda_block.cuh needs a CUDA compiler; the host contexts are in tern/simt.hpp"
#endif

#include "tern/core/config.hpp"
#include "tern/exec/simt/block.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// The `copy` of a pipeline's producer: asynchronous from sm_80 on; before, a load and a store.
struct cuda_copy {
  template <int Count, class T>
  __device__ __forceinline__ void run(T* to, const T* from, int valid) const {
    constexpr int bytes = Count * static_cast<int>(sizeof(T));
    static_assert(bytes == 4 || bytes == 8 || bytes == 16, "pipeline: a copy moves 4, 8 or 16 bytes");
#if __CUDA_ARCH__ >= 800
    // Bytes after the valid ones are not read, and arrive as zeros.
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const int read = valid * static_cast<int>(sizeof(T));
    if constexpr (bytes == 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(read) : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(from), "n"(bytes), "r"(read)
                   : "memory");
#else
    for (int i = 0; i < Count; ++i) to[i] = i < valid ? from[i] : T(0);
#endif
  }
  template <class T>
  __device__ __forceinline__ void fill(T* to, T value) const {
    *to = value;
  }

  /// Ends a group of copies.
  __device__ __forceinline__ static void commit() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
  }
  /// Waits until at most `Pending` groups of this thread are in flight.
  template <int Pending>
  __device__ __forceinline__ static void wait() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
  }
};

}  // namespace impl

template <int N>
class cuda_block {
  static_assert(N > 0 && N % warp_threads == 0 && N <= 1024, "simt: a block has whole warps and at most 1024 threads");

 public:
  static constexpr int threads = N;

  /// Stays in registers: the index is unused.
  template <class T>
  class per_thread {
   public:
    __device__ __forceinline__ T& operator[](int) { return value_; }

   private:
    T value_;
  };

  __device__ __forceinline__ index_t index() const { return static_cast<index_t>(blockIdx.x); }

  template <class F>
  __device__ __forceinline__ void step(F&& f) const {
    f(thread());
    __syncthreads();
  }

  template <int Width, class T, class Op>
  __device__ __forceinline__ void fold(per_thread<T>& x, Op op) const {
    static_assert(Width > 0 && N % Width == 0 && (Width & (Width - 1)) == 0, "fold: the width must be a power of two");
    const int t = thread();
    if constexpr (Width > warp_threads) {
      // Partners are in other warps: every thread folds the values of its lane in all warps of the group.
      __shared__ T exchange[N];
      exchange[t] = x[t];
      __syncthreads();
      constexpr int warps = Width / warp_threads;
      T v[warps];
#pragma unroll
      for (int w = 0; w < warps; ++w) v[w] = exchange[t / Width * Width + w * warp_threads + t % warp_threads];
#pragma unroll
      for (int m = warps / 2; m > 0; m /= 2)
#pragma unroll
        for (int w = 0; w < m; ++w) v[w] = op(v[w], v[w + m]);
      x[t] = v[0];
      __syncthreads();
    }
#pragma unroll
    for (int m = (Width < warp_threads ? Width : warp_threads) / 2; m > 0; m /= 2) {
      const T other = __shfl_xor_sync(0xffffffffu, x[t], m);
      x[t] = t & m ? op(other, x[t]) : op(x[t], other);
    }
  }

  template <class T>
  __device__ __forceinline__ void broadcast(per_thread<T>& x, int from) const {
    __shared__ T exchange;
    if (thread() == from) exchange = x[from];
    __syncthreads();
    x[from] = exchange;
    __syncthreads();
  }

  /// All threads copy and all work. S - 1 slabs are in flight during the work on one; one barrier per slab.
  template <class Slot, int S, class Produce, class Init, class Consume, class Finish>
  __device__ __forceinline__ void pipeline(Slot (&ring)[S], int n, Produce&& produce, Init&& init, Consume&& consume,
                                           Finish&& finish) const {
    static_assert(S >= 2, "pipeline: a ring has at least two slots");
    const int t = thread();
    const impl::cuda_copy copy;
#pragma unroll 1
    for (int i = 0; i < S - 1; ++i) {
      if (i < n) produce(t, i, ring[i], copy);
      copy.commit();
    }
    init(t);
    int full = 0, free = S - 1;
#pragma unroll 1
    for (int i = 0; i < n; ++i) {
      copy.template wait<S - 2>();
      __syncthreads();  // slab i has arrived for all threads, and all have read slab i - 1
      if (i + S - 1 < n) produce(t, i + S - 1, ring[free], copy);
      copy.commit();  // even if nothing was copied: groups are counted
      consume(t, i, static_cast<const Slot&>(ring[full]));
      free = full;
      full = full + 1 == S ? 0 : full + 1;
    }
    finish(t);
    __syncthreads();
  }

 private:
  __device__ __forceinline__ static int thread() { return static_cast<int>(threadIdx.x); }
};

}  // namespace tern::inline TERN_ISA
