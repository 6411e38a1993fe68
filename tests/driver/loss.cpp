// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/driver/loss.hpp"

#include <cstdint>
#include <string>

namespace tern::test::inline TERN_ISA {

namespace {

/// Large numbers now and then, and classes as targets; some targets are negative.
void fill_inputs(drawn_call& c, std::mt19937& engine) {
  for (drawn_tensor& t : c.tensors) {
    if (t.of == number::int32) {
      const index_t classes = c["x"].shape.extent[1];
      const unsigned odd = engine() % 2 != 0 ? 1000 : 8;
      t.fill([&]() -> double {
        if (engine() % odd != 0) return static_cast<double>(below(engine, classes));
        return static_cast<double>(one_of(engine, {-1, -1, -7, INT32_MIN}));
      });
    } else if (!t.is_output() && engine() % 2 != 0) {
      t.fill(some_numbers(engine, 25));
    }
  }
}

}  // namespace

loss_scale some_scale(std::mt19937& engine) { return {static_cast<double>(below(engine, 2001)) / 1000 - 1}; }
label_smoothing some_smoothing(std::mt19937& engine) {
  return {engine() % 2 == 0 ? 0 : static_cast<double>(below(engine, 1000)) / 1000};
}

call_rules loss_rules(std::mt19937& engine, const char* axis, double most, bool empty) {
  call_rules rules;
  rules.fill = fill_inputs;
  rules.fits = [=](const tensor_shape* s) {
    return static_cast<double>(s->size()) <= most && (empty || s->size() > 0);
  };
  rules.sizes = {{"n", {0, 1, 2, 3, 7, 16, 17, 33, 65, 200}},
                 {axis, {1, 2, 3, 8, 10, 16, 17, 40, 64, 100, 127, 128, 129, 200, 513, 4100, 5000}}};
  const index_t rank = below(engine, 4);
  for (index_t r = 0; r < 3 - rank; ++r) rules.sizes.push_back({"spatial..." + std::to_string(r), {1}});
  rules.sizes.push_back({"spatial...", {1, 2, 3, 5, 16, 17, 40}});
  return rules;
}

}  // namespace tern::test::inline TERN_ISA
