// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes, names and segments of a graph that is being built.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <source_location>
#include <string_view>
#include <type_traits>

#include "tern/block/graph_ops.hpp"
#include "tern/block/graph_parts.hpp"
#include "tern/block/rules.hpp"
#include "tern/block/step_plan.hpp"
#include "tern/core/config.hpp"
#include "tern/core/list.hpp"
#include "tern/core/sentence.hpp"
#include "tern/op/block.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

template <class Block>
inline constexpr char block_address = 0;
/// False for g++ 12 with the sanitizer of undefined behaviour: it compares no addresses of templates while compiling.
template <class A, class B>
concept compares_addresses = requires { typename std::bool_constant<&block_address<A> == &block_address<B>>; };

/// Identifies a block, while compiling.
template <class Block>
constexpr const char* block_tag() {
  if constexpr (compares_addresses<Block, int>) {
    return &block_address<Block>;
  } else {
    constexpr std::string_view name = __PRETTY_FUNCTION__;  // g++ compares its characters
    static_assert(name.find("<lambda") == name.npos,
                  "network: with -fsanitize=undefined g++ cannot tell lambdas apart: name the function object");
    return __PRETTY_FUNCTION__;
  }
}

/// Appends a name with its enclosing names: "stage.1.conv".
/// \param names  by index
template <class Names>
constexpr declare::sentence& add_name(declare::sentence& to, const Names& names, int name) {
  if (name < 0) return to;
  const detail::graph_name& n = (&names[0])[name];  // a list, a pointer, or an array, whose index is unsigned
  if (n.outer >= 0) add_name(to, names, n.outer) << ".";
  to << n.text;
  if (n.number >= 0) to << (*n.text == '\0' ? "" : ".") << n.number;
  return to;
}

/// Appends the line of the user's file: " [net.cpp:12]".
constexpr declare::sentence& add_place(declare::sentence& to, const detail::source_place& at) {
  if (at.line == 0) return to;
  const char* file = at.file;
  for (const char* c = file; *c != '\0'; ++c)
    if (*c == '/') file = c + 1;
  return to << " [" << file << ":" << static_cast<index_t>(at.line) << "]";
}

}  // namespace impl

/// Base of graphs, independent of their blocks.
class graph_base : protected detail::config_lists {
 public:
  /// Prefixes the names of all blocks added while it is alive.
  class scope {
   public:
    /// \param checkpoint  true if these blocks form a segment, too
    constexpr scope(graph_base& g, const char* name, index_t number, bool checkpoint = false)
        : graph_(g), outer_(g.name_), is_segment_(checkpoint) {
      g.name_ = g.find_name({name, number, outer_});
      if (is_segment_) outer_segment_ = g.begin_segment();
    }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    constexpr ~scope() {
      if (is_segment_) graph_.end_segment(outer_segment_);
      graph_.name_ = outer_;
    }
    constexpr int number() const { return graph_.name_; }

   private:
    graph_base& graph_;
    int outer_, outer_segment_ = -1;
    bool is_segment_;
  };
  /// Marks all blocks added while it is alive for recomputation in the backward pass.
  class segment {
   public:
    constexpr explicit segment(graph_base& g) : graph_(g), outer_(g.begin_segment()) {}
    segment(const segment&) = delete;
    segment& operator=(const segment&) = delete;
    constexpr ~segment() { graph_.end_segment(outer_); }

   private:
    graph_base& graph_;
    int outer_;
  };

