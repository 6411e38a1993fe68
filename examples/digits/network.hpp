// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A perceptron with one hidden layer, and the trainers that training.cpp offers: one for each policy, compiled once for
// each instruction set. Plain data, so that it crosses from one to the other.
#pragma once

#include "tern/core/config.hpp"
#include "tern/isa.hpp"
#include "trainers.hpp"

namespace digits {

using tern::index_t;

inline constexpr index_t pixels = 64;  ///< of an image of 8 x 8
inline constexpr index_t classes = 10;
inline constexpr index_t hidden = 512;  ///< neurons
inline constexpr index_t batch = 128;   ///< samples from one update of the weights to the next

/// What is learned: logits = relu(x w1 + b1) w2 + b2.
struct network {
  float w1[pixels * hidden], b1[hidden];
  float w2[hidden * classes], b2[classes];
};

/// Images, one after the other, and the digits that they show.
struct samples {
  const float* images;
  const int* labels;
  index_t count;
};

/// Trains a network for so many epochs, then computes the logits of what was held out, row by row.
using trainer = demo::cost(network& net, const samples& examples, int epochs, const samples& held_out, float* logits);

using trainers = demo::trainers<trainer>;

trainers make_trainers(tern::isa_tag::avx512);
trainers make_trainers(tern::isa_tag::avx2);
trainers make_trainers(tern::isa_tag::neon64);
trainers make_trainers(tern::isa_tag::scalar);

}  // namespace digits
