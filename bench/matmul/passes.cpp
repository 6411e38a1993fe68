// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients, and products of doubles.
#include "bench/matmul/model.hpp"

namespace tern::bench {
namespace {

const at_start add(TERN_BENCH_NAME, [] {
  for_each_policy([]<class P> {
    if constexpr (is_exact<P>) {
      add_both<P, float, call_kind{.direction = pass::backward_data}>();
      add_matmul<P, float, call_kind{.direction = pass::backward_weights}>();
      add_both<P, double, call_kind{}>();
    }
  });
});

}  // namespace
}  // namespace tern::bench
