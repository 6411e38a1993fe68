// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of a training step of a graph.
#pragma once

#include "tern/block/memory.hpp"
#include "tern/block/step_plan.hpp"
#include "tern/core/config.hpp"
#include "tern/core/list.hpp"

namespace tern::detail {

/// Plans a forward and a backward pass: nodes in order, then in reverse. Segments are recomputed before the backward
/// passes of their nodes. If several nodes read a tensor, the last reader gives the first gradient, and earlier ones
/// are added in reverse order.
class training_planner : graph_planner {
 public:
  constexpr training_planner(const graph_links& g, const list<node_facts>& facts) : graph_planner(g, facts) {
    const int tensors = g.inputs + g.nodes.size();
    gradient_ = list<int>(tensors, -1), left_ = list<int>(tensors, 0);
    wanted_ = list<char>(tensors, 0);
    kept_ = list<int>(g.nodes.size(), -1), replayed_ = list<char>(g.nodes.size(), 0);
    part_of_ = list<part>(tensors, {});
    for (int t = 0; t < tensors; ++t) left_[t] = count(t);
    for (int i = 0; i < g.nodes.size(); ++i) {
      bool w = facts[i].needs_dx;
      for (int k = 0; k < g.nodes[i].operands; ++k) w = w || wanted_[g.operand(i, k)];
      wanted_[g.result(i)] = w;
    }
  }
  constexpr step_plan plan(bool whole) {
    step_plan p = unplaced();
    p.place(whole);
    return p;
  }
  constexpr step_plan unplaced() {
    for (int k = 0; k < g_.inputs; ++k) current_[k] = p_.of_caller(tensor_space::x, k);
    forward(0, g_.nodes.size(), -1, step_kind::forward);
    p_.forward_steps = p_.steps.size();
    for (int k = 0; k < g_.outputs.size(); ++k) gradient_[g_.outputs[k]] = share(p_.of_caller(tensor_space::dy, k));
    backward(0, g_.nodes.size(), -1);
    return p_;
  }

 private:
  /// An operand of a concatenation.
  struct part {
    int node = -1, operand = 0;
  };
  list<int> gradient_;  ///< by tensor: the memory of its gradient sum
  list<int> left_;      ///< by tensor: readers whose gradients are missing
  list<char> wanted_;   ///< by tensor: true if its gradient is wanted even without gradients of inputs
  list<int> kept_;      ///< by node: its kept memory
  list<char> replayed_;
  list<part> part_of_;       ///< by tensor: the concatenation whose gradient still holds its own
  list<int> users_;          ///< by memory: number of tensors with their gradient there
  list<char> content_used_;  ///< by memory: true if a backward pass reads its contents

