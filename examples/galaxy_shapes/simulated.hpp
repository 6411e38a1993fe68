// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulated galaxies whose shapes are known. Plain data.
#pragma once

#include <vector>

#include "model.hpp"

namespace galaxy_shapes {

struct galaxies {
  std::vector<float> images;  ///< side x side pixels of `bands` numbers each
  std::vector<float> truth;   ///< of each the ellipticities e1 and e2, and the redshift

  index_t count() const { return static_cast<index_t>(truth.size()) / numbers; }
};

/// Elliptical galaxies with a Sersic profile (Sersic 1963; Graham and Driver 2005, arXiv astro-ph/0503176), whose index
/// is from 0.6 to 4, near the middle of the image, in six bands: light of a spectrum with a break at 400 nm, which the
/// redshift from 0.1 to 1.5 moves through the bands, with the noise of a sky of known brightness. Ellipticities are
/// (a - b) / (a + b) of the axes a and b, times the cosine and sine of twice the angle. The same on every machine but
/// for the last bits of libm.
galaxies simulate(index_t count, unsigned seed);

/// Ellipticities from second moments under a Gaussian window of 10 pixels, of the sum of all bands: an estimate without
/// a network.
void moments(const float* image, double* e1, double* e2);

}  // namespace galaxy_shapes
