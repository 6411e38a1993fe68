// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that are ops with an invalid config. Layers and lowerings check here before they complete the type of an op:
// its assertions would not name the block.
#pragma once

#include <type_traits>

#include "tern/block/graph_ops.hpp"
#include "tern/op/block.hpp"
#include "tern/op/channel_shuffle.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/map_of.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/norm.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/pool.hpp"
#include "tern/op/sample_shape.hpp"
#include "tern/op/softmax.hpp"
#include "tern/op/space_to_depth.hpp"
#include "tern/op/upsample.hpp"

namespace tern::inline TERN_ISA::impl {

/// The broken rule of a block's config, null if there is none, and the op's name.
struct broken_op {
  const char *name = "", *why = nullptr;
  bool is_function = false;  ///< true if tern::graph has a function of this name
};
/// \tparam Op  the op of detail::graph_ops with this config
template <class Op>
constexpr broken_op check_config(const typename Op::config& c) {
  return {Op::name, Op::broken(c), Op::is_function};
}

/// The broken rule of the op from which a user's struct derives. The op has reported it at the definition of the
/// struct; the block is refused, too, so that no further errors follow.
template <class Block>
constexpr broken_op broken_base();
template <class Block>
inline constexpr broken_op broken = broken_base<Block>();
template <conv1d_config C, class T, class Acc>
inline constexpr broken_op broken<conv1d<C, T, Acc>> = check_config<detail::graph_conv<1>>(C);
template <conv2d_config C, class T, class Acc>
inline constexpr broken_op broken<conv2d<C, T, Acc>> = check_config<detail::graph_conv<2>>(C);
template <conv3d_config C, class T, class Acc>
inline constexpr broken_op broken<conv3d<C, T, Acc>> = check_config<detail::graph_conv<3>>(C);
template <conv_transpose1d_config C, class T, class Acc>
inline constexpr broken_op broken<conv_transpose1d<C, T, Acc>> = check_config<detail::graph_conv_transpose<1>>(C);
template <conv_transpose2d_config C, class T, class Acc>
inline constexpr broken_op broken<conv_transpose2d<C, T, Acc>> = check_config<detail::graph_conv_transpose<2>>(C);
template <conv_transpose3d_config C, class T, class Acc>
inline constexpr broken_op broken<conv_transpose3d<C, T, Acc>> = check_config<detail::graph_conv_transpose<3>>(C);
template <matmul_config C, class T, class Acc>
inline constexpr broken_op broken<matmul<C, T, Acc>> = check_config<detail::graph_matmul>(C);
template <pool1d_config C, class T>
inline constexpr broken_op broken<max_pool1d<C, T>> = check_config<detail::graph_pool<1, pool_kind::max>>(C);
template <pool2d_config C, class T>
inline constexpr broken_op broken<max_pool2d<C, T>> = check_config<detail::graph_pool<2, pool_kind::max>>(C);
template <pool3d_config C, class T>
inline constexpr broken_op broken<max_pool3d<C, T>> = check_config<detail::graph_pool<3, pool_kind::max>>(C);
template <pool1d_config C, class T>
inline constexpr broken_op broken<avg_pool1d<C, T>> = check_config<detail::graph_pool<1, pool_kind::average>>(C);
template <pool2d_config C, class T>
inline constexpr broken_op broken<avg_pool2d<C, T>> = check_config<detail::graph_pool<2, pool_kind::average>>(C);
template <pool3d_config C, class T>
inline constexpr broken_op broken<avg_pool3d<C, T>> = check_config<detail::graph_pool<3, pool_kind::average>>(C);
template <norm_config C, class T>
inline constexpr broken_op broken<batch_norm<C, T>> = check_config<detail::graph_norm<norm_kind::batch>>(C);
template <norm_config C, class T>
inline constexpr broken_op broken<layer_norm<C, T>> = check_config<detail::graph_norm<norm_kind::layer>>(C);
template <norm_config C, class T>
inline constexpr broken_op broken<group_norm<C, T>> = check_config<detail::graph_norm<norm_kind::group>>(C);
template <norm_config C, class T>
inline constexpr broken_op broken<instance_norm<C, T>> = check_config<detail::graph_norm<norm_kind::instance>>(C);
template <norm_config C, class T>
inline constexpr broken_op broken<rms_norm<C, T>> = check_config<detail::graph_norm<norm_kind::rms>>(C);
template <elementwise_config C, class T>
inline constexpr broken_op broken<elementwise<C, T>> = check_config<detail::graph_elementwise>(C);
template <softmax_config C, class T>
inline constexpr broken_op broken<softmax<C, T>> = {"softmax", detail::broken_config(C), true};
template <upsample1d_config C, class T>
inline constexpr broken_op broken<upsample1d<C, T>> = check_config<detail::graph_upsample<1>>(C);
template <upsample2d_config C, class T>
inline constexpr broken_op broken<upsample2d<C, T>> = check_config<detail::graph_upsample<2>>(C);
template <upsample3d_config C, class T>
inline constexpr broken_op broken<upsample3d<C, T>> = check_config<detail::graph_upsample<3>>(C);
template <pad1d_config C, class T>
inline constexpr broken_op broken<pad1d<C, T>> = check_config<detail::graph_pad<1>>(C);
template <pad2d_config C, class T>
inline constexpr broken_op broken<pad2d<C, T>> = check_config<detail::graph_pad<2>>(C);
template <pad3d_config C, class T>
inline constexpr broken_op broken<pad3d<C, T>> = check_config<detail::graph_pad<3>>(C);
template <space_to_depth1d_config C, class T>
inline constexpr broken_op broken<space_to_depth1d<C, T>> = check_config<detail::graph_space_to_depth<1>>(C);
template <space_to_depth2d_config C, class T>
inline constexpr broken_op broken<space_to_depth2d<C, T>> = check_config<detail::graph_space_to_depth<2>>(C);
template <space_to_depth3d_config C, class T>
inline constexpr broken_op broken<space_to_depth3d<C, T>> = check_config<detail::graph_space_to_depth<3>>(C);
template <space_to_depth1d_config C, class T>
inline constexpr broken_op broken<depth_to_space1d<C, T>> = check_config<detail::graph_depth_to_space<1>>(C);
template <space_to_depth2d_config C, class T>
inline constexpr broken_op broken<depth_to_space2d<C, T>> = check_config<detail::graph_depth_to_space<2>>(C);
template <space_to_depth3d_config C, class T>
inline constexpr broken_op broken<depth_to_space3d<C, T>> = check_config<detail::graph_depth_to_space<3>>(C);
template <int Rank, crop_config<Rank> C, class T>
inline constexpr broken_op broken<cropped<Rank, C, T>> = check_config<detail::graph_crop<Rank>>(C);
template <channel_shuffle_config C, class T>
inline constexpr broken_op broken<channel_shuffle<C, T>> = check_config<detail::graph_channel_shuffle>(C);
template <class F, class T>
inline constexpr broken_op broken<map_of<F, T>> = {detail::name_of_function<F>(), detail::broken_function<F, T>()};
// Blocks that contain an op.
template <class Op, class Weight>
inline constexpr broken_op broken<bayesian<Op, Weight>> = broken<Op>;
template <class Op>
inline constexpr broken_op broken<per_element<Op>> = broken<Op>;

// Bases of ops.
template <int Rank, conv_config<Rank> C, class T, class Acc>
inline constexpr broken_op broken<convolution<Rank, C, T, Acc>> = check_config<detail::graph_conv<Rank>>(C);
template <int Rank, conv_transpose_config<Rank> C, class T, class Acc>
inline constexpr broken_op broken<transposed_convolution<Rank, C, T, Acc>> =
    check_config<detail::graph_conv_transpose<Rank>>(C);
template <int Rank, pool_kind K, pool_config<Rank> C, class T>
inline constexpr broken_op broken<pooling<Rank, K, C, T>> = check_config<detail::graph_pool<Rank, K>>(C);
template <norm_kind K, norm_config C, class T>
inline constexpr broken_op broken<normalization<K, C, T>> = check_config<detail::graph_norm<K>>(C);
template <int Rank, upsample_config<Rank> C, class T>
inline constexpr broken_op broken<upsample<Rank, C, T>> = check_config<detail::graph_upsample<Rank>>(C);
template <int Rank, pad_config<Rank> C, class T>
inline constexpr broken_op broken<pad<Rank, C, T>> = check_config<detail::graph_pad<Rank>>(C);
template <int Rank, space_to_depth_config<Rank> C, class T>
inline constexpr broken_op broken<space_to_depth<Rank, C, T>> = check_config<detail::graph_space_to_depth<Rank>>(C);
template <int Rank, space_to_depth_config<Rank> C, class T>
inline constexpr broken_op broken<depth_to_space<Rank, C, T>> = check_config<detail::graph_depth_to_space<Rank>>(C);

template <class Block>
constexpr broken_op broken_base() {
  if constexpr (requires { typename Block::op_type; })
    if constexpr (!std::is_same_v<typename Block::op_type, Block>) return broken<typename Block::op_type>;
  return {};
}

/// True for blocks that may be completed.
template <class Block>
concept valid_config = broken<Block>.why == nullptr;
template <class Block>
concept has_op_type = valid_config<Block> && requires {
  typename Block::op_type;
  Block::name;
};
template <class Block>
concept has_block_type = valid_config<Block> && requires { typename Block::block_type; };
/// True for blocks that state the shape of their result.
template <class Block>
concept has_out = valid_config<Block> && requires(const sample_shape& x) { Block::out(x); };

}  // namespace tern::inline TERN_ISA::impl
