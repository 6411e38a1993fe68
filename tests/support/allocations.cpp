// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/support/allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TERN_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TERN_SANITIZED 1
#endif
#endif

namespace {
constinit std::atomic<long> count{0};
[[maybe_unused]] void counted() { count.fetch_add(1, std::memory_order_relaxed); }
}  // namespace

namespace tern::test {

long allocations() { return count.load(std::memory_order_relaxed); }

#if defined(__GLIBC__) && !defined(TERN_SANITIZED)

bool allocations_are_counted() { return true; }

}  // namespace tern::test

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) {
  counted();
  return __libc_malloc(bytes);
}
void* calloc(std::size_t n, std::size_t bytes) {
  counted();
  return __libc_calloc(n, bytes);
}
void* realloc(void* p, std::size_t bytes) {
  counted();
  return __libc_realloc(p, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  counted();
  return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  counted();
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t bytes) {
  counted();
  *to = __libc_memalign(alignment, bytes);
  return *to ? 0 : ENOMEM;
}
}

#else

bool allocations_are_counted() { return false; }

}  // namespace tern::test

#endif
