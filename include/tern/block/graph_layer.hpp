// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph of blocks as one layer. Its plans are constants: a pass is a loop over the steps of a plan, and equal nodes
// share compiled functions.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "tern/block/feature_order.hpp"
#include "tern/block/graph_facts.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/lowering.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/parameters.hpp"
#include "tern/block/step_plan.hpp"
#include "tern/core/config.hpp"
#include "tern/core/view.hpp"
#include "tern/kernel/checked_call.hpp"
#include "tern/kernel/elementwise.hpp"
#include "tern/op/elementwise.hpp"

namespace tern::inline TERN_ISA::impl {

template <class Facts, class Kinds>
struct type_of_graph;
template <class Facts, int... K>
struct type_of_graph<Facts, std::integer_sequence<int, K...>>
    : joint_types<typename Facts::template layer_at<K>::value_type...> {};

// The passes of a layer as functions of one signature, by kinds of nodes.
template <class L, class Call, class T, class M>
void forward_node(const Call& c, const T* const* x, T* y, const M& kept, const M& scratch) {
  if constexpr (operands_of<L> == 1)
    L::forward(c, *x, y, kept, scratch);
  else
    L::forward(c, x, y, kept, scratch);
}
template <class L, class Call, class T, class M>
void backward_node(const Call& c, const T* const* x, T* y, const T* dy, T* const* dx, const M& kept, const M& scratch) {
  if constexpr (!L::no_backward.empty())
    return;  // compiled for networks that run forward only: network::backward refuses
  else if constexpr (operands_of<L> == 1)
    L::backward(c, *x, y, dy, *dx, kept, scratch);
  else if constexpr (!L::adds)  // the plan passes on the gradients of sums
    L::backward(c, x, y, dy, dx, kept, scratch);
}
template <class L, elementwise_config Steps, class Policy, class Call, class T, class M>
void infer_node(const Call& c, const T* const* x, T* y, const M& scratch, const step_operands<T>& o) {
  if constexpr (operands_of<L> == 1)
    infer_fused<L, Steps, Policy>(call_of<L>(c), *x, y, scratch, o);
  else
    infer_fused<L, Steps, Policy>(call_of<L>(c), x, y, scratch, o);
}
template <class L, class Call, class T, class M>
step_operands<T> operands_of_node(const Call& c, const M& scratch) {
  if constexpr (L::is_elementwise)
    return L::infer_operands(call_of<L>(c), scratch);
  else
    return {};
}
template <class L, class T>
void pack_node(const T* learned, const T* running, T* to) {
  if constexpr (L::packed > 0) L::pack(learned, running, to);
}
template <class L, class F>
void visit_node(F& f, const detail::parameter_path& path) {
  L::each_parameter(f, path);
}
template <class L, class Call>
void conclude_node(const Call& c) {
  L::conclude(c);
}

/// The tensors of a pass: the caller's, and memory.
template <class T>
struct graph_tensors {
  const T* const* x = nullptr;
  T* const* y = nullptr;
  const T* const* dy = nullptr;
  T* const* dx = nullptr;  ///< may be null
  detail::memory<T> kept = {}, scratch = {};