  /// The segment directly inside `level` that contains a node, -1 if there is none.
  constexpr int inner(int level, int node) const {
    int s = g_.nodes[node].segment;
    if (s == level) return -1;
    while (g_.segments[s].parent != level) s = g_.segments[s].parent;
    return s;
  }
  constexpr bool is_in(int segment, int node) const {
    return segment >= 0 && node >= g_.segments[segment].begin && node < g_.segments[segment].end;
  }
  /// True if later steps read a tensor as the forward passes of a range at `level` leave it.
  constexpr bool read_later(int tensor, int begin, int end, int level) const {
    const int from = producer(tensor);
    if (from >= begin && from < end && inner(level, from) < 0 && facts_[from].needs_y) return true;
    for (int k = 0; k < count(tensor); ++k) {
      const int r = reader(tensor, k);
      if (r < begin || r >= end) continue;
      const int s = inner(level, r);
      if (s < 0 ? facts_[r].needs_x : !is_in(s, from)) return true;
    }
    return false;
  }
  /// True if the result of a node may overwrite an operand.
  constexpr bool shares(int node, int u, int begin, int end, int level) const {
    const node_facts& f = facts_[node];
    const int from = producer(u);
    if (!f.in_place || from < begin || output(u) >= 0 || !p_.is_own(current_[u])) return false;
    for (int k = 0; k < count(u); ++k)
      if (reader(u, k) > node) return false;
    if (f.restores_x && inner(level, node) < 0) return true;
    return !content_used_[current_[u]] && !f.needs_x && !read_later(u, begin, end, level);
  }
  /// Memory for the result of a node.
  constexpr int new_result(int node, int begin, int end, int level) {
    for (int o = 0; o < g_.nodes[node].operands; ++o)
      if (shares(node, g_.operand(node, o), begin, end, level)) return current_[g_.operand(node, o)];
    return p_.own(need(g_.result(node)), memory_use::result, node);
  }
  constexpr void begin_result(int node, int begin, int end, int level, step_kind kind) {
    const int t = g_.result(node), k = kind == step_kind::forward ? output(t) : -1;
    const int y = k >= 0 ? p_.of_caller(tensor_space::y, k) : new_result(node, begin, end, level);
    while (content_used_.size() < p_.tensors.size()) content_used_.add(0);
    current_[t] = y;
    content_used_[y] = content_used_[y] || read_later(t, begin, end, level);
  }
  constexpr void forward(int begin, int end, int level, step_kind kind) {
    find_openings(begin, end);
    const auto runs = [&](int node) { return kind == step_kind::forward || replayed_[node]; };
    for (int i = begin; i < end; ++i) {
      each_opened(i, [&](int c) {
        if (!runs(c)) return;
        begin_result(c, begin, end, level, kind);
        join(kind, c, current_[g_.result(c)], [&](int u) { return producer(u) < i; });
        open_[c] = 1;
      });
      if (!runs(i)) continue;
      const node_facts& f = facts_[i];
      const int t = g_.result(i);
      if (f.joins) {
        open_[i] = 0;
      } else {
        planned_step step{.is = kind, .node = i, .refs = p_.refs.size()};
        for (int o = 0; o < g_.nodes[i].operands; ++o) p_.touch(p_.refs[p_.refs.add(current_[g_.operand(i, o)])]);
        begin_result(i, begin, end, level, kind);
        step.y = current_[t];
        step.kept = kept_[i] = p_.own(f.kept, memory_use::kept, i);
        step.scratch = p_.own(f.forward_scratch, memory_use::forward_scratch, i);
        p_.touch(step.y), p_.touch(step.kept), p_.touch(step.scratch);
        p_.steps.add(step);
      }
      for (int k = 0; k < count(t); ++k)
        if (const int c = reader(t, k); c < end && open_[c] && (k == 0 || reader(t, k - 1) != c))
          join(kind, c, current_[g_.result(c)], [&](int u) { return u == t; });
    }
  }

  /// Finds the nodes of a segment whose results or kept tensors its backward passes read.
  constexpr void choose_replayed(int segment) {
    const graph_segment s = g_.segments[segment];
    for (int i = s.end - 1; i >= s.begin; --i) {
      const int own = inner(segment, i);
      bool run = own < 0 && (facts_[i].needs_y || facts_[i].kept != memory_need{});
      for (int k = 0; k < count(g_.result(i)) && !run; ++k) {
        const int r = reader(g_.result(i), k);
        if (r >= s.end) continue;
        const int of_reader = inner(segment, r);
        run = of_reader < 0 ? facts_[r].needs_x || replayed_[r] : of_reader != own || replayed_[r];
      }
      replayed_[i] = run;
    }
  }
  constexpr void backward(int begin, int end, int level) {
    for (int i = end - 1; i >= begin; --i) {
      const int s = inner(level, i);
      if (s < 0) {
        backward(i);
        continue;
      }
      const graph_segment inside = g_.segments[s];
      choose_replayed(s);
      forward(inside.begin, inside.end, s, step_kind::replay);
      backward(inside.begin, inside.end, s);
      i = inside.begin;
    }
  }

