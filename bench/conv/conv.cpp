// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workloads of convolutions under simd and on tiles of the host. CMake compiles this file in TERN_BENCH_PARTS
// parts, so that a row needs one of them.
#include "bench/conv/conv.hpp"

namespace tern::bench {
namespace {

template <int I, class P>
void add_passes() {
  add_conv<I, P, float, pass::forward, false>();
  add_conv<I, P, float, pass::forward, true>();
  if constexpr (variants::conv_workloads[I].kind == variants::conv_workload::all_passes) {
    add_conv<I, P, float, pass::backward_data, false>();
    add_conv<I, P, float, pass::backward_data, true>();
    add_conv<I, P, float, pass::backward_weights, false>();
  }
}

template <int I>
void add_workload() {
  add_passes<I, simd<>>();
  if constexpr (has_fewer_products(variants::conv_workloads[I]))
    add_conv<I, simd<devices::native, numerics::relaxed>, float, pass::forward, true>();
  if constexpr (variants::conv_workloads[I].constructed) add_construction<I, simd<>, float>();
  if constexpr (I % 8 < 4) add_passes<I, mimd<>>();  // some show what tiles cost
}

const at_start add([] {
  add_in_parts<variants::conv_workload_count, TERN_BENCH_PARTS, TERN_BENCH_PART>(TERN_BENCH_NAME,
                                                                                 []<int I> { add_workload<I>(); });
});

}  // namespace
}  // namespace tern::bench
