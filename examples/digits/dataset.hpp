// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "network.hpp"

namespace digits {

/// Handwritten digits: images of 8 x 8 pixels in [0, 1], row by row, one after the other, and the digit each shows.
struct dataset {
  std::vector<float> images;
  std::vector<std::int32_t> labels;

  index_t size() const { return static_cast<index_t>(labels.size()); }
  samples all() const { return {images.data(), labels.data(), size()}; }
};

/// Reads lines of 64 pixels (0 to 16) and a class (0 to 9), separated by commas. Throws std::runtime_error with file
/// and line where it cannot.
dataset load(const std::string& path);

/// Every n-th digit of `from`, and the others.
struct split {
  split(const dataset& from, index_t n);
  dataset every_nth, others;
};

}  // namespace digits
