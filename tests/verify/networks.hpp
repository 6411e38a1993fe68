// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole training steps of small networks, and what those networks then say: starts, batches, losses, gradients,
// statistics, the optimiser, draws. What must not change their bits is the executor and, where samples do not see each
// other, the cut of the batch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tern/blocks.hpp"
#include "tests/block/networks.hpp"
#include "tests/support/bits.hpp"
#include "tests/verify/inputs.hpp"
#include "tests/verify/recorder.hpp"

namespace tern::test::inline TERN_ISA {

template <class T>
std::uint64_t sum_of(std::span<const T> values) {
  checksum sum;
  for (const T v : values) sum.add(v);
  return sum.value();
}

/// Two steps of one network.
template <class Block, class Policy, class State>
void train_network(recorder& to, const char* policy, const char* way, const char* name, State&& state,
                   index_t most_at_a_time) {
  using net = network<Block, picture_shape, Policy>;
  using training = trainer<net, typename loss_of<Block>::type, adam<adam_config{.decoupled = true, .clip = true}>>;
  using target = typename training::target_type;
  constexpr index_t batch = 70;
  const auto numbers = [](index_t count) { return std::vector<float>(static_cast<std::size_t>(count)); };

  input_sequence<float> next(0x10001, inputs::uniform);
  std::vector<float> x = numbers(batch * picture_shape.size());
  for (float& i : x) i = next();
  std::vector<target> targets(static_cast<std::size_t>(batch * training::targets));
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<target>(i % 7);

  const auto record = [&](const char* what, std::span<const float> values) {
    const std::string of = std::string("network float32 ") + what + ": " + name;
    to.add(to, policy, way, of.c_str(), sum_of(values));
  };
  std::vector<float> memory = numbers(training::elements(most_at_a_time));
  training t{std::span<float>(memory)};
  t.initialize(11);
  record("start", t.kept());
  std::vector<float> losses;
  for (int i = 0; i < 2; ++i) {
    const step_report r = t.step(state, x, targets, {.rate = 0.01, .decay = 0.1, .most = 0.5}, most_at_a_time);
    losses.push_back(static_cast<float>(r.loss));
    losses.push_back(static_cast<float>(r.penalty));
  }
  record("losses", losses);
  record("gradient", t.gradient());
  record("steps", t.kept());
  std::vector<float> scratch = numbers(net::infer_memory.elements(batch)), y = numbers(batch * net::out.size());
  net::infer(state, t.parameters(), t.statistics(), x, y, scratch);
  record("infer", y);
  net::sample(state, t.parameters(), t.statistics(), x, y, scratch, {.seed = 3, .step = 1});
  record("sample", y);
}

/// \param state  gives the run-time state of a training
template <class Policy, class State>
void all_networks(recorder& to, const char* policy, const char* way, index_t most_at_a_time, State state) {
  const auto train = [&]<class Block>(std::type_identity<Block>, const char* name, index_t most) {
    train_network<Block, Policy>(to, policy, way, name, state(), most);
  };
  constexpr index_t whole = 70;
  train(std::type_identity<together>(), "batch norms, residuals", whole);
  train(std::type_identity<imaginer>(), "variational autoencoder", whole);
  train(std::type_identity<alone>(), "pool, reversible, recomputed, dense, drop", most_at_a_time);
  train(std::type_identity<uncertain>(), "Bayesian weights, latent variables", most_at_a_time);
  train(std::type_identity<finder>(), "attention", most_at_a_time);
}

}  // namespace tern::test::inline TERN_ISA
