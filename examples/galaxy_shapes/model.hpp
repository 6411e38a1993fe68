// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of training.cpp, compiled once for each instruction set. They take plain data, which may pass between
// instruction sets; memory is the caller's.
#pragma once

#include "tern/core/config.hpp"
#include "tern/isa.hpp"

namespace galaxy_shapes {

using tern::index_t;

inline constexpr index_t side = 64;    ///< of an image
inline constexpr int bands = 6;        ///< next to each other in a pixel
inline constexpr index_t numbers = 3;  ///< to estimate: ellipticities e1 and e2, and the redshift

/// The progress of a training: the mean loss since the last report, and the share of the weights' distributions.
struct progress {
  index_t seen;
  double loss, penalty;
};

/// The estimate for a galaxy.
struct estimate {
  double mean[numbers];
  double spread[numbers];   ///< standard deviations
  double unknown[numbers];  ///< the part of them due to draws of the weights: 0 if weights have no distributions
};

/// The arguments of a training.
struct task {
  const float *images, *truth;
  index_t count, batch;
  int epochs, threads;  ///< threads 0: one for each CPU
  double rate;          ///< of adam, at the start; it falls to a twentieth
  float* memory;        ///< network::elements(batch) numbers
  const float* asked;   ///< other images
  index_t asked_count;
  int draws;  ///< of the weights, if they have distributions
  estimate* answers;
  void (*report)(const progress&);
};

struct network {
  index_t parameters;
  index_t kept;  ///< numbers at the beginning of the memory: parameters, optimiser state, running averages
  index_t (*elements)(index_t batch);  ///< of the memory for training
  void (*train)(const task&);
};

/// The networks of one instruction set.
struct networks {
  const char* isa;
  network deterministic, bayesian;
};

networks make_networks(tern::isa_tag::avx512);
networks make_networks(tern::isa_tag::avx2);
networks make_networks(tern::isa_tag::neon64);
networks make_networks(tern::isa_tag::scalar);

}  // namespace galaxy_shapes
