// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trainings of the networks of networks.hpp, compiled once per model and instruction set (tern_trainings of CMake) for
// all programs that run them. This header names neither networks nor kernels, so that those programs compile quickly.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tern/isa.hpp"
#include "tests/support/any_executor.hpp"

namespace tern::test {

/// A network, and true if its samples depend on each other: then its batch cannot be cut.
enum class training { coupled_net, autoencoder, separable_net, stochastic_net, attention_net };
/// Runners: plain loops; vectors and cores as tiles, both on an executor; tiles; host contexts, in two orders.
enum class runner { reference, simd, cores, tiles, simt, simt_reversed };

inline constexpr index_t training_samples = 70, training_inputs = 2 * 6 * 5;

using take_numbers = std::function<void(const char* what, std::span<const float> numbers)>;

/// As train of networks.hpp. Defined in train_*.cpp; a program links what it calls.
template <class Isa, runner R, training N>
bool run_training(const any_executor& on, const std::vector<float>& x, index_t most_at_a_time,
                  const take_numbers& take);

}  // namespace tern::test
