// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

namespace braggnn {

namespace {

/// A pseudo-Voigt peak: a mixture of a Gaussian and a Lorentzian of one width, elliptical and turned.
struct shape {
  double height, x, y, wide, narrow, c, s, share;

  template <class Uniform>
  shape(double high, double at_x, double at_y, const Uniform& uniform)
      : height(high), x(at_x), y(at_y), wide(uniform(0.8, 2.2)), narrow(uniform(0.6, 1) * wide) {
    const double angle = uniform(0, 3.141592653589793);
    c = std::cos(angle), s = std::sin(angle), share = uniform(0, 1);
  }
  double operator()(double at_x, double at_y) const {
    const double dx = at_x - x, dy = at_y - y, u = (c * dx + s * dy) / wide, v = (c * dy - s * dx) / narrow,
                 q = u * u + v * v;
    return height * (share / (1 + q) + (1 - share) * std::exp(-q / 2));
  }
};

}  // namespace

peaks simulate(index_t count, unsigned seed) {
  std::mt19937 random(seed);
  // Distributions differ between standard libraries; the bits of engines do not.
  const auto uniform = [&](double low, double high) { return low + (high - low) * random() * 0x1p-32; };
  const auto normal = [&] {
    const double radius = std::sqrt(-2 * std::log((random() + 1.0) * 0x1p-32));
    return radius * std::cos(6.283185307179586 * random() * 0x1p-32);
  };
  peaks r;
  r.pixels.reserve(static_cast<std::size_t>(count * side * side));
  r.centres.reserve(static_cast<std::size_t>(count * 2));
  for (index_t i = 0; i < count; ++i) {
    const double background = uniform(2, 20), height = uniform(60, 2000), x = uniform(-2.5, 2.5),
                 y = uniform(-2.5, 2.5);
    const shape own{height, x, y, uniform};
    // Every other peak has a neighbour, which pulls at the centre of mass.
    const double direction = uniform(0, 6.283185307179586), distance = uniform(4.5, 7.5);
    const shape neighbour{(random() & 1) != 0 ? height * uniform(0.1, 0.6) : 0, x + distance * std::cos(direction),
                          y + distance * std::sin(direction), uniform};
    float crop[side * side];
    for (index_t row = 0; row < side; ++row)
      for (index_t column = 0; column < side; ++column) {
        const auto at_x = static_cast<double>(column - side / 2), at_y = static_cast<double>(row - side / 2);
        const double light = own(at_x, at_y) + neighbour(at_x, at_y) + background;
        crop[row * side + column] = static_cast<float>(std::max(0.0, std::floor(light + std::sqrt(light) * normal())));
      }
    const auto [low, high] = std::minmax_element(crop, crop + side * side);
    const float least = *low, range = std::max(*high - *low, 1.0f);
    for (float p : crop) r.pixels.push_back((p - least) / range);
    r.centres.push_back(static_cast<float>((x + 0.5 * side) / side));
    r.centres.push_back(static_cast<float>((y + 0.5 * side) / side));
  }
  return r;
}

void centroid(const float* pixels, float* centre) {
  std::vector<float> sorted(pixels, pixels + side * side);
  std::nth_element(sorted.begin(), sorted.begin() + side * side / 2, sorted.end());
  const double background = sorted[side * side / 2];
  double sum = 0, x = 0, y = 0;
  for (index_t row = 0; row < side; ++row)
    for (index_t column = 0; column < side; ++column) {
      const double light = std::max(0.0, pixels[row * side + column] - background);
      sum += light;
      x += light * (static_cast<double>(column) + 0.5), y += light * (static_cast<double>(row) + 0.5);
    }
  centre[0] = static_cast<float>(sum > 0 ? x / sum / side : 0.5);
  centre[1] = static_cast<float>(sum > 0 ? y / sum / side : 0.5);
}

}  // namespace braggnn