  /// Adds a block on tensors, with the enclosing name, and returns its result.
  template <class Block>
  constexpr value node(const sample_shape& out, std::initializer_list<value> from, int config = -1,
                       const detail::source_place& at = {}) {
    detail::graph_node n{.block = impl::block_tag<Block>(),
                         .config = config,
                         .first_operand = operands_.size(),
                         .operands = static_cast<int>(from.size()),
                         .out = out,
                         .owner = nodes_.size(),
                         .segment = segment_,
                         .name = name_,
                         .at = at};
    for (const value& v : from) operands_.add({v.tensor, v.shape});
    return {inputs_.size() + nodes_.add(n), out, this};
  }
  constexpr value input(const sample_shape& s) {
    inputs_.add(s);
    return {inputs_.size() - 1, s, this};
  }
  constexpr void output(const value& v) { outputs_.add({v.tensor, v.shape}); }
  /// Makes v, a value that a user returned, an output. One that is an input, or an output already, is copied.
  constexpr void result(const value& v) {
    if (!has("", "", "the result", {}, v)) return output(nothing());
    bool is_caller_s = v.tensor < inputs_.size();
    for (const value& o : outputs_) is_caller_s = is_caller_s || o.tensor == v.tensor;
    output(is_caller_s ? node<skip>(v.shape, {v}) : v);
  }

  constexpr const detail::list<detail::graph_node>& nodes() const { return nodes_; }
  constexpr const detail::list<value>& operands() const { return operands_; }
  constexpr const detail::list<value>& outputs() const { return outputs_; }
  constexpr const detail::list<sample_shape>& inputs() const { return inputs_; }
  constexpr const detail::list<detail::graph_segment>& segments() const { return segments_; }
  constexpr const detail::list<detail::graph_name>& names() const { return names_; }
  constexpr const declare::sentence& error() const { return error_; }
  constexpr const detail::config_lists& configs() const { return *this; }

 protected:
  /// Nodes [first, end) and segments [first_segment, end_segment), which map x to y.
  struct part {
    int first = 0, end = 0, first_segment = 0, end_segment = 0;
    value x = {}, y = {};
    const char* tag = nullptr;  ///< of the shared block, or
    int name = -1;              ///< its name
  };

  /// The index of a name; equal names have one index.
  constexpr int find_name(const detail::graph_name& wanted) {
    const unsigned hash = 31u * static_cast<unsigned>(wanted.outer) + 7u * static_cast<unsigned>(wanted.number) +
                          static_cast<unsigned>(*wanted.text);
    int& last = buckets_[static_cast<int>(hash % 64)];
    for (int i = last; i >= 0; i = name_states_[i].previous)
      if (names_[i] == wanted) return i;
    name_states_.add({.previous = last});
    return last = names_.add(wanted);
  }
  /// Adds the nodes of a part again, for another input, with the same parameters.
  constexpr value copy(const part& p, const value& x) {
    const int after = nodes_.size() - p.first, segments_after = segments_.size() - p.first_segment;
    const auto moved = [&](value v) {
      if (v.tensor == p.x.tensor)
        v.tensor = x.tensor;
      else if (v.tensor >= inputs_.size() + p.first)
        v.tensor += after;
      return v;
    };
    for (int i = p.first_segment; i < p.end_segment; ++i) {
      const detail::graph_segment s = segments_[i];
      segments_.add(
          {s.begin + after, s.end + after, s.parent >= p.first_segment ? s.parent + segments_after : segment_});
    }
    for (int i = p.first; i < p.end; ++i) {
      detail::graph_node n = nodes_[i];
      const int from = n.first_operand;
      n.first_operand = operands_.size();
      n.segment = n.segment >= p.first_segment ? n.segment + segments_after : segment_;
      for (int o = 0; o < n.operands; ++o) operands_.add(moved(operands_[from + o]));
      nodes_.add(n);
    }
    return moved(p.y);
  }

