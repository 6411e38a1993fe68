// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One layer after the other, and where everything that lies between them is kept: a schedule of 2 n steps, n layers
// forward and n back, in which every tensor lives from its first use to its last.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory.hpp"
#include "tern/core/config.hpp"
#include "tern/core/each_constant.hpp"
#include "tern/policy/batch_rules.hpp"

namespace tern::inline TERN_ISA::impl {

/// What the memory of a chain depends on, for one of its layers.
struct link {
  memory_need y, kept, forward_scratch, backward_scratch, infer_scratch;
  bool needs_x, needs_y, in_place, restores_x, gradient_in_place;
};
template <class L>
constexpr link link_of_layer = {detail::need_per_sample(L::out.size()),
                                L::kept,
                                L::forward_scratch,
                                L::backward_scratch,
                                L::infer_scratch,
                                L::needs_x,
                                L::needs_y,
                                L::in_place,
                                L::restores_x,
                                L::gradient_in_place};

/// Memory of a chain of N layers. Edge i is the output of layer i; those of the last one, and the input, are the
/// caller's.
template <std::size_t N>
struct chain_memory {
  std::array<std::size_t, N> edge{}, gradient{}, infer_edge{};  ///< the first edge that has the same memory
  std::array<bool, N> edge_is_kept{};
  // Offsets within kept memory and scratch; edges that are not kept lie in the scratch of the forward pass.
  std::array<memory_need, N> edge_at{}, kept_at{}, forward_at{}, gradient_at{}, backward_at{}, infer_edge_at{},
      infer_at{};
  // Where nothing is around the chain, for those who print it: by use and layer, from step to step of 2 n.
  std::array<detail::lifetime, memory_uses * N> lifetimes{};
  std::array<memory_need, memory_uses * N> lifetimes_at{};
  memory_need kept, forward_scratch, backward_scratch, infer_scratch;
};

/// Which edges have the same memory, and until which step of 2 n that of an edge is used.
template <std::size_t N>
constexpr std::array<int, N> share_edges(const std::array<link, N>& layers, chain_memory<N>& r) {
  const int n = static_cast<int>(N);
  std::array<int, N> last{};
  std::array<bool, N> wanted{};  // by memory: whether a layer that wrote it wants its result again
  for (std::size_t i = 0; i < N; ++i) {
    const int forward = static_cast<int>(i);
    const bool owned = i + 1 < N, follows = i > 0 && owned;
    const link& l = layers[i];
    const bool shares = follows && l.in_place && (l.restores_x || (!l.needs_x && !wanted[r.edge[i - 1]]));
    r.edge[i] = shares ? r.edge[i - 1] : i;
    if (!owned) continue;
    wanted[r.edge[i]] = wanted[r.edge[i]] || l.needs_y;
    int use = forward + 1;
    if (l.needs_y) use = 2 * n - 1 - forward;
    // The backward pass of the next layer is before that of this one.
    if (!l.needs_y && layers[i + 1].needs_x) use = 2 * n - 2 - forward;
    if (use > last[r.edge[i]]) last[r.edge[i]] = use;
  }
  for (std::size_t k = N - 1; k-- > 0;)
    r.gradient[k] = k + 2 < N && layers[k + 1].gradient_in_place ? r.gradient[k + 1] : k;
  return last;
}

/// The same for inference, where a layer and those that are done in its step have one result, that of the last of them.
template <std::size_t N>
constexpr void share_infer_edges(const std::array<link, N>& layers, const std::array<std::size_t, N>& leader,
                                 chain_memory<N>& r) {
  for (std::size_t i = 0; i < N; ++i) {
    const std::size_t first = leader[i];
    r.infer_edge[i] = first > 0 && i + 1 < N && layers[first].in_place ? r.infer_edge[first - 1] : i;
  }
}

/// \tparam Whole  whether nothing is around the chain: then everything lies in one piece of memory, in which the
///                backward pass takes what it has done with; else what is kept lies apart from scratch
/// \param leader  of every layer the one in whose step of inference it is done, or itself: see chain_facts
template <bool Whole, std::size_t N>
constexpr chain_memory<N> place_chain(const std::array<link, N>& layers, const std::array<std::size_t, N>& leader) {
  chain_memory<N> r;
  share_infer_edges(layers, leader, r);
  const int n = static_cast<int>(N);
  const std::array<int, N> last = share_edges(layers, r);
  for (std::size_t i = 0; i + 1 < N; ++i) r.edge_is_kept[i] = last[r.edge[i]] >= n;

  // Memory of one use lies behind that of another, by layer. The result and its gradient are those of the layer's edge.
  constexpr auto of = [](memory_use u, std::size_t i) { return static_cast<std::size_t>(u) * N + i; };
  using enum memory_use;
  std::array<detail::lifetime, memory_uses * N> all{};
  std::array<detail::lifetime, 2 * N> infer{};  // edges, and scratch
  for (std::size_t i = 0; i < N; ++i) {
    const int step = static_cast<int>(i), back = 2 * n - 1 - step;
    const link& l = layers[i];
    const bool owned = i + 1 < N;
    if (owned && r.edge[i] == i) all[of(result, i)] = {l.y, step, last[i]};
    all[of(kept, i)] = {l.kept, step, back};
    all[of(forward_scratch, i)] = {l.forward_scratch, step, step};
    // Written by the backward pass of layer i + 1, read by that of layer i; or by those that share it.
    if (owned) {
      detail::lifetime& g = all[of(gradient, r.gradient[i])];
      if (r.gradient[i] == i) g.need = l.y, g.first = back - 1;
      if (g.last < back) g.last = back;
    }
    all[of(backward_scratch, i)] = {l.backward_scratch, back, back};

    infer[N + i] = {l.infer_scratch, static_cast<int>(leader[i]), static_cast<int>(leader[i])};
    if (i + 1 == N || leader[i + 1] == leader[i]) continue;  // the caller's, or never there
    detail::lifetime& e = infer[r.infer_edge[i]];
    if (r.infer_edge[i] == i) e.need = l.y, e.first = static_cast<int>(leader[i]);
    e.last = static_cast<int>(leader[i + 1]);
  }
  // In a chain that something is around, what crosses from forward to backward passes is kept, one piece behind the
  // other: all of it is there when the backward pass begins. The rest is scratch.
  std::array<memory_need, memory_uses * N> apart{};
  std::array<bool, memory_uses * N> is_apart{};
  if constexpr (!Whole)
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].first >= n || all[i].last < n) continue;
      apart[i] = r.kept, is_apart[i] = true;
      r.kept = r.kept + all[i].need;
      all[i] = {};
    }
  const auto placed = detail::place_tensors(all);
  const auto unused = detail::place_tensors(infer);
  const auto at = [&](std::size_t i) { return is_apart[i] ? apart[i] : placed.at[i]; };
  for (std::size_t i = 0; i < N; ++i) {
    r.edge_at[i] = at(of(result, i)), r.kept_at[i] = at(of(kept, i));
    r.forward_at[i] = at(of(forward_scratch, i)), r.gradient_at[i] = at(of(gradient, i));
    r.backward_at[i] = at(of(backward_scratch, i));
    r.infer_edge_at[i] = unused.at[i], r.infer_at[i] = unused.at[N + i];
  }
  r.infer_scratch = unused.total;
  if constexpr (Whole) {
    r.kept = placed.total;
    r.lifetimes = all, r.lifetimes_at = placed.at;
  } else {
    const auto scratch_until = [&](bool backward) {
      memory_need m;
      for (std::size_t i = 0; i < memory_uses * N; ++i)
        if (all[i].lives() && (all[i].first >= n) == backward) m = most(m, placed.at[i] + all[i].need);
      return m;
    };
    r.forward_scratch = scratch_until(false), r.backward_scratch = scratch_until(true);
  }
  return r;
}

