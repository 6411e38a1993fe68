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
    const auto fail = [&](const char* what) {
      throw std::runtime_error(path + ", line " + std::to_string(number) + ": " + what);
    };
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto next = [&](int most) {
      int value = -1;
      const auto [rest, error] = std::from_chars(at, end, value);
      if (error != std::errc() || value < 0 || value > most)
        fail("expected are 64 pixels (0 to 16) and a digit (0 to 9)");
      at = rest != end && *rest == ',' ? rest + 1 : rest;
      return value;
    };
    for (int p = 0; p < pixels; ++p) data.images.push_back(static_cast<float>(next(16)) / 16);
    data.labels.push_back(next(9));
    if (at != end && *at != '\r') fail("there is more than 64 pixels and a digit");
  }
  if (data.size() == 0) throw std::runtime_error(path + " is empty or cannot be read");
  return data;
}

split::split(const dataset& from, index_t n) {
  for (index_t i = 0; i < from.size(); ++i) {
    dataset& to = i % n == 0 ? every_nth : others;
    const auto image = from.images.begin() + i * pixels;
    to.images.insert(to.images.end(), image, image + pixels);
    to.labels.push_back(from.labels[static_cast<std::size_t>(i)]);
  }
}

}  // namespace digits