  static constexpr detail::source_place place_of(const std::source_location& at) { return {at.file_name(), at.line()}; }
  template <class... Values>
  constexpr value fails(const char* name, const std::source_location& at, const char* why, const Values&... values) {
    if (error_.size() > 0) return nothing();
    const int of = name == nullptr || *name == '\0' ? name_ : scope(*this, name, -1).number();
    impl::add_name(error_, names_, of) << (of < 0 ? "" : ": ") << why;
    [[maybe_unused]] const char* between = ": ";
    ((error_ << between << values.shape, between = " and "), ...);
    impl::add_place(error_, place_of(at));
    return nothing();
  }
  /// The value of a call that failed.
  constexpr value nothing() const {
    return inputs_.size() > 0 ? value{0, inputs_[0], this} : value{-1, sample_shape::features(1), this};
  }
  /// True if v is a value of this graph with as many elements as its tensor; otherwise reports an error.
  /// \param op    precedes the error; may be empty
  /// \param what  its subject, such as "the input"
  constexpr bool has(const char* name, const char* op, const char* what, const std::source_location& at,
                     const value& v) {
    const bool foreign = v.graph != nullptr && v.graph != this,
               known = !foreign && v.tensor >= 0 && v.tensor < inputs_.size() + nodes_.size();
    if (known && shape_of(v.tensor).size() == v.shape.size()) return true;
    declare::sentence s;
    s << op << (*op == '\0' ? "" : ": ") << what;
    if (foreign)
      s << " is a value of another graph";
    else if (!known)
      s << " is no value of this graph";
    else
      s << " is " << shape_of(v.tensor) << ", but its .shape was set to " << v.shape;
    fails(name, at, s.text());
    return false;
  }
  constexpr const sample_shape& shape_of(int tensor) const {
    return tensor < inputs_.size() ? inputs_[tensor] : nodes_[tensor - inputs_.size()].out;
  }

  /// Reports that a rule of an op is broken.
  template <class Op, class... Values>
  constexpr value refuses(const char* name, const std::source_location& at, const char* why, const Values&... values) {
    declare::sentence s;
    s << Op::name << ": " << why;
    return fails(name, at, s.text(), values...);
  }
  /// True if a join has all of its operands; otherwise reports an error.
  constexpr bool are_values(const char* op, const char* name, const detail::end_of_join& end,
                            std::initializer_list<detail::join_operand> operands) {
    const auto wanted = static_cast<index_t>(operands.size());
    index_t given = end.is_operand ? 1 : 0;
    bool numbers = false;
    for (const detail::join_operand& o : operands) {
      given += o.is_missing ? 0 : 1;
      numbers = numbers || o.is_number;
    }
    if (given == wanted && !numbers) {
      const char* const which[] = {"the first operand", "the second operand", "the third operand"};
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (!has(name, op, which[i], end.at, operands.begin()[i].of)) return false;
      return true;
    }
    declare::sentence s;
    s << op << ": ";
    if (given != wanted)
      s << "takes a name and " << wanted << " values: " << given << (given == 1 ? " is given" : " are given");
    else
      s << "operands must be values of the graph: for a number take a tern::map_of";
    fails(name, end.at, s.text());
    return false;
  }

  /// \return  the enclosing segment, for end_segment
  constexpr int begin_segment() {
    const int outer = segment_;
    segment_ = segments_.add({nodes_.size(), nodes_.size(), outer});
    return outer;
  }
  constexpr void end_segment(int outer) {
    segments_[segment_].end = nodes_.size();
    segment_ = outer;
  }

  detail::list<detail::graph_node> nodes_;
  detail::list<value> operands_, outputs_;
  detail::list<sample_shape> inputs_;
  detail::list<detail::graph_segment> segments_;
  detail::list<detail::graph_name> names_;
  struct name_state {
    int previous = -1;   ///< the previous name of the same bucket
    bool taken = false;  ///< true if a block has the name
  };
  detail::list<name_state> name_states_;
  detail::list<int> buckets_ = detail::list<int>(64, -1);  ///< by hash, the last name; of 400, few have one hash
  detail::list<part> shared_;
  struct user_block {
    const char* block;
    int name;
    detail::source_place at;
    const char* function;  ///< the name of the graph's function for an op; or null
  };
  detail::list<user_block> user_blocks_;  ///< blocks of graph::block
  declare::sentence error_;
  int segment_ = -1, name_ = -1;
  bool checkpoints_scopes_ = false;
};

}  // namespace tern::inline TERN_ISA
