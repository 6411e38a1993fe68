// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two training steps of small networks give the same bits under every policy. Unless samples see each other, they do so
// for every cut of the batch at grains.
#pragma once

#include <random>
#include <vector>

#include "tests/block/trainings.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

/// Everything that two steps and an inference leave, in one row.
template <class Isa, runner R, training N>
std::vector<float> trained(const any_executor& on, index_t most_at_a_time) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> from(-1, 1);
  std::vector<float> x(static_cast<std::size_t>(training_samples * training_inputs));
  for (float& i : x) i = static_cast<float>(from(random));
  std::vector<float> all;
  REQUIRE(run_training<Isa, R, N>(on, x, most_at_a_time, [&](const char*, std::span<const float> numbers) {
    all.insert(all.end(), numbers.begin(), numbers.end());
  }));
  return all;
}

template <runner R, training N>
void compare_training(const any_executor& on, index_t most_at_a_time) {
  static const std::vector<float> expected =
      trained<isa_tag::scalar, runner::reference, N>(any_executor{}, training_samples);
  CHECK(same_bits(trained<isa_tag::current, R, N>(on, most_at_a_time), expected));
}

template <runner R>
void compare_trainings(const any_executor& on) {
  compare_training<R, training::coupled_net>(on, training_samples);
  compare_training<R, training::autoencoder>(on, training_samples);
  for (index_t cut : {training_samples, index_t{64}, index_t{32}}) {
    INFO(cut);
    compare_training<R, training::separable_net>(on, cut);
    compare_training<R, training::stochastic_net>(on, cut);
    compare_training<R, training::attention_net>(on, cut);
  }
}

}  // namespace tern::test
