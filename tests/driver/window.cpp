// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/driver/window.hpp"

#include <string>

namespace tern::test::inline TERN_ISA {

pool3d_config current_window;

pool3d_config random_window(std::mt19937& engine, call_rules& rules, double most) {
  pool3d_config c;
  const auto done = [&] {
    rules.text = "windows";
    for (int r = 0; r < 3; ++r)
      rules.text += (r > 0 ? ", " : " ") + std::to_string(c.kernel[r]) + " by " + std::to_string(c.stride[r]) +
                    " dilated " + std::to_string(c.dilation[r]) + " pad " + std::to_string(c.pad[r]) + " and " +
                    std::to_string(c.pad_end[r]);
    rules.text += std::string(c.ceil_mode ? ", ceil" : "") + (c.count_padding ? ", padding counts" : "") +
                  (c.divisor > 0 ? ", over " + std::to_string(c.divisor) : "");
    return c;
  };
  for (index_t& stride : c.stride.of) stride = 1;
  c.count_padding = engine() % 2 == 0, c.ceil_mode = engine() % 2 == 0;
  c.divisor = one_of(engine, {0, 0, 0, 1, 7});
  rules.sizes = {{"n", {0, 1, 1, 1, 2, 3, 5}}, {"channels", {1, 1, 3, 7, 8, 15, 16, 17, 31, 33, 64, 67, 150, 1029}}};
  if (engine() % 8 == 0 && most > 2e4) {  // several chunks
    c.kernel.of[2] = 600, c.stride.of[2] = one_of(engine, {20, 50}), c.dilation.of[2] = one_of(engine, {1, 2});
    c.pad.of[2] = below(engine, 90), c.pad_end.of[2] = below(engine, 90);
    rules.sizes = {
        {"n", {1}}, {"channels", {1, 3, 17, 33, 150}}, {"spatial...2", {700 * c.dilation[2]}}, {"spatial...", {1}}};
    return done();
  }
  const index_t rank = 1 + below(engine, 3);
  for (int r = 0; r < 3 - rank; ++r) rules.sizes.push_back({"spatial..." + std::to_string(r), {1}});
  rules.sizes.push_back({"spatial...", {0, 1, 2, 3, 5, 7, 8, 11, 13, 14, 16, 28, 31}});
  for (int r = static_cast<int>(3 - rank); r < 3; ++r) {
    const index_t kind = below(engine, 12);
    if (kind == 0) {
      c.kernel.of[r] = whole_axis, c.stride.of[r] = c.as_kernel;
      continue;
    }
    const index_t kernel = one_of(engine, {1, 2, 2, 2, 3, 3, 3, 4, 5, 7, kind == 1 ? 29 : 2});
    c.kernel.of[r] = kernel, c.stride.of[r] = one_of(engine, {kernel, kernel, 1, 1, 2, 3});
    c.dilation.of[r] = one_of(engine, {1, 1, 1, 2, 3});
    c.pad.of[r] = below(engine, 8) == 0 ? below(engine, 2 * kernel) : below(engine, kernel);
    c.pad_end.of[r] = below(engine, kernel);
  }
  return done();
}

std::function<bool(const tensor_shape*)> few_taps(int x, bool again, double most) {
  return [=](const tensor_shape* shape) {
    const tensor_shape& s = shape[x];
    double results = static_cast<double>(s.extent[0] * s.extent[1]), taps = 1;
    for (int r = 0; r < 3; ++r) {
      const window_axis a = current_window.axis(r, s.extent[2 + r]);
      results *= static_cast<double>(a.out), taps *= static_cast<double>(a.kernel);
    }
    return results * taps <= most && (!again || results * taps * taps <= 4 * most);
  };
}

}  // namespace tern::test::inline TERN_ISA
