// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small 3-D GAN learns to make showers of particles in a calorimeter. The longitudinal profile of simulated showers
// is a gamma distribution (Longo and Sestili 1975), whose depth grows with the logarithm of the energy.
#include "../gan3d.hpp"

#include "course.hpp"
#include "start.hpp"

namespace lessons::inline TERN_ISA {
namespace {

constexpr index_t cells = 25, volume = cells * cells * cells, latent = zoo::shower_latent.size();
constexpr double response = 60;  ///< the sum of the cells for a unit of energy
using generator = tern::network<zoo::shower_generator<8>, zoo::shower_latent, tern::simd<>>;
using discriminator = tern::network<zoo::shower_discriminator<8>, zoo::shower_cells, tern::simd<>>;
using numbers = tern::aligned_vector<float>;
using tensor = std::array<numbers, 1>;

/// The shares of the energy that a shower leaves at each depth.
void longitudinal(double energy, double beta, double (&depth)[cells]) {
  double all = 0;
  for (index_t t = 0; t < cells; ++t) {
    const double at = static_cast<double>(t) + 0.5;
    all += depth[t] = std::pow(at, 2 + std::log(energy)) * std::exp(-beta * at);
  }
  for (double& d : depth) d /= all;
}
/// The cells of a shower; depth is the last axis.
void draw(std::mt19937& random, double energy, float* to) {
  double depth[cells];
  longitudinal(energy, 0.45 + 0.04 * gaussian(random), depth);
  const double cx = 12 + 0.3 * gaussian(random), cy = 12 + 0.3 * gaussian(random);
  double across[cells * cells], plane = 0;
  for (index_t y = 0; y < cells; ++y)
    for (index_t x = 0; x < cells; ++x)
      plane += across[y * cells + x] =
          std::exp(-std::hypot(static_cast<double>(x) - cx, static_cast<double>(y) - cy) / 1.6);
  for (index_t p = 0; p < cells * cells; ++p)
    for (index_t t = 0; t < cells; ++t)
      to[p * cells + t] = static_cast<float>(response * energy * across[p] / plane * depth[t] *
                                             std::fmax(0.0, 1 + 0.2 * gaussian(random)));
}
/// Energies from 1 to 5, and latent numbers times the energy.
void draw_latent(std::mt19937& random, numbers& energy, numbers& noise) {
  for (std::size_t i = 0; i < energy.size(); ++i) {
    energy[i] = static_cast<float>(1 + 4 * uniform(random));
    for (std::size_t k = 0; k < static_cast<std::size_t>(latent); ++k)
      noise[i * static_cast<std::size_t>(latent) + k] = energy[i] * static_cast<float>(gaussian(random));
  }
}
/// Adds to dy the gradient of the squared distance between the longitudinal profile of each shower and that of a
/// simulated one of its energy, relative to the latter's square. Without it training takes hours.
void compare_profiles(const numbers& energy, const numbers& showers, numbers& dy) {
  constexpr double weight = 30;
  for (std::size_t n = 0; n < energy.size(); ++n) {
    double wanted[cells], made[cells] = {}, squares = 0;
    longitudinal(double(energy[n]), 0.45, wanted);
    const std::size_t first = n * static_cast<std::size_t>(volume);
    for (std::size_t c = 0; c < static_cast<std::size_t>(volume); ++c) made[c % cells] += double(showers[first + c]);
    for (double& w : wanted) w *= response * double(energy[n]), squares += w * w;
    for (std::size_t c = 0; c < static_cast<std::size_t>(volume); ++c)
      dy[first + c] += static_cast<float>(weight * 2 * (made[c % cells] - wanted[c % cells]) / squares /
                                          static_cast<double>(energy.size()));
  }
}
/// The mean energy that showers leave at each depth.
std::vector<double> profile_of(const numbers& showers) {
  std::vector<double> profile(static_cast<std::size_t>(cells));
  for (std::size_t i = 0; i < showers.size(); ++i) profile[i % profile.size()] += double(showers[i]);
  for (double& p : profile) p *= static_cast<double>(volume) / static_cast<double>(showers.size());
  return profile;
}

outcome learn(const task& k) {
  constexpr index_t batch = 8, judged = 64;
  tern::team crew(k.threads);
  std::mt19937 random(1);
  zoo::gan_trainer<generator, discriminator> both(batch);
  numbers energy = zoo::floats(judged), noise = zoo::floats(judged * latent), simulated = zoo::floats(judged * volume),
          made = simulated;
  draw_latent(random, energy, noise);
  for (index_t i = 0; i < judged; ++i)
    draw(random, double(energy[static_cast<std::size_t>(i)]), simulated.data() + i * volume);
  const std::vector<double> wanted = profile_of(simulated);
  const auto distance = [&] {
    numbers memory = zoo::floats(generator::infer_memory.elements(judged));
    generator::infer(crew, std::span<const float>(both.g.parameters), std::span<const float>(both.g.statistics),
                     std::span<const float>(noise), std::span(made), std::span(memory));
    const std::vector<double> got = profile_of(made);
    double off = 0, all = 0;
    for (std::size_t t = 0; t < got.size(); ++t) off += std::fabs(got[t] - wanted[t]), all += wanted[t];
    return off / all;
  };
  demo::shrink_last_weights<generator>(both.g.parameters, 0.02);  // energies begin near those of showers
  outcome o;
  o.untrained = distance();
  numbers some_energy = zoo::floats(batch), sum = zoo::floats(batch);
  tensor showers{zoo::floats(batch * volume)}, some_noise{zoo::floats(batch * latent)};
  for (index_t i = 0; i < k.steps; ++i) {
    draw_latent(random, some_energy, some_noise[0]);
    for (index_t n = 0; n < batch; ++n) {
      float* const to = showers[0].data() + n * volume;
      draw(random, double(some_energy[static_cast<std::size_t>(n)]), to);
      double all = 0;
      for (index_t c = 0; c < volume; ++c) all += double(to[c]);
      sum[static_cast<std::size_t>(n)] = static_cast<float>(all);
    }
    k.report(i, both.step(crew, showers, some_noise, some_energy, sum, rate_at(i, k.steps, 1e-3),
                          [&](const numbers& y, numbers& dy) { compare_profiles(some_energy, y, dy); }));
  }
  o.trained = distance();
  o.curves = {{"simulated", wanted}, {"made", profile_of(made)}};
  constexpr index_t shown = 12;
  o.shown = {cells, shown, {}};
  const numbers* const rows[] = {&simulated, &made};
  for (const auto* row : rows)
    for (index_t i = 0; i < shown; ++i)
      for (index_t x = 0; x < cells; ++x)
        for (index_t t = 0; t < cells; ++t) {
          double along = 0;  // the other axis
          for (index_t y = 0; y < cells; ++y)
            along += double((*row)[static_cast<std::size_t>(i * volume + (y * cells + x) * cells + t)]);
          o.shown.pixels.push_back(static_cast<float>(std::fmin(1.0, std::sqrt(along / 20))));
        }
  return o;
}

}  // namespace
}  // namespace lessons::inline TERN_ISA

namespace lessons {
lesson make_lesson(tern::isa_tag::current) {
  return {"A small 3-D GAN: showers in a calorimeter",
          "distance of the mean longitudinal profiles, relative to the truth",
          "showers from the side, depth to the right: simulated, made",
          0.35,
          600,
          0,
          learn};
}
}  // namespace lessons
