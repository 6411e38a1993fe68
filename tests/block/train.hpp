// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines the trainings of trainings.hpp for one runner.
#pragma once

#include "tests/block/networks.hpp"
#include "tests/block/trainings.hpp"

namespace tern::test::inline TERN_ISA {

static_assert(pictures == training_samples && picture_shape.size() == training_inputs);

template <training N>
struct network_of;
template <>
struct network_of<training::coupled_net> {
  using type = coupled_net;
};
template <>
struct network_of<training::autoencoder> {
  using type = autoencoder;
};
template <>
struct network_of<training::separable_net> {
  using type = separable_net;
};
template <>
struct network_of<training::stochastic_net> {
  using type = stochastic_net;
};
template <>
struct network_of<training::attention_net> {
  using type = attention_net;
};

/// The policy of a runner, and state(executor), its run-time state.
template <runner R>
struct model_of;

}  // namespace tern::test::inline TERN_ISA

namespace tern::test {

template <class Isa, runner R, training N>
bool run_training(const any_executor& on, const std::vector<float>& x, index_t most_at_a_time,
                  const take_numbers& take) {
  using model = model_of<R>;
  auto state = model::state(on);
  return train<typename network_of<N>::type, typename model::policy>(state, x, most_at_a_time, take);
}

}  // namespace tern::test

#define TERN_DEFINE_TRAINING(runner, name)                                                            \
  template bool tern::test::run_training<tern::isa_tag::current, runner, tern::test::training::name>( \
      const tern::test::any_executor&, const std::vector<float>&, tern::index_t, const tern::test::take_numbers&)
/// Instantiates those of a runner, in three parts that compile at the same time.
#if TERN_TRAINING_PART == 0
#define TERN_DEFINE_TRAININGS(runner)        \
  TERN_DEFINE_TRAINING(runner, coupled_net); \
  TERN_DEFINE_TRAINING(runner, autoencoder)
#elif TERN_TRAINING_PART == 1
#define TERN_DEFINE_TRAININGS(runner) TERN_DEFINE_TRAINING(runner, separable_net)
#else
#define TERN_DEFINE_TRAININGS(runner)           \
  TERN_DEFINE_TRAINING(runner, stochastic_net); \
  TERN_DEFINE_TRAINING(runner, attention_net)
#endif
