// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of networks with every kind of layer against finite differences, in float64. No pass reads unwritten
// memory: all of it starts as NaN.
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "tests/block/passes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

namespace tern::test {
namespace {

using policy = reference;
template <elementwise_config C>
using map = elementwise<C, double>;
template <conv2d_config C>
using conv = conv2d<C, double>;
template <norm_kind K, norm_config C = norm_config{}>
using norm = normalization<K, C, double>;

/// Compares derivatives with finite differences, in up to 24 parameters of every tensor and up to 40 inputs.
template <class Block, sample_shape In>
void check(const char* name, index_t batch = 3) {
  INFO(name);
  using net = network<Block, In, policy>;
  for (unsigned seed : {1u, 2u}) {
    passes<net> p(batch, seed);
    p.forward();
    for (double v : p.y) REQUIRE(std::isfinite(v));
    p.backward();
    const auto gradient = p.gradient, dx = p.dx;
    p.forward();
    p.backward(false);
    REQUIRE(p.gradient == gradient);  // with and without dx

    double largest = 0;
    for (double g : gradient) largest = std::fmax(largest, std::fabs(g));
    for (double g : dx) largest = std::fmax(largest, std::fabs(g));
    const auto compare = [&](double& at, double derivative) {
      const double h = 0x1p-18, before = at;
      at = before + h;
      p.forward();
      const long double above = p.loss();
      at = before - h;
      p.forward();
      const long double below = p.loss();
      at = before;
      // The second derivative of a smooth function cancels; h^2 is 1.5e-11 and rounding brings about 1e-16 / h = 3e-11
      // of the terms of the sum.
      REQUIRE(std::fabs(static_cast<double>((above - below) / (2 * h)) - derivative) <= 2e-8 * (largest + 10));
    };
    net::each_parameter([&](const parameter& t) {
      if (t.statistic) return;
      INFO(t.name);
      const index_t every = t.size() / 24 + 1;
      for (index_t i = 0; i < t.size(); i += every) {
        const auto at = static_cast<std::size_t>(t.offset + i);
        compare(p.parameters[at], gradient[at]);
      }
    });
    INFO("x");
    for (std::size_t i = 0; i < dx.size(); i += dx.size() / 40 + 1) compare(p.x[i], dx[i]);
  }
}

TEST_CASE("convolutions, pools and norms") {
  check<sequence<conv<conv2d_config{
                     .in = 2, .out = 4, .kernel = {3, 3}, .pad = {1, 1}, .bias = true, .act = activation::tanh}>,
                 avg_pool2d<pool2d_config{.kernel = {2, 2}}, double>,
                 norm<norm_kind::batch, norm_config{.act = activation::sigmoid}>,
                 conv<conv2d_config{.in = 4, .out = 4, .scale = true, .bias = true, .act = activation::gelu}>, flatten,
                 matmul<matmul_config{.n = 5, .bias = true, .act = activation::silu}, double>>,
        sample_shape::image(2, 4, 6)>("images");
  check<sequence<conv_transpose1d<
                     conv_transpose1d_config{
                         .in = 3, .out = 4, .kernel = {4}, .stride = {2}, .bias = true, .act = activation::softplus},
                     double>,
                 norm<norm_kind::group, norm_config{.groups = 2, .act = activation::tanh}>, norm<norm_kind::instance>,
                 max_pool1d<pool1d_config{.kernel = {3}, .stride = {2}}, double>,
                 norm<norm_kind::rms, norm_config{.shift = false}>>,
        sample_shape::signal(3, 7)>("signals");
  check<sequence<conv3d<conv3d_config{.in = 1, .out = 2, .kernel = {2, 2, 2}}, double>, flatten,
                 norm<norm_kind::layer, norm_config{.act = activation::mish}>,
                 norm<norm_kind::layer, norm_config{.scale = false}>,
                 norm<norm_kind::rms, norm_config{.scale = false, .shift = false}>>,
        sample_shape::volume(1, 3, 3, 4)>("volumes");
}

TEST_CASE("maps and rearrangements") {
  check<sequence<map<elementwise_config{.scale = true, .bias = true, .act = activation::gelu_tanh}>,
                 per_element<map<elementwise_config{.scale = true, .bias = true}>>,
                 per_element<map<elementwise_config{.act = activation::prelu}>>,
                 space_to_depth2d<space_to_depth2d_config{.block = {2, 2}}, double>,
                 map<elementwise_config{.act = activation::prelu}>,
                 channel_shuffle<channel_shuffle_config{.groups = 2}, double>,
                 depth_to_space2d<space_to_depth2d_config{.block = {2, 1}}, double>,
                 map<elementwise_config{.act = activation::silu}>,
                 upsample2d<upsample2d_config{.factor = {1, 2}}, double>,
                 pad2d<pad2d_config{.pad = {1, 0}, .pad_end = {0, 1}}, double>, drop<40>, flatten,
                 reshape<sample_shape::image(4, 5, 5)>, map<elementwise_config{.act = activation::tanh}>, flatten,
                 softmax<softmax_config{.log = true}, double>>,
        sample_shape::image(2, 4, 4)>("maps");
  check<sequence<map<elementwise_config{.scale = true, .act = activation::prelu}>, drop<30, stochastic_depth<double>>,
                 map<elementwise_config{.bias = true, .act = activation::elu}>, softmax<softmax_config{}, double>>,
        sample_shape::features(9)>("features");
  check<sequence<conv<conv2d_config{.in = 2, .out = 4}>, l2_normalize<l2_config{.axis = 1}, double>,
                 map<elementwise_config{.scale = true}>, l2_normalize<l2_config{.axis = 3}, double>, flatten,
                 matmul<matmul_config{.n = 5}, double>, l2_normalize<l2_config{}, double>>,
        sample_shape::image(2, 3, 4)>("L2 normalisation");
}

TEST_CASE("branches") {
  using branch =
      sequence<conv<conv2d_config{.in = 4, .out = 4, .kernel = {3, 3}, .pad = {1, 1}, .act = activation::tanh}>,
               norm<norm_kind::batch>>;
  check<sequence<
            residual<branch>,
            residual<conv<conv2d_config{.in = 4, .out = 6, .act = activation::sigmoid}>,
                     conv<conv2d_config{.in = 4, .out = 6, .bias = true, .act = activation::tanh}>>,
            dense<sequence<conv<conv2d_config{.in = 6, .out = 2}>, map<elementwise_config{.act = activation::tanh}>>>,
            concat<conv<conv2d_config{.in = 8, .out = 2, .act = activation::tanh}>,
                   avg_pool2d<pool2d_config{.kernel = {1, 1}}, double>, skip>,
            repeat<3, residual<conv<conv2d_config{.in = 18, .out = 18, .act = activation::tanh}>>>>,
        sample_shape::image(4, 3, 3)>("branches");
  check<
      sequence<
          gate<sequence<global_avg_pool2d<double>, conv<conv2d_config{.in = 4, .out = 4, .act = activation::sigmoid}>>>,
          checkpoint<gate<branch>>, gate<skip>, repeat<2, gate<conv<conv2d_config{.in = 4, .out = 4}>>>>,
      sample_shape::image(4, 3, 3)>("gates");
  check<sequence<checkpoint<branch>, repeat<2, checkpoint<residual<branch>>>,
                 repeat<3, map<elementwise_config{.act = activation::tanh}>>, repeat<4, skip>,
                 checkpoint<sequence<skip, drop<20, dropout<dropout_config{}, double>>>>>,
        sample_shape::image(4, 3, 3)>("checkpoints");
}

TEST_CASE("positions that attend to each other") {
  check<residual<sequence<non_local<conv<conv2d_config{.in = 3, .out = 2, .bias = true}>,
                                    conv<conv2d_config{.in = 3, .out = 2, .act = activation::tanh}>,
                                    sequence<conv<conv2d_config{.in = 3, .out = 4}>, norm<norm_kind::batch>>>,
                          conv<conv2d_config{.in = 4, .out = 3}>>>,
        sample_shape::image(3, 2, 3)>("non-local");
}

/// Values that are read several times, sums of a value with itself, branches that join late.
struct crossing {
  using value_type = double;
  static constexpr value define(graph& g, value x) {
    const value a = g.conv2d("a", {.out = 3, .kernel = {3, 3}, .pad = {1, 1}, .act = activation::tanh}, x);
    const value b = g.batch_norm("b", {.act = activation::sigmoid}, a);
    const value c = g.add("c", g.add("twice", b, b), x);
    const value d = [&] {
      const auto again = g.checkpoint();
      const value inner = [&] {
        const auto nested = g.checkpoint();
        return g.activate("inner", activation::gelu, g.conv2d("d", {.out = 3, .bias = true}, g.add("e", a, c)));
      }();
      return g.batch_norm("f", {}, g.add("g", inner, b));
    }();
    const value cut =
        g.pad2d("s", {.pad = {1, 0}, .pad_end = {0, 2}}, g.crop2d("t", {.crop = {1, 0}, .crop_end = {0, 2}}, c));
    const value swapped = g.concat("u", {g.slice("v", 1, 2, cut), g.slice("w", 0, 1, cut)});
    const value e = g.concat("h", {a, d, swapped, a});
    const value gate = g.activate("n", activation::sigmoid, g.conv2d("o", {.out = 12}, g.global_avg_pool("p", e)));
    const value gated = g.multiply("r", g.multiply("q", e, gate), e);
    const value f = g.conv2d("i", {.out = 3, .act = activation::silu}, gated);
    return g.matmul("j", {.n = 4}, g.flatten(g.add("k", g.add("l", f, d), g.elementwise("m", {.scale = true}, x))));
  }
};

struct transformer {
  using value_type = double;
  using blocks = block_list<class_token>;
  static constexpr value define(graph& g, value x) {
    x = g.block<class_token>("class", x);
    const value n = g.layer_norm_channels("norm", {}, x);
    const value q = g.conv1d("q", {.out = 6}, n), k = g.conv1d("k", {.out = 6}, n), v = g.conv1d("v", {.out = 9}, n);
    x = g.add("sum", x, g.conv1d("project", {.out = 3, .bias = true}, g.attention("attend", 3, q, k, v)));
    const value few = g.avg_pool1d("few", {.kernel = {2}}, n);
    return g.attention("cross", 1, x, few, g.activate("act", activation::tanh, few));
  }
};

TEST_CASE("graphs") {
  check<transformer, sample_shape::signal(3, 4)>("attention");
  check<crossing, sample_shape::image(3, 3, 4)>("crossing");
  check<sequence<crossing, matmul<matmul_config{.n = 18, .act = activation::tanh}, double>,
                 reshape<sample_shape::image(3, 2, 3)>, checkpoint<crossing>>,
        sample_shape::image(3, 3, 4)>("in a sequence");
  check<sequence<each_position<sequence<matmul<matmul_config{.n = 5, .bias = true, .act = activation::gelu}, double>,
                                        norm<norm_kind::layer>>>,
                 each_position<norm<norm_kind::rms>>, each_position<drop<30, dropout<dropout_config{}, double>>>>,
        sample_shape::image(3, 2, 3)>("at every position");
  check<
      repeat<2, residual<sequence<conv<conv2d_config{.in = 3, .out = 3}>, residual<residual<norm<norm_kind::batch>>>>>>,
      sample_shape::image(3, 2, 2)>("nested");
}

/// Two inputs of different shapes, two results, and blocks that run twice.
struct siamese {
  using value_type = double;
  static constexpr std::array<value, 2> define(graph& g, value a, value b) {
    const auto embed = [&](value x) {
      return g.conv2d("conv", {.out = 3, .kernel = {3, 3}, .pad = {1, 1}, .bias = true, .act = activation::gelu}, x);
    };
    const auto normalise = [&](value x) { return g.layer_norm_channels("norm", {}, x); };
    const value first = g.shared("embed", a, embed);
    const value second = g.shared("embed", g.activate("open", activation::tanh, a), embed);
    const value norm = g.shared("normal", g.add("sum", first, second), normalise);
    const value third = g.shared("normal", second, normalise);
    const value gate = g.matmul("gate", {.n = 3, .act = activation::sigmoid}, b);
    return {g.multiply("gated", g.add("both", norm, third), gate), g.add("more", gate, gate)};
  }
};

/// One input, two results.
struct heads {
  static constexpr std::array<value, 2> define(graph& g, value x) {
    const value y = g.matmul("first", {.n = 3, .act = activation::tanh}, x);
    return {y, g.matmul("second", {.n = 2, .bias = true}, y)};
  }
};
/// More parts are copied than there are nodes.
struct wide_join {
  static constexpr value define(graph& g, value x) {
    value part[5];
    for (index_t i = 0; i < 5; ++i) {
      const auto names = g.inside("part", i);
      part[i] = g.matmul("dense", {.n = 1 + i, .act = activation::tanh}, x);
    }
    return g.concat("join", {part[0], x, part[1], part[2], part[3], part[4]});
  }
};
TEST_CASE("a concatenation of many parts") {
  using net = network<wide_join, sample_shape::features(3), reference>;
  std::mt19937 random(6);
  const auto p = random_vector<float>(net::parameters, random), x = random_vector<float>(2 * 3, random);
  std::vector<float> y(static_cast<std::size_t>(2 * net::out.size())), z(y.size()),
      memory(static_cast<std::size_t>(net::training_memory.elements(2)));
  auto state = net::make_state();
  net::forward(state, std::span(p), std::span<float>(), std::span(x), std::span(y), std::span(memory));
  net::infer(state, std::span(p), std::span<const float>(), std::span(x), std::span(z), std::span(memory));
  REQUIRE(y == z);
  for (std::size_t n = 0; n < 2; ++n)
    for (std::size_t k = 0; k < 3; ++k) REQUIRE(y[n * 18 + 1 + k] == x[n * 3 + k]);
}

TEST_CASE("several results of one input") {
  using net = network<heads, sample_shape::features(4), reference>;
  STATIC_REQUIRE(net::out == std::array{sample_shape::features(3), sample_shape::features(2)});
  STATIC_REQUIRE(net::inputs == 1);
  using first = network<matmul<matmul_config{.n = 3, .act = activation::tanh}>, sample_shape::features(4), reference>;
  std::mt19937 random(5);
  const auto p = random_vector<float>(net::parameters, random), x = random_vector<float>(2 * 4, random);
  std::vector<float> y(2 * 3), z(2 * 2), expected(2 * 3),
      memory(static_cast<std::size_t>(net::infer_memory.elements(2)));
  auto state = net::make_state();
  net::infer(state, std::span(p), std::span<const float>(), std::span(x), std::array{std::span(y), std::span(z)},
             std::span(memory));
  first::infer(state, std::span(p).first(12), std::span<const float>(), std::span(x), std::span(expected),
               std::span(memory));
  REQUIRE(y == expected);
}

TEST_CASE("several inputs and results, and shared parameters") {
  constexpr std::array in{sample_shape::image(3, 3, 2), sample_shape::features(4)};
  using net = network<siamese, in, policy>;
  STATIC_REQUIRE(net::out == std::array{sample_shape::image(3, 3, 2), sample_shape::features(3)});
  STATIC_REQUIRE(net::parameters == 81 + 3 + 6 + 12);
  constexpr index_t batch = 3;
  std::mt19937 random(4);
  auto p = random_vector<double>(net::parameters, random), a = random_vector<double>(batch * in[0].size(), random),
       b = random_vector<double>(batch * in[1].size(), random);
  const auto dy = random_vector<double>(batch * net::out[0].size(), random),
             dz = random_vector<double>(batch * net::out[1].size(), random);
  auto state = net::make_state();
  std::vector<double> y, z, memory, none;
  const auto loss = [&] {
    memory = poisoned<double>(net::training_memory.elements(batch));
    y = poisoned<double>(batch * net::out[0].size()), z = poisoned<double>(batch * net::out[1].size());
    net::forward(state, p, none, {a, b}, {y, z}, memory);
    long double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += static_cast<long double>(dy[i]) * static_cast<long double>(y[i]);
    for (std::size_t i = 0; i < z.size(); ++i) sum += static_cast<long double>(dz[i]) * static_cast<long double>(z[i]);
    return sum;
  };
  loss();
  std::vector<double> gradient(p.size()), da(a.size()), db(b.size());
  net::backward(state, p, gradient, {a, b}, {y, z}, {dy, dz}, {da, db}, memory);
  loss();
  std::vector<double> alone(p.size());
  net::backward(state, p, alone, {a, b}, {y, z}, {dy, dz}, {}, memory);
  CHECK(alone == gradient);
  const auto compare = [&](std::vector<double>& at, const std::vector<double>& derivative) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double h = 0x1p-18, before = at[i];
      at[i] = before + h;
      const long double above = loss();
      at[i] = before - h;
      const long double below = loss();
      at[i] = before;
      REQUIRE(std::fabs(static_cast<double>((above - below) / (2 * h)) - derivative[i]) <=
              2e-8 * (10 + std::fabs(derivative[i])));
    }
  };
  compare(p, gradient), compare(a, da), compare(b, db);

