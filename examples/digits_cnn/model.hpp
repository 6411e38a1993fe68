// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of training.cpp, compiled once for each instruction set. They take plain data, which may pass between
// instruction sets; memory is the caller's.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "tern/core/config.hpp"
#include "tern/isa.hpp"

namespace digits_cnn {

using tern::index_t;

inline constexpr index_t side = 32;  ///< of an image
inline constexpr index_t classes = 10;

struct samples {
  const float* images;  ///< side x side pixels each
  const std::int32_t* labels;
  index_t count;
};

/// The progress of a training.
struct progress {
  index_t seen;   ///< samples
  double loss;    ///< the mean since the last report
  index_t right;  ///< of the samples held out
};

/// The arguments of a training.
struct task {
  samples examples, held_out;
  int epochs;
  index_t batch;
  double rate;           ///< of adam in the first epoch; it falls by 15 % from one to the next
  index_t report_every;  ///< samples
  int threads;           ///< 0: one for each CPU
  float* memory;         ///< network::elements(batch) numbers
  void (*report)(const progress&);
};

struct network {
  const char* isa;
  index_t parameters;
  index_t kept;                        ///< numbers at the beginning of the memory: parameters and optimiser state
  index_t (*elements)(index_t batch);  ///< of the memory for training
  /// Trains from the start.
  void (*train)(const task&);
  /// The memory of a step, as a table and as a picture.
  void (*plan)(index_t batch, std::ostream&);
  void (*picture)(index_t batch, std::ostream&);
};

network make_network(tern::isa_tag::avx512);
network make_network(tern::isa_tag::avx2);
network make_network(tern::isa_tag::neon64);
network make_network(tern::isa_tag::scalar);

}  // namespace digits_cnn
