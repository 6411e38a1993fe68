// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph and its plans as constants: nodes, kinds of equal nodes, and the needs of their layers.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tern/block/graph.hpp"
#include "tern/block/inference_planner.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/lowering.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/rules.hpp"
#include "tern/block/step_plan.hpp"
#include "tern/block/training_planner.hpp"
#include "tern/block/valid_config.hpp"
#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/sentence.hpp"

namespace tern::inline TERN_ISA::impl {

using detail::to_array;

/// The kinds of nodes, numbered by first appearance: nodes with equal blocks and input shapes are of one kind. A hash
/// of config and channels shortens the search: graphs have hundreds of kinds, and compilers limit the steps of a
/// constant.
struct node_kinds {
  detail::list<int> of_node, first_node;

  constexpr explicit node_kinds(const graph& g) {
    constexpr int places = 256;
    detail::list<int> first(places, -1), next;
    const auto& nodes = g.nodes();
    for (int i = 0; i < nodes.size(); ++i) {
      const detail::graph_node& n = nodes[i];
      int& head = first[static_cast<int>((n.config + 1 + 7 * g.operands()[n.first_operand].shape.channels) % places)];
      int kind = head;
      while (kind >= 0 && !alike(g, n, nodes[first_node[kind]])) kind = next[kind];
      if (kind < 0) kind = first_node.add(i), next.add(head), head = kind;
      of_node.add(kind);
    }
  }
  static constexpr bool alike(const graph& g, const detail::graph_node& a, const detail::graph_node& b) {
    if (a.block != b.block || a.config != b.config || a.operands != b.operands) return false;
    for (int o = 0; o < a.operands; ++o)
      if (!(g.operands()[a.first_operand + o].shape == g.operands()[b.first_operand + o].shape)) return false;
    return true;
  }
};

struct graph_sizes {
  std::size_t inputs, outputs, nodes, kinds, operands, segments, names;
  std::array<std::size_t, detail::config_lists::types> configs;
};
/// A graph in arrays.
template <graph_sizes S>
struct flat_graph {
  std::array<sample_shape, S.inputs> inputs;
  std::array<value, S.outputs> outputs;
  std::array<detail::graph_node, S.nodes> nodes;
  std::array<int, S.nodes> kind;
  std::array<int, S.kinds> first_node;
  std::array<value, S.operands> operands;
  std::array<detail::graph_segment, S.segments> segments;
  std::array<detail::graph_name, S.names> names;
  detail::config_arrays_by<detail::config_lists, S.configs, std::make_index_sequence<detail::config_lists::types>>
      configs;
};

struct plan_sizes {
  std::size_t tensors, steps, refs;
};
/// A plan in arrays. Their sizes are upper bounds, so the planner need not run once more to count.
template <plan_sizes S>
struct flat_plan {
  std::array<detail::planned_tensor, S.tensors> tensors;
  std::array<detail::planned_step, S.steps> steps;
  std::array<int, S.refs> refs;
  int forward_steps = 0, count = 0;  ///< count: the number of steps
  memory_need kept, forward_scratch, backward_scratch;
};

template <class Block>
constexpr const char* block_name() {
  if constexpr (!valid_config<Block>)
    return broken<Block>.name;
  else if constexpr (requires { Block::name; })
    return Block::name;
  else
    return "block";
}
/// The number of a layer's inputs; one, unless it has `operands`.
template <class L>
constexpr int operands_of = [] {
  if constexpr (requires { L::operands; })
    return L::operands;
  else
    return 1;
}();
template <class L>
struct facts_of_layer {
  using type = detail::node_facts;
  static constexpr type value{.size = L::out.size(),
                              .channels = L::out.channels,
                              .kept = L::kept,
                              .forward_scratch = L::forward_scratch,
                              .backward_scratch = L::backward_scratch,
                              .infer_scratch = L::infer_scratch,
                              .needs_x = L::needs_x,
                              .needs_y = L::needs_y,
                              .in_place = L::in_place,
                              .restores_x = L::restores_x,
                              .gradient_in_place = L::gradient_in_place,
                              .needs_dx = L::parameters > 0 || L::out.stream != 0,
                              .adds = L::adds,
                              .joins = L::joins,
                              .is_elementwise = L::is_elementwise,
                              .steps = L::infer_steps};
};
/// Numbers of parameters, statistics, sites and penalties: of a layer, before a node, of all.
struct node_counts {
  index_t parameters = 0, statistics = 0, sites = 0, penalties = 0, packed = 0, multiply_adds = 0;
  friend constexpr node_counts operator+(const node_counts& a, const node_counts& b) {
    return {a.parameters + b.parameters, a.statistics + b.statistics, a.sites + b.sites,
            a.penalties + b.penalties,   a.packed + b.packed,         a.multiply_adds + b.multiply_adds};
  }
};
template <class L>
struct counts_of_layer {
  using type = node_counts;
  static_assert(L::parameters >= 0 && L::statistics >= 0 && L::sites >= 0 && L::penalties >= 0,
                "network: .parameters, .statistics, .sites and .penalties of a block must be at least 0");
  static constexpr type value{
      L::parameters, L::statistics, L::sites, L::penalties, detail::in_memory_grains(L::packed), L::multiply_adds};
};
template <class L>
struct grain_of_layer {
  using type = index_t;
  static constexpr type value = L::grain;
};
template <class L>
struct features_of_layer {
  using type = feature_role;
  static constexpr type value = L::features;
};
template <class L>
struct workspace_of_layer {
  using type = index_t;
  static constexpr type value = L::thread_workspace;
};
template <class L>
struct result_of_layer {
  using type = sample_shape;
  static constexpr type value = L::out;
};
template <class L>
struct error_of_layer {
  using type = const declare::sentence*;
  static constexpr type value = &L::wrong;
};
/// The name of the element type, empty if the layer fixes none.
template <class L>
struct type_of_layer {
  using type = std::string_view;
  static constexpr type value = [] {
    if constexpr (std::is_void_v<typename L::value_type>)
      return type();
    else
      return type(dtype<typename L::value_type>::name);
  }();
};
template <class L>
struct missing_backward_of_layer {
  using type = const declare::sentence*;
  static constexpr type value = &L::no_backward;
};
template <class L>
struct whole_batch_of_layer {
  using type = bool;
  static constexpr type value = L::whole_batch;
};

struct graph_survey {
  graph_sizes sizes;
  declare::sentence error;
};
/// Builds a graph and counts its parts. Compilers keep the result, which both is_built and graph_facts need.
template <class Graph>
constexpr graph_survey survey_of() {
  const graph g = Graph::build();
  const node_kinds kinds(g);
  const auto n = [](const auto& list) { return static_cast<std::size_t>(list.size()); };
  return {{n(g.inputs()), n(g.outputs()), n(g.nodes()), n(kinds.first_node), n(g.operands()), n(g.segments()),
           n(g.names()), g.configs().sizes()},
          g.error()};
}
/// True if a graph is a constant. Otherwise the user's `define` has an error, which the compiler may have reported.
template <class Graph>
concept is_built = requires { typename std::bool_constant<(survey_of<Graph>().sizes.nodes > 0)>; };

/// The error for a graph that is not a constant: compilers give no reason.
inline constexpr const char* no_constant =
    "`define` is no constant: it must be constexpr and return a value of its graph, or there is an error before this "
    "one; a very large graph needs "
#if defined(__clang__)
    "-fconstexpr-steps=100000000";
#else
    "-fconstexpr-ops-limit=1000000000";
#endif

/// The properties of a graph, as constants.
/// \tparam Graph  has build(), which makes it, and `blocks`, the blocks of its nodes
template <class Graph, class Policy>
struct graph_facts {
  static constexpr graph_survey found = survey_of<Graph>();
  static constexpr graph_sizes sizes = found.sizes;

