// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The execution model that a source file is compiled for: CMake compiles each of them once per model, with
// TERN_BENCH_MODEL=simd and TERN_BENCH_HEADER="tern/simd.hpp", say.
#pragma once

#include TERN_BENCH_HEADER

#include "bench/matmul/matmul.hpp"
#include "tests/support/variants.hpp"

namespace tern::bench::inline TERN_ISA {

/// Calls f.template operator()<P>() for every policy of the model.
template <class F>
void for_each_policy(F f) {
  variants::for_each(variants::policies{}, [&]<class P> {
    if constexpr (P::execution == model::TERN_BENCH_MODEL) f.template operator()<P>();
  });
}

template <class P>
inline constexpr bool is_exact = std::is_same_v<typename P::numerics_type, numerics::exact>;

}  // namespace tern::bench::inline TERN_ISA
