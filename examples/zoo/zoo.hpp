// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface between main.cpp and the systems, which are compiled for instruction sets of their own: plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/files/named_tensor.hpp"
#include "tern/isa.hpp"

namespace zoo {

using tern::index_t;

using tensors = std::vector<tern::named_tensor>;

struct settings {
  index_t batch = 1, steps = 1;
  int threads = 1;
  bool trains = true;  ///< else only inference runs
  bool cuts = false;   ///< calls take as few samples as keep the bits
  // Called, if set, with tensors that the system keeps: main.cpp reads and writes files of them.
  std::function<void(const tensors&)> start = {};  ///< before the first pass: parameters and all else that steps change
  std::function<void(const tensors&)> end = {};    ///< the same, after the last step
  std::function<void(const tensors&)> samples = {};                 ///< inputs and results of inference
  std::function<void(const char* what, index_t step)> begins = {};  ///< before inference or a step, number `step`
};

struct outcome {
  double seconds_of_inference = 0, seconds_of_step = 0;  ///< of a batch; the median
  double first_loss = 0, last_loss = 0;
  std::uint64_t inferred = 0;  ///< a checksum of the results of inference before training
  std::uint64_t trained = 0;   ///< and of all that training keeps
};

/// A network at one size under one policy.
struct way {
  const char* policy;
  const char* where;
  index_t (*inference_bytes)(index_t batch, int threads);  ///< bytes of activations
  index_t training_bytes;                                  ///< the same, of one sample
  outcome (*run)(const settings&);
};

struct system {
  const char* name;
  const char* title;
  const char* source;
  index_t parameters, multiply_adds;  ///< the latter of a forward pass of a sample
  way full;
};
// Compiled for one instruction set each, and chosen by it.
struct reference_tag {};
struct simd_tag {};
struct mimd_tag {};
struct simt_tag {};
#define ZOO_SYSTEM(isa)                               \
  system full_system(tern::isa_tag::isa);             \
  way reduced_way(tern::isa_tag::isa, reference_tag); \
  way reduced_way(tern::isa_tag::isa, simd_tag);      \
  way reduced_way(tern::isa_tag::isa, mimd_tag);      \
  way reduced_way(tern::isa_tag::isa, simt_tag);
ZOO_SYSTEM(avx512)
ZOO_SYSTEM(avx2)
ZOO_SYSTEM(neon64)
ZOO_SYSTEM(scalar)
#undef ZOO_SYSTEM

}  // namespace zoo