  static constexpr flat_graph<sizes> flat = [] {
    const graph g = Graph::build();
    const node_kinds kinds(g);
    return flat_graph<sizes>{to_array<sample_shape, sizes.inputs>(g.inputs()),
                             to_array<value, sizes.outputs>(g.outputs()),
                             to_array<detail::graph_node, sizes.nodes>(g.nodes()),
                             to_array<int, sizes.nodes>(kinds.of_node),
                             to_array<int, sizes.kinds>(kinds.first_node),
                             to_array<value, sizes.operands>(g.operands()),
                             to_array<detail::graph_segment, sizes.segments>(g.segments()),
                             to_array<detail::graph_name, sizes.names>(g.names()),
                             decltype(flat_graph<sizes>::configs)(g.configs())};
  }();
  static constexpr int nodes = static_cast<int>(sizes.nodes), kinds = static_cast<int>(sizes.kinds);

  static constexpr const detail::graph_node& first_of(int kind) {
    return flat.nodes[static_cast<std::size_t>(flat.first_node[static_cast<std::size_t>(kind)])];
  }
  static constexpr value operand(const detail::graph_node& n, int o) {
    return flat.operands[static_cast<std::size_t>(n.first_operand + o)];
  }

  // Not private: clang 16 would not let the aliases below use them.
  template <template <class...> class List, class... Blocks>
  static constexpr int index_of(const char* tag, List<Blocks...>) {
    const char* const tags[] = {block_tag<Blocks>()..., nullptr};
    int i = 0;
    while (tags[i] && tags[i] != tag) ++i;
    return i;
  }
  template <int... K>
  static constexpr std::array<const char*, sizes.kinds> names(std::integer_sequence<int, K...>) {
    return {block_name<block_of<K>>()...};
  }
  template <template <class> class Of, int... K>
  static constexpr auto all_of(std::integer_sequence<int, K...>) {
    return std::array<typename Of<layer<skip, sample_shape::features(1), Policy>>::type, sizes.kinds>{
        Of<layer_at<K>>::value...};
  }
  template <int I, class List>
  struct block_at;
  template <int I, template <class...> class List, class First, class... Rest>
  struct block_at<I, List<First, Rest...>> : block_at<I - 1, List<Rest...>> {};
  template <template <class...> class List, class First, class... Rest>
  struct block_at<0, List<First, Rest...>> {
    using type = First;
  };
  template <int Kind, bool IsOp>
  struct find_block : block_at<index_of(first_of(Kind).block, typename Graph::blocks()), typename Graph::blocks> {};
  template <int Kind>
  struct find_block<Kind, true> {
    using op = typename block_at<index_of(first_of(Kind).block, detail::graph_ops()), detail::graph_ops>::type;
    static constexpr typename op::config config =
        detail::config_in<typename op::config>(flat.configs, first_of(Kind).config);
    using type = typename op::template make<config, typename Graph::value_type>::type;
  };
  template <int Kind>
  static constexpr auto shapes_of = [] {
    constexpr const detail::graph_node& n = first_of(Kind);
    if constexpr (n.operands == 1) {
      return operand(n, 0).shape;
    } else {
      std::array<sample_shape, static_cast<std::size_t>(n.operands)> r{};
      for (int o = 0; o < n.operands; ++o) r[static_cast<std::size_t>(o)] = operand(n, o).shape;
      return r;
    }
  }();