  loss();
  const auto y_of_training = y, z_of_training = z;
  auto packed = poisoned<double>(net::packed);
  for (int i = 0; i < 2; ++i) {
    memory = poisoned<double>(net::infer_memory.elements(batch));
    if (i == 0)
      net::infer(state, p, none, {a, b}, {y, z}, memory);
    else
      net::infer(state, net::pack(p, none, packed), {a, b}, {y, z}, memory);
    CHECK(y == y_of_training);
    CHECK(z == z_of_training);
  }
  const std::span<double> no_da;
  CHECK(message([&] { net::backward(state, p, alone, {a, b}, {y, z}, {dy, dz}, {no_da, db}, memory); }) ==
        "network: dx[0] has 0 elements: it must have 54");
  CHECK(message([&] { net::infer(state, p, none, {a, std::span(b).first(3)}, {y, z}, memory); }) ==
        "network: x[1] has 3 elements: it must have 12");
  CHECK(message([&] { net::infer(state, p, none, {a, b}, {y, std::span(y).first(9)}, memory); }) ==
        "network: y[0] and y[1] share elements: they must not overlap");
  int tensors = 0;
  net::each_parameter([&](const parameter&) { ++tensors; });
  CHECK(tensors == 5);
}

TEST_CASE("couplings of real numbers") {
  constexpr coupling_config real{.stream = stream_kind::drifting};
  using f = sequence<conv<conv2d_config{.in = 2, .out = 2, .kernel = {3, 3}, .pad = {1, 1}, .act = activation::tanh}>,
                     norm<norm_kind::batch>>;
  using g = conv<conv2d_config{.in = 2, .out = 2, .bias = true, .act = activation::gelu}>;
  check<sequence<to_stream<real>, reversible<f, g>, repeat<3, reversible<g, f>>, stored_coupling<f, g>,
                 repeat<2, stored_coupling<g, g>>, from_stream>,
        sample_shape::image(4, 3, 3)>("couplings");
}

