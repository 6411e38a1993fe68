// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of random graphs, run by an interpreter that tracks the contents of every piece of memory. Passes find their
// operands, gradients are complete and added in order, and no live tensor is overwritten.
#include <random>
#include <string>
#include <vector>

#include "tern/block/inference_planner.hpp"
#include "tern/block/training_planner.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

using namespace tern::detail;

struct random_graph {
  graph_links links;
  list<node_facts> facts;

  explicit random_graph(std::mt19937& random, bool whole) {
    const auto draw = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    links.inputs = whole ? 1 + draw(1) : 1;
    for (int k = 0; k < links.inputs; ++k) links.input_sizes.add(1 + draw(40));
    const int nodes = 1 + draw(19);
    for (int i = 0; i < nodes; ++i) {
      node_links n{.first_operand = links.operands.size(), .operands = draw(2) == 0 ? 2 : 1};
      node_facts f{.size = 1 + draw(40)};
      // Mostly of what was made last, so that graphs are deep.
      const auto operand = [&] {
        const int tensors = links.inputs + i;
        return i == 0 && links.inputs > 1 ? draw(1) : draw(2) == 0 ? draw(tensors - 1) : tensors - 1;
      };
      for (int o = 0; o < n.operands; ++o) links.operands.add(operand());
      const auto size_of = [&](int t) {
        return t < links.inputs ? links.input_sizes[t] : facts[t - links.inputs].size;
      };
      const int a = links.operands[n.first_operand];
      if (n.operands == 2) {
        const int b = links.operands[n.first_operand + 1];
        if (size_of(a) == size_of(b) && draw(1))
          f.adds = f.in_place = true, f.size = size_of(a);
        else if (draw(1))
          f.joins = true, f.size = size_of(a) + size_of(b);
      }
      const auto random_need = [&] { return memory_need{16 * draw(2), 16 * draw(1)}; };
      if (!f.adds && !f.joins) {
        f.kept = random_need(), f.forward_scratch = random_need(), f.backward_scratch = random_need(),
        f.infer_scratch = random_need();
        f.needs_x = draw(1), f.needs_y = draw(1), f.needs_dx = draw(1);
        if (n.operands == 2 && draw(1)) f.size = size_of(a), f.in_place = f.needs_x = true;  // a product
        if (n.operands == 1 && draw(1)) {
          f.size = size_of(a), f.in_place = true, f.gradient_in_place = draw(1);
          if (draw(2) == 0) f.restores_x = f.needs_y = true, f.needs_x = false;
          if (draw(2) == 0) f.is_elementwise = true, f.steps = {.scale = draw(1) == 0, .bias = draw(1) == 0};
        }
      }
      links.nodes.add(n), facts.add(f);
    }
    add_segments(random, 0, nodes, -1);
    // Everything is read, by a last node if by nobody else.
    std::vector<char> read(static_cast<std::size_t>(links.inputs + nodes));
    for (int t : links.operands) read[static_cast<std::size_t>(t)] = 1;
    node_links last{.first_operand = links.operands.size()};
    for (int t = 0; t < links.inputs + nodes; ++t)
      if (!read[static_cast<std::size_t>(t)]) links.operands.add(t), ++last.operands;
    links.nodes.add(last), facts.add({.size = 5, .needs_x = true});
    links.outputs.add(links.inputs + nodes);
    if (whole && draw(2) == 0) links.outputs.add(links.inputs + draw(nodes - 1));
  }

 private:
  void add_segments(std::mt19937& random, int begin, int end, int parent) {
    const auto draw = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    for (int i = begin; i < end;) {
      const int length = 1 + draw(5);
      if (draw(3) == 0 && i + length <= end) {
        const int s = links.segments.add({i, i + length, parent});
        for (int k = i; k < i + length; ++k) links.nodes[k].segment = s;
        if (length > 2) add_segments(random, i + 1, i + length, s);
        i += length;
      } else {
        ++i;
      }
    }
  }
};

