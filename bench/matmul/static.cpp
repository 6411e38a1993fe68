// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small workloads with their sizes in the type, which is a feature to measure; the batch stays dynamic. CMake
// compiles this file in TERN_BENCH_PARTS parts, so that a row needs one of them.
#include <iterator>

#include "bench/matmul/matmul.hpp"
#include "tern/simd.hpp"
#include "tests/support/variants.hpp"

namespace tern::bench {
namespace {

/// Multiply-adds up to which people write sizes into types.
constexpr index_t small = 5 << 19;

/// True if an earlier workload differs only in its batch.
constexpr bool is_repeated(int i) {
  const auto& w = variants::matmul_workloads;
  for (int j = 0; j < i; ++j)
    if (w[j].m == w[i].m && w[j].n == w[i].n && w[j].k == w[i].k && w[j].transposed_b == w[i].transposed_b &&
        (w[j].batch == 1) == (w[i].batch == 1))
      return true;
  return false;
}

template <int I>
void add_workload() {
  constexpr variants::matmul_workload w = variants::matmul_workloads[I];
  if constexpr (w.m * w.n * w.k <= small && !is_repeated(I)) {
    constexpr index_t batch = w.batch == 1 ? 1 : dynamic;
    constexpr call_kind kind{.op = {.m = w.m, .n = w.n, .k = w.k, .batch = batch}, .transposed_b = w.transposed_b};
    if constexpr (w.batch == 1)
      add_both<simd<>, float, kind>();
    else
      add_matmul<simd<>, float, kind>();
  }
}

const at_start add([] {
  constexpr int count = std::size(variants::matmul_workloads);
  add_in_parts<count, TERN_BENCH_PARTS, TERN_BENCH_PART>(TERN_BENCH_NAME, []<int I> { add_workload<I>(); });
});

}  // namespace
}  // namespace tern::bench
