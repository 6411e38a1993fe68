// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "common.hpp"
#include "run.hpp"

namespace zoo::inline TERN_ISA {

constexpr activation leaky = tern::leaky_relu(0.3);

/// Generates, from noise, the energies that a shower leaves in 25 x 25 x 25 cells of a calorimeter.
/// \tparam Width  channels of the first convolution
template <index_t Width>
struct shower_generator {
  static constexpr value define(graph& g, value x) {
    x = g.matmul("dense", {.n = 7 * 7 * 8 * 8, .bias = true}, x);
    x = g.reshape("volume", sample_shape::volume(8, 7, 7, 8), x);
    x = g.conv3d(
        "conv1",
        {.out = Width, .kernel = {6, 6, 8}, .pad = {2, 2, 3}, .pad_end = {3, 3, 4}, .bias = true, .act = leaky}, x);
    x = g.upsample3d("upsample1", {.factor = 2}, g.batch_norm("norm1", {}, x));
    x = g.conv3d("conv2", {.out = 6, .kernel = {6, 5, 8}, .pad = {2, 2, 0}, .bias = true, .act = leaky}, x);
    x = g.upsample3d("upsample2", {.factor = {2, 2, 3}}, g.batch_norm("norm2", {}, x));
    x = g.conv3d("conv3", {.out = 6, .kernel = {3, 3, 8}, .pad = {1, 0, 3}, .bias = true, .act = leaky}, x);
    return g.conv3d("energies", {.out = 1, .kernel = 2, .act = activation::relu}, x);
  }
};
/// Distinguishes simulated from generated showers, and estimates the energy of the particle. Also sums the cells.
template <index_t Width>
struct shower_discriminator {
  static constexpr value conv(graph& g, index_t number, index_t out, index_t pad, const value& x) {
    const auto names = g.inside("conv", number);
    return g.conv3d("conv", {.out = out, .kernel = 5, .pad = {pad, pad, pad}, .bias = true, .act = leaky}, x);
  }
  static constexpr std::array<value, 3> define(graph& g, value x) {
    constexpr index_t few = Width / 4;
    const value sum = g.flatten(g.global_sum_pool("sum", x));
    value y = g.dropout("drop1", 20, conv(g, 1, Width, 2, x));
    y = g.dropout("drop2", 20, g.batch_norm("norm2", {}, conv(g, 2, few, 2, y)));
    y = g.dropout("drop3", 20, g.batch_norm("norm3", {}, conv(g, 3, few, 2, y)));
    y = g.dropout("drop4", 20, g.batch_norm("norm4", {}, conv(g, 4, few, 1, y)));
    y = g.flatten(g.avg_pool3d("pool", {.kernel = 2, .stride = 2}, y));
    return {g.matmul("real", {.n = 1, .bias = true, .act = activation::sigmoid}, y),
            g.matmul("energy", {.n = 1, .bias = true}, y), sum};
  }
};

inline constexpr sample_shape shower_latent = sample_shape::features(200),
                              shower_cells = sample_shape::volume(1, 25, 25, 25);

/// Trains a generator and a discriminator against each other.
/// \tparam Generator, Discriminator  networks
template <class Generator, class Discriminator>
struct gan_trainer {
  learner<Generator> g;
  learner<Discriminator> d;
  std::array<tern::aligned_vector<float>, 1> no_dx, dx;
  std::array<tern::aligned_vector<float>, 3> dy;

  explicit gan_trainer(index_t batch)
      : g(batch, 1),
        d(batch, 2),
        dx{floats(batch * shower_cells.size())},
        dy{floats(batch), floats(batch), floats(batch)} {}

