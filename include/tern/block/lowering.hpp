// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering of blocks to nodes of a graph. A block that only connects others becomes several nodes, or none; any other
// block becomes one.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "tern/block/graph.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/rules.hpp"
#include "tern/block/valid_config.hpp"
#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA::impl {

template <class... Lists>
struct joined_lists {
  using type = block_list<>;
};
template <class... A>
struct joined_lists<block_list<A...>> {
  using type = block_list<A...>;
};
template <class... A, class... B, class... Rest>
struct joined_lists<block_list<A...>, block_list<B...>, Rest...> : joined_lists<block_list<A..., B...>, Rest...> {};

/// The element type of the graphs inside a block, void if there are none.
template <class... T>
struct graph_types {
  using type = void;
};
template <class First, class... Rest>
struct graph_types<First, Rest...> {
  using type = First;
};
template <class... Rest>
struct graph_types<void, Rest...> : graph_types<Rest...> {};

/// A block that is one node.
template <class Block, sample_shape In, class Policy>
struct lowered_leaf {
  using blocks = block_list<Block>;
  using graph_type = void;
  static constexpr sample_shape out = layer<Block, In, Policy>::out;
  static constexpr value build(graph& g, value x) {
    if constexpr (!layer<Block, In, Policy>::wrong.empty()) return g.refuse(layer<Block, In, Policy>::wrong.text());
    return g.node<Block>(out, {x});
  }
};
/// Specialised for the blocks of op/block.hpp that are not a single node.
template <class BlockType, class Block, sample_shape In, class Policy>
struct lowered_block : lowered_leaf<Block, In, Policy> {};
/// Specialised for ops that are not a single node.
template <class OpType, class Op, sample_shape In, class Policy>
struct lowered_op : lowered_leaf<Op, In, Policy> {};

template <class Block, auto In, class Policy>
struct lowering : lowered_leaf<Block, In, Policy> {};
template <has_op_type Block, sample_shape In, class Policy>
struct lowering<Block, In, Policy> : lowered_op<typename Block::op_type, Block, In, Policy> {};
template <has_block_type Block, sample_shape In, class Policy>
struct lowering<Block, In, Policy> : lowered_block<typename Block::block_type, Block, In, Policy> {};

// ---------------------------------------------------------------------------------------------------------------------
// Blocks that move nothing

template <class Block, sample_shape In, class Policy>
struct lowered_block<skip, Block, In, Policy> {
  using blocks = block_list<>;
  using graph_type = void;
  static constexpr sample_shape out = In;
  static constexpr value build(graph&, value x) { return x; }
};
template <class Block, sample_shape In, class Policy>
struct lowered_view {
  using blocks = block_list<>;
  using graph_type = void;
  static constexpr sample_shape out = layer<Block, In, Policy>::out;
  static constexpr value build(graph& g, value x) {
    if constexpr (!layer<Block, In, Policy>::wrong.empty()) return g.refuse(layer<Block, In, Policy>::wrong.text());
    return {x.tensor, out};
  }
};
template <class Block, sample_shape In, class Policy>
struct lowered_block<flatten, Block, In, Policy> : lowered_view<Block, In, Policy> {};
template <sample_shape Shape, class Block, sample_shape In, class Policy>
struct lowered_block<reshape<Shape>, Block, In, Policy> : lowered_view<Block, In, Policy> {};

// ---------------------------------------------------------------------------------------------------------------------
// Blocks in sequence and in parallel

