// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workloads of convolutions under every tuning of the variants list that changes what they do. In parts, as
// conv.cpp.
#include "bench/conv/conv.hpp"

namespace tern::bench {
namespace {

template <int I, class Tuning>
void add_tuned() {
  constexpr const variants::conv_workload& w = variants::conv_workloads[I];
  using P = simd<devices::native, numerics::exact, Tuning>;
  constexpr bool tuned = true, depthwise = w.groups == w.in;
  constexpr bool trains = w.kind == variants::conv_workload::all_passes;
  if constexpr (!depthwise) {  // where each channel is a sum of its own there are no panels
    add_conv<I, P, float, pass::forward, true>(tuned);
    if constexpr (trains) add_conv<I, P, float, pass::backward_data, true>(tuned);
  }
  if constexpr (trains) add_conv<I, P, float, pass::backward_weights, false>(tuned);
  if constexpr (has_fewer_products(w))
    add_conv<I, simd<devices::native, numerics::relaxed, Tuning>, float, pass::forward, true>(tuned);
}

const at_start add([] {
  add_in_parts<variants::conv_workload_count, TERN_BENCH_PARTS, TERN_BENCH_PART>(TERN_BENCH_NAME, []<int I> {
    variants::for_each(variants::conv_tunings{}, []<class Tuning> { add_tuned<I, Tuning>(); });
  });
});

}  // namespace
}  // namespace tern::bench
