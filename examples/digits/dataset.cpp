// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dataset.hpp"

#include <charconv>
#include <fstream>
#include <stdexcept>

namespace digits {

dataset load(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  dataset data;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto next = [&](int limit) {
      int value = -1;
      const auto [rest, error] = std::from_chars(at, end, value);
      if (error != std::errc() || value < 0 || value > limit)
        throw std::runtime_error(path + ":" + std::to_string(number) + ": expected 64 pixels (0 to 16) and a class (0 to 9)");
      at = rest != end && *rest == ',' ? rest + 1 : rest;
      return value;
    };
    for (int p = 0; p < dataset::pixels; ++p) data.images.push_back(static_cast<float>(next(16)) / 16.0f);
    data.labels.push_back(next(9));
    if (at != end && *at != '\r')
      throw std::runtime_error(path + ":" + std::to_string(number) + ": more than 65 numbers");
  }
  if (data.size() == 0) throw std::runtime_error(path + " is empty");
  return data;
}

}  // namespace digits
