// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All forms of `new` and `delete` by heap_allocate and heap_release, which the one file of a program that includes this
// defines.
#pragma once

#include <cstddef>
#include <new>

namespace tern::test {

void* heap_allocate(std::size_t bytes, std::size_t alignment);
void heap_release(void* p);

}  // namespace tern::test

void* operator new(std::size_t n) { return tern::test::heap_allocate(n, alignof(std::max_align_t)); }
void* operator new[](std::size_t n) { return tern::test::heap_allocate(n, alignof(std::max_align_t)); }
void* operator new(std::size_t n, std::align_val_t a) {
  return tern::test::heap_allocate(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a) {
  return tern::test::heap_allocate(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { tern::test::heap_release(p); }
void operator delete[](void* p) noexcept { tern::test::heap_release(p); }
void operator delete(void* p, std::size_t) noexcept { tern::test::heap_release(p); }
void operator delete[](void* p, std::size_t) noexcept { tern::test::heap_release(p); }
void operator delete(void* p, std::align_val_t) noexcept { tern::test::heap_release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { tern::test::heap_release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { tern::test::heap_release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { tern::test::heap_release(p); }
