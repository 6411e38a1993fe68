// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random graphs of up to 20 blocks, whose layers are few: only how they are joined differs.
#pragma once

#include <utility>

#include "tests/block/graph_results.hpp"
#include "tests/block/passes.hpp"

namespace tern::test {

/// A graph for every seed.
template <unsigned Seed>
struct random_network {
  static constexpr value define(graph& g, value x) {
    unsigned state = Seed * 2654435761u + 1;
    const auto draw = [&](unsigned n) {
      state = state * 1664525u + 1013904223u;
      return static_cast<int>((state >> 16) % n);
    };
    value made[64] = {x};
    bool read[64] = {};
    int count = 1;
    const auto random_use = [&] {
      // The last one as often as all others together.
      const int i = draw(2) == 0 ? count - 1 : draw(static_cast<unsigned>(count));
      read[i] = true;
      return made[i];
    };
    const int blocks = 2 + draw(12);
    for (int i = 0; i < blocks; ++i) {
      const auto names = g.inside("block", i);
      const int again = draw(4) == 0 ? 1 + draw(3) : 0;
      if (again > 0) {
        const auto computed_again = g.checkpoint();
        value v = random_use();
        for (int k = 0; k < again; ++k) v = add_block(g, draw(6), v, k);
        made[count++] = v;
        continue;
      }
      switch (draw(11)) {
        case 5: made[count++] = g.subtract("less", random_use(), random_use()); break;
        case 6: made[count++] = g.maximum("larger", random_use(), random_use()); break;
        case 4: made[count++] = g.attention("attend", 2, random_use(), random_use(), random_use()); break;
        case 2: made[count++] = g.multiply("product", random_use(), random_use()); break;
        case 3: {
          const value gated = random_use();
          made[count++] =
              g.multiply("gate", gated, g.activate("open", activation::tanh, g.global_avg_pool("mean", random_use())));
          break;
        }
        case 0: made[count++] = g.add("sum", random_use(), random_use()); break;
        case 1: {
          const value both = g.concat("both", {random_use(), random_use()});
          made[count++] = g.conv2d("mix", {.out = 4, .act = activation::tanh}, both);
          break;
        }
        default: made[count++] = add_block(g, draw(6), random_use(), 0);
      }
    }
    value sum = made[count - 1];
    for (int i = 0; i + 1 < count; ++i)
      if (!read[i]) {
        const auto names = g.inside("end", i);
        sum = g.add("sum", sum, made[i]);
      }
    return sum;
  }

 private:
  static constexpr value add_block(graph& g, int kind, value x, index_t number) {
    const auto names = g.inside("step", number);
    switch (kind) {
      case 0: return g.conv2d("conv", {.out = 4, .kernel = {3, 3}, .pad = {1, 1}}, x);
      case 1: return g.conv2d("narrow", {.out = 4, .bias = true, .act = activation::sigmoid}, x);
      case 2: return g.batch_norm("norm", {.act = activation::relu}, x);
      case 3: return g.activate("act", activation::gelu, x);
      case 4: return g.elementwise("scale", {.scale = true, .bias = true}, x);
      default: return g.dropout("drop", 25, x);
    }
  }
};

template <class Policy, unsigned Seed>
void add_results(graph_results& to) {
  using net = network<random_network<Seed>, sample_shape::image(4, 3, 2), Policy>;
  passes<net> p(3, Seed);
  p.forward();
  const auto y = p.y;
  p.backward();
  auto gradient = p.gradient, dx = p.dx;
  p.forward();
  p.backward(false);
  to.push_back(p.gradient);  // with and without dx
  to.push_back(gradient), to.push_back(y), to.push_back(dx), to.push_back(p.statistics);
  p.infer();
  to.push_back(p.y);
  p.infer_packed();
  to.push_back(p.y);
}

template <class Policy, unsigned First, unsigned... I>
void add_some(graph_results& to, std::integer_sequence<unsigned, I...>) {
  (add_results<Policy, First + I>(to), ...);
}
/// The graphs of a source.
template <class Policy, unsigned Part>
void add_part(graph_results& to) {
  add_some<Policy, Part * graphs_of_a_source>(to, std::make_integer_sequence<unsigned, graphs_of_a_source>());
}

}  // namespace tern::test
