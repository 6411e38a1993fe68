// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// float32 products of sizes known at run time, of single matrices and of batches.
#include "bench/matmul/model.hpp"

namespace tern::bench {
namespace {

const at_start add(TERN_BENCH_NAME, [] {
  for_each_policy([]<class P> {
    add_both<P, float, call_kind{}>();
    if constexpr (P::execution == model::simd) add_both<P, float, call_kind{.prepared = true}>();
    add_matmul<P, float, call_kind{.op = {.batch = dynamic}}>();
    add_matmul<P, float, call_kind{.op = {.batch = dynamic}, .transposed_b = true}>();
  });
});

}  // namespace
}  // namespace tern::bench