/// The layers of some blocks, each for the output of the one before.
template <sample_shape In, class Policy, class Done, class... Rest>
struct layers_of;
template <sample_shape In, class Policy, class... Done>
struct layers_of<In, Policy, std::tuple<Done...>> {
  using type = std::tuple<Done...>;
};
template <sample_shape In, class Policy, class... Done, class First, class... Rest>
struct layers_of<In, Policy, std::tuple<Done...>, First, Rest...>
    : layers_of<layer<First, In, Policy>::out, Policy, std::tuple<Done..., layer<First, In, Policy>>, Rest...> {};

/// What the layers inside of one have together: sums, and where the parameters of each begin.
template <class Tuple>
struct chain_facts;
template <class... L>
struct chain_facts<std::tuple<L...>> {
  static constexpr std::size_t count = sizeof...(L);
  static_assert(((L::parameters >= 0 && L::statistics >= 0 && L::sites >= 0 && L::penalties >= 0) && ...),
                "network: .parameters, .statistics, .sites and .penalties of a block must be at least 0");
  static constexpr std::array<link, count> links{link_of_layer<L>...};
  static constexpr index_t parameters = (L::parameters + ... + 0), statistics = (L::statistics + ... + 0),
                           sites = (L::sites + ... + 0), penalties = (L::penalties + ... + 0);
  static constexpr bool whole_batch = (L::whole_batch || ...);
  static constexpr index_t grain = [] {
    index_t g = 1;
    ((g = detail::batching::at_least(g, L::grain)), ...);
    return g;
  }();
  template <index_t... Counts>
  static constexpr std::array<index_t, count> sums_before() {
    const index_t counts[] = {Counts...};
    std::array<index_t, count> r{};
    for (std::size_t i = 1; i < count; ++i) r[i] = r[i - 1] + counts[i - 1];
    return r;
  }
  static constexpr auto parameter_at = sums_before<L::parameters...>(), statistic_at = sums_before<L::statistics...>(),
                        site_at = sums_before<L::sites...>(), penalty_at = sums_before<L::penalties...>();

