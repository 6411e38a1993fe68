// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What two training steps make of small networks: the same bits under every policy, and for every cut of the batch at
// grains where samples do not see each other.
#pragma once

#include <random>
#include <span>
#include <vector>

#include "tern/blocks.hpp"
#include "tests/block/networks.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

/// Everything that two steps and an inference leave, in one row.
/// \tparam Block  one of networks.hpp
template <class Block, class Policy, class State>
std::vector<float> trained(State& state, index_t most_at_a_time) {
  std::mt19937 random(7);
  const auto x = random_vector<float>(pictures * picture_shape.size(), random);
  std::vector<float> all;
  REQUIRE(train<Block, Policy>(state, x, most_at_a_time, [&](const char*, std::span<const float> numbers) {
    all.insert(all.end(), numbers.begin(), numbers.end());
  }));
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
