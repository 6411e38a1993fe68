// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory from `new` as memory of the GPU: see shared_heap.hpp.
#include "tests/simt/ptx/host_heap.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

#include "tests/simt/ptx/executor.hpp"
#include "tests/simt/replace_new.hpp"
#include "tests/simt/shared_heap.hpp"

namespace ptx {
namespace {

bool sharing = false;

void* allocate(std::size_t bytes, std::size_t alignment) {
  void* const p = alignment <= alignof(std::max_align_t)
                      ? std::malloc(bytes + 1)
                      : std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
  if (!p) throw std::bad_alloc();
  if (!sharing || own_memory::depth > 0) return p;
  const own_memory of_the_table;
  share_host_memory(p, bytes);
  return p;
}
void release(void* p) {
  if (p && sharing && own_memory::depth == 0) {
    const own_memory of_the_table;
    unshare_host_memory(p);
  }
  std::free(p);
}

}  // namespace

}  // namespace ptx

void tern::test::share_heap() {
  ptx::settings().at_once = true;
  ptx::sharing = true;
}
void* tern::test::heap_allocate(std::size_t bytes, std::size_t alignment) { return ptx::allocate(bytes, alignment); }
void tern::test::heap_release(void* p) { ptx::release(p); }
