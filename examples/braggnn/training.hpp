// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface between the demo and its code for one instruction set.
#pragma once

#include "peaks.hpp"
#include "tern/isa.hpp"

namespace braggnn {

struct settings {
  int epochs, batch;
  int threads;  ///< 0: one for each CPU
};

/// The result of a training.
struct outcome {
  index_t parameters, memory_bytes;   ///< memory of a step
  double seconds, seconds_of_a_peak;  ///< of all steps; of finding one centre at a time
};

/// The functions of one instruction set.
struct trainer {
  const char* isa;
  /// Trains a network, calls progress(epoch, loss) after every epoch, and finds the centres of `held_out`.
  /// `memory` has elements(batch) numbers; afterwards the first `kept` are the trained state.
  outcome (*train)(const peaks& examples, const settings&, float* memory, void (*progress)(int epoch, double loss),
                   const peaks& held_out, float* centres);
  index_t (*elements)(index_t batch);
  index_t kept;
};

trainer make_trainer(tern::isa_tag::avx512);
trainer make_trainer(tern::isa_tag::avx2);
trainer make_trainer(tern::isa_tag::neon64);
trainer make_trainer(tern::isa_tag::scalar);

}  // namespace braggnn