  T* at(const detail::planned_tensor& t) const {
    if (t.only_for_dx && !dx) return nullptr;
    switch (t.in) {
      case detail::tensor_space::x: return const_cast<T*>(x[t.index]);
      case detail::tensor_space::y: return y[t.index];
      case detail::tensor_space::dy: return const_cast<T*>(dy[t.index]);
      case detail::tensor_space::dx: return dx[t.index];
      case detail::tensor_space::kept: return kept.at(t.at).samples;
      case detail::tensor_space::scratch: return scratch.at(t.at).samples;
      case detail::tensor_space::none: break;
    }
    return nullptr;
  }
  /// The memory that a layer keeps, or its scratch.
  detail::memory<T> memory_at(const detail::planned_tensor& t) const {
    return (t.in == detail::tensor_space::kept ? kept : scratch).at(t.at);
  }
};

/// A placeholder after an error: a graph with as many inputs and results that does nothing.
template <class T, std::size_t Inputs, std::size_t Results>
struct nothing_of {
  using stated_type = void;
  using value_type = T;
  using blocks = block_list<skip>;
  static constexpr graph build() {
    graph g;
    for (std::size_t i = 0; i < Inputs; ++i) g.input(sample_shape::features(1));
    for (std::size_t i = 0; i < Results; ++i) g.output(g.node<skip>(g.inputs()[0], {value{0, g.inputs()[0]}}));
    return g;
  }
};

/// \tparam Whole  true if the graph is the whole network: see step_plan::place
template <class Graph, sample_shape In, class Policy, bool Whole>
struct graph_layer : layer_base<In> {
  using facts =
      graph_facts<std::conditional_t<is_built<Graph>, Graph, nothing_of<typename Graph::value_type, 1, 1>>, Policy>;
  static constexpr declare::sentence wrong = is_built<Graph> ? facts::wrong : declare::sentence() << no_constant,
                                     no_backward = facts::no_backward;
  template <int Kind>
  using layer_at = typename facts::template layer_at<Kind>;
  static constexpr auto& flat = facts::flat;
  static constexpr int count = facts::nodes;
  static constexpr sample_shape out = flat.outputs[0].shape;
  using value_type =
      typename joint_types<typename Graph::stated_type,
                           typename type_of_graph<facts, std::make_integer_sequence<int, facts::kinds>>::type>::type;

  static constexpr index_t parameters = facts::total.parameters, statistics = facts::total.statistics,
                           sites = facts::total.sites, penalties = facts::total.penalties, packed = facts::total.packed,
                           multiply_adds = facts::total.multiply_adds;
  static constexpr index_t grain = [] {
    index_t most = 1;
    for (const index_t g : facts::template by_kind<grain_of_layer>) most = most < g ? g : most;
    return most;
  }();
  static constexpr index_t thread_workspace = [] {
    index_t most = 0;
    for (const index_t b : facts::template by_kind<workspace_of_layer>) most = most < b ? b : most;
    return most;
  }();
  static constexpr bool whole_batch = [] {
    bool any = false;
    for (const bool w : facts::template by_kind<whole_batch_of_layer>) any = any || w;
    return any;
  }();

  /// True if a sample's results in inference depend on that sample only.
  static constexpr bool independent = [] {
    bool all = true;
    for (const bool i : facts::template by_kind<independent_layer>) all = all && i;
    return all;
  }();
  // Functions, so that a plan is computed only if it is used.
  static constexpr const auto& training() { return flat_plan_of<training_plan<facts, Whole>>; }
  static constexpr const auto& inference() { return flat_plan_of<inference_plan<facts>>; }
  static constexpr memory_need kept = training().kept, forward_scratch = training().forward_scratch,
                               backward_scratch = training().backward_scratch, infer_scratch = inference().kept;
  /// Elements of the results of all inference steps, per sample.
  static constexpr index_t results_of_sample = [] {
    index_t sum = 0;
    for (int i = 0; i < inference().count; ++i)
      sum += flat.nodes[static_cast<std::size_t>(inference().steps[static_cast<std::size_t>(i)].node)].out.size();
    return sum;
  }();

 private:
  static constexpr bool backward_reads(detail::tensor_space space) {
    const auto& plan = training();
    const auto is = [&](int t) { return t >= 0 && plan.tensors[static_cast<std::size_t>(t)].in == space; };
    for (std::size_t s = static_cast<std::size_t>(plan.forward_steps); s < static_cast<std::size_t>(plan.count); ++s) {
      const detail::planned_step& step = plan.steps[s];
      if (is(step.y) && step.is == detail::step_kind::backward) return true;
      if (step.is != detail::step_kind::backward && step.is != detail::step_kind::replay) continue;
      for (int o = 0; o < flat.nodes[static_cast<std::size_t>(step.node)].operands; ++o)
        if (is(plan.refs[static_cast<std::size_t>(step.refs + o)])) return true;
    }
    return false;
  }

 public:
  static constexpr bool needs_x = backward_reads(detail::tensor_space::x),
                        needs_y = backward_reads(detail::tensor_space::y);

