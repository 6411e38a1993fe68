// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulated Bragg peaks on a detector of pixels, with known centres. Plain data.
#pragma once

#include <vector>

#include "tern/core/config.hpp"

namespace braggnn {

using tern::index_t;

inline constexpr index_t side = 11;  ///< pixels of a crop along either axis

struct peaks {
  std::vector<float> pixels;   ///< crops of side x side, scaled to [0, 1] each
  std::vector<float> centres;  ///< x and y of each, as fractions of a crop: 0.5 is its middle

  index_t count() const { return static_cast<index_t>(centres.size()) / 2; }
};

/// Pseudo-Voigt peaks (a mixture of a Gaussian and a Lorentzian of one width), elliptical and turned, with centres up
/// to 2.5 pixels off the middle of a crop, on a background, with counting noise. The same on every machine except for
/// the last bits of libm.
peaks simulate(index_t count, unsigned seed);

/// An estimate without a network: the centroid of the light above the background.
void centroid(const float* pixels, float* centre);

}  // namespace braggnn
