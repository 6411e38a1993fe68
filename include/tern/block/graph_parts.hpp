// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph is made of: values, nodes, names; and what is wrong with one.
#pragma once

#include "tern/core/config.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern {

/// A tensor of a graph: an input, or what a block made; and the shape of a sample of it.
struct value {
  int tensor = -1;
  sample_shape shape = {};
};

namespace detail {

struct graph_node {
  const char* block = nullptr;  ///< the tag of a block, or of a graph_op
  int config = -1;              ///< of a graph_op: its index in the list of its type
  int first_operand = 0, operands = 0;
  sample_shape out;
  int owner = 0;  ///< the node whose parameters it has
  int segment = -1;
  int name = -1;  ///< the innermost of its names
};
/// A name, or one of several with a number, inside others.
struct graph_name {
  const char* text = "";
  index_t number = -1;
  int outer = -1;
};

// What joins values.
struct sum_of_two {
  using block_type = sum_of_two;
  static constexpr const char* name = "add";
};
struct product_of_two {
  using block_type = product_of_two;
  static constexpr const char* name = "multiply";
};
struct joined_channels {
  using block_type = joined_channels;
  static constexpr const char* name = "concat";
};

/// What is wrong with a graph: the first thing that was found.
struct graph_error {
  char text[200] = {};
  int size = 0;

  constexpr graph_error& operator<<(const char* s) {
    for (; *s != '\0'; ++s) *this << *s;
    return *this;
  }
  constexpr graph_error& operator<<(char c) {
    if (size + 1 < 200) text[size++] = c;
    return *this;
  }
  constexpr graph_error& operator<<(index_t n) {
    if (n < 0) *this << '-', n = -n;
    index_t tens = 1;
    while (n / tens >= 10) tens *= 10;
    for (; tens > 0; tens /= 10) *this << static_cast<char>('0' + n / tens % 10);
    return *this;
  }
  constexpr graph_error& operator<<(const sample_shape& s) {
    *this << s.channels;
    for (index_t r = 0; r < s.rank; ++r) *this << 'x' << s.extent[r];
    return *this;
  }
};

}  // namespace detail

}  // namespace tern
