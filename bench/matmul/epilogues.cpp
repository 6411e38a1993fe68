// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products with each epilogue of the variants list fused.
#include "bench/matmul/model.hpp"

namespace tern::bench {
namespace {

const at_start add(TERN_BENCH_NAME, [] {
  for_each_policy([]<class P> {
    if constexpr (is_exact<P>)
      variants::for_each(variants::matmuls<float>{}, []<class Op> {
        if constexpr (Op::config != matmul_config{}) add_both<P, float, call_kind{.op = Op::config}>();
      });
  });
});

}  // namespace
}  // namespace tern::bench