  static constexpr std::array<bool, count> only_steps{L::only_steps...};
  static constexpr std::array<elementwise_config, count> steps{L::infer_steps...};
  /// Of every layer the one behind whose result its steps are done in inference, or itself.
  static constexpr std::array<std::size_t, count> leader = [] {
    std::array<std::size_t, count> r{};
    elementwise_config behind;
    for (std::size_t i = 1; i < count; ++i) {
      const bool joins = only_steps[i] && behind.precedes(steps[i]);
      r[i] = joins ? r[i - 1] : i;
      behind = joins ? behind.with(steps[i]) : elementwise_config{};
    }
    return r;
  }();
  /// Of a leader the last layer that is done with it, and the steps of all of them.
  static constexpr std::size_t last_behind(std::size_t i) {
    while (i + 1 < count && leader[i + 1] != i + 1) ++i;
    return i;
  }
  static constexpr elementwise_config steps_behind(std::size_t i) {
    elementwise_config all;
    for (std::size_t k = i + 1; k <= last_behind(i); ++k) all = all.with(steps[k]);
    return all;
  }

  /// Calls f(i) for the number of every layer, as a constant.
  template <class F>
  static void each(F f) {
    each_constant<static_cast<int>(count)>(f);
  }
  /// The call of layer I.
  template <std::size_t I, class Call>
  static Call inside(const Call& c) {
    return c.at(parameter_at[I], statistic_at[I], site_at[I], penalty_at[I]);
  }
  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    each([&](auto i) {
      std::tuple_element_t<i, std::tuple<L...>>::each_parameter(f, path.inside(i, parameter_at[i], statistic_at[i]));
    });
  }
  template <class Call>
  static void conclude(const Call& c) {
    each([&](auto i) { std::tuple_element_t<i, std::tuple<L...>>::conclude(inside<i>(c)); });
  }

  template <class A, class... Rest>
  struct joined {
    using type = A;
  };
  template <class A, class B, class... Rest>
  struct joined<A, B, Rest...> : joined<typename joint_type<A, B>::type, Rest...> {};
  using value_type = typename joined<void, typename L::value_type...>::type;
};

