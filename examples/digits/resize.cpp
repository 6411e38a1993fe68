// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "resize.hpp"

#include <algorithm>
#include <cmath>

namespace digits {

std::vector<float> resized(const dataset& from, index_t side) {
  constexpr index_t old = 8;
  static_assert(old * old == pixels);
  struct place {
    index_t low, high;
    float share;  // of the higher one
  };
  std::vector<place> places;
  for (index_t i = 0; i < side; ++i) {
    const float at = (static_cast<float>(i) + 0.5f) * static_cast<float>(old) / static_cast<float>(side) - 0.5f;
    const float low = std::floor(at);
    const auto within = [](float p) { return std::clamp<index_t>(static_cast<index_t>(p), 0, old - 1); };
    places.push_back({within(low), within(low + 1), at - low});
  }
  std::vector<float> images;
  images.reserve(static_cast<std::size_t>(from.size() * side * side));
  for (index_t n = 0; n < from.size(); ++n) {
    const float* const image = from.images.data() + n * pixels;
    const auto across = [&](index_t row, const place& p) {
      return image[row * old + p.low] * (1 - p.share) + image[row * old + p.high] * p.share;
    };
    for (const place& y : places)
      for (const place& x : places) images.push_back(across(y.low, x) * (1 - y.share) + across(y.high, x) * y.share);
  }
  return images;
}

}  // namespace digits