/// Tracks the contents of every piece of memory, by name.
class interpreter {
 public:
  interpreter(const random_graph& g, const step_plan& p, bool whole, bool wants_dx)
      : g_(g), p_(p), whole_(whole), wants_dx_(wants_dx), holds_(static_cast<std::size_t>(p.tensors.size())) {
    for (int i = 0; i < p.tensors.size(); ++i) {
      if (p.tensors[i].in == tensor_space::x) put(i, "value " + std::to_string(p.tensors[i].index));
      if (p.tensors[i].in == tensor_space::dy) put(i, "y " + std::to_string(g.links.outputs[p.tensors[i].index]));
    }
  }

  void run() {
    for (int s = 0; s < p_.steps.size(); ++s) {
      const planned_step& step = p_.steps[s];
      now_ = s;
      INFO("step " << s << ", node " << step.node);
      if (step.only_for_dx && !wants_dx_) continue;
      switch (step.is) {
        case step_kind::forward:
        case step_kind::replay: forward(step); break;
        case step_kind::backward: backward(step); break;
        case step_kind::add: put(step.y, sum(get(step.dy), get(step.kept))); break;
        case step_kind::copy: put(step.y, get(step.dy)); break;
        case step_kind::infer: infer(step); break;
      }
    }
    for (int k = 0; k < g_.links.outputs.size(); ++k) REQUIRE(found(tensor_space::y, k));
    for (int k = 0; k < g_.links.outputs.size(); ++k)
      if (p_.forward_steps == p_.steps.size()) REQUIRE(get(where(tensor_space::y, k)) == value(g_.links.outputs[k]));
    for (int k = 0; k < g_.links.inputs && wants_dx_; ++k) {
      const int at = where(tensor_space::dx, k);
      REQUIRE(get(at) == gradient_of(k));
    }
  }

 private:
  const random_graph& g_;
  const step_plan& p_;
  bool whole_, wants_dx_;
  std::vector<std::string> holds_;
  int now_ = 0;

  static std::string value(int tensor) { return "value " + std::to_string(tensor); }
  /// Gradients are what they are sums of, in order: the last reader first.
  static std::string sum(const std::string& a, const std::string& b) { return a < b ? a + " + " + b : b + " + " + a; }
  std::string gradient_of(int tensor) const {
    std::string all;
    const auto add = [&](const std::string& s) { all = all.empty() ? s : sum(all, s); };
    for (int k = 0; k < g_.links.outputs.size(); ++k)
      if (g_.links.outputs[k] == tensor) add("y " + std::to_string(tensor));
    for (int i = g_.links.nodes.size() - 1; i >= 0; --i)
      for (int o = 0; o < g_.links.nodes[i].operands; ++o)
        if (g_.links.operand(i, o) == tensor)
          add(g_.facts[i].adds ? gradient_of(g_.links.result(i)) : "of " + std::to_string(i) + "." + std::to_string(o));
    return all;
  }

  index_t size_of(int tensor) const {
    return tensor < g_.links.inputs ? g_.links.input_sizes[tensor] : g_.facts[tensor - g_.links.inputs].size;
  }
  bool is_there(int t) const { return t >= 0 && (wants_dx_ || !p_.tensors[t].only_for_dx); }
  std::string get(int t) const { return holds_[static_cast<std::size_t>(t)]; }
  int where(tensor_space in, int index) const {
    int last = -1;
    for (int i = 0; i < p_.tensors.size(); ++i)
      if (p_.tensors[i].in == in && p_.tensors[i].index == index) last = i;
    REQUIRE(last >= 0);
    return last;
  }
  bool found(tensor_space in, int index) const { return where(in, index) >= 0; }
  /// Writes, over everything else that lies there.
  void put(int t, const std::string& what) {
    const planned_tensor& a = p_.tensors[t];
    for (int i = 0; i < p_.tensors.size(); ++i) {
      const planned_tensor& b = p_.tensors[i];
      const bool caller_s = !a.is_own() && a.in == b.in && a.index == b.index;
      const auto meet = [&](index_t memory_need::* part) {
        return a.at.*part < b.at.*part + b.lives.need.*part && b.at.*part < a.at.*part + a.lives.need.*part;
      };
      const bool overlaps = a.is_own() && b.is_own() && (whole_ || a.in == b.in) &&
                            (meet(&memory_need::per_sample) || meet(&memory_need::fixed));
      if (i != t && (caller_s || overlaps)) holds_[static_cast<std::size_t>(i)] = "";
    }
    holds_[static_cast<std::size_t>(t)] = what;
    if (!a.is_own()) return;
    REQUIRE(a.lives.first <= now_);
    REQUIRE(now_ <= a.lives.last);
    const memory_need room = whole_ || a.in == tensor_space::kept ? p_.kept
                             : now_ < p_.forward_steps            ? p_.forward_scratch
                                                                  : p_.backward_scratch;
    REQUIRE(a.at.per_sample + a.lives.need.per_sample <= room.per_sample);
    REQUIRE(a.at.fixed + a.lives.need.fixed <= room.fixed);
  }

