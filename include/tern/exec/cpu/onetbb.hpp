// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/executor.hpp"

namespace tern::inline TERN_ISA {

/// The oneTBB arena of the calling thread as an executor.
struct onetbb {
  index_t concurrency() const { return oneapi::tbb::this_task_arena::max_concurrency(); }
  void operator()(index_t n, task_ref f) const {
    oneapi::tbb::parallel_for(index_t(0), n, [f](index_t i) { f(i); }, oneapi::tbb::static_partitioner{});
  }
};

}  // namespace tern::inline TERN_ISA
