// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nodes of a graph: the function of an op checks its input here, and adds a block.
#pragma once

#include <initializer_list>
#include <source_location>
#include <type_traits>

#include "tern/block/graph_base.hpp"
#include "tern/block/graph_ops.hpp"
#include "tern/block/graph_parts.hpp"
#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/sentence.hpp"
#include "tern/op/binary.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern::inline TERN_ISA {

/// Adds nodes to a graph, one kind of block per function.
class graph_nodes : public graph_base {
 protected:
  using location = std::source_location;
  using operand = detail::join_operand;
  using end_of_join = detail::end_of_join;

  /// A block with a name of its own.
  template <class Block>
  constexpr value named(const char* name, const location& at, const sample_shape& out,
                        std::initializer_list<value> from, int config = -1) {
    if (name == nullptr || *name == '\0') return fails("", at, "a block must have a name");
    const scope s(*this, name, -1);
    if (name_states_[name_].taken) return fails("", at, "another block has this name");
    name_states_[name_].taken = true;
    return node<Block>(out, from, config, place_of(at));
  }

  template <class Build>
  constexpr value share(part p, const value& x, const location& at, const Build& build) {
    for (int i = 0; i < shared_.size(); ++i) {
      const part made = shared_[i];
      if (made.tag != p.tag || made.name != p.name) continue;
      if (!(x.shape == made.x.shape))
        return fails("", at, "all inputs of a shared block must have one shape", made.x, x);
      return copy(made, x);
    }
    if constexpr (!std::is_invocable_r_v<value, const Build&, const value&>)
      return fails("", at, "the function of a shared part must take a value and return one");
    else
      return build_shared(p, x, build);
  }
  template <class Build>
  constexpr value build_shared(part p, const value& x, const Build& build) {
    p.first = nodes_.size(), p.first_segment = segments_.size();
    p.x = x, p.y = build(x), p.end = nodes_.size(), p.end_segment = segments_.size();
    shared_.add(p);
    return p.y;
  }

  template <class Op>
  constexpr value op(const char* name, const typename Op::config& c, const value& x, const location& at) {
    if (!has(name, Op::name, "the input", at, x)) return nothing();
    if constexpr (requires { Op::rank; })
      if (x.shape.rank != Op::rank)
        return refuses<Op>(
            name, at, Op::rank == 0 ? "the op takes features: put a g.flatten before it" : impl::takes_rank(Op::rank),
            x);
    if (const char* const broken = Op::broken(c)) return refuses<Op>(name, at, broken);
    const sample_shape s = Op::out(c, x.shape);
    if (!s.is_static()) {
      if constexpr (requires { c.kernel; }) return refuses<Op>(name, at, impl::no_result(c, x.shape).text(), x);
      return refuses<Op>(name, at, "the result would be empty", x, value{0, s});
    }
    return named<Op>(name, at, s, {x}, static_cast<detail::config_list<typename Op::config>&>(*this).index_of(c));
  }
  /// Adds elementwise steps after the last block, under its name.
  constexpr value then(const elementwise_config& c, const value& x) {
    if (error_.size() > 0) return x;
    const int before = name_;
    name_ = nodes_[nodes_.size() - 1].name;
    const value y = node<detail::graph_elementwise>(x.shape, {x}, config_list<elementwise_config>::index_of(c));
    name_ = before;
    return y;
  }
  /// Adds an op. An activation whose derivative is not taken from its result becomes a block of its own, under the same
  /// name.
  template <class Op>
  constexpr value with_activation(const char* name, const typename Op::config& c, const value& x, const location& at) {
    if (c.act == activation::none || derivative_from_result(c.act)) return op<Op>(name, c, x, at);
    auto sums = c;
    sums.act = activation::none;
    const elementwise_config after{.act = c.act};  // named, since nvcc 13 loses braces around it in a call
    return then(after, op<Op>(name, sums, x, at));
  }
  /// Adds a convolution. A scale becomes a block of its own, with the bias and activation that follow it.
  template <class Op>
  constexpr value convolve(const char* name, typename Op::config c, const value& x, const location& at) {
    if (!has(name, Op::name, "the input", at, x)) return nothing();
    if (const char* const broken = Op::broken(c)) return refuses<Op>(name, at, broken);
    if (c.in == 0) c.in = x.shape.channels;
    if (c.in != x.shape.channels)
      return refuses<Op>(name, at, ".in must be the channels of the input", x, value{0, x.shape.with_channels(c.in)});
    if (c.in % c.groups != 0) {
      declare::sentence s;
      s << ".groups, " << c.groups << ", must divide the channels of the input";
      return refuses<Op>(name, at, s.text(), x);
    }
    if (!c.scale) return with_activation<Op>(name, c, x, at);
    const elementwise_config after{.scale = true, .bias = c.bias, .act = c.act};
    c.scale = c.bias = false, c.act = activation::none;
    return then(after, op<Op>(name, c, x, at));
  }
  /// Joins two values of one shape. If may_be_per_channel, the second may instead have one number per channel.
  template <class Join>
  constexpr value join(const char* op, const char* name, const end_of_join& end, const operand& left,
                       const operand& right, const char* otherwise, bool may_be_per_channel = false, int config = -1) {
    if (!are_values(op, name, end, {left, right})) return nothing();
    const value &a = left.of, &b = right.of;
    const bool per_channel = may_be_per_channel && detail::product_of_two::is_per_channel(a.shape, b.shape);
    if (!(a.shape == b.shape) && !per_channel) return fails(name, end.at, otherwise, a, b);
    return named<Join>(name, end.at, a.shape, {a, b}, config);
  }
  constexpr value of_two(binary_kind kind, const char* name, const operand& a, const operand& b,
                         const end_of_join& end) {
    return join<detail::graph_binary>(tern::name(kind), name, end, a, b, "both values must have one shape", false,
                                      config_list<binary_config>::index_of({kind}));
  }
};

}  // namespace tern::inline TERN_ISA