  template <int Kind>
  using block_of = typename find_block<Kind, first_of(Kind).config >= 0>::type;
  template <int Kind>
  using layer_at = layer<block_of<Kind>, shapes_of<Kind>, Policy>;
  static constexpr std::array<const char*, sizes.kinds> block_names() {
    return names(std::make_integer_sequence<int, kinds>());
  }
  /// Of<layer>::value for all kinds of nodes.
  template <template <class> class Of>
  static constexpr auto by_kind = all_of<Of>(std::make_integer_sequence<int, kinds>());
  static constexpr auto facts = by_kind<facts_of_layer>;
  static constexpr auto counts_of_kind = by_kind<counts_of_layer>;
  static constexpr std::array<node_counts, sizes.nodes + 1> counts_before = [] {
    std::array<node_counts, sizes.nodes + 1> r{};
    for (std::size_t i = 0; i < sizes.nodes; ++i) {
      const auto owner = static_cast<std::size_t>(flat.nodes[i].owner);
      const node_counts& own = counts_of_kind[static_cast<std::size_t>(flat.kind[i])];
      r[i + 1] = r[i] + node_counts{owner == i ? own.parameters : 0,
                                    owner == i ? own.statistics : 0,
                                    own.sites,
                                    own.penalties,
                                    owner == i ? own.packed : 0,
                                    own.multiply_adds};
    }
    return r;
  }();
  /// Begins a sentence about a node with its name.
  static constexpr declare::sentence& about(declare::sentence& s, const detail::graph_node& n) {
    return add_name(s, flat.names, n.name) << (n.name < 0 ? "" : ": ");
  }
  static constexpr declare::sentence error_of_types() {
    constexpr auto types = by_kind<type_of_layer>;
    declare::sentence s;
    std::size_t first = 0;
    while (first < sizes.kinds && types[first].empty()) ++first;
    for (std::size_t k = first; k < sizes.kinds && s.empty(); ++k) {
      if (types[k].empty()) continue;
      const detail::graph_node &a = first_of(static_cast<int>(first)), &b = first_of(static_cast<int>(k));
      if (types[k] != types[first])
        add_place(about(about(s, b) << block_names()[k] << " has " << types[k].data() << " elements and ", a)
                      << block_names()[first] << " " << types[first].data() << ": " << types_of_parts(false).otherwise,
                  b.at);
    }
    if constexpr (!std::is_void_v<typename Graph::stated_type>)
      if (s.empty() && first < sizes.kinds && types[first] != dtype<typename Graph::stated_type>::name)
        s << "`value_type` of a graph must be the element type of all blocks";
    return s;
  }
  /// The error of the graph, or else of its layers.
  static constexpr declare::sentence wrong = [] {
    declare::sentence s = found.error;
    for (std::size_t k = 0; k < sizes.kinds && s.empty(); ++k) {
      const detail::graph_node& n = first_of(static_cast<int>(k));
      const sample_shape made = by_kind<result_of_layer>[k];
      if (!by_kind<error_of_layer>[k] -> empty())
        add_place(about(s, n) << by_kind<error_of_layer>[k] -> text(), n.at);
      else if (!(made == n.out))
        add_place(
            about(s, n) << "the layer of the block makes " << made << " and the graph takes it for " << n.out
                        << ": the block must have `static constexpr tern::sample_shape out(tern::sample_shape x)`, "
                           "unless it keeps that of x; an op is written g.conv2d(...) and the like",
            n.at);
    }
    if (s.empty()) s = error_of_types();
    for (std::size_t i = 0; i < sizes.nodes && s.empty(); ++i)
      if (flat.nodes[i].owner != static_cast<int>(i) &&
          counts_of_kind[static_cast<std::size_t>(flat.kind[i])].penalties > 0)
        about(s, flat.nodes[i]) << "a block that adds to the loss must not be shared";
    return s;
  }();
  /// The reason why a layer has no backward pass; or empty.
  static constexpr declare::sentence no_backward = [] {
    declare::sentence s;
    for (std::size_t k = 0; k < sizes.kinds && s.empty(); ++k)
      if (const declare::sentence& why = *by_kind<missing_backward_of_layer>[k]; !why.empty())
        add_place(about(s, first_of(static_cast<int>(k))) << why.text(), first_of(static_cast<int>(k)).at);
    return s;
  }();
  static constexpr const node_counts& total = counts_before[sizes.nodes];
  static constexpr node_counts at_node(int node) {
    const auto i = static_cast<std::size_t>(node);
    node_counts c = counts_before[i];
    const node_counts& of_owner = counts_before[static_cast<std::size_t>(flat.nodes[i].owner)];
    c.parameters = of_owner.parameters, c.statistics = of_owner.statistics, c.packed = of_owner.packed;
    return c;
  }

