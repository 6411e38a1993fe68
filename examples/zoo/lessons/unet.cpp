// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// U-Net finds the pixels of galaxies: simulated ones, with exponential profiles, noise, and gradients of the sky.
#include "../unet.hpp"

#include "course.hpp"

namespace lessons::inline TERN_ISA {
namespace {

constexpr index_t side = 252, masked = 68, border = (side - masked) / 2, shown = 6;
constexpr tern::sample_shape image = tern::sample_shape::image(1, side, side);
using block = zoo::unet_of<8>;
using net = tern::network<block, image, tern::simd<>>;
static_assert(net::out == tern::sample_shape::image(2, masked, masked));

/// Draws an image, and a mask of the pixels in its middle where galaxies are brighter than the noise.
void draw(std::mt19937& random, float* x, std::int32_t* mask) {
  std::vector<float> light = floats(side * side);
  const int galaxies = 30 + static_cast<int>(random() % 50);
  for (int g = 0; g < galaxies; ++g) {
    const double cx = side * uniform(random), cy = side * uniform(random), size = 1.5 + 4 * uniform(random),
                 flat = 0.3 + 0.7 * uniform(random), angle = 3.1415927 * uniform(random),
                 bright = 0.4 + 2 * uniform(random), cosine = std::cos(angle), sine = std::sin(angle);
    const auto from = [&](double c) { return std::max<index_t>(0, static_cast<index_t>(c - 8 * size)); };
    const auto to = [&](double c) { return std::min<index_t>(side, static_cast<index_t>(c + 8 * size)); };
    for (index_t v = from(cy); v < to(cy); ++v)
      for (index_t u = from(cx); u < to(cx); ++u) {
        const double dx = static_cast<double>(u) - cx, dy = static_cast<double>(v) - cy;
        const double along = cosine * dx + sine * dy, across = (cosine * dy - sine * dx) / flat;
        light[static_cast<std::size_t>(v * side + u)] +=
            static_cast<float>(bright * std::exp(-std::sqrt(along * along + across * across) / size));
      }
  }
  const double noise = 0.1 + 0.2 * uniform(random), slope = uniform(random) - 0.5, sky = uniform(random);
  for (index_t v = 0; v < side; ++v)
    for (index_t u = 0; u < side; ++u)
      x[v * side + u] = light[static_cast<std::size_t>(v * side + u)] +
                        static_cast<float>(noise * gaussian(random) + sky + slope * static_cast<double>(u) / side);
  for (index_t v = 0; v < masked; ++v)
    for (index_t u = 0; u < masked; ++u)
      mask[v * masked + u] = light[static_cast<std::size_t>((v + border) * side + u + border)] > 0.3f;
}

outcome learn(const task& k) {
  constexpr index_t batch = 4, held_out = 24, pixels = side * side, masks = masked * masked;
  std::mt19937 random(1);
  std::vector<float> x = floats(held_out * pixels);
  std::vector<std::int32_t> truth(static_cast<std::size_t>(held_out * masks));
  for (index_t i = 0; i < held_out; ++i) draw(random, x.data() + i * pixels, truth.data() + i * masks);
  course<net, block::loss> c(batch, k.threads);
  const auto found = [](const std::vector<float>& y, std::size_t i) { return y[2 * i + 1] > y[2 * i]; };
  const auto missed = [&](const std::vector<float>& y) {
    double both = 0, either = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) both += found(y, i) && truth[i], either += found(y, i) || truth[i];
    return 1 - both / either;
  };
  outcome o;
  o.untrained = missed(c.infer(x));
  c.learn(k, 2e-3, [&](std::vector<float>& images, std::vector<std::int32_t>& target) {
    for (index_t i = 0; i < batch; ++i) draw(random, images.data() + i * pixels, target.data() + i * masks);
  });
  const std::vector<float> y = c.infer(x);
  o.trained = missed(y);
  o.shown = {masked, shown, {}};
  for (int row = 0; row < 3; ++row)
    for (index_t i = 0; i < shown; ++i)
      for (index_t p = 0; p < masks; ++p) {
        const std::size_t at = static_cast<std::size_t>(i * masks + p);
        const float light =
            x[static_cast<std::size_t>(i * pixels + (p / masked + border) * side + p % masked + border)];
        o.shown.pixels.push_back(row == 0   ? std::fmin(std::fmax(light / 2, 0.0f), 1.0f)
                                 : row == 1 ? static_cast<float>(found(y, at))
                                            : static_cast<float>(truth[at]));
      }
  return o;
}

}  // namespace
}  // namespace lessons::inline TERN_ISA

namespace lessons {
lesson make_lesson(tern::isa_tag::current) {
  return {"U-Net of 8 channels: masks of galaxies",
          "1 - intersection over union",
          "the sky, what the network finds, the truth",
          0.25,
          600,
          0,
          learn};
}
}  // namespace lessons
