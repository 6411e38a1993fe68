// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of a graph: the passes of its nodes in order, and the memory and lifetime of every tensor. Only values are
// here; graph_layer runs the plans.
#pragma once

#include "tern/block/memory.hpp"
#include "tern/core/config.hpp"
#include "tern/core/list.hpp"
#include "tern/op/elementwise.hpp"

namespace tern::detail {

/// The planner's facts about the layer of a node.
struct node_facts {
  index_t size = 0, channels = 0;  ///< of a sample of y: elements, and contiguous channels
  memory_need kept = {}, forward_scratch = {}, backward_scratch = {}, infer_scratch = {};
  bool needs_x = false, needs_y = false, in_place = false, restores_x = false, gradient_in_place = false;
  bool needs_dx = false;        ///< computes its gradient in any case: it has parameters, or is a stream
  bool adds = false;            ///< y is the sum of two inputs, whose gradients are that of y
  bool joins = false;           ///< y concatenates its inputs: passes may take them one by one
  bool is_elementwise = false;  ///< in inference, steps that can be fused with the preceding node
  elementwise_config steps = {};
};

/// A node of a graph: tensors are numbered, inputs first, then the results of nodes in order.
struct node_links {
  int first_operand = 0, operands = 0;
  int segment = -1;  ///< its innermost checkpoint
};
/// Nodes whose results are recomputed in the backward pass.
struct graph_segment {
  int begin = 0, end = 0, parent = -1;
};
/// The edges of a graph.
struct graph_links {
  int inputs = 0;
  list<node_links> nodes;
  list<int> operands;  ///< tensors
  list<int> outputs;   ///< results of nodes, each once
  list<graph_segment> segments;
  list<index_t> input_sizes;

  constexpr int operand(int node, int k) const { return operands[nodes[node].first_operand + k]; }
  constexpr int result(int node) const { return inputs + node; }
};

enum class tensor_space : unsigned char { none, x, y, dy, dx, kept, scratch };
enum class step_kind : unsigned char { forward, replay, backward, add, copy, infer };

/// A tensor of a plan: memory of its own, or of the caller.
struct planned_tensor {
  tensor_space in = tensor_space::kept;
  int index = 0;  ///< of a caller's tensor: index of the input or result
  lifetime lives = {};
  memory_need at = {};
  bool only_for_dx = false;  ///< unused if no gradient of the inputs is wanted
  bool to_place = false;     ///< gets an offset from its lifetime
  memory_use use = memory_use::result;
  int node = 0;

  constexpr bool is_own() const { return in == tensor_space::kept || in == tensor_space::scratch; }
};
/// A pass of a node, or a sum of gradients. Tensors are indices, -1 for none.
struct planned_step {
  step_kind is = step_kind::forward;
  int node = 0;
  int refs = 0;  ///< start of its inputs in step_plan::refs; of a backward pass, all gradients follow
  int y = -1, dy = -1, kept = -1, scratch = -1;  ///< add: y = dy + kept; copy: y = dy
  index_t size = 0;                              ///< of add and copy: elements of a sample
  int residual = -1, members = 0;                ///< infer: fused nodes are pairs (node, scratch) after the inputs
  elementwise_config after = {};                 ///< infer: the steps of fused nodes
  bool only_for_dx = false;                      ///< skipped if no gradient of the inputs is wanted
};
struct step_plan {
  list<planned_tensor> tensors;
  list<planned_step> steps;
  list<int> refs;
  int forward_steps = 0;
  memory_need kept, forward_scratch, backward_scratch;

  constexpr void touch(int tensor) {
    if (tensor < 0) return;
    lifetime& l = tensors[tensor].lives;
    const int now = steps.size();
    if (l.last < 0) l.first = now;
    l.last = now;
  }
  constexpr int own(memory_need need, memory_use use, int node) {
    if (need == memory_need{}) return -1;
    return tensors.add({.lives = {.need = need}, .use = use, .node = node});
  }
  constexpr int of_caller(tensor_space in, int index, bool only_for_dx = false) {
    return tensors.add({.in = in, .index = index, .only_for_dx = only_for_dx});
  }
  constexpr bool is_own(int tensor) const { return tensors[tensor].in == tensor_space::kept; }

