// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain of blocks with recomputation, chosen while compiling.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/block/graph_layer.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/lowering.hpp"
#include "tern/block/recompute_plan.hpp"
#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// Blocks [First, First + sizeof...(I)) of a list as one.
template <class List, std::size_t First, class Indices>
struct segment_of;
template <class List, std::size_t First, std::size_t... I>
struct segment_of<List, First, std::index_sequence<I...>> {
  using type = sequence<std::tuple_element_t<First + I, List>...>;
};

/// Cuts a list of blocks: all segments but the last one become checkpoints.
template <class List, auto Begins, std::size_t First, class... Done>
struct cut_chain {
  static constexpr std::size_t end = [] {
    std::size_t i = First + 1;
    while (i < Begins.size() && !Begins[i]) ++i;
    return i;
  }();
  using segment = typename segment_of<List, First, std::make_index_sequence<end - First>>::type;
  static constexpr auto next() {
    if constexpr (end == Begins.size())
      return std::type_identity<sequence<Done..., segment>>();
    else
      return std::type_identity<typename cut_chain<List, Begins, end, Done..., checkpoint<segment>>::type>();
  }
  using type = typename decltype(next())::type;
};

/// The layers of some blocks, each for the output of its predecessor.
template <sample_shape In, class Policy, class Done, class... Rest>
struct layers_of;
template <sample_shape In, class Policy, class... Done>
struct layers_of<In, Policy, std::tuple<Done...>> {
  using type = std::tuple<Done...>;
};
template <sample_shape In, class Policy, class... Done, class First, class... Rest>
struct layers_of<In, Policy, std::tuple<Done...>, First, Rest...>
    : layers_of<layer<First, In, Policy>::out, Policy, std::tuple<Done..., layer<First, In, Policy>>, Rest...> {};

/// The costs per sample of the layers: elements kept, with their results, and floating-point operations, estimated from
/// the elements of their tensors and parameters.
template <class Layers>
struct chain_costs;
template <class... L>
struct chain_costs<std::tuple<L...>> {
  static constexpr std::array<chain_cost, sizeof...(L)> value{
      chain_cost{.input = detail::in_memory_grains(L::in.size()),
                 .kept = L::kept.per_sample + detail::in_memory_grains(L::out.size()),
                 .work = L::in.size() + L::out.size() + L::parameters * L::out.positions()}...};
};

}  // namespace impl

/// Blocks cut into segments at Begins, from a plan or chosen by hand; all but the last are checkpoints. Block 0 begins
/// the first segment.
template <auto Begins, class... Blocks>
using sequence_in_segments = typename impl::cut_chain<std::tuple<Blocks...>, Begins, 0>::type;

/// The cut of blocks for samples of a shape that limits the kept elements per sample. Scratch, memory common to all
/// samples and gradients come on top: tern::network::training_memory includes everything.
template <sample_shape In, class Policy, class... Blocks>
constexpr recompute_choice<sizeof...(Blocks)> recompute_choice_for(index_t elements_per_sample) {
  using layers = typename impl::layers_of<In, Policy, std::tuple<>, Blocks...>::type;
  return plan_recompute(impl::chain_costs<layers>::value, elements_per_sample);
}

/// Blocks in sequence, with the least recomputation that limits the kept memory to ElementsPerSample elements per
/// sample.
template <index_t ElementsPerSample, class... Blocks>
struct recompute {
  using block_type = recompute;
  static constexpr const char* name = "recompute";
};

namespace impl {

/// The chain with its segments as checkpoints; names and offsets of parameters are those of the chain.
template <index_t Elements, class... Blocks, class Block, sample_shape In, class Policy>
struct lowered_block<recompute<Elements, Blocks...>, Block, In, Policy> : lowered_chain<In, Policy, Blocks...> {
  static constexpr auto choice = recompute_choice_for<In, Policy, Blocks...>(Elements);
  static constexpr value build(graph& g, value x) {
    const value y = build_segments<0>(g, x);
    declare::sentence s;
    s << "recompute: no cut keeps only " << Elements << " elements of a sample: give it " << choice.memory
      << " at least";
    return choice.fits ? y : g.refuse(s.text());
  }

 private:
  static constexpr std::size_t count = sizeof...(Blocks);
  template <std::size_t First>
  static constexpr std::size_t end_of_segment = [] {
    std::size_t i = First + 1;
    while (i < count && !choice.begins[i]) ++i;
    return i;
  }();
  template <std::size_t First>
  static constexpr value build_segments(graph& g, value x) {
    constexpr std::size_t end = end_of_segment<First>;
    if constexpr (end == count) {
      return lowered_chain<In, Policy, Blocks...>::template build_range<0, First, count>(g, x);
    } else {
      const value y = [&] {
        const auto again = g.checkpoint();
        return lowered_chain<In, Policy, Blocks...>::template build_range<0, First, end>(g, x);
      }();
      return build_segments<end>(g, y);
    }
  }
};
template <index_t Elements, class... Blocks, sample_shape In, class Policy>
struct block_layer<recompute<Elements, Blocks...>, In, Policy>
    : layer_of_graph<recompute<Elements, Blocks...>, In, Policy, false> {};
template <index_t Elements, class... Blocks>
struct whole_block<std::type_identity<recompute<Elements, Blocks...>>> {
  using type = recompute<Elements, Blocks...>;
};

}  // namespace impl
}  // namespace tern::inline TERN_ISA
