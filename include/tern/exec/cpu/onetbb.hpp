// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/claimed_tasks.hpp"
#include "tern/exec/cpu/cpus.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/stall_guard.hpp"

namespace tern::inline TERN_ISA {

/// The oneTBB arena of the calling thread as an executor. Keep the object: its construction counts the CPUs, which
/// limit its threads, and it remembers stalls by threads without a CPU (stall_guard).
struct onetbb {
  int cpus = impl::usable_cpus();
  mutable impl::stall_guard guard = {};

  index_t concurrency() const { return std::min(oneapi::tbb::this_task_arena::max_concurrency(), cpus); }
  void operator()(index_t n, task_ref f) const {
    const index_t used = std::min(n, concurrency());
    if (used <= 1 || guard.is_serial()) {
      for (index_t i = 0; i < n; ++i) f(i);
      return;
    }
    impl::claimed_tasks tasks(n, f);
    oneapi::tbb::parallel_for(index_t(0), used, [&](index_t) { tasks.work(); }, oneapi::tbb::simple_partitioner{});
    tasks.end(guard);
  }
};

}  // namespace tern::inline TERN_ISA
