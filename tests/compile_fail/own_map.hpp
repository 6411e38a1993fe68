// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map of one's own, and a call of it.
//
// OWN_MAP_INPUTS  inputs of its function, of which two are declared
// OWN_MAP_SHAPE   the shape of the first
#pragma once

struct tinted {
  using op_type = tinted;
  using value_type = float;
  static constexpr const char* name = "tinted";
};
struct tinted_map {
  static constexpr int inputs = OWN_MAP_INPUTS, outputs = 1;
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
                                                       tern::declare::in("s", OWN_MAP_SHAPE),
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
inline void call(pixels s, pixels x, pixels y) { tern::kernel<tinted, tern::reference>{}(s, x, y); }
