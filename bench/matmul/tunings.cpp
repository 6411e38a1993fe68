// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same products under every tuning of the variants list.
#include "bench/matmul/matmul.hpp"
#include "tern/simd.hpp"
#include "tests/support/variants.hpp"

namespace tern::bench {
namespace {

const at_start add(TERN_BENCH_NAME, [] {
  variants::for_each(variants::tunings{}, []<class Tuning> {
    using P = simd<devices::native, numerics::exact, Tuning>;
    constexpr bool tuned = true;
    add_both<P, float, call_kind{}>(tuned);
    add_matmul<P, float, call_kind{.op = {.batch = dynamic}}>(tuned);
    add_matmul<P, float, call_kind{.op = {.batch = dynamic}, .transposed_b = true}>(tuned);
  });
});

}  // namespace
}  // namespace tern::bench
