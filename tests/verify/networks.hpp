// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole training steps of small networks, and what those networks then say: starts, batches, losses, gradients,
// statistics, the optimiser, draws. What must not change their bits is the executor and, where samples do not see each
// other, the cut of the batch.
#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/block/networks.hpp"
#include "tests/support/bits.hpp"
#include "tests/verify/inputs.hpp"
#include "tests/verify/recorder.hpp"

namespace tern::test::inline TERN_ISA {

/// \param state  gives the run-time state of a training
template <class Policy, class State>
void all_networks(recorder& to, const char* policy, const char* way, index_t most_at_a_time, State state) {
  std::vector<float> x(static_cast<std::size_t>(pictures * picture_shape.size()));
  input_sequence<float> next(0x10001, inputs::uniform);
  for (float& i : x) i = next();
  const auto record = [&]<class Block>(std::type_identity<Block>, const char* name, index_t most) {
    auto&& s = state();
    train<Block, Policy>(s, x, most, [&](const char* what, std::span<const float> numbers) {
      checksum sum;
      for (const float i : numbers) sum.add(i);
      to.add(to, policy, way, (std::string("network float32 ") + what + ": " + name).c_str(), sum.value());
    });
  };
  record(std::type_identity<together>(), "batch norms, residuals", pictures);
  record(std::type_identity<imaginer>(), "variational autoencoder", pictures);
  record(std::type_identity<alone>(), "pool, reversible, recomputed, dense, drop", most_at_a_time);
  record(std::type_identity<uncertain>(), "Bayesian weights, latent variables", most_at_a_time);
  record(std::type_identity<finder>(), "attention", most_at_a_time);
}

}  // namespace tern::test::inline TERN_ISA