  /// The largest number of steps in a node's pass: a concatenation may take its operands one by one.
  static constexpr std::size_t steps_of(std::size_t node) {
    return facts[static_cast<std::size_t>(flat.kind[node])].joins ? static_cast<std::size_t>(flat.nodes[node].operands)
                                                                  : 1;
  }
  static constexpr detail::graph_links links() {
    detail::graph_links g;
    g.inputs = static_cast<int>(sizes.inputs);
    for (const sample_shape& in : flat.inputs) g.input_sizes.add(in.size());
    for (const detail::graph_node& n : flat.nodes) g.nodes.add({n.first_operand, n.operands, n.segment});
    for (const value& v : flat.operands) g.operands.add(v.tensor);
    for (const detail::graph_segment& s : flat.segments) g.segments.add(s);
    for (const value& v : flat.outputs) g.outputs.add(v.tensor);
    return g;
  }
  static constexpr detail::list<detail::node_facts> facts_of_nodes() {
    detail::list<detail::node_facts> r;
    for (const int kind : flat.kind) r.add(facts[static_cast<std::size_t>(kind)]);
    return r;
  }
};

// A plan as a constant. It is computed as three constants, because compilers limit the steps of one.
/// \tparam Plan  has make(), which gives a step_plan without offsets, `sizes`, which bound it, and `whole`
template <class Plan>
constexpr auto unplaced_plan = [] {
  constexpr plan_sizes s = Plan::sizes;
  const detail::step_plan p = Plan::make();
  flat_plan<s> r{};
  r.forward_steps = p.forward_steps, r.count = p.steps.size();
  for (int i = 0; i < p.tensors.size(); ++i) r.tensors[static_cast<std::size_t>(i)] = p.tensors[i];
  for (int i = 0; i < p.steps.size(); ++i) r.steps[static_cast<std::size_t>(i)] = p.steps[i];
  for (int i = 0; i < p.refs.size(); ++i) r.refs[static_cast<std::size_t>(i)] = p.refs[i];
  detail::keep_crossing(r, Plan::whole);
  return r;
}();
template <std::size_t Tensors>
struct flat_offsets {
  std::array<index_t, Tensors> of{};
  index_t total = 0;
};
template <class Plan, index_t memory_need::* Part>
constexpr auto offsets_in_plan = [] {
  constexpr std::size_t tensors = Plan::sizes.tensors;
  const auto& p = unplaced_plan<Plan>;
  detail::list<memory_need> at(static_cast<int>(tensors), {});
  flat_offsets<tensors> r;
  r.total = detail::place_part(Part, p, p.count, at);
  for (std::size_t i = 0; i < tensors; ++i) r.of[i] = at[static_cast<int>(i)].*Part;
  return r;
}();
template <class Plan>
constexpr auto flat_plan_of = [] {
  constexpr auto &samples = offsets_in_plan<Plan, &memory_need::per_sample>,
                 &fixed = offsets_in_plan<Plan, &memory_need::fixed>;
  auto p = unplaced_plan<Plan>;
  for (std::size_t i = 0; i < p.tensors.size(); ++i)
    if (p.tensors[i].to_place) p.tensors[i].at = {samples.of[i], fixed.of[i]};
  detail::sum_up(p, Plan::whole, {samples.total, fixed.total});
  return p;
}();
template <class Facts, bool Whole>
struct training_plan {
  static constexpr bool whole = Whole;
  /// Forward and replayed passes have at most three tensors. Backward passes have one and a gradient per operand, which
  /// may need one more for a sum.
  static constexpr plan_sizes sizes = [] {
    plan_sizes most{Facts::sizes.inputs + Facts::sizes.outputs, 0, 0};
    for (std::size_t i = 0; i < Facts::sizes.nodes; ++i) {
      const auto operands = static_cast<std::size_t>(Facts::flat.nodes[i].operands), steps = Facts::steps_of(i);
      std::size_t forward = 1;
      for (int s = Facts::flat.nodes[i].segment; s >= 0; s = Facts::flat.segments[static_cast<std::size_t>(s)].parent)
        ++forward;
      most.tensors += 3 * forward + 1 + 2 * operands;
      most.steps += (forward + 1) * steps + operands;
      most.refs += (forward + 2) * steps * operands;
    }
    return most;
  }();
  static constexpr detail::step_plan make() {
    const detail::graph_links links = Facts::links();
    const detail::list<detail::node_facts> facts = Facts::facts_of_nodes();
    return detail::training_planner(links, facts).unplaced();
  }
};
template <class Facts>
struct inference_plan {
  static constexpr bool whole = true;
  /// A node with fused followers has one more step for them.
  static constexpr plan_sizes sizes = [] {
    plan_sizes most{3 * Facts::sizes.nodes + Facts::sizes.inputs, 0, 0};
    for (std::size_t i = 0; i < Facts::sizes.nodes; ++i) {
      const auto operands = static_cast<std::size_t>(Facts::flat.nodes[i].operands), steps = Facts::steps_of(i) + 1;
      most.steps += steps, most.refs += steps * operands + 2;
    }
    return most;
  }();
  static constexpr detail::step_plan make() {
    const detail::graph_links links = Facts::links();
    const detail::list<detail::node_facts> facts = Facts::facts_of_nodes();
    return detail::inference_planner(links, facts).unplaced();
  }
};

}  // namespace tern::inline TERN_ISA::impl
