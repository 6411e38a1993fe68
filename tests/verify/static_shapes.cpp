// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of small static shape, which simd unrolls.
#include "tern/simd.hpp"

#include "tests/verify/all_matmuls.hpp"

namespace tern::test {
namespace {

constexpr auto on_caller = [](index_t, index_t, index_t, index_t) { return serial{}; };

template <passes What, matmul_config C, class T, class Problems>
void run_static(recorder& to, const Problems& list) {
  run_matmul<What, matmul<C, T>, simd<>>(to, "simd", "serial, static extents", form::rows, false, list, on_caller);
}

void run(recorder& to, executor_list) {
  run_static<passes::everything, matmul_config{.m = 7, .n = 15, .k = 17}, float>(to, problems);
  run_static<passes::everything, matmul_config{.m = 31, .n = 33, .k = 65}, float>(to, problems);
  run_static<passes::epilogue,
             matmul_config{.m = 16, .n = 16, .k = 16, .bias = true, .residual = true, .act = activation::relu}, float>(
      to, epilogue_problems);
  run_static<passes::forward, matmul_config{.m = 16, .n = 63, .k = 33, .bias = true, .act = activation::gelu}, float>(
      to, epilogue_problems);
  run_static<passes::everything, matmul_config{.m = 7, .n = 15, .k = 17}, double>(to, problems);
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) { return run; }

}  // namespace tern::test
