// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of training.cpp, compiled once for each instruction set. They take plain data, which may pass between
// instruction sets; memory is the caller's.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/isa.hpp"

namespace revnet {

using tern::index_t;

inline constexpr index_t side = 32;  ///< of an image
inline constexpr index_t classes = 10;

/// A reversible block keeps for its backward pass: all that it needs; its input, from which the rest is recomputed; or
/// nothing, since the result determines the input.
inline constexpr int strategies = 3;
inline constexpr const char* strategy_names[strategies] = {"store all", "recompute", "reversible"};

/// Blocks per stage whose memory is printed without training.
inline constexpr index_t depths[] = {1, 2, 4, 8, 16, 32};
inline constexpr int depth_count = 6;

/// A step with one strategy.
struct step_result {
  double loss;
  double seconds;
  double processor_seconds;  ///< of all threads, those that wait for others among them
};

/// The arguments of a training: the same for all strategies.
struct task {
  const float* images;  ///< side x side pixels each
  const std::int32_t* labels;
  index_t count;  ///< at least a batch
  index_t batch;
  int steps, threads;           ///< threads 0: one for each CPU
  float* memory[strategies];    ///< network::elements(s, batch) numbers each
  index_t touched[strategies];  ///< set: numbers of the memory for activations that were written
  void (*report)(int step, const step_result (&of)[strategies]);
};

struct network {
  const char* isa;
  index_t parameters;
  index_t kept;  ///< numbers at the beginning of the memory: parameters, optimiser state, running averages
  index_t (*elements)(int strategy, index_t batch);             ///< of the memory for training
  index_t (*activations)(int strategy, index_t batch);          ///< of them those for activations and their gradients
  index_t (*of_depth)(int strategy, int depth, index_t batch);  ///< the same, of depths[depth] blocks per stage
  /// Runs every step with one strategy after the other.
  void (*train)(task&);
};

network make_network(tern::isa_tag::avx512);
network make_network(tern::isa_tag::avx2);
network make_network(tern::isa_tag::neon64);
network make_network(tern::isa_tag::scalar);

}  // namespace revnet