  constexpr void place(bool whole);
};

// Offsets of tensors, in three parts, so that each may be a constant of its own: compilers limit the steps of one.
// Plan is a step_plan, or a plan in arrays.

/// Selects the tensors with offsets from lifetimes.
/// \param whole  true if all tensors share one piece of memory; else those that cross from forward to backward steps
///               are kept, one tensor after the other, and the rest is scratch
template <class Plan>
constexpr void keep_crossing(Plan& p, bool whole) {
  for (planned_tensor& t : p.tensors) {
    if (t.in != tensor_space::kept || !t.lives.lives()) continue;
    const bool crosses = t.lives.first < p.forward_steps && t.lives.last >= p.forward_steps;
    t.to_place = whole || !crosses;
    if (!whole && crosses) t.at = p.kept, p.kept = p.kept + t.lives.need;
    if (!whole && !crosses) t.in = tensor_space::scratch;
  }
}
/// Assigns offsets to these tensors. Returns the total number of elements.
/// \param steps  of the plan
template <class Plan>
constexpr index_t place_part(index_t memory_need::* part, const Plan& p, int steps, list<memory_need>& at) {
  list<lifetime> lives;
  for (const planned_tensor& t : p.tensors) lives.add(t.to_place ? t.lives : lifetime{});
  // Without a backward pass no tensor is kept, and most lifetimes are short.
  if (p.forward_steps == steps && cost_of_breadth(part, steps, lives) <= most_cost_of_breadth)
    return assign_offsets_by_breadth(part, steps, lives, at);
  return assign_offsets(part, steps, p.forward_steps, lives, at);
}
/// Sets the memory needs of a call.
/// \param total  total number of elements
template <class Plan>
constexpr void sum_up(Plan& p, bool whole, memory_need total) {
  if (whole) p.kept = total;
  for (const planned_tensor& t : p.tensors) {
    if (whole || !t.to_place) continue;
    memory_need& most_of = t.lives.first < p.forward_steps ? p.forward_scratch : p.backward_scratch;
    most_of = most(most_of, t.at + t.lives.need);
  }
}
constexpr void step_plan::place(bool whole) {
  keep_crossing(*this, whole);
  list<memory_need> at(tensors.size(), {});
  const memory_need total{place_part(&memory_need::per_sample, *this, steps.size(), at),
                          place_part(&memory_need::fixed, *this, steps.size(), at)};
  for (int i = 0; i < tensors.size(); ++i)
    if (tensors[i].to_place) tensors[i].at = at[i];
  sum_up(*this, whole, total);
}

/// Base of both planners: a plan under construction.
class graph_planner {
 public:
  constexpr graph_planner(const graph_links& g, const list<node_facts>& facts) : g_(g), facts_(facts) {
    const int tensors = g.inputs + g.nodes.size();
    current_ = list<int>(tensors, -1), open_ = list<char>(g.nodes.size(), 0);
    first_ = list<int>(tensors + 1, 0), output_ = list<int>(tensors, -1);
    for (int t : g.operands) ++first_[t + 1];
    for (int t = 0; t < tensors; ++t) first_[t + 1] += first_[t];
    list<int> next = first_;
    readers_ = list<int>(g.operands.size(), 0);
    for (int i = 0; i < g.nodes.size(); ++i)
      for (int k = 0; k < g.nodes[i].operands; ++k) readers_[next[g.operand(i, k)]++] = i;
    for (int k = 0; k < g.outputs.size(); ++k) output_[g.outputs[k]] = k;
  }
  /// The number of a tensor's uses as operand, and its i-th reader, in order.
  constexpr int count(int tensor) const { return first_[tensor + 1] - first_[tensor]; }
  constexpr int reader(int tensor, int i) const { return readers_[first_[tensor] + i]; }
  constexpr int output(int tensor) const { return output_[tensor]; }
  constexpr int producer(int tensor) const { return tensor - g_.inputs; }
  constexpr index_t size(int tensor) const {
    return tensor < g_.inputs ? g_.input_sizes[tensor] : facts_[producer(tensor)].size;
  }
  constexpr memory_need need(int tensor) const { return need_per_sample(size(tensor)); }
  constexpr bool reads(int node, int tensor) const {
    for (int k = 0; k < count(tensor); ++k)
      if (reader(tensor, k) == node) return true;
    return false;
  }

