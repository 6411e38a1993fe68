// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that are ops with an invalid config. A network reports their broken rules with the name of the block.
#pragma once

#include <type_traits>

#include "tern/block/graph_ops.hpp"
#include "tern/kernel/declaration.hpp"
#include "tern/op/block.hpp"
#include "tern/op/config_rules.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern::inline TERN_ISA::impl {

/// The broken rule of a block's config, null if there is none, and the op's name.
struct broken_op {
  const char *name = "", *why = nullptr;
  bool is_function = false;  ///< true if tern::graph has a function of this name
};

/// True if tern::graph has a function of an op's name.
template <class... Ops>
constexpr bool is_graph_function(const char* op, detail::graph_op_list<Ops...>) {
  return ((Ops::is_function && declare::same_text(Ops::name, op)) || ...);
}
template <class Block>
constexpr broken_op check_config() {
  if constexpr (requires {
                  typename Block::op_type;
                  Block::op_type::broken_rule();
                }) {
    using op = typename Block::op_type;
    broken_op b{op::name, op::broken_rule(), is_graph_function(op::name, detail::graph_ops{})};
    if constexpr (requires { requires std::is_same_v<decltype(op::config), const matmul_config>; })
      b.why = detail::graph_matmul::broken(op::config);
    return b;
  }
  return {};
}
/// The broken rule of a block that is an op, or a user's struct that derives from one.
template <class Block>
inline constexpr broken_op broken = check_config<Block>();
template <int Rank, crop_config<Rank> C, class T>
inline constexpr broken_op broken<cropped<Rank, C, T>> = {"crop", detail::broken_config(C), true};
// Blocks that contain an op.
template <class Op, class Weight>
inline constexpr broken_op broken<bayesian<Op, Weight>> = broken<Op>;
template <class Op>
inline constexpr broken_op broken<per_element<Op>> = broken<Op>;

/// True for blocks whose config keeps the rules of the op.
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
