// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stack use of calls. A call allocates nothing (allocations.cpp), so all its temporary memory is on the stack. Calls
// run on threads with a small stack, which fault if it does not suffice.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <type_traits>

#include "tern/simd.hpp"
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

/// Calls f.operator()<Policy>() for the measured policies of an element type.
template <class T, class F>
void each_policy(F f) {
  f.template operator()<simd<>>();
  if constexpr (std::is_same_v<T, float>) {
    f.template operator()<simd<devices::native, numerics::relaxed>>();
    f.template operator()<reference>();
  }
}

}  // namespace tern::test
