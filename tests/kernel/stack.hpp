// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call needs beside its tensors. It allocates nothing (allocations.cpp), so that is what it takes of the stack:
// calls run on threads that have little of it, and end with a fault where it does not do.
#pragma once

#include <pthread.h>

#include <cstddef>

#include "tests/support/catch.hpp"

namespace tern::test {

inline constexpr std::size_t stack_bytes = 192 * 1024;

/// Runs f on a thread with a small stack.
template <class F>
void on_small_stack(F f) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, stack_bytes) == 0);
  pthread_t thread;
  const auto run = [](void* call) -> void* {
    (*static_cast<F*>(call))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &f) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
}

}  // namespace tern::test
