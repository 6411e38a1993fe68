// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RevNets (Gomez et al. 2017, arXiv 1707.04585; renmengye/revnet-public, MIT), of one channel instead of three, as
// types.
#pragma once

#include "model.hpp"
#include "tern/op/block.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/norm.hpp"
#include "tern/op/pool.hpp"

namespace revnet::inline TERN_ISA {

using tern::activation, tern::repeat;

template <index_t In, index_t Out, index_t Stride = 1>
using conv3x3 =
    tern::conv2d<tern::conv2d_config{.in = In, .out = Out, .kernel = 3, .stride = {Stride, Stride}, .pad = 1}>;
using norm_relu = tern::batch_norm<tern::norm_config{.act = activation::relu}>;

// F and G of a block, for half of its channels: as everywhere in a stage, and as in its first block, which halves the
// images and widens them.
template <index_t Half>
using branch = tern::sequence<norm_relu, conv3x3<Half, Half>, norm_relu, conv3x3<Half, Half>>;
template <index_t From, index_t To>
using first_branch = tern::sequence<norm_relu, conv3x3<From, To, 2>, norm_relu, conv3x3<To, To>>;
template <index_t From, index_t To>
using shortcut = tern::sequence<tern::avg_pool2d<tern::pool2d_config{.kernel = 2}>,
                                tern::pad_channels<(To - From) / 2, (To - From) / 2>>;
// The first F of the network follows a norm.
using stem_branch = tern::sequence<conv3x3<16, 16>, norm_relu, conv3x3<16, 16>>;

// Strategies: the form of an invertible block, and of the first block of a stage, which is not invertible.
struct storing {
  template <class F, class G>
  using block = tern::stored_coupling<F, G>;
  template <class F, class G, class Shortcut>
  using first = tern::stored_coupling<F, G, Shortcut>;
};
struct recomputing {
  template <class F, class G>
  using block = tern::checkpoint<tern::stored_coupling<F, G>>;
  template <class F, class G, class Shortcut>
  using first = tern::checkpoint<tern::stored_coupling<F, G, Shortcut>>;
};
struct inverting {
  template <class F, class G>
  using block = tern::reversible<F, G>;
  template <class F, class G, class Shortcut>
  using first = tern::checkpoint<tern::stored_coupling<F, G, Shortcut>>;
};

template <class Strategy, index_t Depth, index_t Half>
struct rest_of_stage {
  using type = repeat<Depth - 1, typename Strategy::template block<branch<Half>, branch<Half>>>;
};
template <class Strategy, index_t Half>
struct rest_of_stage<Strategy, 1, Half> {
  using type = tern::skip;
};
template <class Strategy, index_t Depth, index_t Half>
using rest = typename rest_of_stage<Strategy, Depth, Half>::type;
template <class Strategy, index_t From, index_t To>
using first = typename Strategy::template first<first_branch<From, To>, branch<To>, shortcut<From, To>>;

/// RevNet-38 of Gomez et al. 2017, arXiv 1707.04585, table 1, has 3 blocks in each of 3 stages.
/// \tparam Channels  of an image
template <class Strategy, index_t Depth, index_t Channels = 1>
using revnet_of = tern::sequence<conv3x3<Channels, 32>, norm_relu, tern::to_stream<>,
                                 typename Strategy::template block<stem_branch, branch<16>>, rest<Strategy, Depth, 16>,
                                 first<Strategy, 16, 32>, rest<Strategy, Depth, 32>, first<Strategy, 32, 56>,
                                 rest<Strategy, Depth, 56>, tern::from_stream, norm_relu, tern::global_avg_pool2d<>,
                                 tern::flatten, tern::matmul<tern::matmul_config{.n = classes, .bias = true}>>;

}  // namespace revnet::inline TERN_ISA
