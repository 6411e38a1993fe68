// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases under the policy that defines them. `--update` takes the checksums from here.
#include "tests/verify/all_matmuls.hpp"

namespace tern::test {
namespace {

using context = contraction_kernel<reference>::context;

void run(recorder& to, executor_list) {
  const auto plain_loops = [](index_t, index_t, index_t, index_t) { return context{}; };
  for (const form f : {form::rows, form::cut}) {
    const char* way = f == form::cut ? "batch cut" : "plain loops";
    all_matmuls<reference, float>(to, "reference", way, f, plain_loops);
    all_matmuls<reference, double>(to, "reference", way, f, plain_loops);
  }
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) { return run; }

}  // namespace tern::test