  /// Computes the loss of the discriminator and its gradient: the cross-entropy of real or generated with weight 6, and
  /// the relative errors of energy and sum with weights 20 and 10.
  double validate(float real, const tern::aligned_vector<float>& energy, const tern::aligned_vector<float>& sum) {
    const std::size_t n = energy.size();
    const auto per_sample = [&](double x) { return static_cast<float>(x / static_cast<double>(n)); };
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double p = std::fmin(std::fmax(d.y[0][i], 1e-6), 1 - 1e-6);
      loss -= 6 * std::log(real > 0 ? p : 1 - p);
      dy[0][i] = per_sample(6 * (p - double(real)) / (p * (1 - p)));
      const auto relative = [&](float made, float truth, double weight, float& to) {
        loss += weight * std::fabs(double(made) - double(truth)) / double(truth);
        to = per_sample((made > truth ? weight : -weight) / double(truth));
      };
      relative(d.y[1][i], energy[i], 20, dy[1][i]), relative(d.y[2][i], sum[i], 10, dy[2][i]);
    }
    return loss / static_cast<double>(n);
  }
  /// Trains the discriminator on simulated and on generated showers, then the generator.
  /// \param noise   latent numbers of the generated showers
  /// \param energy  of the particles, and the sums of their cells, of both kinds of showers
  /// \param also    adds to the generator's gradient, given its showers: also(y, dy)
  template <class State, class Also>
  double step(State& state, const std::array<tern::aligned_vector<float>, 1>& showers,
              const std::array<tern::aligned_vector<float>, 1>& noise, const tern::aligned_vector<float>& energy,
              const tern::aligned_vector<float>& sum, double rate, Also also) {
    const auto teach = [&](const std::array<tern::aligned_vector<float>, 1>& x, float real) {
      d.forward(state, x);
      const double loss = validate(real, energy, sum);
      d.backward(state, x, dy, no_dx);
      d.update(state, rate);
      return loss;
    };
    double loss = teach(showers, 1);
    g.forward(state, noise);
    loss += teach(g.y, 0);
    d.forward(state, g.y);
    validate(1, energy, sum);
    d.backward(state, g.y, dy, dx);
    also(g.y[0], dx[0]);
    g.backward(state, noise, dx, no_dx);
    g.update(state, rate);
    return loss;
  }
};

/// \tparam Discriminator  the width of the other network
template <index_t Discriminator>
struct adversarial {
  static constexpr const char* source = "svalleco/3Dgan, EcalEnergyGan.py (2019-02; shapes only)";
  static constexpr sample_shape full = shower_latent, reduced = full;

  template <class Net, class State>
  static outcome run_on(State& state, const settings& with) {
    const index_t n = with.batch;
    using critic = tern::network<shower_discriminator<Discriminator>, shower_cells, typename Net::policy_type>;
    gan_trainer<Net, critic> both(n);
    const auto kept = [&] {
      tensors all = both.g.kept("generator.");
      for (const tern::named_tensor& t : both.d.kept("discriminator.")) all.push_back(t);
      return all;
    };
    if (with.start) with.start(kept());
    std::array noise{random_numbers<float>(n * shower_latent.size(), 0, 1)},
        showers{random_numbers<float>(n * shower_cells.size(), 0, 2)};
    tern::aligned_vector<float> energy = random_numbers<float>(n, 0, 3), sum = floats(n);
    for (float& x : showers[0]) x = std::fmax(x, 0.0f);
    for (float& x : energy) x += 2;
    for (float& x : sum) x = 25 * 25 * 25 / 4;
    outcome o;
    infer<Net>(state, both.g.parameters, both.g.statistics, noise, both.g.y, with, o);
    o.seconds_of_step = median_seconds(with, "step", with.trains ? with.steps : 0, [&](index_t i) {
      o.last_loss = both.step(state, showers, noise, energy, sum, 1e-3, [](auto&, auto&) {});
      if (i == 0) o.first_loss = o.last_loss;
    });
    o.trained = 31 * checksum_of(both.g.parameters) + checksum_of(both.d.parameters);
    if (with.end) with.end(kept());
    return o;
  }
};

struct gan3d_small : shower_generator<8>, adversarial<4> {};
struct gan3d : shower_generator<64>, adversarial<32> {
  static constexpr const char* title = "3-D GAN, both networks";
  static constexpr index_t parameters = 872808;  ///< of the generator
  static_assert(tern::network<shower_discriminator<32>, shower_cells, tern::reference>::parameters == 73402);
  using small = gan3d_small;
};

}  // namespace zoo::inline TERN_ISA
