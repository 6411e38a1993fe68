// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain of blocks of which some are computed again, chosen while compiling.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/block/checkpoint.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/recompute_plan.hpp"
#include "tern/block/sequence.hpp"
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

/// What the layers of some blocks take per sample, in elements: what they keep with their results, and floating-point
/// operations as far as elements of their tensors and parameters tell.
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

/// Blocks with checkpoints where Cuts begin: those of a plan, or of one's own. Block 0 begins the first segment.
template <auto Begins, class... Blocks>
using sequence_in_segments = typename impl::cut_chain<std::tuple<Blocks...>, Begins, 0>::type;

/// How to cut blocks for samples of a shape, so that what they keep takes at most so many elements of a sample.
/// Scratch, what all samples share, and gradients come on top: tern::network::training_memory has everything.
template <sample_shape In, class Policy, class... Blocks>
constexpr recompute_choice<sizeof...(Blocks)> recompute_choice_for(index_t elements_per_sample) {
  using layers = typename impl::layers_of<In, Policy, std::tuple<>, Blocks...>::type;
  return plan_recompute(impl::chain_costs<layers>::value, elements_per_sample);
}

/// Blocks one after the other, of which as little as possible is computed again so that what they keep takes at most
/// so many elements of a sample.
template <index_t ElementsPerSample, class... Blocks>
struct recompute {
  using block_type = recompute;
  static constexpr const char* name = "recompute";
};

namespace impl {

template <sample_shape In, class Policy, class Block>
struct recomputing;
template <index_t Elements, class... Blocks, sample_shape In, class Policy>
struct recomputing<In, Policy, recompute<Elements, Blocks...>> {
  static constexpr auto choice = recompute_choice_for<In, Policy, Blocks...>(Elements);
  static_assert(choice.fits, "recompute: no cut keeps so little: give it more elements of a sample");
  using type = sequence_in_segments<choice.begins, Blocks...>;
  using names = block_layer<sequence<Blocks...>, In, Policy>;
};

/// As the blocks that it became, but that their parameters have the names and places of the chain that was not cut.
template <class Layer, class Names>
struct renamed_layer : Layer {
  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    Names::each_parameter(f, path);
  }
};

template <index_t Elements, class... Blocks, sample_shape In, class Policy>
struct block_layer<recompute<Elements, Blocks...>, In, Policy>
    : renamed_layer<block_layer<typename recomputing<In, Policy, recompute<Elements, Blocks...>>::type, In, Policy>,
                    typename recomputing<In, Policy, recompute<Elements, Blocks...>>::names> {};
template <index_t Elements, class... Blocks, sample_shape In, class Policy>
struct whole_layer<std::type_identity<recompute<Elements, Blocks...>>, In, Policy> {
  using cut = recomputing<In, Policy, recompute<Elements, Blocks...>>;
  using type = renamed_layer<typename whole_layer<std::type_identity<typename cut::type>, In, Policy>::type,
                             typename cut::names>;
};

}  // namespace impl
}  // namespace tern::inline TERN_ISA