/// A layer of layers: what it has because they do. `facts` is what it knows about them.
template <sample_shape In, class Layers>
struct composed_layer : layer_base<In> {
  using facts = chain_facts<Layers>;
  using value_type = typename facts::value_type;
  static constexpr index_t parameters = facts::parameters, statistics = facts::statistics, sites = facts::sites,
                           penalties = facts::penalties, grain = facts::grain;
  static constexpr bool whole_batch = facts::whole_batch;

  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    facts::each_parameter(f, path);
  }
  template <class Call>
  static void conclude(const Call& c) {
    facts::conclude(c);
  }
};

template <class Block>
constexpr const char* block_name() {
  if constexpr (requires { Block::name; })
    return Block::name;
  else
    return "block";
}

/// \tparam Whole  see place_chain
template <bool Whole, sample_shape In, class Policy, class... Blocks>
struct chain_layer : layer_base<In> {
  static_assert(sizeof...(Blocks) > 0, "sequence: there must be at least one block");
};
template <bool Whole, sample_shape In, class Policy, class... Blocks>
  requires(sizeof...(Blocks) > 0)
struct chain_layer<Whole, In, Policy, Blocks...>
    : composed_layer<In, typename layers_of<In, Policy, std::tuple<>, Blocks...>::type> {
  using layers = typename layers_of<In, Policy, std::tuple<>, Blocks...>::type;
  using typename composed_layer<In, layers>::facts;
  static constexpr std::size_t count = sizeof...(Blocks);
  template <std::size_t I>
  using layer_at = std::tuple_element_t<I, layers>;
  static constexpr std::array<const char*, count> names{block_name<Blocks>()...};
  static constexpr std::array<sample_shape, count> shapes = [] {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<sample_shape, count>{layer_at<I>::out...};
    }(std::make_index_sequence<count>());
  }();
  using first = layer_at<0>;
  using last = layer_at<count - 1>;

  static constexpr sample_shape out = last::out;
  static constexpr chain_memory<count> places = place_chain<Whole>(facts::links, facts::leader);
  static constexpr memory_need kept = places.kept, forward_scratch = places.forward_scratch,
                               backward_scratch = places.backward_scratch, infer_scratch = places.infer_scratch;
  static constexpr bool needs_x = first::needs_x, needs_y = last::needs_y;

  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch_memory) {
    const M scratch = Whole ? kept_memory : scratch_memory;
    facts::each([&](auto i) {
      layer_at<i>::forward(facts::template inside<i>(c), edge<i>(const_cast<T*>(x), y, kept_memory, scratch),
                           edge<i + 1>(const_cast<T*>(x), y, kept_memory, scratch), kept_memory.at(places.kept_at[i]),
                           scratch.at(places.forward_at[i]));
    });
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* x, T* y, const T* dy, T* dx, const M& kept_memory,
                       const M& scratch_memory) {
    const M scratch = Whole ? kept_memory : scratch_memory;
    facts::each([&](auto forward_step) {
      constexpr std::size_t i = count - 1 - static_cast<std::size_t>(forward_step());
      // Edges that were not kept are gone: whoever looks at one all the same finds out.
      const auto kept_edge = [&]<std::size_t E>(std::integral_constant<std::size_t, E>) -> T* {
        if constexpr (E == 0 || E == count)
          return edge<E>(const_cast<T*>(x), y, kept_memory, scratch);
        else
          return places.edge_is_kept[E - 1] ? edge<E>(const_cast<T*>(x), y, kept_memory, scratch) : nullptr;
      };
      const auto gradient = [&]<std::size_t E>(std::integral_constant<std::size_t, E>) -> T* {
        return scratch.at(places.gradient_at[places.gradient[E - 1]]).samples;
      };
      const T* of_y = dy;
      if constexpr (i + 1 < count) of_y = gradient(std::integral_constant<std::size_t, i + 1>());
      T* of_x = dx;
      if constexpr (i > 0) of_x = gradient(std::integral_constant<std::size_t, i>());
      layer_at<i>::backward(facts::template inside<i>(c), kept_edge(std::integral_constant<std::size_t, i>()),
                            kept_edge(std::integral_constant<std::size_t, i + 1>()), of_y, of_x,
                            kept_memory.at(places.kept_at[i]), scratch.at(places.backward_at[i]));
    });
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    infer_then<elementwise_config{}>(c, x, y, scratch, step_operands<T>());
  }
  template <elementwise_config Steps>
  static constexpr bool takes_steps = true;
  /// Batch norms, activations and what else is steps of an epilogue are done where their inputs are computed: the same
  /// bits (docs/numerics.md, rule 4).
  template <elementwise_config Steps, class Call, class T, class M>
  static void infer_then(const Call& c, const T* x, T* y, const M& scratch, const step_operands<T>& o) {
    const auto at = [&]<std::size_t E>(std::integral_constant<std::size_t, E>) -> T* {
      if constexpr (E == 0)
        return const_cast<T*>(x);
      else if constexpr (E == count)
        return y;
      else
        return scratch.at(places.infer_edge_at[places.infer_edge[E - 1]]).samples;
    };
    facts::each([&](auto i) {
      if constexpr (facts::leader[i] == i) {
        constexpr std::size_t end = facts::last_behind(i);
        constexpr elementwise_config behind = facts::steps_behind(i);
        constexpr bool is_last = end + 1 == count, joins = is_last && behind.precedes(Steps);
        step_operands<T> all;
        facts::each([&](auto k) {
          if constexpr (k > i && k <= end)
            all = all.with(layer_at<k>::infer_operands(facts::template inside<k>(c), scratch.at(places.infer_at[k])));
        });
        if constexpr (joins) all = all.with(o);
        impl::infer_then<layer_at<i>, joins ? behind.with(Steps) : behind, Policy>(
            facts::template inside<i>(c), static_cast<const T*>(at(std::integral_constant<std::size_t, i>())),
            at(std::integral_constant<std::size_t, end + 1>()), scratch.at(places.infer_at[i]), all);
        if constexpr (is_last && !joins) take_steps<Policy, out, Steps>(c, static_cast<const T*>(y), y, o);
      }
    });
  }

 private:
  /// The input of layer E, which is the output of the one before. x is not written through it.
  template <std::size_t E, class T, class M>
  static T* edge(T* x, T* y, const M& kept_memory, const M& scratch) {
    if constexpr (E == 0)
      return x;
    else if constexpr (E == count)
      return y;
    else
      return (places.edge_is_kept[E - 1] ? kept_memory : scratch).at(places.edge_at[places.edge[E - 1]]).samples;
  }
};

template <class... Blocks, sample_shape In, class Policy>
struct block_layer<sequence<Blocks...>, In, Policy> : chain_layer<false, In, Policy, Blocks...> {};

/// The layer of a block that nothing is around.
template <class Block, sample_shape In, class Policy>
struct whole_layer {
  using type = chain_layer<true, In, Policy, Block>;
};
template <class Block, sample_shape In, class Policy>
  requires requires { typename Block::block_type; }
struct whole_layer<Block, In, Policy> : whole_layer<std::type_identity<typename Block::block_type>, In, Policy> {};
template <class Block, sample_shape In, class Policy>
struct whole_layer<std::type_identity<Block>, In, Policy> {
  using type = chain_layer<true, In, Policy, Block>;
};
template <class... Blocks, sample_shape In, class Policy>
struct whole_layer<std::type_identity<sequence<Blocks...>>, In, Policy> {
  using type = chain_layer<true, In, Policy, Blocks...>;
};

}  // namespace tern::inline TERN_ISA::impl
