// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inference fuses batch norms, activations and residual sums with the ops before them, with the bits of one layer after
// the other, and writes results over operands that no later layer reads.
#include <algorithm>

#include "tern/simd.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

/// A block of the user's, which keeps the layers before it from fusing with those after it.
struct apart {};

}  // namespace tern::test

template <tern::sample_shape In, class Policy>
struct tern::layer<tern::test::apart, In, Policy> : tern::layer_base<In> {
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    std::copy_n(x, c.batch * In.size(), y);
  }
  template <class Call, class T, class M>
  static void backward(const Call&, const T*, T*, const T*, T*, const M&, const M&) {}
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
};

namespace tern::test {
namespace {

/// Every op of a network on its own.
template <class Block>
struct separated {
  using type = sequence<Block, apart>;
};
template <class... Blocks>
struct separated<sequence<Blocks...>> {
  using type = sequence<typename separated<Blocks>::type...>;
};
template <class F, class S>
struct separated<residual<F, S>> {
  using type = sequence<residual<typename separated<F>::type, typename separated<S>::type>, apart>;
};
template <class F>
struct separated<checkpoint<F>> {
  using type = sequence<checkpoint<typename separated<F>::type>, apart>;
};

template <class Block, sample_shape In, class Policy>
void compare(const char* name) {
  INFO(name);
  using joined = network<Block, In, Policy>;
  using alone = network<typename separated<Block>::type, In, Policy>;
  STATIC_REQUIRE(joined::parameters == alone::parameters);
  STATIC_REQUIRE(joined::infer_memory.elements(1000) <= alone::infer_memory.elements(1000));
  for (index_t batch : {1, 7}) {
    passes<joined> a(batch);
    passes<alone> b(batch);
    std::mt19937 random(3);
    for (float& s : a.statistics) s = random_vector<float>(1, random, 0.25, 2)[0];
    b.parameters = a.parameters, b.statistics = a.statistics, b.x = a.x;
    a.infer(), b.infer();
    CHECK(same_bits(a.y, b.y));
    a.infer_packed();
    CHECK(same_bits(a.y, b.y));
  }
}

template <index_t In, index_t Out, index_t Kernel, bool Bias = false, activation Act = activation::none>
using conv = conv2d<conv2d_config{
    .in = In, .out = Out, .kernel = {Kernel, Kernel}, .pad = {Kernel / 2, Kernel / 2}, .bias = Bias, .act = Act}>;
template <activation Act = activation::none>
using norm = batch_norm<norm_config{.act = Act}>;
template <activation Act>
using act = elementwise<elementwise_config{.act = Act}>;

template <class Policy>
void compare_all() {
  using enum activation::function;
  constexpr sample_shape image = sample_shape::image(3, 6, 5);
  // After convolutions: steps that fuse, in every order, and steps that do not.
  compare<sequence<conv<3, 18, 3>, norm<relu>, conv<18, 5, 1, true>, act<leaky_relu>, conv<5, 4, 3>, norm<>, act<gelu>>,
          image, Policy>("norms and activations");
  compare<sequence<norm<>, act<tanh>, act<relu>, conv<3, 4, 1, true, relu>, norm<>, norm<relu>,
                   elementwise<elementwise_config{.bias = true}>, elementwise<elementwise_config{.scale = true}>,
                   elementwise<elementwise_config{.bias = true, .act = sigmoid}>>,
          image, Policy>("steps behind steps");
  compare<sequence<conv<3, 4, 3>, residual<sequence<conv<4, 6, 3>, norm<relu>, conv<6, 4, 3>, norm<>>>, act<relu>,
                   residual<sequence<norm<relu>, conv<4, 4, 3, true>>>, norm<>, residual<conv<4, 4, 1, false, relu>>,
                   residual<norm<>>, residual<residual<conv<4, 4, 1>>>>,
          image, Policy>("residual sums");
  compare<sequence<residual<sequence<conv<3, 4, 3>, norm<>>, sequence<conv<3, 4, 1>, norm<>>>, act<relu>,
                   residual<max_pool2d<pool2d_config{.kernel = {1, 1}}>, conv<4, 4, 1>>, norm<>,
                   checkpoint<sequence<conv<4, 4, 1>, norm<>>>, act<relu>>,
          image, Policy>("shortcuts");
  compare<sequence<flatten, matmul<matmul_config{.n = 9}>, norm<relu>, matmul<matmul_config{.n = 9, .bias = true}>,
                   act<silu>, residual<matmul<matmul_config{.n = 9, .bias = true}>>, act<relu>,
                   matmul<matmul_config{.n = 3}>, elementwise<elementwise_config{.bias = true}>>,
          image, Policy>("matmuls");
  compare<sequence<conv_transpose2d<conv_transpose2d_config{.in = 3, .out = 4, .kernel = {2, 2}, .stride = {2, 2}}>,
                   norm<relu>, avg_pool2d<pool2d_config{.kernel = {2, 2}}>, norm<>, act<relu>, drop<20>, act<tanh>>,
          image, Policy>("transposed ones, pools");
  // After a flatten there is a number for every feature.
  compare<sequence<conv<3, 4, 3, true>, norm<>, flatten, norm<relu>, elementwise<elementwise_config{.bias = true}>,
                   matmul<matmul_config{.n = 12}>, reshape<sample_shape::image(3, 2, 2)>, norm<>,
                   elementwise<elementwise_config{.scale = true, .act = tanh}>, flatten, norm<>>,
          image, Policy>("flattened images, features that become images");
  compare<sequence<norm<>, act<relu>, flatten, elementwise<elementwise_config{.bias = true}>,
                   residual<elementwise<elementwise_config{.scale = true}>>>,
          image, Policy>("steps after flattened steps");
}

TEST_CASE("inference fuses layers with the bits of one after the other") {
  compare_all<simd<>>();
  compare_all<reference>();
}

/// Products and other functions of two tensors: results overwrite the first or second operand, or none.
struct overwriting {
  static constexpr value define(graph& g, value x) {
    const value a = g.conv2d("a", {.out = 8}, x), mean = g.global_avg_pool("mean", a);
    const value b = g.multiply("b", a, g.conv2d("gate", {.out = 8, .act = activation::sigmoid}, mean));
    const value c = g.maximum("c", g.conv2d("c1", {.out = 8}, b), b);
    const value d = g.multiply("d", c, g.subtract("d1", g.conv2d("d2", {.out = 8}, c), c));
    return g.add("e", g.multiply("f", d, d), c);
  }
};
template <class Policy>
void compare_overwriting() {
  using net = network<overwriting, sample_shape::image(3, 5, 7), Policy>;
  for (index_t batch : {1, 7}) {
    passes<net> p(batch);
    p.forward();
    const std::vector<float> y = p.y;
    p.infer();
    CHECK(same_bits(p.y, y));
    p.infer_packed();
    CHECK(same_bits(p.y, y));
  }
}
TEST_CASE("results that overwrite operands have the bits of the forward pass") {
  compare_overwriting<simd<>>();
  compare_overwriting<reference>();
}

TEST_CASE("a squeeze-and-excitation in a residual block takes two tensors") {
  constexpr index_t features = 8 * 64;
  using gate = tern::gate<sequence<global_avg_pool2d<>, conv<8, 8, 1, false, activation::sigmoid>>>;
  using net = network<sequence<conv<3, 8, 3>, residual<sequence<conv<8, 8, 3>, gate>>, conv<8, 2, 3>>,
                      sample_shape::image(3, 8, 8), simd<>>;
  constexpr index_t means = 2 * detail::in_memory_grains(8);
  STATIC_REQUIRE(net::infer_memory.per_sample <= 2 * features + means);
}

TEST_CASE("fused layers take no memory of their own") {
  using three = network<
      sequence<conv<3, 8, 3>, norm<activation::relu>, conv<8, 8, 3>, norm<>, act<activation::relu>, conv<8, 2, 3>>,
      sample_shape::image(3, 8, 8), simd<>>;
  STATIC_REQUIRE(three::infer_memory.per_sample == 2 * 8 * 64);
}

}  // namespace
}  // namespace tern::test