 protected:
  const graph_links& g_;
  const list<node_facts>& facts_;
  step_plan p_;
  list<int> current_;  ///< by tensor: its present memory
  list<char> open_;    ///< by concatenation: true once parts of it have been copied

  /// Copies those parts of a concatenation to y for which `which(operand)` is true.
  template <class Which>
  constexpr void join(step_kind kind, int node, int y, Which which) {
    planned_step step{.is = kind, .node = node, .refs = p_.refs.size(), .y = y};
    bool any = false;
    for (int o = 0; o < g_.nodes[node].operands; ++o) {
      const bool now = which(g_.operand(node, o));
      p_.touch(p_.refs[p_.refs.add(now ? current_[g_.operand(node, o)] : -1)]);
      any = any || now;
    }
    if (!any) return;
    p_.touch(y);
    p_.steps.add(step);
  }

  /// Finds the node before which the memory of each concatenation begins, in a range of nodes. Existing parts are
  /// copied there, later ones when they are made. Chooses the last of the nodes with the lowest peak.
  constexpr void find_openings(int begin, int end) {
    opened_by_ = list<int>(end - begin, -1), next_opened_ = list<int>(end - begin, -1), first_of_range_ = begin;
    for (int c = begin; c < end; ++c) {
      if (!facts_[c].joins) continue;
      const int at = find_opening(c, begin);
      next_opened_[c - begin] = opened_by_[at - begin], opened_by_[at - begin] = c;
    }
  }
  /// Calls f(concatenation) for those whose memory begins before a node.
  template <class F>
  constexpr void each_opened(int node, F f) const {
    for (int c = opened_by_[node - first_of_range_]; c >= 0; c = next_opened_[c - first_of_range_]) f(c);
  }

 private:
  list<int> opened_by_, next_opened_;
  int first_of_range_ = 0;

  constexpr int find_opening(int c, int begin) const {
    int first = c;
    for (int o = 0; o < g_.nodes[c].operands; ++o)
      if (const int p = producer(g_.operand(c, o)); p >= begin && p < first) first = p;
    // after: by node, the peak from there on, when the concatenation exists and holds the parts. before: the peak up
    // to there, of parts, results and other operands.
    list<index_t> after(c - first + 1, 0);
    for (int k = c - 1; k > first; --k) {
      const index_t work = result_of(k) + operands_of(k, -1), next = after[k - first + 1];
      after[k - first] = work < next ? next : work;
    }
    index_t parts = 0, before = 0, best = -1;
    int at = c;
    for (int j = first; j <= c; ++j) {
      const index_t beside = j < c ? operands_of(j, c) : 0, whole = size(g_.result(c));
      if (j > first) {
        index_t level = parts + beside < after[j - first] ? after[j - first] : parts + beside;
        level = whole + level < before ? before : whole + level;
        if (best < 0 || level <= best) best = level, at = j;
      }
      if (j == c) break;
      const index_t level = parts + result_of(j) + beside;
      before = before < level ? level : before;
      if (reads(c, g_.result(j))) parts += size(g_.result(j));
    }
    return at;
  }
  constexpr index_t result_of(int node) const {
    return facts_[node].in_place && !facts_[node].needs_x ? 0 : size(g_.result(node));
  }
  /// Elements of a node's operands, except for parts of the concatenation.
  constexpr index_t operands_of(int node, int concatenation) const {
    index_t n = 0;
    for (int o = 0; o < g_.nodes[node].operands; ++o)
      if (const int u = g_.operand(node, o); concatenation < 0 || !reads(concatenation, u)) n += size(u);
    return n;
  }

  list<int> first_, readers_, output_;
};

}  // namespace tern::detail
