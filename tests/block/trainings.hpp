// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What two training steps make of small networks: the same bits under every policy, and for every cut of the batch at
// grains where samples do not see each other.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "tern/blocks.hpp"
#include "tests/block/networks.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

inline constexpr index_t pictures = 70;

/// Everything that two steps and an inference leave, in one row.
/// \tparam Block  one of networks.hpp
template <class Block, class Policy, class State>
std::vector<float> trained(State& state, index_t most_at_a_time) {
  using net = network<Block, picture_shape, Policy>;
  using trainer_type = trainer<net, typename loss_of<Block>::type, adam<adam_config{.decoupled = true, .clip = true}>>;
  std::mt19937 random(7);
  const auto x = random_vector<float>(pictures * picture_shape.size(), random);
  using target = typename trainer_type::target_type;
  std::vector<target> targets;
  for (index_t i = 0; i < pictures * trainer_type::targets; ++i) targets.push_back(static_cast<target>(i % 7));

  auto memory = poisoned<float>(trainer_type::elements(most_at_a_time));
  trainer_type t{std::span<float>(memory)};
  t.initialize(11);
  std::vector<float> all;
  for (int i = 0; i < 2; ++i) {
    const step_report r = t.step(state, x, targets, {.rate = 0.01, .decay = 0.1, .most = 0.5}, most_at_a_time);
    REQUIRE(r.finite);
    REQUIRE(r.batch.keeps_bits);
    all.push_back(static_cast<float>(r.loss));
    all.push_back(static_cast<float>(r.penalty));
  }
  all.insert(all.end(), t.kept().begin(), t.kept().end());
  all.insert(all.end(), t.gradient().begin(), t.gradient().end());
  auto scratch = poisoned<float>(net::infer_memory.elements(pictures));
  std::vector<float> y(static_cast<std::size_t>(pictures * net::out.size()));
  net::infer(state, t.parameters(), t.statistics(), x, y, scratch);
  all.insert(all.end(), y.begin(), y.end());
  net::sample(state, t.parameters(), t.statistics(), x, y, scratch, {.seed = 3, .step = 1});
  all.insert(all.end(), y.begin(), y.end());
  return all;
}

template <class Block>
const std::vector<float>& expected_training() {
  static const std::vector<float> result = [] {
    auto state = network<Block, picture_shape, reference>::make_state();
    return trained<Block, reference>(state, pictures);
  }();
  return result;
}

/// \param state  gives the run-time state of a training
template <class Policy, class State>
void compare_trainings(State state) {
  {
    auto&& s = state();
    CHECK(same_bits(trained<together, Policy>(s, pictures), expected_training<together>()));
    CHECK(same_bits(trained<imaginer, Policy>(s, pictures), expected_training<imaginer>()));
  }
  for (index_t cut : {pictures, index_t{64}, index_t{32}}) {
    INFO(cut);
    auto&& s = state();
    CHECK(same_bits(trained<alone, Policy>(s, cut), expected_training<alone>()));
    CHECK(same_bits(trained<uncertain, Policy>(s, cut), expected_training<uncertain>()));
    CHECK(same_bits(trained<finder, Policy>(s, cut), expected_training<finder>()));
  }
}

}  // namespace tern::test