  /// Counts one more tensor whose gradient is in this memory.
  constexpr int share(int memory) {
    while (users_.size() < p_.tensors.size()) users_.add(0);
    ++users_[memory];
    return memory;
  }
  constexpr void release(int tensor) { --users_[gradient_[tensor]], gradient_[tensor] = -1; }
  constexpr bool is_exclusive(int memory) const { return p_.is_own(memory) && users_[memory] == 1; }
  constexpr bool is_last(int tensor) const { return left_[tensor] == 1; }
  /// Memory for the gradient of a tensor: the caller's for the last addend of an input's gradient.
  constexpr int new_gradient(int tensor) {
    return tensor < g_.inputs && is_last(tensor) ? p_.of_caller(tensor_space::dx, tensor, true) : own_gradient(tensor);
  }
  constexpr int own_gradient(int tensor) {
    const int memory = p_.own(need(tensor), memory_use::gradient, producer(tensor));
    p_.tensors[memory].only_for_dx = !wanted_[tensor];
    return memory;
  }
  /// Adds a step: to = a + b, or a copy of a, for the gradient of a tensor.
  constexpr void add(step_kind kind, int tensor, int to, int a, int b, int node) {
    p_.touch(to), p_.touch(a), p_.touch(b);
    p_.steps.add(
        {.is = kind, .node = node, .y = to, .dy = a, .kept = b, .size = size(tensor), .only_for_dx = !wanted_[tensor]});
  }
  constexpr void backward(int i) {
    const node_facts& f = facts_[i];
    const int t = g_.result(i), operands = g_.nodes[i].operands;
    materialize(t);
    const int dy = gradient_[t];
    if (f.adds || f.joins) {
      for (int o = 0; o < operands; ++o)
        if (f.joins)
          divide(i, o);
        else
          pass_on(dy, g_.operand(i, o), o + 1 == operands, i);
      release(t);
      return;
    }
    planned_step step{.is = step_kind::backward,
                      .node = i,
                      .refs = p_.refs.size(),
                      .dy = dy,
                      .kept = kept_[i],
                      .only_for_dx = !wanted_[t]};
    for (int o = 0; o < operands; ++o) p_.refs.add(f.needs_x ? current_[g_.operand(i, o)] : -1);
    if (f.needs_y) step.y = current_[t];
    step.scratch = p_.own(f.backward_scratch, memory_use::backward_scratch, i);
    list<int> written;
    for (int o = 0; o < operands; ++o) {
      const int u = g_.operand(i, o);
      const bool to_caller = u < g_.inputs && is_last(u);
      const bool reuses = f.gradient_in_place && operands == 1 && !to_caller && is_exclusive(dy) &&
                          p_.tensors[dy].only_for_dx == !wanted_[u];
      p_.refs.add(written[written.add(reuses ? dy : new_gradient(u))]);
      if (operands > 1) --left_[u];
    }
    if (operands > 1)
      for (int o = 0; o < operands; ++o) ++left_[g_.operand(i, o)];
    for (int r = step.refs; r < p_.refs.size(); ++r) p_.touch(p_.refs[r]);
    p_.touch(step.y), p_.touch(dy), p_.touch(step.kept), p_.touch(step.scratch);
    p_.steps.add(step);
    share(dy), release(t);
    for (int o = 0; o < operands; ++o) {
      const int u = g_.operand(i, o);
      materialize(u);
      const int before = gradient_[u];
      --left_[u];
      if (before >= 0) {
        add(step_kind::add, u, written[o], written[o], before, i);
        release(u);
      }
      gradient_[u] = share(written[o]);
    }
    --users_[dy];
  }
  /// Copies the part of a concatenation's gradient that belongs to an operand.
  /// \param operand  its index
  constexpr void copy_part(int node, int operand, int dy, int to) {
    const int operands = g_.nodes[node].operands, u = g_.operand(node, operand);
    const planned_step step{
        .is = step_kind::backward, .node = node, .refs = p_.refs.size(), .dy = dy, .only_for_dx = !wanted_[u]};
    for (int o = 0; o < 2 * operands; ++o) p_.refs.add(o == operands + operand ? to : -1);
    p_.touch(dy), p_.touch(to);
    p_.steps.add(step);
  }
  /// Passes a concatenation's gradient to an operand. If it is the operand's first, it stays in place until it is read.
  constexpr void divide(int node, int operand) {
    const int u = g_.operand(node, operand), dy = gradient_[g_.result(node)];
    materialize(u);
    const int before = gradient_[u];
    if (before < 0 && u >= g_.inputs) {
      part_of_[u] = {node, operand};
      gradient_[u] = share(dy);
    } else {
      const int to = new_gradient(u);
      copy_part(node, operand, dy, to);
      if (before >= 0) {
        add(step_kind::add, u, to, to, before, node);
        release(u);
      }
      gradient_[u] = share(to);
    }
    --left_[u];
  }
  constexpr void materialize(int tensor) {
    const part from = part_of_[tensor];
    if (from.node < 0) return;
    const int to = own_gradient(tensor);
    copy_part(from.node, from.operand, gradient_[tensor], to);
    release(tensor);
    gradient_[tensor] = share(to);
    part_of_[tensor] = {};
  }
  /// Passes the gradient of a sum to one of its two inputs, for which it is the same.
  constexpr void pass_on(int dy, int u, bool last_operand, int node) {
    materialize(u);
    const bool to_caller = u < g_.inputs && is_last(u);
    const int before = gradient_[u];
    if (before < 0 && !to_caller) {
      gradient_[u] = share(dy);
    } else if (before < 0) {
      gradient_[u] = share(new_gradient(u));
      add(step_kind::copy, u, gradient_[u], dy, -1, node);
    } else {
      const int to = to_caller                          ? new_gradient(u)
                     : is_exclusive(before)             ? before
                     : last_operand && is_exclusive(dy) ? dy
                                                        : new_gradient(u);
      add(step_kind::add, u, to, before, dy, node);
      release(u);
      gradient_[u] = share(to);
    }
    --left_[u];
  }
};

}  // namespace tern::detail
