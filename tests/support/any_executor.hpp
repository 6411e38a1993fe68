// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/exec/cpu/executor.hpp"

namespace tern::test {

/// Any executor, type forgotten: kernels are built once for all. Does not own what it runs on.
struct any_executor {
  const char* name;
  void* self;
  void (*run)(void* self, index_t n, task_ref f);
  index_t tasks;

  template <class E>
  static any_executor of(const char* name, E& run) {
    return {name, &run, [](void* e, index_t n, task_ref f) { (*static_cast<E*>(e))(n, f); }, run.concurrency()};
  }
  void operator()(index_t n, task_ref f) const { run(self, n, f); }
  index_t concurrency() const { return tasks; }
};

}  // namespace tern::test
