// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace digits {

/// Handwritten digits: images of 8 x 8 pixels in [0, 1], row by row, and the digit each of them shows.
struct dataset {
  static constexpr int pixels = 64;
  static constexpr int classes = 10;
  std::vector<float> images;
  std::vector<int> labels;

  int size() const { return static_cast<int>(labels.size()); }
};

/// Reads lines of 64 pixels (0 to 16) and a class (0 to 9), separated by commas. Throws std::runtime_error with file and
/// line where it cannot.
dataset load(const std::string& path);

}  // namespace digits
