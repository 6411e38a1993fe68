// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network with all operands of its passes, in poisoned buffers of exactly the required sizes.
#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "tern/blocks.hpp"

namespace tern::test {

template <class T>
std::vector<T> random_vector(index_t n, std::mt19937& from, double low = -1, double high = 1) {
  std::uniform_real_distribution<double> d(low, high);
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) x = static_cast<T>(d(from));
  return v;
}
template <class T>
std::vector<T> poisoned(index_t n) {
  return std::vector<T>(static_cast<std::size_t>(n), std::numeric_limits<T>::quiet_NaN());
}

/// Passes of Net over some samples, with random inputs from the seed.
template <class Net>
struct passes {
  using T = typename Net::value_type;

  index_t batch;
  decltype(Net::make_state()) state = Net::make_state();
  std::vector<T> parameters, statistics, x, dy, y, dx, gradient, memory, penalties;
  random_site site{.seed = 5, .step = 2};
  static constexpr double of_penalties = 0.7;

  explicit passes(index_t samples, unsigned seed = 1) : batch(samples) {
    parameters.resize(static_cast<std::size_t>(Net::parameters));
    statistics.resize(static_cast<std::size_t>(Net::statistics));
    Net::initialize(parameters, statistics, seed);
    std::mt19937 random(seed);
    // Scales, shifts and slopes that are not all alike.
    for (T& p : parameters) p += static_cast<T>(0.1) * random_vector<T>(1, random)[0];
    x = random_vector<T>(batch * Net::in.size(), random);
    dy = random_vector<T>(batch * Net::out.size(), random);
  }

  void forward() {
    memory = poisoned<T>(Net::training_memory.elements(batch));
    y = poisoned<T>(batch * Net::out.size());
    penalties.assign(static_cast<std::size_t>(Net::penalties), T(0));
    Net::forward(state, parameters, statistics, x, y, memory, site, 0.9, penalties);
  }
  void backward(bool of_x = true) {
    gradient.assign(static_cast<std::size_t>(Net::parameters), T(0));
    dx = poisoned<T>(of_x ? batch * Net::in.size() : 0);
    Net::backward(state, parameters, gradient, x, y, dy, dx, memory, site, of_penalties);
    auto of_step = penalties;
    Net::conclude(state, parameters, gradient, of_step, site, of_penalties, batch);
  }
  void infer() {
    memory = poisoned<T>(Net::infer_memory.elements(batch));
    y = poisoned<T>(batch * Net::out.size());
    Net::infer(state, parameters, statistics, x, y, memory);
  }
  void infer_packed() {
    memory = poisoned<T>(Net::infer_memory.elements(batch));
    y = poisoned<T>(batch * Net::out.size());
    auto weights = poisoned<T>(Net::packed);
    const auto ready = Net::pack(parameters, statistics, weights);
    Net::infer(state, ready, x, y, memory);
  }
  /// The sum of dy y, and penalties.
  long double loss() {
    auto of_step = penalties, unused = parameters;
    long double sum = of_penalties * Net::conclude(state, parameters, unused, of_step, site, of_penalties, batch);
    for (std::size_t i = 0; i < y.size(); ++i) sum += static_cast<long double>(dy[i]) * static_cast<long double>(y[i]);
    return sum;
  }
};

}  // namespace tern::test
