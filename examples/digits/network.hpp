// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A perceptron with one hidden layer, and the trainers that training.cpp offers: one for each policy, compiled once for
// each instruction set. All of it is plain data, which may pass between instruction sets.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/isa.hpp"
#include "trainers.hpp"

namespace digits {

using tern::index_t;

inline constexpr index_t pixels = 64;  ///< of an image of 8 x 8
inline constexpr index_t classes = 10;
inline constexpr index_t hidden = 512;  ///< neurons
inline constexpr index_t batch = 128;   ///< samples from one update of the weights to the next

/// The parameters, one after the other, as the optimiser takes them.
struct weights {
  static constexpr index_t w1 = 0, gain = w1 + pixels * hidden, lift = gain + hidden, w2 = lift + hidden,
                           b2 = w2 + hidden * classes, size = b2 + classes;
  float of[size];
};

struct network {
  weights learned;
  float mean[hidden], variance[hidden];  ///< running averages of the batch norm
};

struct samples {
  const float* images;
  const std::int32_t* labels;
  index_t count;
};

/// Trains a network for `epochs` epochs, then computes the logits of the held-out images, row by row.
using trainer = demo::cost(network& net, const samples& examples, int epochs, const samples& held_out, float* logits);

using trainers = demo::trainers<trainer>;

trainers make_trainers(tern::isa_tag::avx512);
trainers make_trainers(tern::isa_tag::avx2);
trainers make_trainers(tern::isa_tag::neon64);
trainers make_trainers(tern::isa_tag::scalar);

}  // namespace digits