template <sample_shape In, class Policy, class... Blocks>
struct lowered_chain {
  using blocks = block_list<>;
  using graph_type = void;
  static constexpr sample_shape out = In;
  template <std::size_t Position, std::size_t Begin, std::size_t End>
  static constexpr value build_range(graph&, value x) {
    return x;
  }
};
template <sample_shape In, class Policy, class First, class... Rest>
struct lowered_chain<In, Policy, First, Rest...> {
  using first = lowering<First, In, Policy>;
  using rest = lowered_chain<first::out, Policy, Rest...>;
  using blocks = typename joined_lists<typename first::blocks, typename rest::blocks>::type;
  using graph_type = typename graph_types<typename first::graph_type, typename rest::graph_type>::type;
  static constexpr sample_shape out = rest::out;
  /// Adds blocks [Begin, End) of the chain; First has index Position.
  template <std::size_t Position, std::size_t Begin, std::size_t End>
  static constexpr value build_range(graph& g, value x) {
    if constexpr (Position < Begin) {
      return rest::template build_range<Position + 1, Begin, End>(g, x);
    } else if constexpr (Position < End) {
      const value y = [&] {
        const auto names = g.inside(static_cast<index_t>(Position));
        return first::build(g, x);
      }();
      return rest::template build_range<Position + 1, Begin, End>(g, y);
    } else {
      return x;
    }
  }
};
template <class... Blocks, class Block, sample_shape In, class Policy>
struct lowered_block<sequence<Blocks...>, Block, In, Policy> : lowered_chain<In, Policy, Blocks...> {
  static constexpr value build(graph& g, value x) {
    if (sizeof...(Blocks) == 0) return g.refuse("sequence: there must be at least one block");
    return lowered_chain<In, Policy, Blocks...>::template build_range<0, 0, sizeof...(Blocks)>(g, x);
  }
};

template <class F, class Shortcut, class Block, sample_shape In, class Policy>
struct lowered_block<residual<F, Shortcut>, Block, In, Policy> {
  using f = lowering<F, In, Policy>;
  using s = lowering<Shortcut, In, Policy>;
  using blocks = typename joined_lists<typename f::blocks, typename s::blocks, block_list<detail::sum_of_two>>::type;
  using graph_type = typename graph_types<typename f::graph_type, typename s::graph_type>::type;
  static constexpr sample_shape out = f::out;
  static constexpr value build(graph& g, value x) {
    const value a = [&] {
      const auto names = g.inside(index_t(0));
      return f::build(g, x);
    }();
    const value b = [&] {
      const auto names = g.inside(1);
      return s::build(g, x);
    }();
    constexpr declare::sentence stream = broken_rule("residual", {{!In.stream, no_stream}});
    if (!stream.empty()) return g.refuse(stream.text());
    if (!(f::out == s::out))
      return g.refuse("residual: both branches must give samples of one shape: give it a shortcut that does",
                      value{0, f::out}, value{0, s::out});
    return g.node<detail::sum_of_two>(out, {a, b});
  }
};

template <class F, class Block, sample_shape In, class Policy>
struct lowered_block<gate<F>, Block, In, Policy> {
  using f = lowering<F, In, Policy>;
  using blocks = typename joined_lists<typename f::blocks, block_list<detail::product_of_two>>::type;
  using graph_type = typename f::graph_type;
  static constexpr sample_shape out = In;
  static constexpr value build(graph& g, value x) {
    const value factor = [&] {
      const auto names = g.inside(index_t(0));
      return f::build(g, x);
    }();
    constexpr declare::sentence stream = broken_rule("gate", {{!In.stream, no_stream}});
    if (!stream.empty()) return g.refuse(stream.text());
    if (!(f::out == In) && !detail::product_of_two::is_per_channel(In, f::out))
      return g.refuse("gate: the block must give the shape of its input, or one number per channel", value{0, In},
                      value{0, f::out});
    return g.node<detail::product_of_two>(out, {x, factor});
  }
};

template <class... Fs, class Block, sample_shape In, class Policy>
struct lowered_block<concat<Fs...>, Block, In, Policy> {
  static constexpr std::array<sample_shape, sizeof...(Fs) + 1> parts{lowering<Fs, In, Policy>::out..., In};
  static constexpr sample_shape out = parts[0].with_channels((lowering<Fs, In, Policy>::out.channels + ... + 0));
  using blocks =
      typename joined_lists<typename lowering<Fs, In, Policy>::blocks..., block_list<detail::joined_channels>>::type;
  using graph_type = typename graph_types<typename lowering<Fs, In, Policy>::graph_type...>::type;
  static constexpr value build(graph& g, value x) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const value v[] = {branch<Fs>(g, x, I)..., x};
      constexpr declare::sentence wrong =
          broken_rule("concat", {{sizeof...(Fs) > 0, "there must be at least one block"}, {!In.stream, no_stream}});
      if (!wrong.empty()) return g.refuse(wrong.text());
      for (const sample_shape& s : {lowering<Fs, In, Policy>::out..., parts[0]})
        if (!(s.with_channels(0) == parts[0].with_channels(0)))
          return g.refuse("concat: all blocks must give samples of the same extents", value{0, parts[0]}, value{0, s});
      return sizeof...(Fs) == 1 ? v[0] : g.node<detail::joined_channels>(out, {v[I]...});
    }(std::index_sequence_for<Fs...>());
  }

 private:
  template <class F>
  static constexpr value branch(graph& g, value x, index_t position) {
    const auto names = g.inside(position);
    return lowering<F, In, Policy>::build(g, x);
  }
};

