// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <tern/files.hpp>
#include <vector>

int main() {
  std::vector<float> w{1, 2, 3}, v{4, 5, 6};
  const std::vector model{tern::named("w", w), tern::named("v", v)};
  tern::save_safetensors("consumer.safetensors", model, {{"by", "consumer"}});
  tern::save_npz("consumer.npz", model);
  w = {}, v = {};
  w.resize(3), v.resize(3);
  const std::vector again{tern::named("w", w), tern::named("v", v)};
  std::printf("by %s\n", tern::load_safetensors("consumer.safetensors", again).metadata.at("by").c_str());
  tern::load_npz("consumer.npz", again);
  return w != std::vector<float>{1, 2, 3} || v != std::vector<float>{4, 5, 6};
}
