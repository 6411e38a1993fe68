// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks that are graphs: random ones give the same bits under all policies, and others those of the same network as
// a chain of blocks.
#include <algorithm>
#include <string>
#include <vector>

#include "tern/simd.hpp"
#include "tests/block/graph_results.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

void compare(const graph_results& wanted, const graph_results& found) {
  REQUIRE(wanted.size() == found.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    INFO("graph " << i / 7 << ", result " << i % 7);
    CHECK(std::none_of(wanted[i].begin(), wanted[i].end(), [](float x) { return x != x; }));
    CHECK(same_bits(wanted[i], found[i]));
  }
}

TEST_CASE("random graphs give the same bits under all policies") {
  const graph_results wanted = results_of_reference();
  REQUIRE(wanted.size() >= 7 * graphs_of_a_source);
  for (std::size_t i = 0; i < wanted.size(); i += 7) {
    CHECK(same_bits(wanted[i], wanted[i + 1]));
    CHECK(same_bits(wanted[i + 5], wanted[i + 6]));
  }
  SECTION("simd") { compare(wanted, results_of_simd()); }
  SECTION("mimd") { compare(wanted, results_of_mimd()); }
  SECTION("simt") { compare(wanted, results_of_simt()); }
}

// ---------------------------------------------------------------------------------------------------------------------
// The same network as a chain of types and as a graph

template <conv2d_config C>
using conv = conv2d<C>;
using chain =
    sequence<conv<conv2d_config{.in = 2, .out = 6, .kernel = {3, 3}, .pad = {1, 1}, .act = activation::gelu}>,
             residual<sequence<conv<conv2d_config{.in = 6, .out = 6, .bias = true}>, batch_norm<>>>,
             elementwise<elementwise_config{.act = activation::relu}>,
             checkpoint<residual<conv<conv2d_config{.in = 6, .out = 8, .act = activation::tanh}>,
                                 conv<conv2d_config{.in = 6, .out = 8, .scale = true, .bias = true}>>>,
             concat<skip, max_pool2d<pool2d_config{.kernel = {3, 3}, .stride = {1, 1}, .pad = {1, 1}}>>,
             gate<sequence<global_avg_pool2d<>,
                           conv<conv2d_config{.in = 16, .out = 16, .bias = true, .act = activation::sigmoid}>>>,
             gate<conv<conv2d_config{.in = 16, .out = 16, .act = activation::tanh}>>, drop<10>, flatten,
             matmul<matmul_config{.n = 3, .bias = true}>>;
/// The same without channels of inputs.
using chain_without_in = sequence<
    conv<conv2d_config{.out = 6, .kernel = {3, 3}, .pad = {1, 1}, .act = activation::gelu}>,
    residual<sequence<conv<conv2d_config{.out = 6, .bias = true}>, batch_norm<>>>,
    elementwise<elementwise_config{.act = activation::relu}>,
    checkpoint<residual<conv<conv2d_config{.out = 8, .act = activation::tanh}>,
                        conv<conv2d_config{.out = 8, .scale = true, .bias = true}>>>,
    concat<skip, max_pool2d<pool2d_config{.kernel = {3, 3}, .stride = {1, 1}, .pad = {1, 1}}>>,
    gate<sequence<global_avg_pool2d<>, conv<conv2d_config{.out = 16, .bias = true, .act = activation::sigmoid}>>>,
    gate<conv<conv2d_config{.out = 16, .act = activation::tanh}>>, drop<10>, flatten,
    matmul<matmul_config{.n = 3, .bias = true}>>;
struct graph_of_chain {
  static constexpr value define(graph& g, value x) {
    x = g.conv2d("0", {.out = 6, .kernel = {3, 3}, .pad = {1, 1}, .act = activation::gelu}, x);
    value y = g.conv2d("1", {.out = 6, .bias = true}, x);
    x = g.activate("2", activation::relu, g.add("sum1", g.batch_norm("norm1", {}, y), x));
    const value joined = [&] {
      const auto again = g.checkpoint();
      const value a = g.conv2d("3", {.out = 8, .act = activation::tanh}, x);
      return g.add("sum3", a, g.conv2d("short3", {.out = 8, .scale = true, .bias = true}, x));
    }();
    x = g.concat("4", {joined, g.max_pool2d("pool4", {.kernel = {3, 3}, .stride = {1, 1}, .pad = {1, 1}}, joined)});
    const conv2d_config excite{.out = 16, .bias = true, .act = activation::sigmoid};
    x = g.multiply("gate5", x, g.conv2d("5", excite, g.global_avg_pool("pool5", x)));
    x = g.multiply("gate6", x, g.conv2d("6", {.out = 16, .act = activation::tanh}, x));
    return g.matmul("9", {.n = 3, .bias = true}, g.flatten(g.dropout("7", 10, x)));
  }
};

