// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: tinted: its map has 3 inputs and 1 output, but 3 tensors are declared
#include "tern/reference.hpp"

struct tinted {
  using op_type = tinted;
  using value_type = float;
  static constexpr const char* name = "tinted";
};
struct tinted_map {
  static constexpr int inputs = 3, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr tern::index_t operations = 1;
  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    out[0] = in[0] + in[1];
  }
};
struct tinted_pass : tern::declare::mapped<float, tinted_map> {
  static constexpr tern::declare::declaration declared{"",
                                                       0,
                                                       3,
                                                       tern::declare::in("s", "n channels spatial..."),
                                                       tern::declare::in("x", "n channels spatial..."),
                                                       tern::declare::out("y", "n channels spatial...")};
};
template <class Op, class Policy>
struct tern::operations<tinted, Op, Policy> : tern::declare::declared_operations<Op, Policy, tinted_pass> {
  template <class... Args>
  void operator()(Args&&... args) const {
    tern::declare::run<Op, Policy, tinted_pass>(args...);
  }
};

using pixels = tern::view<float, tern::dims<4>>;
void f(pixels s, pixels x, pixels y) { tern::kernel<tinted, tern::reference>{}(s, x, y); }
