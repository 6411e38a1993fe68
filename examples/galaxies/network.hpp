// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolutional autoencoder: its parameters, and the trainers that training.cpp offers, one for each policy, compiled
// once for each instruction set. All of it is plain data, which may pass between instruction sets.
#pragma once

#include "tern/core/config.hpp"
#include "tern/isa.hpp"
#include "trainers.hpp"

namespace galaxies {

using tern::index_t;

inline constexpr index_t side = 64;    ///< of a stamp, in pixels
inline constexpr index_t colours = 3;  ///< the last index of every tensor is the channel
inline constexpr index_t stamp = side * side * colours;
inline constexpr index_t batch = 8;          ///< stamps per update of the weights
inline constexpr index_t code = 8 * 8 * 16;  ///< numbers that encode a stamp: a twelfth of its own

/// Weights (kernel, kernel, in, out), of the decoder's transposed convolutions (kernel, kernel, out, in), and biases.
struct network {
  // Encoder: 64 x 64 to 8 x 8.
  float w1[3 * 3 * 3 * 16], b1[16];
  float w2[3 * 3 * 16 * 32], b2[32];
  float w3[3 * 3 * 32 * 64], b3[64];
  float w4[64 * 16], b4[16];
  // Decoder: back again.
  float w5[4 * 4 * 48 * 16], b5[48];
  float w6[4 * 4 * 24 * 48], b6[24];
  float w7[4 * 4 * 16 * 24], b7[16];
  float w8[3 * 3 * 16 * 3], b8[3];
};
inline constexpr index_t weights = sizeof(network) / sizeof(float);

/// The arguments of a training: batches of stamps in the order given, and a batch to reconstruct afterwards.
struct lesson {
  const float* stamps;
  const index_t* order;  ///< indices of stamps, `batch` for each update
  index_t updates;
  double rate;                                                ///< of Adam, at the start; it falls to a tenth
  const float* shown;                                         ///< a batch of stamps
  float* rebuilt;                                             ///< set: their reconstructions
  void (*progress)(index_t update, index_t updates, double);  ///< mean squared error of an update; or null
};
using trainer = demo::cost(network& net, const lesson& l);

using trainers = demo::trainers<trainer>;

trainers make_trainers(tern::isa_tag::avx512);
trainers make_trainers(tern::isa_tag::avx2);
trainers make_trainers(tern::isa_tag::neon64);
trainers make_trainers(tern::isa_tag::scalar);

}  // namespace galaxies
