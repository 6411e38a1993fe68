// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole training steps of small networks, and what those networks then say: starts, batches, losses, gradients,
// statistics, the optimiser, draws. What must not change their bits is the executor and, where samples do not see each
// other, the cut of the batch.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tests/block/trainings.hpp"
#include "tests/support/bits.hpp"
#include "tests/verify/inputs.hpp"
#include "tests/verify/recorder.hpp"

namespace tern::test::inline TERN_ISA {

template <runner R>
void all_networks(recorder& to, const char* policy, const char* way, index_t most_at_a_time, const any_executor& on) {
  std::vector<float> x(static_cast<std::size_t>(training_samples * training_inputs));
  input_sequence<float> next(0x10001, inputs::uniform);
  for (float& i : x) i = next();
  const auto record = [&](auto run, const char* name, index_t most) {
    run(on, x, most, [&](const char* what, std::span<const float> numbers) {
      checksum sum;
      for (const float i : numbers) sum.add(i);
      to.add(to, policy, way, (std::string("network float32 ") + what + ": " + name).c_str(), sum.value());
    });
  };
  record(run_training<isa_tag::current, R, training::coupled_net>, "batch norms, residuals", training_samples);
  record(run_training<isa_tag::current, R, training::autoencoder>, "variational autoencoder", training_samples);
  record(run_training<isa_tag::current, R, training::separable_net>, "pool, reversible, recomputed, dense, drop",
         most_at_a_time);
  record(run_training<isa_tag::current, R, training::stochastic_net>, "Bayesian weights, latent variables",
         most_at_a_time);
  record(run_training<isa_tag::current, R, training::attention_net>, "attention", most_at_a_time);
}

}  // namespace tern::test::inline TERN_ISA
