// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workloads of convolutions under simd and on tiles of the host. CMake compiles this file once per part, with
// TERN_BENCH_PART of TERN_BENCH_PARTS.
#include "bench/conv/conv.hpp"

namespace tern::bench {
namespace {

template <int I, class P>
void add_workload() {
  add_conv<I, P, float, pass::forward, false>();
  add_conv<I, P, float, pass::forward, true>();
  if constexpr (variants::conv_workloads[I].kind == variants::conv_workload::all_passes) {
    add_conv<I, P, float, pass::backward_data, false>();
    add_conv<I, P, float, pass::backward_data, true>();
    add_conv<I, P, float, pass::backward_weights, false>();
  }
}

/// Whether Winograd's algorithm is there for it.
constexpr bool has_fewer_products(const variants::conv_workload& w) {
  return w.rank == 2 && w.kind != w.transposed && w.kernel == 3 && w.stride == 1 && w.dilation == 1 && w.groups == 1 &&
         w.in % 16 == 0 && w.out % 16 == 0;
}

template <int I = TERN_BENCH_PART>
void add_workloads() {
  add_workload<I, simd<>>();
  if constexpr (has_fewer_products(variants::conv_workloads[I]))
    add_conv<I, simd<devices::native, numerics::relaxed>, float, pass::forward, true>();
  if constexpr (variants::conv_workloads[I].constructed) add_construction<I, simd<>, float>();
  if constexpr (I % (2 * TERN_BENCH_PARTS) == TERN_BENCH_PART) add_workload<I, mimd<>>();  // some show what tiles cost
  if constexpr (I + TERN_BENCH_PARTS < variants::conv_workload_count) add_workloads<I + TERN_BENCH_PARTS>();
}

const at_start add([] { add_workloads(); });

}  // namespace
}  // namespace tern::bench
