// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory from `new` as memory of a GPU: see shared_heap.hpp.
#include <cuda_runtime_api.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "tests/simt/replace_new.hpp"
#include "tests/simt/shared_heap.hpp"

namespace tern::test {
namespace {

/// Managed memory in lists of free pieces, by the power of two that is their size. Nothing is given back: cudaFree
/// waits for the GPU. CUDA may call `new` while it allocates, so a pool of the standard library, which is locked then,
/// would not do.
class managed_heap {
 public:
  static void start() {
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);  // before the first call of CUDA
    started_ = true;
  }
  static void* allocate(std::size_t bytes, std::size_t alignment) {
    const std::size_t all = bytes + sizeof(header) + alignment;
    const int list = started_ && !inside_ ? static_cast<int>(std::bit_width(all - 1)) : of_malloc;
    void* const first = list == of_malloc ? std::malloc(all) : take(list);
    if (!first) throw std::bad_alloc();
    auto at = reinterpret_cast<std::uintptr_t>(first) + sizeof(header);
    at = (at + alignment - 1) / alignment * alignment;
    const header h{first, list};
    std::memcpy(reinterpret_cast<void*>(at - sizeof h), &h, sizeof h);
    return reinterpret_cast<void*>(at);
  }
  static void release(void* p) {
    if (!p) return;
    header h;
    std::memcpy(&h, static_cast<std::byte*>(p) - sizeof h, sizeof h);
    if (h.list == of_malloc)
      std::free(h.first);
    else
      put(h.first, h.list);
  }

 private:
  /// In front of each allocation.
  struct alignas(std::max_align_t) header {
    void* first;
    int list;
  };
  static constexpr int of_malloc = -1;

  static void put(void* p, int list) {
    const std::lock_guard lock(mutex_);
    std::memcpy(p, &free_[list], sizeof(void*));
    free_[list] = p;
  }
  static void* take(int list) {
    {
      const std::lock_guard lock(mutex_);
      if (void* const p = free_[list]) {
        std::memcpy(&free_[list], p, sizeof(void*));
        return p;
      }
    }
    const std::size_t size = std::size_t{1} << list, bytes = size < (1 << 20) ? 1 << 20 : size;
    void* block = nullptr;
    inside_ = true;
    const cudaError_t e = cudaMallocManaged(&block, bytes, cudaMemAttachGlobal);
    if (e != cudaSuccess) {
      std::fprintf(stderr, "cudaMallocManaged: %s\n", cudaGetErrorString(e));
      std::exit(1);
    }
    inside_ = false;
    for (std::size_t at = size; at + size <= bytes; at += size) put(static_cast<std::byte*>(block) + at, list);
    return block;
  }

  static inline bool started_ = false;
  static inline thread_local bool inside_ = false;
  static inline std::mutex mutex_;
  static inline void* free_[64] = {};
};

}  // namespace

void share_heap() { managed_heap::start(); }
void* heap_allocate(std::size_t bytes, std::size_t alignment) { return managed_heap::allocate(bytes, alignment); }
void heap_release(void* p) { managed_heap::release(p); }

}  // namespace tern::test