/// An op as another op followed by an elementwise op.
/// \tparam Named  true if both have names among the parameters
template <class Sums, class Steps, bool Named, sample_shape In, class Policy>
struct lowered_pair {
  using first = lowering<Sums, In, Policy>;
  using second = lowering<Steps, first::out, Policy>;
  using blocks = typename joined_lists<typename first::blocks, typename second::blocks>::type;
  using graph_type = void;
  static constexpr sample_shape out = second::out;
  static constexpr value build(graph& g, value x) {
    if constexpr (Named) {
      return lowered_chain<In, Policy, Sums, Steps>::template build_range<0, 0, 2>(g, x);
    } else {
      return second::build(g, first::build(g, x));
    }
  }
};

template <class F, class Block, sample_shape In, class Policy>
struct lowered_block<checkpoint<F>, Block, In, Policy> {
  using f = lowering<F, In, Policy>;
  using blocks = typename f::blocks;
  using graph_type = typename f::graph_type;
  static constexpr sample_shape out = f::out;
  static constexpr value build(graph& g, value x) {
    const auto again = g.checkpoint();
    return f::build(g, x);
  }
};

template <class F, class Block, sample_shape In, class Policy>
struct lowered_block<shared<F>, Block, In, Policy> {
  using f = lowering<F, In, Policy>;
  using blocks = typename f::blocks;
  using graph_type = typename f::graph_type;
  static constexpr sample_shape out = f::out;
  static constexpr value build(graph& g, value x) {
    return g.shared<F>(x, [&](const value& v) { return f::build(g, v); });
  }
};

// ---------------------------------------------------------------------------------------------------------------------
// Graphs of a user

/// The results of a block's `define` on values, as arrays.
template <class Block, std::size_t... I>
constexpr auto define(graph& g, const value* x, std::index_sequence<I...>) -> decltype(Block::define(g, x[I]...)) {
  return Block::define(g, x[I]...);
}
template <class T>
constexpr bool are_results = false;
template <>
inline constexpr bool are_results<value> = true;
template <std::size_t N>
constexpr bool are_results<std::array<value, N>> = true;
template <class Block, std::size_t N>
concept defines_graph_of = valid_config<Block> && requires(graph& g, const value* x) {
  define<Block>(g, x, std::make_index_sequence<N>());
  requires are_results<decltype(define<Block>(g, x, std::make_index_sequence<N>()))>;
};
template <class Block>
concept defines_graph = defines_graph_of<Block, 1> || defines_graph_of<Block, 2> || defines_graph_of<Block, 3> ||
                        defines_graph_of<Block, 4> || defines_graph_of<Block, 5> || defines_graph_of<Block, 6>;

template <class Block>
struct blocks_of_user {
  using type = block_list<>;
};
template <class Block>
  requires requires { typename Block::blocks; }
struct blocks_of_user<Block> {
  using type = typename Block::blocks;
};
/// The element type of a user graph, `using value_type = double;`, or void.
template <class Block>
struct type_of_user {
  using type = void;
};
template <class Block>
  requires requires { typename Block::value_type; }
