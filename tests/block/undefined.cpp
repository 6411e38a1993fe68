// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph with -fsanitize=undefined, under which g++ 12 compares no addresses of templates while compiling.
#include "tern/blocks.hpp"
#include "tern/reference.hpp"

namespace tern::test {
namespace {

struct several_blocks {
  static constexpr value define(graph& g, value x) {
    x = g.conv2d("conv", {.out = 4, .kernel = 3, .act = activation::relu}, x);
    const value gate = g.activate("gate", activation::sigmoid, g.global_avg_pool("pool", x));
    x = g.flatten(g.global_avg_pool("mean", g.multiply("gated", x, gate)));
    const auto part = [&](value v) { return g.add("sum", v, g.matmul("product", {.n = 4}, v)); };
    x = g.shared("part", g.shared("part", x, part), part);
    return g.concat("both", {x, g.layer_norm("norm", {}, x)});
  }
};
using again = sequence<shared<matmul<matmul_config{.n = 8}>>, shared<matmul<matmul_config{.n = 8}>>>;
using net = network<sequence<several_blocks, residual<again>>, sample_shape::image(2, 5, 5), reference>;
static_assert(net::parameters == 4 * 2 * 9 + 4 * 4 + 2 * 4 + 8 * 8 && net::out.channels == 8);
static_assert(net::infer_memory.elements(1) > 0);

}  // namespace
}  // namespace tern::test
