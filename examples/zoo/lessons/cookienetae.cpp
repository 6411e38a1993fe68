// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CookieNetAE learns the density of electrons from a few that were counted. Simulated: lines in energy (columns), which
// a laser field moves with the cosine of the detector's angle (rows).
#include "../cookienetae.hpp"

#include "course.hpp"
#include "start.hpp"

namespace lessons::inline TERN_ISA {
namespace {

constexpr index_t side = 128, pixels = side * side, shown = 6;
using net = tern::network<zoo::cookienetae, zoo::cookienetae::full, tern::simd<>>;

/// Densities, whose largest value is 1, and counts of electrons, which they give on average.
void draw(std::mt19937& random, float* counts, float* density) {
  constexpr double electrons = 0.4, background = 0.01;
  std::fill_n(density, pixels, 0.0f);
  const int lines = 1 + static_cast<int>(random() % 3);
  const double phase = 6.2831853 * uniform(random), field = 22 * uniform(random);
  for (int l = 0; l < lines; ++l) {
    const double energy = 30 + 68 * uniform(random), width = 2 + 4 * uniform(random), height = 0.3 + uniform(random);
    for (index_t a = 0; a < side; ++a) {
      const double at = energy + field * std::cos(6.2831853 * static_cast<double>(a) / side - phase);
      for (index_t e = 0; e < side; ++e) {
        const double off = (static_cast<double>(e) - at) / width;
        density[a * side + e] += static_cast<float>(height * std::exp(-off * off / 2));
      }
    }
  }
  const float most = *std::max_element(density, density + pixels);
  for (index_t i = 0; i < pixels; ++i) {
    density[i] /= most;
    const double mean = electrons * static_cast<double>(density[i]) + background;
    double left = uniform(random), p = std::exp(-mean);  // a Poisson draw
    int n = 0;
    while (left > p && n < 8) left -= p, p *= mean / ++n;
    counts[i] = static_cast<float>(n);
  }
}

outcome learn(const task& k) {
  constexpr index_t batch = 8, held_out = 32;
  std::mt19937 random(1);
  std::vector<float> x = floats(held_out * pixels), truth = x;
  for (index_t i = 0; i < held_out; ++i) draw(random, x.data() + i * pixels, truth.data() + i * pixels);
  course<net, zoo::cookienetae::loss> c(batch, k.threads);
  const auto error = [&](const std::vector<float>& y) {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      sum += std::pow(double(y[i]) - double(truth[i]), 2), all += std::pow(double(truth[i]), 2);
    }
    return sum / all;
  };
  // Results begin slightly above zero: a rectifier that is zero everywhere would learn nothing.
  demo::shrink_last_weights<net>(c.parameters(), 0.1);
  c.parameters().back() = 0.05f;
  outcome o;
  o.untrained = error(c.infer(x));
  c.learn(k, 1e-3, [&](std::vector<float>& counts, std::vector<float>& density) {
    for (index_t i = 0; i < batch; ++i) draw(random, counts.data() + i * pixels, density.data() + i * pixels);
  });
  const std::vector<float> y = c.infer(x);
  o.trained = error(y);
  o.shown = {side, shown, {}};
  const std::vector<float>* const rows[] = {&x, &y, &truth};
  for (const auto* row : rows)
    for (index_t i = 0; i < shown * pixels; ++i)
      o.shown.pixels.push_back(std::fmin(std::fmax((*row)[static_cast<std::size_t>(i)], 0.0f), 1.0f));
  return o;
}

}  // namespace
}  // namespace lessons::inline TERN_ISA

namespace lessons {
lesson make_lesson(tern::isa_tag::current) {
  return {"CookieNetAE: spectra of electrons",
          "squared error over the squares of the density",
          "counted electrons, what the network makes of them, the density",
          0.06,
          400,
          0,
          learn};
}
}  // namespace lessons
