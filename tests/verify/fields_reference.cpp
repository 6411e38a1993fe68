// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of pools and of ops that move elements under the policy that defines them. `--update` takes the checksums
// from here.
#include "tests/verify/fields.hpp"

namespace tern::test {
namespace {

template <class T>
void run_all(recorder& to) {
  const auto loops = [](const auto&) { return impl::no_state{}; };
  all_fields<reference, T>(to, "reference", "fields, plain loops", field_form::last, loops);
  all_fields<reference, T>(to, "reference", "fields, batch cut", field_form::cut, loops);
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) {
  return [](recorder& to, executor_list) {
    run_all<float>(to);
    run_all<double>(to);
  };
}

}  // namespace tern::test
