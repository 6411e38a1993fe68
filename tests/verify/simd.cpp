// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases under simd: every layout on the calling thread, and every executor. Compiled for each element type.
#include "tern/simd.hpp"

#include "tests/verify/all_matmuls.hpp"

namespace tern::test {
namespace {

void run(recorder& to, executor_list executors) {
  using T = TERN_VERIFY_ELEMENT;
  serial caller;
  const on_executor on_caller{any_executor::of("serial", caller)};
  const struct {
    form f;
    const char* way;
  } forms[] = {{form::rows, "serial, row-major"},
               {form::columns, "serial, column-major"},
               {form::gaps, "serial, strided"},
               {form::packed, "serial, packed weights"},
               {form::cut, "serial, batch cut"}};
  for (const auto& [f, way] : forms) all_matmuls<simd<>, T>(to, "simd", way, f, on_caller);
  for (int e = 0; e < executors.count; ++e)
    all_matmuls<simd<>, T>(to, "simd", executors.first[e].name, static_cast<form>(e % 5),
                           on_executor{executors.first[e]}, true);
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) { return run; }

}  // namespace tern::test
