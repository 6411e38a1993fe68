// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workloads of convolutions in every layout and cut of the batch. CMake compiles this file once per part, with
// TERN_BENCH_PART of TERN_BENCH_PARTS.
#include "bench/batching/variants.hpp"

namespace tern::bench {
namespace {

template <int I>
void add_workloads() {
  add_cuts<I, float, pass::forward>();
  if constexpr (variants::conv_workloads[I].kind == variants::conv_workload::all_passes) {
    add_cuts<I, float, pass::backward_data>();
    add_cuts<I, float, pass::backward_weights>();
  }
  if constexpr (I + TERN_BENCH_PARTS < variants::conv_workload_count) add_workloads<I + TERN_BENCH_PARTS>();
}

const at_start add([] { add_workloads<TERN_BENCH_PART>(); });

}  // namespace
}  // namespace tern::bench
