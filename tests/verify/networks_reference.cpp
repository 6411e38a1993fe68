// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole training steps under the policy that defines them. `--update` takes the checksums from here.
#include "tests/verify/networks.hpp"

namespace tern::test {

part TERN_VERIFY_PART(isa_tag::current) {
  return [](recorder& to, executor_list) {
    all_networks<runner::reference>(to, "reference", "networks, plain loops", 70, {});
    all_networks<runner::reference>(to, "reference", "networks, batch cut", 32, {});
  };
}

}  // namespace tern::test
