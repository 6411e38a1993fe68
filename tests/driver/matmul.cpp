// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

#include "tests/driver/drawn_call.hpp"

namespace tern::test::inline TERN_ISA {

call_rules matmul_calls(std::mt19937& engine, double most) {
  const auto size = [&] { return one_of(engine, {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 257}); };
  const auto deep = [&] { return one_of(engine, {0, 1, 2, 3, 15, 17, 64, 255, 256, 257, 511, 512, 513, 700, 1031}); };
  for (;;) {
    const index_t batch = one_of(engine, {0, 1, 1, 2, 3, 7});
    index_t m = size(), n = size(), k = deep();
    if (engine() % 4 == 0) m = deep(), k = size();  // of weights, whose sums run over rows
    if (static_cast<double>(batch > 1 ? batch : 1) * static_cast<double>(m) * static_cast<double>(n) *
            static_cast<double>(k) >
        most)
      continue;
    call_rules rules;
    rules.fits = [](const tensor_shape*) { return true; };
    rules.sizes = {{"m", {m}}, {"n", {n}}, {"k", {k}}, {"batch", {batch}}};
    return rules;
  }
}

}  // namespace tern::test::inline TERN_ISA