TEST_CASE("streams of real numbers that change their shape") {
  constexpr coupling_config real{.stream = stream_kind::drifting};
  using g = conv<conv2d_config{.in = 4, .out = 4, .bias = true, .act = activation::gelu}>;
  // Branches that want their inputs or results, or neither.
  using strided = conv<conv2d_config{
      .in = 2, .out = 4, .kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}, .act = activation::tanh}>;
  using pooled = sequence<avg_pool2d<pool2d_config{.kernel = {2, 2}}, double>, pad_channels<1, 1>>;
  using projected = conv<conv2d_config{.in = 2, .out = 4, .stride = {2, 2}, .bias = true, .act = activation::sigmoid}>;
  check<sequence<to_stream<real>, stored_coupling<strided, g, pooled>, from_stream>, sample_shape::image(4, 4, 4)>(
      "pooled");
  check<sequence<to_stream<real>, checkpoint<stored_coupling<pooled, sequence<g, norm<norm_kind::batch>>, projected>>,
                 reversible<g, g>, from_stream>,
        sample_shape::image(4, 4, 4)>("projected");
  check<sequence<to_stream<real>, stored_coupling<pooled, skip, pooled>, from_stream>, sample_shape::image(4, 4, 4)>(
      "bare");
  using deep = conv<conv2d_config{.in = 8, .out = 8, .bias = true, .act = activation::tanh}>;
  check<
      sequence<space_to_depth2d<space_to_depth2d_config{.block = {1, 2}}, double>, to_stream<real>, reversible<g, g>,
               space_to_depth2d<space_to_depth2d_config{.block = {2, 1}}, double>, reversible<deep, deep>,
               channel_shuffle<channel_shuffle_config{.groups = 2}, double>, repeat<2, reversible<deep, deep>>,
               depth_to_space2d<space_to_depth2d_config{.block = {2, 1}}, double>, stored_coupling<g, g>, from_stream>,
      sample_shape::image(4, 4, 4)>("squeezed");
  check<sequence<pad_channels<2, 4>, map<elementwise_config{.scale = true, .act = activation::tanh}>,
                 pad_channels<0, 3>, pad_channels<0, 0>, pad_channels<1, 0>>,
        sample_shape::image(2, 2, 3)>("channels");
}

TEST_CASE("latent variables and weights with distributions") {
  using tenth = std::ratio<1, 10>;
  check<sequence<matmul<matmul_config{.n = 8, .bias = true, .act = activation::tanh}, double>,
                 normal_latent<tenth, double>, bayesian<matmul<matmul_config{.n = 6, .bias = true}, double>, tenth>,
                 normal_latent<std::ratio<1>, double>>,
        sample_shape::features(5)>("features");
  check<sequence<residual<bayesian<
                     conv<conv2d_config{.in = 2, .out = 2, .kernel = {3, 3}, .pad = {1, 1}, .act = activation::tanh}>,
                     std::ratio<1, 4>>>,
                 bayesian<conv_transpose2d<
                              conv_transpose2d_config{.in = 2, .out = 4, .kernel = {2, 2}, .stride = {2, 2}}, double>,
                          tenth>,
                 checkpoint<sequence<normal_latent<tenth, double>, norm<norm_kind::batch>>>,
                 repeat<2, checkpoint<bayesian<conv<conv2d_config{.in = 2, .out = 2, .bias = true}>, tenth>>>>,
        sample_shape::image(2, 3, 4)>("images");
}

}  // namespace
}  // namespace tern::test
