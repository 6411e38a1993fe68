// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulated.hpp"

#include <cmath>
#include <cstddef>
#include <random>

namespace galaxy_shapes {

namespace {

constexpr double pi = 3.141592653589793;

/// The brightness of a band at a wavelength (in nm) and a redshift. In the galaxy's own frame the spectrum falls by a
/// factor of three below 400 nm, over 60 nm, and reddens slowly.
double brightness(double wavelength, double redshift, double colour) {
  const double own = wavelength / (1 + redshift);
  const double step = 1 / (1 + std::exp(-(own - 400) / 30));
  return (1 + 2 * step) * std::pow(own / 500, colour);
}

}  // namespace

galaxies simulate(index_t count, unsigned seed) {
  // Middles of the bands u, g, r, i, z and y of the Rubin Observatory.
  constexpr double wavelengths[bands] = {368, 480, 622, 754, 869, 971};
  std::mt19937 random(seed);
  // Distributions differ between standard libraries; the bits of engines do not.
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) * 0x1p-32;
  };
  const auto normal = [&] {
    const double radius = std::sqrt(-2 * std::log((static_cast<double>(random()) + 1) * 0x1p-32));
    return radius * std::cos(2 * pi * static_cast<double>(random()) * 0x1p-32);
  };
  galaxies r;
  r.images.reserve(static_cast<std::size_t>(count * side * side * bands));
  r.truth.reserve(static_cast<std::size_t>(count * numbers));
  for (index_t i = 0; i < count; ++i) {
    const double ellipticity = uniform(0, 0.6), angle = uniform(0, pi), redshift = uniform(0.1, 1.5);
    const double radius = uniform(3, 8), index = uniform(0.6, 4), flux = uniform(40, 200), colour = uniform(0, 0.6);
    const double x0 = uniform(-1.5, 1.5), y0 = uniform(-1.5, 1.5);
    // Axes a and b with a b = radius^2 and (a - b) / (a + b) = ellipticity.
    const double ratio = (1 - ellipticity) / (1 + ellipticity), a = radius / std::sqrt(ratio),
                 b = radius * std::sqrt(ratio);
    const double c = std::cos(angle), s = std::sin(angle);
    const double steepness = 2 * index - 1.0 / 3 + 4 / (405 * index);  // half of the light is within the radius
    double light[bands];
    for (int k = 0; k < bands; ++k) light[k] = flux * brightness(wavelengths[k], redshift, colour) / (radius * radius);
    for (index_t row = 0; row < side; ++row)
      for (index_t column = 0; column < side; ++column) {
        const double x = static_cast<double>(column) - 0.5 * (side - 1) - x0,
                     y = static_cast<double>(row) - 0.5 * (side - 1) - y0;
        const double u = (c * x + s * y) / a, v = (c * y - s * x) / b;
        // Half a pixel of seeing keeps the middle finite.
        const double distance = std::sqrt(u * u + v * v + 0.25 / (radius * radius));
        const double profile = std::exp(-steepness * (std::pow(distance, 1 / index) - 1));
        for (int k = 0; k < bands; ++k)
          r.images.push_back(static_cast<float>(std::asinh(light[k] * profile + 0.3 * normal())));
      }
    r.truth.push_back(static_cast<float>(ellipticity * std::cos(2 * angle)));
    r.truth.push_back(static_cast<float>(ellipticity * std::sin(2 * angle)));
    r.truth.push_back(static_cast<float>(redshift));
  }
  return r;
}

void moments(const float* image, double* e1, double* e2) {
  double sum = 0, xx = 0, yy = 0, xy = 0;
  for (index_t row = 0; row < side; ++row)
    for (index_t column = 0; column < side; ++column) {
      const double x = static_cast<double>(column) - 0.5 * (side - 1), y = static_cast<double>(row) - 0.5 * (side - 1);
      double light = 0;
      for (int k = 0; k < bands; ++k) light += std::sinh(static_cast<double>(image[(row * side + column) * bands + k]));
      light *= std::exp(-(x * x + y * y) / 200);
      sum += light, xx += light * x * x, yy += light * y * y, xy += light * x * y;
    }
  // Of axes a and b: (a^2 - b^2) / (a^2 + b^2 + 2 a b) is (a - b) / (a + b).
  const double area = xx * yy - xy * xy, size = xx + yy + 2 * std::sqrt(area > 0 ? area : 0);
  *e1 = sum > 0 && size > 0 ? (xx - yy) / size : 0;
  *e2 = sum > 0 && size > 0 ? 2 * xy / size : 0;
}

}  // namespace galaxy_shapes
