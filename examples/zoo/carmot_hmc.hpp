// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "common.hpp"
#include "run.hpp"
#include "tern/kernel/normal_sample.hpp"

namespace zoo::inline TERN_ISA {

/// A regression whose parameters are drawn from their distribution given the data, by Hamiltonian Monte Carlo: momenta
/// are drawn, and parameters move along the gradient of all data.
struct carmot_hmc {
  static constexpr const char* title = "Carmot HMC";
  static constexpr const char* source = "graphcore/examples, probability/mcmc (TensorFlow 1), MIT";
  static constexpr sample_shape full = sample_shape::features(22), reduced = full;
  static constexpr index_t parameters = 963;

  static constexpr value define(graph& g, value x) {
    x = g.matmul("first", {.n = 40, .bias = true, .act = activation::tanh}, x);
    return g.matmul("scale", {.n = 1, .bias = true}, g.matmul("second", {.n = 1, .bias = true}, x));
  }

  static constexpr int leaps = 20;  ///< of a step
  static constexpr double degrees = 2.2, scale = 100, prior_variance = 200, time_step = 0.01;

  /// The state of a chain.
  template <class Net, class State>
  struct chain {
    State& state;
    index_t rows;
    std::array<tern::aligned_vector<float>, 1> x, made;
    tern::aligned_vector<float> y, at, gradient, dy, memory;
    std::uint32_t steps_done = 0;

    chain(State& s, index_t n)
        : state(s),
          rows(n),
          x{random_numbers<float>(n * 22, 0, 1)},
          made{floats(n)},
          y(random_numbers<float>(n, 0, 2)),
          at(floats(Net::parameters)),
          gradient(at.size()),
          dy(y.size()),
          memory(floats(Net::training_memory.elements(n))) {
      Net::initialize(std::span(at), std::span<float>(), 1);
    }
    /// Minus the logarithm of the density at the parameters, and its gradient.
    double energy() {
      Net::forward(state, std::span<const float>(at), std::span<float>(), std::span<const float>(x[0]),
                   std::span(made[0]), std::span(memory));
      double sum = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double off = double(made[0][i]) - double(y[i]), tail = degrees * scale * scale + off * off;
        sum += (degrees + 1) / 2 * std::log(tail);
        dy[i] = static_cast<float>((degrees + 1) * off / tail);
      }
      for (std::size_t i = 0; i < at.size(); ++i) {
        sum += double(at[i]) * double(at[i]) / (2 * prior_variance);
        gradient[i] = at[i] / static_cast<float>(prior_variance);
      }
      Net::backward(state, std::span<const float>(at), std::span(gradient), std::span<const float>(x[0]),
                    std::span(made[0]), std::span<const float>(dy), std::span<float>(), std::span(memory));
      return sum;
    }
  };
  static void add(tern::aligned_vector<float>& to, double by, const tern::aligned_vector<float>& of) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::fma(static_cast<float>(by), of[i], to[i]);
  }

  /// Steps of a chain: first_loss and last_loss are energies.
  template <class Net, class State>
  static outcome run_on(State& state, const settings& with) {
    chain<Net, State> c(state, 64 * with.batch);
    const auto kept = [&] {
      tensors all = tern::tensors_of<Net>(c.at, {});
      all.push_back(tern::named("steps_done", std::span(&c.steps_done, 1)));
      return all;
    };
    if (with.start) with.start(kept());
    outcome o;
    infer<Net>(state, c.at, std::span<const float>(), c.x, c.made,
               settings{.batch = c.rows, .steps = with.steps, .cuts = with.cuts, .samples = with.samples}, o);
    const tern::aligned_vector<float> zeros = floats(Net::parameters);
    tern::aligned_vector<float> momenta = zeros;
    double energy = o.first_loss = c.energy();
    o.seconds_of_step = median_seconds(with, "step", with.trains ? with.steps : 0, [&](index_t) {
      const auto row = [](auto& v) { return tern::view(v, tern::dims<2>(1, Net::parameters)); };
      tern::kernel<tern::normal_sample<>, typename Net::policy_type>()(
          state, row(zeros), row(zeros), row(momenta), tern::random_site{.seed = 1, .step = c.steps_done});
      const auto kinetic = [&] {
        double sum = 0;
        for (float p : momenta) sum += double(p) * double(p) / 2;
        return sum;
      };
      const tern::aligned_vector<float> before = c.at;
      const double total = energy + kinetic();
      double now = c.energy();
      for (int leap = 0; leap < leaps; ++leap) {
        add(momenta, -time_step / 2, c.gradient);
        add(c.at, time_step, momenta);
        now = c.energy();
        add(momenta, -time_step / 2, c.gradient);
      }
      std::mt19937 random(c.steps_done++);
      const double chance = static_cast<double>(random()) * 0x1p-32;
      if (chance < std::exp(total - (now + kinetic())))
        energy = now;
      else
        c.at = before;
    });
    o.last_loss = energy, o.trained = checksum_of(c.at);
    if (with.end) with.end(kept());
    return o;
  }
};

}  // namespace zoo::inline TERN_ISA
