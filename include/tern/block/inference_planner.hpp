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

/// Plans inference: nodes in order, where nodes that are steps of an epilogue are fused with the node whose result they
/// read, and run in the place of the last of them.
class inference_planner : graph_readers {
 public:
  constexpr inference_planner(const graph_links& g, const list<node_facts>& facts) : graph_readers(g, facts) {
    for (int i = 0; i < g.nodes.size(); ++i) {
      leader_.add(i), last_.add(i), next_.add(-1), residual_.add(-1), behind_.add({});
      fuse(i);
    }
  }
  constexpr step_plan plan() {
    const int nodes = g_.nodes.size(), tensors = g_.inputs + nodes;
    list<int> current(tensors, -1), last_use(tensors, -1);
    for (int k = 0; k < g_.inputs; ++k) current[k] = p_.of_caller(tensor_space::x, k);
    for (int t = 0; t < tensors; ++t)
      for (int k = 0; k < count(t); ++k) {
        const int at = last_[leader_[reader(t, k)]];
        if (at > last_use[t]) last_use[t] = at;
      }
    for (int end = 0; end < nodes; ++end) {
      const int i = leader_[end];
      if (last_[i] != end) continue;
      const int t = g_.result(end), k = output(t), u = g_.operand(i, 0);
      planned_step step{.is = step_kind::infer, .node = i, .refs = p_.refs.size(), .behind = behind_[i]};
      for (int o = 0; o < g_.nodes[i].operands; ++o) p_.touch(p_.refs[p_.refs.add(current[g_.operand(i, o)])]);
      const bool stays = (facts_[i].in_place || facts_[i].only_steps) && g_.nodes[i].operands == 1 &&
                         p_.is_own(current[u]) && output(u) < 0 && last_use[u] == end &&
                         (residual_[i] < 0 || current[residual_[i]] != current[u]);
      step.y = k >= 0  ? p_.of_caller(tensor_space::y, k)
               : stays ? current[u]
                       : p_.own(need(t), memory_use::result, end);
      step.scratch = p_.own(facts_[i].infer_scratch, memory_use::forward_scratch, i);
      if (residual_[i] >= 0) p_.touch(step.residual = current[residual_[i]]);
      for (int m = next_[i]; m >= 0; m = next_[m]) {
        if (facts_[m].adds) continue;
        const int scratch = p_.own(facts_[m].infer_scratch, memory_use::forward_scratch, m);
        p_.touch(scratch);
        p_.refs.add(m), p_.refs.add(scratch);
        ++step.members;
      }
      p_.touch(step.y), p_.touch(step.scratch);
      p_.steps.add(step);
      current[t] = step.y;
    }
    p_.forward_steps = p_.steps.size();
    p_.place(true);
    return p_;
  }

 private:
  step_plan p_;
  list<int> leader_, last_, next_;  ///< of a node: the one that it is fused with; of that the last; the next fused one
  list<int> residual_;              ///< of a leader: the tensor that is added
  list<elementwise_config> behind_;

  constexpr void fuse(int node) {
    const node_facts& f = facts_[node];
    const elementwise_config steps = f.adds ? elementwise_config{.residual = true} : f.steps;
    if (!f.only_steps && !f.adds) return;
    int with = -1;
    for (int o = 0; o < g_.nodes[node].operands; ++o) {
      const int u = g_.operand(node, o), from = producer(u);
      if (from < 0 || count(u) > 1 || output(u) >= 0 || !behind_[leader_[from]].precedes(steps)) continue;
      if (with < 0 || from > producer(g_.operand(node, with))) with = o;
    }
    if (with < 0) return;
    const int from = producer(g_.operand(node, with)), i = leader_[from];
    leader_[node] = i, last_[i] = node, next_[from] = node;
    if (f.adds) residual_[i] = g_.operand(node, 1 - with);
    behind_[i] = behind_[i].with(steps);
  }
};

}  // namespace tern::detail
