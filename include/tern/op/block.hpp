// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks: ops composed of ops, as types without values. tern::network gives them parameters and a policy. Every op is a
// block, too. Guide: docs/blocks.md.
#pragma once

#include <ratio>

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/coupling.hpp"
#include "tern/op/dropout.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern {

/// Blocks in sequence. A user's struct may derive from one to name it.
template <class... Blocks>
struct sequence {
  using block_type = sequence;
  static constexpr const char* name = "sequence";
};

/// y = x.
struct skip {
  using block_type = skip;
  static constexpr const char* name = "skip";
};

/// A whole sample as features, in memory order: (spatial..., channels).
struct flatten {
  using block_type = flatten;
  static constexpr const char* name = "flatten";
};

/// A sample in another shape, in memory order.
template <sample_shape Shape>
struct reshape {
  using block_type = reshape;
  static constexpr const char* name = "reshape";
};

/// Adds channels of zeros before and after those of x.
template <index_t Before, index_t After>
struct pad_channels {
  using block_type = pad_channels;
  static constexpr const char* name = "pad_channels";
};

/// Channels [First, First + Count) of x.
template <index_t First, index_t Count>
struct channel_slice {
  using block_type = channel_slice;
  static constexpr const char* name = "channel_slice";
};

/// A learned position in front of a signal's, the same for all samples: the class token of transformers (Dosovitskiy et
/// al. 2020, arXiv 2010.11929).
struct class_token {
  using block_type = class_token;
  static constexpr const char* name = "class_token";
  static constexpr sample_shape out(sample_shape x) {
    ++x.extent[0];
    return x;
  }
};

/// x without `.crop` elements at the beginning of every axis, and `.crop_end` at its end: the crop of U-Net's joins.
template <int Rank, crop_config<Rank> C, element T = float>
struct cropped {
  using block_type = cropped;
  static constexpr const char* name = "crop";
};

/// y = F(x) + Shortcut(x) (He et al. 2015, arXiv 1512.03385).
template <class F, class Shortcut = skip>
struct residual {
  using block_type = residual;
  static constexpr const char* name = "residual";
};

/// y = x F(x), elementwise. F(x) has the shape of x, or one number per channel, as in a squeeze and excitation (Hu et
/// al. 2017, arXiv 1709.01507):
///
///     tern::gate<tern::sequence<tern::global_avg_pool2d<>,
///                               tern::conv2d<tern::conv2d_config{.out = 16, .act = tern::activation::sigmoid}>>>
template <class F>
struct gate {
  using block_type = gate;
  static constexpr const char* name = "gate";
};

/// F, sharing its parameters with every other shared<F> of the network; their gradients are summed. Inputs have one
/// shape.
///
///     struct encoder : tern::sequence<...> {};
///     using net = tern::sequence<tern::shared<encoder>, tern::shared<encoder>>;
template <class F>
struct shared {
  using block_type = shared;
  static constexpr const char* name = "shared";
};

/// Concatenates the channels of all F(x).
template <class... F>
struct concat {
  using block_type = concat;
  static constexpr const char* name = "concat";
};
/// Concatenates the channels of x and F(x) (Huang et al. 2016, arXiv 1608.06993).
template <class F>
using dense = concat<skip, F>;

/// Attention over the positions of a sample: y = softmax(Q(x) K(x)^T) V(x), with products over channels and the softmax
/// over positions (Wang et al. 2018, arXiv 1711.07971, embedded Gaussian). Q, K and V keep the extents; Q and K have
/// equally many channels. A non-local block is residual<sequence<non_local<...>, a 1 x 1 convolution>>.
template <class Q, class K, class V>
struct non_local {
  using block_type = non_local;
  static constexpr const char* name = "non_local";
};

/// Applies F, a block on features, at every position: the channels of a position are its features. A layer norm becomes
/// that of transformers, a matmul a dense layer per position.
template <class F>
struct each_position {
  using block_type = each_position;
  static constexpr const char* name = "each_position";
};

