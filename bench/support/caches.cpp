// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/support/caches.hpp"

#include <fstream>

namespace tern::bench {

const std::vector<cache>& caches() {
  static const std::vector<cache> all = [] {
    std::vector<cache> found;
    for (int i = 0;; ++i) {
      const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
      const auto read = [&](const char* file, auto& to) { return bool(std::ifstream(folder + file) >> to); };
      cache c{};
      char unit = 0;
      std::ifstream size(folder + "size");  // "32K"
      if (!read("level", c.level) || !read("type", c.type) || !(size >> c.bytes)) return found;
      if (size >> unit) c.bytes *= unit == 'M' ? 1 << 20 : unit == 'K' ? 1 << 10 : 1;
      found.push_back(c);
    }
  }();
  return all;
}

}  // namespace tern::bench
