// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of training.cpp, compiled once for each instruction set. They take plain data, which may pass between
// instruction sets; memory is the caller's.
#pragma once

#include "tern/core/config.hpp"
#include "tern/isa.hpp"

namespace galaxy_vae {

using tern::index_t;

inline constexpr index_t side = 64;  ///< of a stamp
inline constexpr index_t colours = 3;
inline constexpr index_t stamp = side * side * colours;  ///< numbers, the colours of a pixel next to each other
inline constexpr index_t latent = 32;                    ///< numbers that encode a stamp

/// The progress of a training: means since the last report.
struct progress {
  int step;
  double squared_error;  ///< of a stamp
  double divergence;     ///< of the latent variables of a stamp from standard normal ones
};

/// The arguments of a training, and the stamps to reconstruct and to generate afterwards.
struct task {
  const float* stamps;
  index_t count;  ///< of stamps
  index_t batch;
  int steps, threads;  ///< threads 0: one for each CPU
  float* memory;       ///< network::elements(batch) numbers
  const float* shown;  ///< a batch of other stamps
  float* rebuilt;      ///< set: their reconstructions
  float* imagined;     ///< set: a batch of stamps, generated from random latent variables
  void (*report)(const progress&);
};

struct network {
  const char* isa;
  index_t parameters, parameters_of_decoder;
  index_t kept;  ///< numbers at the beginning of the memory: parameters, optimiser state, running averages
  index_t (*elements)(index_t batch);  ///< of the memory for training
  void (*train)(const task&);
};

network make_network(tern::isa_tag::avx512);
network make_network(tern::isa_tag::avx2);
network make_network(tern::isa_tag::neon64);
network make_network(tern::isa_tag::scalar);

}  // namespace galaxy_vae
