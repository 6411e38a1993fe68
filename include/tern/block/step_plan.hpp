// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of a graph: the passes of its nodes in order, the memory that every tensor takes, and from which step to which.
// Everything here is values; graph_layer runs what is planned.
#pragma once

#include "tern/block/memory.hpp"
#include "tern/core/config.hpp"
#include "tern/core/list.hpp"
#include "tern/op/elementwise.hpp"

namespace tern::detail {

/// What a plan must know about the layer of a node.
struct node_facts {
  index_t size = 0;  ///< elements of a sample of y
  memory_need kept = {}, forward_scratch = {}, backward_scratch = {}, infer_scratch = {};
  bool needs_x = false, needs_y = false, in_place = false, restores_x = false, gradient_in_place = false;
  bool needs_dx = false;    ///< its gradient is wanted whoever asks: it has parameters, or is a stream
  bool adds = false;        ///< y is the sum of two inputs, whose gradients are that of y
  bool only_steps = false;  ///< in inference, steps that can be fused behind the node before
  elementwise_config steps = {};
};

/// A node of a graph: tensors are numbered, inputs first, then the results of nodes in order.
struct node_links {
  int first_operand = 0, operands = 0;
  int segment = -1;  ///< checkpoint that it is in
};
/// Nodes whose results are computed again in the backward pass.
struct graph_segment {
  int begin = 0, end = 0, parent = -1;
};
/// What reads what.
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
  int index = 0;  ///< of the caller's: which input or result
  lifetime lives = {};
  memory_need at = {};
  bool only_for_dx = false;  ///< nobody wants it where no gradient of the inputs is wanted
  memory_use use = memory_use::result;
  int node = 0;

  constexpr bool is_own() const { return in == tensor_space::kept || in == tensor_space::scratch; }
};
/// A pass of a node, or a sum of gradients. Tensors are numbers, -1 for none.
struct planned_step {
  step_kind is = step_kind::forward;
  int node = 0;
  int refs = 0;  ///< where its inputs begin in step_plan::refs; of a backward pass, the gradients of all follow
  int y = -1, dy = -1, kept = -1, scratch = -1;  ///< add: y = dy + kept; copy: y = dy
  index_t size = 0;                              ///< of add and copy: elements of a sample
  int residual = -1, members = 0;                ///< infer: fused nodes are pairs (node, scratch) behind the inputs
  elementwise_config behind = {};                ///< infer: the steps of fused nodes
  bool only_for_dx = false;                      ///< not run where no gradient of the inputs is wanted
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

  /// \param whole  whether all lies in one piece of memory; else what crosses from forward to backward steps is kept,
  ///               one tensor behind the other, and the rest is scratch
  constexpr void place(bool whole) {
    list<lifetime> lives;
    list<memory_need> at(tensors.size(), {});
    for (planned_tensor& t : tensors) {
      const bool is_own = t.in == tensor_space::kept && t.lives.lives(),
                 crosses = t.lives.first < forward_steps && t.lives.last >= forward_steps;
      if (is_own && !whole && crosses) {
        t.at = kept, kept = kept + t.lives.need;
        lives.add({});
        continue;
      }
      if (is_own && !whole) t.in = tensor_space::scratch;
      lives.add(is_own ? t.lives : lifetime{});
    }
    const memory_need total{assign_offsets(&memory_need::per_sample, steps.size(), lives, at),
                            assign_offsets(&memory_need::fixed, steps.size(), lives, at)};
    if (whole) kept = total;
    for (int i = 0; i < tensors.size(); ++i) {
      planned_tensor& t = tensors[i];
      if (!lives[i].lives()) continue;
      t.at = at[i];
      if (!whole) {
        memory_need& most_of = t.lives.first < forward_steps ? forward_scratch : backward_scratch;
        most_of = most(most_of, t.at + t.lives.need);
      }
    }
  }
};

/// Readers of tensors, and what else both planners ask.
class graph_readers {
 public:
  constexpr graph_readers(const graph_links& g, const list<node_facts>& facts) : g_(g), facts_(facts) {
    const int tensors = g.inputs + g.nodes.size();
    first_ = list<int>(tensors + 1, 0), output_ = list<int>(tensors, -1);
    for (int t : g.operands) ++first_[t + 1];
    for (int t = 0; t < tensors; ++t) first_[t + 1] += first_[t];
    list<int> next = first_;
    readers_ = list<int>(g.operands.size(), 0);
    for (int i = 0; i < g.nodes.size(); ++i)
      for (int k = 0; k < g.nodes[i].operands; ++k) readers_[next[g.operand(i, k)]++] = i;
    for (int k = 0; k < g.outputs.size(); ++k) output_[g.outputs[k]] = k;
  }
  /// How often a tensor is an operand, and which node reads it, in order.
  constexpr int count(int tensor) const { return first_[tensor + 1] - first_[tensor]; }
  constexpr int reader(int tensor, int i) const { return readers_[first_[tensor] + i]; }
  constexpr int output(int tensor) const { return output_[tensor]; }
  constexpr int producer(int tensor) const { return tensor - g_.inputs; }
  constexpr index_t size(int tensor) const {
    return tensor < g_.inputs ? g_.input_sizes[tensor] : facts_[producer(tensor)].size;
  }
  constexpr memory_need need(int tensor) const { return need_per_sample(size(tensor)); }

 protected:
  const graph_links& g_;
  const list<node_facts>& facts_;

 private:
  list<int> first_, readers_, output_;
};

}  // namespace tern::detail