  static constexpr sample_shape shape_of(int node) { return flat.nodes[static_cast<std::size_t>(node)].out; }
  /// Prints "2.0 conv2d".
  template <class Stream>
  static void print_name(Stream& to, int node) {
    const declare::sentence name = name_of(node);
    static constexpr auto block_names = facts::block_names();
    to << name.text() << (name.size() > 0 ? " " : "") << block_names[kind_of(node)];
  }

  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    static constexpr auto visit = visitors<F>(all_kinds());
    const feature_orders<facts> orders(path.taken, path.made);
    for (int i = 0; i < count; ++i) {
      const detail::graph_node& n = flat.nodes[static_cast<std::size_t>(i)];
      if (n.owner != i) continue;
      const node_counts at = facts::at_node(i);
      detail::parameter_path inner = path.inside(name_of(i).text(), at.parameters, at.statistics);
      inner.taken = orders.taken_with(i), inner.made = orders.made_with(i);
      visit[kind_of(i)](f, inner);
    }
  }
  template <class Call>
  static void conclude(const Call& c) {
    static constexpr auto conclude_of = conclusions<Call>(all_kinds());
    for (int i = 0; i < count; ++i)
      if (flat.nodes[static_cast<std::size_t>(i)].owner == i) conclude_of[kind_of(i)](inside(c, i));
  }
  template <class T>
  static void pack(const T* learned, const T* running, T* to) {
    static constexpr auto pack_of = packers<T>(all_kinds());
    for (int i = 0; i < count; ++i) {
      const node_counts at = facts::at_node(i);
      if (flat.nodes[static_cast<std::size_t>(i)].owner == i)
        pack_of[kind_of(i)](learned + at.parameters, running + at.statistics, to + at.packed);
    }
  }
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    forward(c, graph_tensors<T>{.x = &x, .y = &y, .kept = kept_memory, .scratch = scratch});
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* x, T* y, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    backward(c, graph_tensors<T>{
                    .x = &x, .y = &y, .dy = &dy, .dx = dx ? &dx : nullptr, .kept = kept_memory, .scratch = scratch});
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    infer(c, graph_tensors<T>{.x = &x, .y = &y, .kept = scratch});
  }
  // Overloads for several inputs and results.
  template <class Call, class T>
  static void forward(const Call& c, const graph_tensors<T>& tensors) {
    run(c, tensors, 0, training().forward_steps);
  }
  template <class Call, class T>
  static void backward(const Call& c, const graph_tensors<T>& tensors) {
    run(c, tensors, training().forward_steps, training().count);
  }
  template <class Call, class T>
  static void infer(const Call& c, const graph_tensors<T>& tensors) {
    infer_all(c, tensors);
  }

 private:
  // Tables of functions, with an entry per kind of node.
  using all_kinds = std::make_integer_sequence<int, facts::kinds>;
  template <class F, int... K>
  static constexpr auto visitors(std::integer_sequence<int, K...>) {
    return std::array{&visit_node<layer_at<K>, F>...};
  }
  template <class Call, int... K>
  static constexpr auto conclusions(std::integer_sequence<int, K...>) {
    return std::array{&conclude_node<layer_at<K>, Call>...};
  }
  template <class T, int... K>
  static constexpr auto packers(std::integer_sequence<int, K...>) {
    return std::array{&pack_node<layer_at<K>, T>...};
  }
  template <class Call, class T, int... K>
  static constexpr auto forward_passes(std::integer_sequence<int, K...>) {
    return std::array{&forward_node<layer_at<K>, Call, T, detail::memory<T>>...};
  }
  template <class Call, class T, int... K>
  static constexpr auto backward_passes(std::integer_sequence<int, K...>) {
    return std::array{&backward_node<layer_at<K>, Call, T, detail::memory<T>>...};
  }
  template <class Call, class T, int... K>
  static constexpr auto operand_finders(std::integer_sequence<int, K...>) {
    return std::array{&operands_of_node<layer_at<K>, Call, T, detail::memory<T>>...};
  }
  static declare::sentence name_of(int node) {
    declare::sentence s;
    return add_name(s, flat.names.data(), flat.nodes[static_cast<std::size_t>(node)].name);
  }
  static std::size_t kind_of(int node) { return static_cast<std::size_t>(flat.kind[static_cast<std::size_t>(node)]); }
  template <class Call>
  static Call inside(const Call& c, int node) {
    const node_counts at = facts::at_node(node);
    Call own = c.at(at.parameters, at.statistics, at.sites, at.penalties);
    if constexpr (is_packed_call<Call>) own.packed += at.packed;
    return own;
  }
  static constexpr int most_operands = [] {
    int most = 1;
    for (const detail::graph_node& n : flat.nodes) most = most < n.operands ? n.operands : most;
    return most;
  }();

  template <class Call, class T>
  static void run(const Call& c, const graph_tensors<T>& tensors, int first, int last) {
    using M = detail::memory<T>;
    static constexpr auto forward_of = forward_passes<Call, T>(all_kinds());
    static constexpr auto backward_of = backward_passes<Call, T>(all_kinds());
    static constexpr const auto& plan = training();
    const auto at = [&](int t) { return t < 0 ? nullptr : tensors.at(plan.tensors[static_cast<std::size_t>(t)]); };
    const auto memory_at = [&](int t) {
      return t < 0 ? M{.batch = c.batch} : tensors.memory_at(plan.tensors[static_cast<std::size_t>(t)]);
    };
    for (int s = first; s < last; ++s) {
      const detail::planned_step& step = plan.steps[static_cast<std::size_t>(s)];
      if (step.only_for_dx && !tensors.dx) continue;
      const int operands = flat.nodes[static_cast<std::size_t>(step.node)].operands;
      T* pointers[2 * most_operands] = {};
      switch (step.is) {
        case detail::step_kind::forward:
        case detail::step_kind::replay: {
          for (int o = 0; o < operands; ++o) pointers[o] = at(plan.refs[static_cast<std::size_t>(step.refs + o)]);
          const Call own = inside(step.is == detail::step_kind::replay ? c.again() : c, step.node);
          forward_of[kind_of(step.node)](own, pointers, at(step.y), memory_at(step.kept), memory_at(step.scratch));
          break;
        }
        case detail::step_kind::backward: {
          for (int o = 0; o < 2 * operands; ++o) pointers[o] = at(plan.refs[static_cast<std::size_t>(step.refs + o)]);
          backward_of[kind_of(step.node)](inside(c, step.node), pointers, at(step.y), at(step.dy), pointers + operands,
                                          memory_at(step.kept), memory_at(step.scratch));
          break;
        }
        case detail::step_kind::add: add_samples<Policy>(c, step.size, at(step.dy), at(step.kept), at(step.y)); break;
        case detail::step_kind::copy: copy_samples<Policy>(c, step.size, at(step.dy), at(step.y)); break;
        case detail::step_kind::infer: break;
      }
    }
  }
  /// A kind of node with fused steps.
  struct fused_kind {
    int kind = 0;
    elementwise_config after = {};
    friend constexpr bool operator==(const fused_kind&, const fused_kind&) = default;
  };
  struct fused_kinds {
    std::array<fused_kind, inference_plan<facts>::sizes.steps> of{};
    std::array<int, inference_plan<facts>::sizes.steps> of_step{};
    int count = 0;
  };
  static constexpr fused_kinds fused = [] {
    fused_kinds r;
    const auto& plan = inference();
    for (std::size_t s = 0; s < static_cast<std::size_t>(plan.count); ++s) {
      const detail::planned_step& step = plan.steps[s];
      const fused_kind k{flat.kind[static_cast<std::size_t>(step.node)], step.after};
      int i = 0;
      while (i < r.count && !(r.of[static_cast<std::size_t>(i)] == k)) ++i;
      if (i == r.count) r.of[static_cast<std::size_t>(r.count++)] = k;
      r.of_step[s] = i;
    }
    return r;
  }();
  template <class Call, class T, int... I>
  static constexpr auto infer_passes(std::integer_sequence<int, I...>) {
    return std::array{
        &infer_node<layer_at<fused.of[I].kind>, fused.of[I].after, Policy, Call, T, detail::memory<T>>...};
  }
  template <class Call, class T>
  static void infer_all(const Call& c, const graph_tensors<T>& tensors) {
    using M = detail::memory<T>;
    static constexpr auto infer_of = infer_passes<Call, T>(std::make_integer_sequence<int, fused.count>());
    static constexpr auto operands_at = operand_finders<Call, T>(all_kinds());
    static constexpr const auto& plan = inference();
    const auto at = [&](int t) { return t < 0 ? nullptr : tensors.at(plan.tensors[static_cast<std::size_t>(t)]); };
    const auto memory_at = [&](int t) {
      return t < 0 ? M{.batch = c.batch} : tensors.memory_at(plan.tensors[static_cast<std::size_t>(t)]);
    };
    const auto ref = [&](int r) { return plan.refs[static_cast<std::size_t>(r)]; };
    for (std::size_t s = 0; s < static_cast<std::size_t>(plan.count); ++s) {
      const detail::planned_step& step = plan.steps[s];
      const int operands = flat.nodes[static_cast<std::size_t>(step.node)].operands;
      T* x[most_operands] = {};
      for (int o = 0; o < operands; ++o) x[o] = at(ref(step.refs + o));
      step_operands<T> with{.residual = at(step.residual)};
      for (int m = 0; m < step.members; ++m) {
        const int member = ref(step.refs + operands + 2 * m), scratch = ref(step.refs + operands + 2 * m + 1);
        with = with.with(operands_at[kind_of(member)](inside(c, member), memory_at(scratch)));
      }
      infer_of[static_cast<std::size_t>(fused.of_step[s])](inside(c, step.node), x, at(step.y), memory_at(step.scratch),
                                                           with);
    }
  }
};