template <class First, class Second>
void check_alike() {
  constexpr sample_shape in = sample_shape::image(2, 5, 4);
  using a = network<First, in, simd<>>;
  using b = network<Second, in, simd<>>;
  STATIC_REQUIRE(a::out == b::out);
  STATIC_REQUIRE(a::parameters == b::parameters);
  STATIC_REQUIRE(a::training_memory == b::training_memory);
  STATIC_REQUIRE(a::infer_memory == b::infer_memory);
  passes<a> p(4);
  passes<b> q(4);
  for (auto run : {+[](passes<a>& m, passes<b>& n) { m.forward(), n.forward(); },
                   +[](passes<a>& m, passes<b>& n) { m.backward(), n.backward(); },
                   +[](passes<a>& m, passes<b>& n) { m.infer(), n.infer(); }}) {
    run(p, q);
    CHECK(same_bits(p.y, q.y));
    CHECK(same_bits(p.dx, q.dx));
    CHECK(same_bits(p.gradient, q.gradient));
    CHECK(same_bits(p.statistics, q.statistics));
  }
}
TEST_CASE("a graph is the chain that it stands for") { check_alike<chain, graph_of_chain>(); }
TEST_CASE("channels of inputs are inferred in a chain") { check_alike<chain, chain_without_in>(); }

// ---------------------------------------------------------------------------------------------------------------------
// Blocks that share parameters

struct step : sequence<conv2d<conv2d_config{.out = 3, .kernel = {3, 3}, .pad = {1, 1}, .act = activation::gelu}>,
                       checkpoint<residual<sequence<batch_norm<>, conv2d<conv2d_config{.out = 3, .bias = true}>>>>> {};
using steps = sequence<shared<step>, elementwise<elementwise_config{.act = activation::tanh}>, shared<step>,
                       residual<shared<step>>>;
using apart = sequence<step, elementwise<elementwise_config{.act = activation::tanh}>, step, residual<step>>;

TEST_CASE("shared blocks have one set of parameters, whose gradients are added") {
  constexpr sample_shape in = sample_shape::image(3, 5, 4);
  using one = network<steps, in, simd<>>;
  using three = network<apart, in, simd<>>;
  constexpr index_t each = one::parameters;
  STATIC_REQUIRE(three::parameters == 3 * each);
  STATIC_REQUIRE(one::multiply_adds == 3 * 20 * (9 * 9 + 9));
  STATIC_REQUIRE(three::statistics == 3 * one::statistics);
  STATIC_REQUIRE(one::training_memory == three::training_memory);
  STATIC_REQUIRE(one::infer_memory == three::infer_memory);
  passes<one> p(4);
  passes<three> q(4);
  for (index_t i = 0; i < 3 * each; ++i)
    q.parameters[static_cast<std::size_t>(i)] = p.parameters[static_cast<std::size_t>(i % each)];
  q.x = p.x, q.dy = p.dy;
  p.forward(), q.forward();
  CHECK(same_bits(p.y, q.y));
  p.backward(), q.backward();
  CHECK(same_bits(p.dx, q.dx));
  for (index_t i = 0; i < each; ++i) {
    const auto at = [&](index_t k) { return double(q.gradient[static_cast<std::size_t>(k * each + i)]); };
    const double sum = at(0) + at(1) + at(2), size = std::abs(at(0)) + std::abs(at(1)) + std::abs(at(2));
    CHECK(std::abs(double(p.gradient[static_cast<std::size_t>(i)]) - sum) <= 0x1p-21 * size);
  }
  int names = 0;
  one::each_parameter([&](const parameter&) { ++names; });
  CHECK(names == 7);
}

struct halved {
  static constexpr value define(graph& g, value x) {
    const auto names = g.inside("stage", 12);
    value y = g.conv2d("conv", {.out = 4, .scale = true, .bias = true, .act = activation::prelu}, x);
    y = g.batch_norm("norm", {}, y);
    return g.conv2d("head", {.out = 2}, g.concat("join", {x, y}));
  }
};

TEST_CASE("parameters have the names of their blocks") {
  using net = network<sequence<halved, repeat<2, halved>>, sample_shape::image(2, 3, 3), simd<>>;
  std::vector<std::string> names;
  index_t elements = 0;
  net::each_parameter([&](const parameter& p) {
    names.push_back(p.name);
    if (p.statistic) return;
    CHECK(p.offset == elements);
    elements += p.size();
  });
  CHECK(names[0] == "0.stage.12.conv.weight");
  CHECK(std::count(names.begin(), names.end(), "0.stage.12.conv.slope") == 1);
  CHECK(std::count(names.begin(), names.end(), "0.stage.12.norm.variance") == 1);
  CHECK(std::count(names.begin(), names.end(), "1.1.stage.12.head.weight") == 1);
  CHECK(elements == net::parameters);
}

}  // namespace
}  // namespace tern::test
