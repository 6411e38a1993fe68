// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executors of cases: the calling thread, or executors that live as long as the program.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tern/exec/cpu/executor.hpp"

namespace tern::bench {

/// An executor behind two pointers, so that kernels are compiled for one type only. Costs an indirect call per fork.
struct any_executor {
  void* self;
  void (*call)(void*, index_t, task_ref);
  index_t tasks;

  void operator()(index_t n, task_ref f) { call(self, n, f); }
  index_t concurrency() const { return tasks; }
};

/// A choice of threads: "t1", "t2", "t2-openmp", "t2-onetbb". "t<n>" is what a user of tern would take: the calling
/// thread, or a team of n pinned threads.
struct setting {
  std::string name = "t1";
  int threads = 1;
  any_executor* executor = nullptr;                          ///< null: the calling thread
  std::function<void(const std::function<void()>&)> within;  ///< enters the executor's arena, if it has one

  bool usual() const { return name.find('-') == std::string::npos; }
};

/// CPUs that this process was allowed to use when it started.
const std::vector<int>& usable_cpus();
/// Binds the calling thread to the i-th of them, or to all of them for i < 0.
void bind_to_cpu(int i);

/// The settings with `threads` threads, "t<n>" first. Threads are created on the first call and pinned, thread i to the
/// i-th usable CPU, the caller too.
const std::vector<setting>& settings(int threads);

}  // namespace tern::bench
