// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/driver/places.hpp"

#include <cmath>
#include <string>

namespace tern::test::inline TERN_ISA {

namespace {

call_rules small_calls(double most) {
  call_rules rules;
  rules.fits = [most](const tensor_shape* s) { return static_cast<double>(s->size()) <= most; };
  return rules;
}

}  // namespace

call_rules places(std::mt19937& engine, double most) {
  call_rules rules = small_calls(most);
  rules.sizes = {{"n", {0, 1, 1, 2, 3, 7}}, {"channels", {1, 2, 3, 5, 8, 16, 17, 24, 33, 63, 64, 65, 130, 300}}};
  const index_t rank = below(engine, 4), longest = below(engine, 3);
  for (index_t r = 0; r < 3; ++r) {
    const std::string axis = "spatial..." + std::to_string(r);
    if (r < 3 - rank)
      rules.sizes.push_back({axis, {1}});
    else if (r == longest)
      rules.sizes.push_back({axis, {1, 7, 8, 13, 17, 33, 64}});
    else
      rules.sizes.push_back({axis, {1, 2, 3, 5}});
  }
  return rules;
}
call_rules summed_places(std::mt19937& engine, double most) {
  call_rules rules = small_calls(most);
  const bool many_samples = most > 1000 && engine() % 2 != 0;
  rules.sizes = {{"n", {0, 1, 2, 3}}, {"channels", {1, 2, 3, 5, 8, 16, 17, 24, 33, 40, 56, 64, 130}}};
  if (many_samples) rules.sizes[0].second = {33, 65};
  const index_t longest = below(engine, 3);
  for (index_t r = 0; r < 3; ++r) {
    const std::string axis = "spatial..." + std::to_string(r);
    if (engine() % 2 != 0)
      rules.sizes.push_back({axis, {1}});
    else if (r == longest && !many_samples)
      rules.sizes.push_back({axis, {1, 7, 33, 65, 600}});
    else
      rules.sizes.push_back({axis, {1, 2, 3, 5}});
  }
  return rules;
}

call_rules rows_along(int axis, double most) {
  call_rules rules = small_calls(most);
  rules.sizes = {{"axes..." + std::to_string(axis),
                  {1, 2, 3, 8, 10, 15, 16, 17, 40, 64, 70, 90, 100, 127, 128, 129, 200, 513, 4100, 5000}},
                 {"axes...0", {0, 1, 2, 3, 7}},
                 {"axes...", {1, 1, 1, 2, 3, 5, 16, 17, 40}}};
  return rules;
}

void fill_rows(drawn_call& c, std::mt19937& engine) {
  drawn_tensor& x = c["x"];
  switch (engine() % 8) {
    case 0: x.fill([] { return -INFINITY; }); break;
    case 1: x.fill([&] { return engine() % 2 == 0 ? 0.0 : -0.0; }); break;
    case 2: x.fill(some_numbers(engine, 1e-13)); break;
    default: break;
  }
}

}  // namespace tern::test::inline TERN_ISA