struct type_of_user<Block> {
  using type = typename Block::value_type;
};
template <class Block>
struct lowered_define {
  using graph_type = typename type_of_user<Block>::type;
  using blocks =
      typename joined_lists<typename blocks_of_user<Block>::type,
                            block_list<detail::sum_of_two, detail::product_of_two, detail::joined_channels>>::type;
};
template <class Lowering, sample_shape In>
constexpr sample_shape shape_of_result() {
  graph g;
  return Lowering::build(g, g.input(In)).shape;
}
template <class Lowering, sample_shape In>
concept has_result = requires { typename std::bool_constant<(shape_of_result<Lowering, In>().channels > 0)>; };
/// The shape of the result; that of the input if `define` is not a constant, an error that the whole graph reports.
template <class Lowering, sample_shape In>
constexpr sample_shape shape_or_input() {
  if constexpr (has_result<Lowering, In>)
    return shape_of_result<Lowering, In>();
  else
    return In;
}
template <defines_graph Block, sample_shape In, class Policy>
struct lowering<Block, In, Policy> : lowered_define<Block> {
  static constexpr value build(graph& g, value x) {
    if constexpr (!defines_graph_of<Block, 1>)
      return g.refuse(
          "a graph of several inputs needs a shape for each: std::array{shape, shape}; inside of other blocks a graph "
          "has one");
    else if constexpr (!std::is_same_v<decltype(Block::define(g, x)), value>)
      return g.refuse("a graph of several results must be the whole network: inside of other blocks it has one");
    else
      return Block::define(g, x);
  }
  static constexpr sample_shape out = shape_or_input<lowering, In>();
};
template <defines_graph Block, std::size_t N, std::array<sample_shape, N> In, class Policy>
struct lowering<Block, In, Policy> : lowered_define<Block> {
  static constexpr auto build(graph& g, const value* x) {
    if constexpr (defines_graph_of<Block, N>)
      return define<Block>(g, x, std::make_index_sequence<N>());
    else
      return g.refuse("`define` must take the graph and as many values as there are shapes");
  }
};

/// Refuses several inputs for a block that takes one.
template <class Block, std::size_t N, std::array<sample_shape, N> In, class Policy>
  requires(!defines_graph<Block>)
struct lowering<Block, In, Policy> {
  using blocks = block_list<>;
  using graph_type = void;
  static constexpr value build(graph& g, const value*) {
    return g.refuse("there is one input: only a struct with `define` takes several");
  }
};

template <class Block, sample_shape In, class Policy>
constexpr auto results_of(graph& g, const sample_shape& in) {
  if constexpr (defines_graph_of<Block, 1>)
    return Block::define(g, g.input(in));  // may be several
  else
    return lowering<Block, In, Policy>::build(g, g.input(in));
}
template <class Block, auto In, class Policy, std::size_t N>
constexpr auto results_of(graph& g, const std::array<sample_shape, N>& in) {
  value x[N];
  for (std::size_t i = 0; i < N; ++i) x[i] = g.input(in[i]);
  return lowering<Block, In, Policy>::build(g, x);
}
constexpr void add_output(graph& g, const value& y) { g.result(y); }
template <std::size_t N>
constexpr void add_output(graph& g, const std::array<value, N>& results) {
  for (const value& y : results) add_output(g, y);
}

/// A placeholder after an error: a graph that does nothing, with the inputs, outputs and error of another one.
constexpr graph nothing_like(const graph& g) {
  graph nothing;
  for (const sample_shape& in : g.inputs()) nothing.input(in);
  for (int k = 0; k < g.outputs().size(); ++k)
    nothing.output(nothing.node<skip>(nothing.inputs()[0], {value{0, nothing.inputs()[0]}}));
  nothing.fail_as(g);
  return nothing;
}
template <class Block>
constexpr void refuse_recursion(graph& g, const sample_shape& in) {
  g.check_recursion<Block>(in);
}
template <class Block, std::size_t N>
constexpr void refuse_recursion(graph&, const std::array<sample_shape, N>&) {}  // graph::block takes one input
/// The graph of a block; after an error a placeholder, so that compilers report no further ones.
template <class Block, auto In, class Policy>
constexpr graph graph_of() {
  graph g;
  add_output(g, results_of<Block, In, Policy>(g, In));
  []<class... Listed>(graph& of, block_list<Listed...>) { of.check_blocks<Listed...>(); }(
      g, typename lowering<Block, In, Policy>::blocks());
  refuse_recursion<Block>(g, In);
  g.check_use();
  if (g.error().empty()) return g;
  return nothing_like(g);
}

}  // namespace tern::inline TERN_ISA::impl
