// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if !defined(_OPENMP)
#error "tern: openmp.hpp needs OpenMP: compile with -fopenmp"
#endif

#include <omp.h>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/executor.hpp"

namespace tern::inline TERN_ISA {

/// The OpenMP threads of the calling thread as an executor.
struct openmp {
  int threads = omp_get_max_threads();

  index_t concurrency() const { return threads; }
  void operator()(index_t n, task_ref f) const {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (index_t i = 0; i < n; ++i) f(i);
  }
};

}  // namespace tern::inline TERN_ISA
