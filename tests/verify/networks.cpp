// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole training steps under simd, on every executor.
#include "tests/verify/networks.hpp"

namespace tern::test {

part TERN_VERIFY_PART(isa_tag::current) {
  return [](recorder& to, executor_list executors) {
    for (int e = 0; e < executors.count; ++e) {
      constexpr index_t cuts[] = {70, 32, 64};
      const index_t cut = cuts[e % 3];
      const std::string way =
          std::string("networks, ") + executors.first[e].name + ", " + std::to_string(cut) + " at a time";
      all_networks<runner::simd>(to, "simd", way.c_str(), cut, executors.first[e]);
    }
  };
}

}  // namespace tern::test
