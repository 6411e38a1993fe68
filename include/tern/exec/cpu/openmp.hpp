// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if !defined(_OPENMP)
#error "tern: openmp.hpp needs OpenMP: compile with -fopenmp"
#endif

#include <omp.h>

#include <algorithm>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/claimed_tasks.hpp"
#include "tern/exec/cpu/cpus.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/stall_guard.hpp"

namespace tern::inline TERN_ISA {

/// The OpenMP threads of the calling thread as an executor. Keep the object: its construction counts the CPUs, which
/// limit its threads, and it remembers stalls by threads without a CPU (stall_guard).
struct openmp {
  int threads = omp_get_max_threads();
  int cpus = impl::usable_cpus();
  mutable impl::stall_guard guard = {};

  index_t concurrency() const { return std::min(threads, cpus); }
  void operator()(index_t n, task_ref f) const {
    const int used = static_cast<int>(concurrency());
    if (n <= 1 || used <= 1 || guard.is_serial()) {
      for (index_t i = 0; i < n; ++i) f(i);
      return;
    }
    impl::claimed_tasks tasks(n, f);
#pragma omp parallel num_threads(used)
    tasks.work();
    tasks.end(guard);
  }
};

}  // namespace tern::inline TERN_ISA