/// Attention per head: softmax(q k^T / sqrt(channels of a head)) v. The channels of a head are contiguous
/// (tern::graph::attention).
template <index_t Heads>
struct attend {
  using block_type = attend;
  static constexpr const char* name = "attention";
};

/// N copies of F in sequence, each with its own parameters; F keeps the shape. Compiled once for any N.
template <index_t N, class F>
struct repeat {
  using block_type = repeat;
  static constexpr const char* name = "repeat";
};

/// F with recomputation: only its input is stored, and the backward pass recomputes the rest (Chen et al. 2016, arXiv
/// 1604.06174). Running statistics advance once.
template <class F>
struct checkpoint {
  using block_type = checkpoint;
  static constexpr const char* name = "checkpoint";
};

/// Splits a sample with an even number of channels into a stream of two halves, and back. Couplings go between them,
/// and invertible ops that only move elements: space_to_depth, depth_to_space, channel_shuffle. These move both halves
/// alike, and the backward pass inverts them.
///
/// \tparam C  the kind of stream: see tern::coupling
template <coupling_config C = coupling_config{}>
struct to_stream {
  using block_type = to_stream;
  static constexpr const char* name = "to_stream";
};
struct from_stream {
  using block_type = from_stream;
  static constexpr const char* name = "from_stream";
};

/// An additive coupling (Dinh et al. 2014, arXiv 1410.8516; Gomez et al. 2017, arXiv 1707.04585) of the two halves of a
/// stream: x1 += q(F(x2)), then x2 += q(G(x1)). F and G map half of the channels to equally many. Nothing is stored:
/// the backward pass recomputes x from y, bit by bit on an exact stream.
template <class F, class G>
struct reversible {
  using block_type = reversible;
  static constexpr const char* name = "reversible";
};
/// The same coupling, with activations stored for the backward pass: same bits, more memory, less time. A shortcut
/// allows another shape, for the first block of a stage: y1 = q(Shortcut(x1)) + q(F(x2)), y2 = q(Shortcut(x2)) +
/// q(G(y1)). Each shortcut has its own parameters. That has no inverse: wrap it in a checkpoint to store its input
/// only.
template <class F, class G, class Shortcut = skip>
struct stored_coupling {
  using block_type = stored_coupling;
  static constexpr const char* name = "stored_coupling";
};

/// A dropout with the rate Percent / 100, or with tern::stochastic_depth<> one of whole samples; the identity in
/// inference. Its element type is that of the network.
template <int Percent, class Op = dropout<>>
struct drop {
  using block_type = drop;
  static constexpr const char* name = Op::name;
};

/// One draw from the normal distributions that the channels of a sample describe: of 2 n channels the first n are
/// means, the others logarithms of variances (Kingma and Welling 2013, arXiv 1312.6114: the reparametrisation trick).
/// Adds to the loss the divergence from the standard normal distribution (tern::gaussian_kl), averaged over the
/// samples, times Weight. Inference uses the means.
///
/// \tparam Weight  a std::ratio
template <class Weight = std::ratio<1>, element T = float>
struct normal_latent {
  using block_type = normal_latent;
  static constexpr const char* name = "normal_latent";
};

/// A convolution or a matmul with a normal distribution per weight. One draw serves all samples of a step (Blundell et
/// al. 2015, arXiv 1505.05424). Adds to the loss the divergence from the standard normal distribution
/// (tern::gaussian_kl), times Weight. With a Weight of 1 / (number of training samples) the network learns the
/// posterior of its weights. A bias has no distribution. Inference uses the means; tern::network::sample draws.
///
/// \tparam Weight  a std::ratio
template <class Op, class Weight>
struct bayesian {
  using block_type = bayesian;
  static constexpr const char* name = Op::name;
};

/// An elementwise op whose scale, bias and slope differ by position, not only by channel.
template <class Op>
struct per_element {
  using block_type = per_element;
  static constexpr const char* name = Op::name;
};

}  // namespace tern
