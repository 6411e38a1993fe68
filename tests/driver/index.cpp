// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/driver/index.hpp"

#include <string>

namespace tern::test::inline TERN_ISA {

move_configs current_moves;

index_t move_configs::padded(int r, index_t size) const {
  const index_t least = around.mode == border::constant ? 0 : around.mode == border::reflect ? 2 : 1;
  const index_t results = around.axis(r, size).out();
  return results > size && size < least ? -1 : results;
}

move_configs random_moves(std::mt19937& engine, call_rules& rules) {
  move_configs c;
  const bool long_sums = engine() % 16 == 0;
  const int axes = 1 + static_cast<int>(below(engine, 3));
  c.larger.mode = static_cast<interpolation>(engine() % 3), c.around.mode = static_cast<border>(engine() % 4);
  c.blocks.order = static_cast<depth_order>(engine() % 2);
  c.shuffle.groups = one_of(engine, {1, 2, 3, 4, 8});
  rules.text = std::string(name(c.larger.mode)) + ", " + name(c.around.mode) + ", " + name(c.blocks.order) + ", " +
               std::to_string(c.shuffle.groups) + " groups; factors, before, after, blocks";
  for (int r = 0; r < 3; ++r) {
    const bool is = r >= 3 - axes;
    c.larger.factor.of[r] = long_sums ? 9 : is ? one_of(engine, {1, 2, 3, 4}) : 1;
    c.around.pad.of[r] = long_sums ? 17 : is ? one_of(engine, {0, 0, 1, 2, 3, 9}) : 0;
    c.around.pad_end.of[r] = long_sums ? 1 : is ? one_of(engine, {0, 0, 1, 2, 5, 8}) : 0;
    const index_t block = c.blocks.block.of[r] = is ? one_of(engine, {1, 2, 2, 3}) : 1;
    rules.text += " " + std::to_string(c.larger.factor[r]) + "," + std::to_string(c.around.pad[r]) + "," +
                  std::to_string(c.around.pad_end[r]) + "," + std::to_string(block);
    const std::string name = "spatial..." + std::to_string(r);
    if (long_sums)
      rules.sizes.push_back({name, {1, 2}});
    else if (is)
      rules.sizes.push_back({name, {0, block, block, 2 * block, 3 * block, 5, 8, 13, 17, 19, 18, 32, 33}});
    else
      rules.sizes.push_back({name, {1}});
  }
  const index_t g = c.shuffle.groups, e = c.blocks.elements();
  rules.sizes.push_back({"n", {0, 1, 1, 2, 3}});
  rules.sizes.push_back({"channels", {g, 2 * g, 5 * g, e, 3 * e, g * e, 1, 3, 8, 16, 17, 24, 33, 64, 72, 100}});
  return c;
}

std::function<bool(const tensor_shape*)> few_elements(double most) {
  return [=](const tensor_shape* s) { return static_cast<double>(s[0].size() + s[1].size()) <= 2 * most; };
}
std::function<bool(const tensor_shape*)> few_terms(int x, int y, double most) {
  return [=](const tensor_shape* s) {
    double terms = static_cast<double>(s[y].size()) * 8, of_borders = static_cast<double>(s[x].size());
    for (int r = 0; r < 3; ++r)
      of_borders *= static_cast<double>(1 + current_moves.around.pad[r] + current_moves.around.pad_end[r]);
    return terms <= 8 * most && of_borders <= 8 * most;
  };
}

}  // namespace tern::test::inline TERN_ISA
