// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a graph: values, nodes and their names.
#pragma once

#include <source_location>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/op/binary.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern {

/// A tensor of a graph, an input or a result, and its shape per sample.
struct value {
  int tensor = -1;
  sample_shape shape = {};
  const void* graph = nullptr;  ///< identifies its graph; null: not known
};

namespace detail {

/// A line of the user's file; line 0: unknown.
struct source_place {
  const char* file = "";
  unsigned line = 0;
};
struct graph_node {
  const char* block = nullptr;  ///< the tag of a block, or of a graph_op
  int config = -1;              ///< of a graph_op: index in the list of its type
  int first_operand = 0, operands = 0;
  sample_shape out;
  int owner = 0;  ///< the node that owns its parameters
  int segment = -1;
  int name = -1;  ///< index of its innermost name
  source_place at = {};
};
/// A name, optionally numbered, inside others.
struct graph_name {
  const char* text = "";
  index_t number = -1;
  int outer = -1;

  friend constexpr bool operator==(const graph_name& a, const graph_name& b) {
    if (a.outer != b.outer || a.number != b.number) return false;
    const char *x = a.text, *y = b.text;
    while (*x != '\0' && *x == *y) ++x, ++y;
    return *x == *y;
  }
};

/// An operand of a join. Numbers and missing operands are accepted, so that they get a sentence instead of the
/// compiler's errors.
struct join_operand {
  value of = {};
  bool is_number = false, is_missing = false;

  constexpr join_operand() : is_missing(true) {}
  constexpr join_operand(const value& v) : of(v) {}  // NOLINT: every value is an operand
  template <class Number>
    requires std::is_arithmetic_v<Number>
  constexpr join_operand(Number) : is_number(true) {}  // NOLINT
};
/// The last argument of a join: the place of the call. One operand too many is accepted, too.
struct end_of_join {
  std::source_location at = {};
  bool is_operand = false;

  constexpr end_of_join(const std::source_location& place) : at(place) {}  // NOLINT
  constexpr end_of_join(const value&) : is_operand(true) {}                // NOLINT
};

/// The name of a block, and the place of the call.
struct name_at {
  const char* text;
  std::source_location at;

  constexpr name_at(const char* name, std::source_location place = std::source_location::current())  // NOLINT
      : text(name), at(place) {}
};

// Blocks that join values.
struct sum_of_two {
  using block_type = sum_of_two;
  static constexpr const char* name = "add";
};
/// The second factor has the shape of the first, or one number per channel.
struct product_of_two {
  using block_type = product_of_two;
  static constexpr const char* name = "multiply";
  static constexpr bool is_per_channel(const sample_shape& a, const sample_shape& b) {
    return b.positions() == 1 && b.channels == a.channels;
  }
};
template <binary_config C>
struct binary_of_two {
  using block_type = binary_of_two;
  static constexpr const char* name = tern::name(C.kind);
};
struct joined_channels {
  using block_type = joined_channels;
  static constexpr const char* name = "concat";
};

}  // namespace detail

}  // namespace tern
