// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of inference of a graph.
#pragma once

#include "tern/block/memory.hpp"
#include "tern/block/step_plan.hpp"
#include "tern/core/list.hpp"
#include "tern/op/elementwise.hpp"

namespace tern::detail {

/// Plans inference: nodes in order. Nodes that are steps of an epilogue are fused with the node whose result they read,
/// and run at the place of the last of them.
class inference_planner : graph_planner {
 public:
  constexpr inference_planner(const graph_links& g, const list<node_facts>& facts) : graph_planner(g, facts) {
    for (int i = 0; i < g.nodes.size(); ++i) {
      leader_.add(i), last_.add(i), next_.add(-1), residual_.add(-1), after_.add({});
      fuse(i);
    }
  }
  constexpr step_plan plan() {
    step_plan p = unplaced();
    p.place(true);
    return p;
  }
  constexpr step_plan unplaced() {
    const int nodes = g_.nodes.size(), tensors = g_.inputs + nodes;
    list<int> last_use(tensors, -1);
    for (int k = 0; k < g_.inputs; ++k) current_[k] = p_.of_caller(tensor_space::x, k);
    for (int t = 0; t < tensors; ++t)
      for (int k = 0; k < count(t); ++k) {
        const int at = last_[leader_[reader(t, k)]];
        if (at > last_use[t]) last_use[t] = at;
      }
    find_openings(0, nodes);
    for (int end = 0; end < nodes; ++end) {
      each_opened(end, [&](int c) {
        begin_result(last_[c], -1);
        join(step_kind::infer, c, current_[g_.result(last_[c])], [&](int u) { return producer(u) < end; });
        open_[c] = 1;
      });
      const int i = leader_[end];
      if (last_[i] != end) continue;
      run(i, last_use);
      const int t = g_.result(end);
      for (int k = 0; k < count(t); ++k)
        if (const int c = reader(t, k); open_[c] && c > end && (k == 0 || reader(t, k - 1) != c))
          join(step_kind::infer, c, current_[g_.result(last_[c])], [&](int u) { return u == t; });
    }
    p_.forward_steps = p_.steps.size();
    return p_;
  }

 private:
  list<int> leader_, last_, next_;  ///< by node: its leader, with which it is fused; by leader: the last node; the next
                                    ///< fused node
  list<int> residual_;              ///< by leader: the added tensor
  list<elementwise_config> after_;

  /// \param in_place_of  memory to share, or -1
  constexpr void begin_result(int node, int in_place_of) {
    const int t = g_.result(node), k = output(t);
    current_[t] = k >= 0             ? p_.of_caller(tensor_space::y, k)
                  : in_place_of >= 0 ? in_place_of
                                     : p_.own(need(t), memory_use::result, node);
  }
  /// Adds a step for a node and its fused followers; none for a concatenation without any, whose parts are copied.
  constexpr void run(int i, const list<int>& last_use) {
    const int end = last_[i];
    const bool joins = facts_[i].joins;
    if (joins && next_[i] < 0) return;
    planned_step step{.is = step_kind::infer, .node = i, .refs = p_.refs.size(), .after = after_[i]};
    for (int o = 0; o < g_.nodes[i].operands; ++o)
      p_.touch(p_.refs[p_.refs.add(joins ? -1 : current_[g_.operand(i, o)])]);
    if (!joins) begin_result(end, reusable(i, last_use));
    step.y = current_[g_.result(end)];
    step.scratch = p_.own(facts_[i].infer_scratch, memory_use::forward_scratch, i);
    if (residual_[i] >= 0) p_.touch(step.residual = current_[residual_[i]]);
    for (int m = next_[i]; m >= 0; m = next_[m]) {
      if (facts_[m].adds) continue;
      const int scratch = p_.own(facts_[m].infer_scratch, memory_use::forward_scratch, m);
      p_.touch(scratch);
      p_.refs.add(m), p_.refs.add(scratch);
      ++step.members;
    }
    p_.touch(step.y), p_.touch(step.scratch);
    p_.steps.add(step);
  }
  /// The memory of an operand of a leader that its result may overwrite, or -1.
  constexpr int reusable(int i, const list<int>& last_use) const {
    if (!facts_[i].in_place && !facts_[i].is_elementwise) return -1;
    for (int o = 0; o < g_.nodes[i].operands; ++o) {
      const int u = g_.operand(i, o), at = current_[u];
      if (p_.is_own(at) && output(u) < 0 && last_use[u] == last_[i] && size(u) == facts_[i].size &&
          (residual_[i] < 0 || current_[residual_[i]] != at))
        return at;
    }
    return -1;
  }
  constexpr void fuse(int node) {
    const node_facts& f = facts_[node];
    const elementwise_config steps = f.adds ? elementwise_config{.residual = true} : f.steps;
    if (!f.is_elementwise && !f.adds) return;
    int with = -1;
    for (int o = 0; o < g_.nodes[node].operands; ++o) {
      const int u = g_.operand(node, o), from = producer(u);
      if (from < 0 || count(u) > 1 || output(u) >= 0 || !after_[leader_[from]].precedes(steps)) continue;
      // A flatten changes the channels, and so the numbers per channel.
      if ((steps.scale || steps.bias) && facts_[from].channels != f.channels) continue;
      if (with < 0 || from > producer(g_.operand(node, with))) with = o;
    }
    if (with < 0) return;
    const int from = producer(g_.operand(node, with)), i = leader_[from];
    leader_[node] = i, last_[i] = node, next_[from] = node;
    if (f.adds) residual_[i] = g_.operand(node, 1 - with);
    after_[i] = after_[i].with(steps);
  }
};

}  // namespace tern::detail