  /// Copies some parts of a concatenation.
  void join(const planned_step& s) {
    const int i = s.node, operands = g_.links.nodes[i].operands, t = g_.links.result(i);
    std::string parts = get(s.y);
    const std::string begin = "parts of " + std::to_string(t) + ":";
    if (parts.substr(0, begin.size()) != begin) parts = begin + std::string(static_cast<std::size_t>(operands), '-');
    for (int o = 0; o < operands; ++o) {
      if (p_.refs[s.refs + o] < 0) continue;
      REQUIRE(get(p_.refs[s.refs + o]) == value(g_.links.operand(i, o)));
      char& part = parts[begin.size() + static_cast<std::size_t>(o)];
      REQUIRE(part == '-');
      part = 'x';
    }
    const bool whole = parts.find('-') == std::string::npos;
    put(s.y, whole ? value(t) : parts);
    for (int o = 0; o < operands; ++o)
      if (p_.refs[s.refs + o] >= 0) REQUIRE(get(p_.refs[s.refs + o]) == value(g_.links.operand(i, o)));
  }
  void forward(const planned_step& s) {
    const int i = s.node;
    if (g_.facts[i].joins) return join(s);
    for (int o = 0; o < g_.links.nodes[i].operands; ++o)
      REQUIRE(get(p_.refs[s.refs + o]) == value(g_.links.operand(i, o)));
    if (s.scratch >= 0) put(s.scratch, "scratch");
    if (s.kept >= 0) put(s.kept, "kept " + std::to_string(i));
    // Inputs are still there when the result is written, unless it takes their place.
    for (int o = 0; o < g_.links.nodes[i].operands; ++o)
      REQUIRE(get(p_.refs[s.refs + o]) == value(g_.links.operand(i, o)));
    bool in_place = false;
    for (int o = 0; o < g_.links.nodes[i].operands; ++o) in_place = in_place || p_.refs[s.refs + o] == s.y;
    REQUIRE((!in_place || g_.facts[i].in_place));
    put(s.y, value(g_.links.result(i)));
    if (s.kept >= 0) REQUIRE(get(s.kept) == "kept " + std::to_string(i));
    for (int o = 0; o < g_.links.nodes[i].operands && !in_place; ++o)
      REQUIRE(get(p_.refs[s.refs + o]) == value(g_.links.operand(i, o)));
  }
  /// A node, and those fused with it: each is the only reader of the one before.
  void infer(const planned_step& s) {
    const int operands = g_.links.nodes[s.node].operands;
    const bool joins = g_.facts[s.node].joins;
    bool copies = false;
    for (int o = 0; o < operands; ++o) copies = copies || (joins && p_.refs[s.refs + o] >= 0);
    if (copies) return join(s);
    if (joins) REQUIRE(get(s.y) == value(g_.links.result(s.node)));
    const auto require_operands = [&] {
      for (int o = 0; o < operands && !joins; ++o)
        REQUIRE(get(p_.refs[s.refs + o]) == value(g_.links.operand(s.node, o)));
    };
    require_operands();
    int end = s.node, member = 0;
    elementwise_config after;
    for (int fused = s.members + (s.residual >= 0 ? 1 : 0); fused > 0; --fused) {
      int reader = -1;
      for (int i = 0; i < g_.links.nodes.size(); ++i)
        for (int o = 0; o < g_.links.nodes[i].operands; ++o)
          if (g_.links.operand(i, o) == g_.links.result(end)) {
            REQUIRE(reader == -1);
            reader = i;
            if (!g_.facts[i].adds) continue;
            REQUIRE(get(s.residual) == value(g_.links.operand(i, 1 - o)));
          }
      const elementwise_config steps =
          g_.facts[reader].adds ? elementwise_config{.residual = true} : g_.facts[reader].steps;
      REQUIRE(after.precedes(steps));
      after = after.with(steps);
      if (!g_.facts[reader].adds) {
        REQUIRE(p_.refs[s.refs + operands + 2 * member] == reader);
        const int scratch = p_.refs[s.refs + operands + 2 * member++ + 1];
        if (scratch >= 0) put(scratch, "scratch");
      }
      end = reader;
    }
    REQUIRE(after == s.after);
    if (s.scratch >= 0) put(s.scratch, "scratch");
    require_operands();
    if (joins) REQUIRE(get(s.y) == value(g_.links.result(s.node)));
    for (int o = 0; o < operands; ++o) {
      if (p_.refs[s.refs + o] != s.y) continue;
      REQUIRE((g_.facts[s.node].in_place || g_.facts[s.node].is_elementwise));
      REQUIRE(size_of(g_.links.operand(s.node, o)) == g_.facts[s.node].size);
    }
    REQUIRE((s.residual < 0 || s.residual != s.y));
    const std::string residual = s.residual < 0 ? "" : get(s.residual);
    put(s.y, value(g_.links.result(end)));
    REQUIRE((s.residual < 0 || get(s.residual) == residual));
  }
  void backward(const planned_step& s) {
    const int i = s.node, operands = g_.links.nodes[i].operands;
    const node_facts& f = g_.facts[i];
    if (s.scratch >= 0) put(s.scratch, "scratch");
    for (int o = 0; o < operands && f.needs_x; ++o) REQUIRE(get(p_.refs[s.refs + o]) == value(g_.links.operand(i, o)));
    if (f.needs_y) REQUIRE(get(s.y) == value(g_.links.result(i)));
    if (f.kept != memory_need{}) REQUIRE(get(s.kept) == "kept " + std::to_string(i));
    REQUIRE(get(s.dy) == gradient_of(g_.links.result(i)));
    for (int o = 0; o < operands; ++o) {
      const int dx = p_.refs[s.refs + operands + o];
      if (!is_there(dx)) {
        REQUIRE(!f.restores_x);  // of a concatenation one part is taken at a time
        continue;
      }
      REQUIRE((dx != s.dy || f.gradient_in_place));
      put(dx, "of " + std::to_string(i) + "." + std::to_string(o));
    }
    // A result that overwrote x was converted back to x.
    if (f.restores_x && p_.tensors[s.y].is_own()) put(s.y, value(g_.links.operand(i, 0)));
  }
};

TEST_CASE("plans of random graphs keep what passes read, and add up all gradients") {
  std::mt19937 random(Catch::rngSeed());
  for (int round = 0; round < 3000; ++round) {
    const bool whole = round % 3 > 0;
    random_graph g(random, whole);
    // Streams, which are restored, have a gradient whoever asks.
    for (int i = 0; i < g.facts.size(); ++i)
      if (g.facts[i].restores_x)
        for (int k = 0; k <= i; ++k) g.facts[k].needs_dx = true;
    const step_plan p = training_planner(g.links, g.facts).plan(whole);
    INFO("round " << round);
    for (const bool wants_dx : {false, true}) {
      bool first_restores = false;  // the gradient of an input, which may be unwanted
      for (int i = 0; i < g.facts.size(); ++i)
        first_restores = first_restores || (g.facts[i].restores_x && g.links.operand(i, 0) < g.links.inputs);
      if (first_restores && !wants_dx) continue;
      interpreter(g, p, whole, wants_dx).run();
    }
    interpreter(g, inference_planner(g.links, g.facts).plan(), true, false).run();
  }
}

}  // namespace
}  // namespace tern::test