/// The graph of a block, in the form that graph_layer takes.
template <class Block, auto In, class Policy>
struct lowered_graph {
  using stated_type = typename lowering<Block, In, Policy>::graph_type;  ///< of a user's graph, or void
  using value_type = std::conditional_t<std::is_void_v<stated_type>, float, stated_type>;
  using blocks = typename joined_lists<typename lowering<Block, In, Policy>::blocks, block_list<skip>>::type;
  static constexpr graph build() { return graph_of<Block, In, Policy>(); }
};
template <class Block, auto In, class Policy, bool Whole>
using layer_of_graph = graph_layer<lowered_graph<Block, In, Policy>, first_shape(In), Policy, Whole>;

template <class... Blocks, sample_shape In, class Policy>
struct block_layer<sequence<Blocks...>, In, Policy> : layer_of_graph<sequence<Blocks...>, In, Policy, false> {};
template <class F, sample_shape In, class Policy>
struct block_layer<shared<F>, In, Policy> : layer<F, In, Policy> {
  static constexpr declare::sentence wrong =
      broken_rule("shared", {{false,
                              "it must be part of a sequence, residual, gate, concat, checkpoint or graph: the parts "
                              "of other blocks, such as a coupling, have parameters of their own"}});
};
template <class F, class Shortcut, sample_shape In, class Policy>
struct block_layer<residual<F, Shortcut>, In, Policy> : layer_of_graph<residual<F, Shortcut>, In, Policy, false> {};
template <class F, sample_shape In, class Policy>
struct block_layer<gate<F>, In, Policy> : layer_of_graph<gate<F>, In, Policy, false> {};
template <class... Fs, sample_shape In, class Policy>
struct block_layer<concat<Fs...>, In, Policy> : layer_of_graph<concat<Fs...>, In, Policy, false> {};
template <class F, sample_shape In, class Policy>
struct block_layer<checkpoint<F>, In, Policy> : layer_of_graph<checkpoint<F>, In, Policy, false> {};

template <defines_graph Block, sample_shape In, class Policy>
struct find_layer<Block, In, Policy> {
  using type = layer_of_graph<Block, In, Policy, false>;
};

/// The layer of an outermost block. A block that is neither sequence nor graph becomes a graph of one block.
template <class Block>
struct whole_block {
  using type = sequence<Block>;
};
template <defines_graph Block>
struct whole_block<Block> {
  using type = Block;
};
template <has_block_type Block>
struct whole_block<Block> : whole_block<std::type_identity<typename Block::block_type>> {};
template <class Block>
struct whole_block<std::type_identity<Block>> {
  using type = sequence<Block>;
};
template <class... Blocks>
struct whole_block<std::type_identity<sequence<Blocks...>>> {
  using type = sequence<Blocks...>;
};
template <class Block, auto In, class Policy>
struct whole_layer {
  using type = layer_of_graph<typename whole_block<Block>::type, In, Policy, true>;
};
template <std::size_t Inputs, std::size_t Results, class Policy>
struct layer_of_nothing {
  using type = graph_layer<nothing_of<float, Inputs, Results>, sample_shape::features(1), Policy, true>;
};

}  // namespace tern::inline TERN_ISA::impl
