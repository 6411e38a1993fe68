// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks: ops made of ops. Types without values; tern::network says what they compute with which policy. Every op is a
// block, too. docs/blocks.md is the guide.
#pragma once

#include <ratio>

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/coupling.hpp"
#include "tern/op/dropout.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern {

/// One block after the other. A user's struct may derive from one to give it a name.
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

/// All of a sample as features, in the order in which they lie in memory: (spatial..., channels).
struct flatten {
  using block_type = flatten;
  static constexpr const char* name = "flatten";
};

/// The elements of a sample as one of another shape, in the order in which they lie in memory.
template <sample_shape Shape>
struct reshape {
  using block_type = reshape;
  static constexpr const char* name = "reshape";
};

/// Channels that are zeros, before and behind those of x.
template <index_t Before, index_t Behind>
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

/// A learned position in front of those of a signal, the same for all samples: the class token of transformers
/// (Dosovitskiy et al. 2020, arXiv 2010.11929).
struct class_token {
  using block_type = class_token;
  static constexpr const char* name = "class_token";
  static constexpr sample_shape out(sample_shape x) {
    ++x.extent[0];
    return x;
  }
};

/// x without `.crop` elements at the beginning of every axis, and `.crop_end` at its end, as U-Net crops what it joins.
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

/// F, with the parameters of every other shared<F> of the network; gradients of all are added. Inputs have one shape.
///
///     struct encoder : tern::sequence<...> {};
///     using net = tern::sequence<tern::shared<encoder>, tern::shared<encoder>>;
template <class F>
struct shared {
  using block_type = shared;
  static constexpr const char* name = "shared";
};

/// The channels of all F(x), one behind the other.
template <class... F>
struct concat {
  using block_type = concat;
  static constexpr const char* name = "concat";
};
/// The channels of x and those of F(x) (Huang et al. 2016, arXiv 1608.06993).
template <class F>
using dense = concat<skip, F>;

/// What every position of a sample makes of all of them: y = softmax(Q(x) K(x)^T) V(x), the products over channels, the
/// softmax over positions (Wang et al. 2018, arXiv 1711.07971, embedded Gaussian). Q, K and V keep the extents; Q and K
/// give as many channels. A non-local block is residual<sequence<non_local<...>, a 1 x 1 convolution>>.
template <class Q, class K, class V>
struct non_local {
  using block_type = non_local;
  static constexpr const char* name = "non_local";
};

/// F, a block of features, at every position: the channels of a position are its features. With a layer norm it is the
/// one of transformers, with a matmul a dense layer of every position.
template <class F>
struct each_position {
  using block_type = each_position;
  static constexpr const char* name = "each_position";
};

/// softmax(q k^T / sqrt(channels of a head)) v of every head, whose channels lie behind each other
/// (tern::graph::attention).
template <index_t Heads>
struct attend {
  using block_type = attend;
  static constexpr const char* name = "attention";
};

/// F as often as N says, each with parameters of its own; F keeps the shape. Compiled once whatever N is.
template <index_t N, class F>
struct repeat {
  using block_type = repeat;
  static constexpr const char* name = "repeat";
};

/// F, of which nothing but the input is remembered: the backward pass computes the rest again (Chen et al. 2016, arXiv
/// 1604.06174). Running statistics advance once.
template <class F>
struct checkpoint {
  using block_type = checkpoint;
  static constexpr const char* name = "checkpoint";
};

/// From a sample with an even number of channels to a stream of its halves, and back. Between them stand couplings, and
/// ops that only move elements and can be undone (space_to_depth, depth_to_space, channel_shuffle), which then move
/// those of both halves and are undone in the backward pass.
///
/// \tparam C  what couplings add to: see tern::coupling
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
/// stream: x1 += q(F(x2)), then x2 += q(G(x1)). F and G map half of the channels to as many. Nothing is remembered: the
/// backward pass computes x from y, bit by bit where the stream is exact.
template <class F, class G>
struct reversible {
  using block_type = reversible;
  static constexpr const char* name = "reversible";
};
/// The same block, which remembers what its backward pass needs: same bits, more memory, less time. With a shortcut it
/// may give another shape, as the first block of a stage does: y1 = q(Shortcut(x1)) + q(F(x2)),
/// y2 = q(Shortcut(x2)) + q(G(y1)), each shortcut with parameters of its own. That has no inverse: to remember its
/// input only, put a checkpoint around it.
template <class F, class G, class Shortcut = skip>
struct remembering {
  using block_type = remembering;
  static constexpr const char* name = "remembering";
};

/// A dropout (or, with tern::stochastic_depth<>, all of a sample) with the rate Percent / 100; nothing in inference.
/// Its element type is that of the network.
template <int Percent, class Op = dropout<>>
struct drop {
  using block_type = drop;
  static constexpr const char* name = Op::name;
};

/// One draw from the normal distributions that the channels of a sample describe: of 2 n channels the first n are
/// means, the others logarithms of variances (Kingma and Welling 2013, arXiv 1312.6114: the reparametrisation trick).
/// How far the distributions are from the standard one (tern::gaussian_kl), on average over the samples and times
/// Weight, is added to the loss. Inference takes the means.
///
/// \tparam Weight  a std::ratio
template <class Weight = std::ratio<1>, element T = float>
struct normal_latent {
  using block_type = normal_latent;
  static constexpr const char* name = "normal_latent";
};

/// A convolution or a matmul whose weights are not known: each has a normal distribution, from which one draw is made
/// for all samples of a step (Blundell et al. 2015, arXiv 1505.05424). How far the distributions are from the standard
/// one (tern::gaussian_kl), times Weight, is added to the loss: a Weight of 1 / (samples to learn from) makes the
/// network learn the distribution of weights that these samples leave possible. A bias has no distribution. Inference
/// takes the means; tern::network::sample draws.
///
/// \tparam Weight  a std::ratio
template <class Op, class Weight>
struct bayesian {
  using block_type = bayesian;
  static constexpr const char* name = Op::name;
};

/// An elementwise op whose scale, bias and slope have numbers of their own for every position, not only every channel.
template <class Op>
struct per_element {
  using block_type = per_element;
  static constexpr const char* name = Op::name;
};

}  // namespace tern
