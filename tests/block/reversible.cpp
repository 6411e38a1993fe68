// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reversible blocks: the inverse gives the same bits at any depth, gradients are those of the same network that
// remembered everything, and memory does not grow with depth.
#include <cstring>

#include "tern/simd.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using policy = simd<>;
constexpr coupling_config fixed_point{}, grid{.stream = stream_kind::grid}, real{.stream = stream_kind::drifting};

// The branches of a half, 6 features: with batch statistics and random numbers, which are computed again.
using f = sequence<matmul<matmul_config{.n = 9, .bias = true, .act = activation::tanh}>, batch_norm<>, drop<25>,
                   matmul<matmul_config{.n = 6}>>;
using g = sequence<layer_norm<>, matmul<matmul_config{.n = 6, .bias = true, .act = activation::gelu}>>;

template <class F, class G>
using storing_coupling = stored_coupling<F, G>;

template <coupling_config C, template <class, class> class Coupling, index_t Depth>
using deep = network<sequence<matmul<matmul_config{.n = 12, .bias = true}>, to_stream<C>, repeat<Depth, Coupling<f, g>>,
                              from_stream, matmul<matmul_config{.n = 4}>>,
                     sample_shape::features(5), policy>;

/// True if the backward pass of `Depth` couplings restores their input from their results.
template <coupling_config C, index_t Depth>
bool inverts(float weights) {
  constexpr sample_shape stream_shape = layer<to_stream<C>, sample_shape::features(12), policy>::out;
  using chain = layer<repeat<Depth, reversible<f, g>>, stream_shape, policy>;
  static_assert(chain::kept == memory_need{});
  const index_t batch = 33;
  std::mt19937 random(static_cast<unsigned>(Depth));
  const auto parameters = random_vector<float>(chain::parameters, random, -weights, weights);
  std::vector<float> gradient(parameters.size()), statistics(static_cast<std::size_t>(chain::statistics), 1.0f);
  auto before = random_vector<float>(batch * 12, random, -3, 3);
  auto state = network<skip, sample_shape::features(12), policy>::make_state();
  const auto as_samples = impl::samples_view<sample_shape::features(12)>(before.data(), batch);
  kernel<coupling<C>, policy>().to_stream(state, as_samples, as_samples);

  layer_call<float, decltype(state)> call{.state = state,
                                          .batch = batch,
                                          .parameters = parameters.data(),
                                          .gradient = gradient.data(),
                                          .statistics = statistics.data(),
                                          .site = {.seed = 3, .step = 1}};
  const memory_need need = most(chain::forward_scratch, chain::backward_scratch);
  auto memory = poisoned<float>(need.elements(batch));
  const auto scratch = detail::memory_in(memory.data(), need, batch);
  auto y = before;
  chain::forward(call, y.data(), y.data(), scratch, scratch);
  REQUIRE(std::memcmp(y.data(), before.data(), y.size() * sizeof(float)) != 0);
  const auto advanced = statistics;
  auto dy = random_vector<float>(batch * 12, random);
  chain::backward(call, static_cast<const float*>(nullptr), y.data(), dy.data(), dy.data(), scratch, scratch);
  REQUIRE(statistics == advanced);  // by the forward pass, once
  return std::memcmp(y.data(), before.data(), y.size() * sizeof(float)) == 0;
}

TEST_CASE("couplings return the same bits at any depth") {
  // Of weights as in a trained network, and large ones: sums wrap around, or leave the grid and are NaN.
  for (float weights : {0.3f, 1.0f}) {
    INFO(weights);
    CHECK(inverts<fixed_point, 1>(weights));
    CHECK(inverts<fixed_point, 8>(weights));
    CHECK(inverts<fixed_point, 64>(weights));
    CHECK(inverts<fixed_point, 512>(weights));
    CHECK(inverts<grid, 1>(weights));
    CHECK(inverts<grid, 8>(weights));
    CHECK(inverts<grid, 64>(weights));
    CHECK(inverts<grid, 512>(weights));
  }
  CHECK(inverts<fixed_point, 8>(3e4f));
  CHECK(!inverts<real, 64>(1.0f));  // so it is no accident
}

template <coupling_config C, index_t Depth>
void compare_gradients() {
  using forgetting = deep<C, reversible, Depth>;
  using storing = deep<C, storing_coupling, Depth>;
  passes<forgetting> a(40);
  passes<storing> b(40);
  a.forward(), b.forward();
  CHECK(same_bits(a.y, b.y));
  CHECK(same_bits(a.statistics, b.statistics));
  a.backward(), b.backward();
  CHECK(same_bits(a.gradient, b.gradient));
  CHECK(same_bits(a.dx, b.dx));
  a.infer(), b.infer();
  CHECK(same_bits(a.y, b.y));
}

TEST_CASE("gradients are those of a network that stores its activations") {
  compare_gradients<fixed_point, 1>();
  compare_gradients<fixed_point, 24>();
  compare_gradients<grid, 2>();
  compare_gradients<grid, 24>();
}

TEST_CASE("memory does not grow with depth") {
  using shallow = deep<fixed_point, reversible, 1>;
  using deeper = deep<fixed_point, reversible, 512>;
  STATIC_REQUIRE(shallow::training_memory == deeper::training_memory);
  STATIC_REQUIRE(deep<fixed_point, storing_coupling, 512>::training_memory.elements(32) >
                 100 * deeper::training_memory.elements(32));
  passes<deeper> p(32);
  p.forward();
  p.gradient.assign(static_cast<std::size_t>(deeper::parameters), 0.0f);
  p.dx = poisoned<float>(32 * 5);
  const long before = allocations();
  deeper::forward(p.state, p.parameters, p.statistics, p.x, p.y, p.memory, p.site);
  deeper::backward(p.state, p.parameters, p.gradient, p.x, p.y, p.dy, p.dx, p.memory, p.site);
  CHECK(allocations() == before);
}

TEST_CASE("checkpoints around and within couplings") {
  using plain =
      network<sequence<to_stream<>, repeat<4, reversible<f, g>>, from_stream>, sample_shape::features(12), policy>;
  using around = network<checkpoint<sequence<to_stream<>, repeat<4, reversible<f, g>>, from_stream>>,
                         sample_shape::features(12), policy>;
  using within = network<sequence<to_stream<>, repeat<4, reversible<checkpoint<f>, checkpoint<g>>>, from_stream>,
                         sample_shape::features(12), policy>;
  passes<plain> a(40);
  passes<around> b(40);
  passes<within> c(40);
  a.forward(), b.forward(), c.forward();
  a.backward(), b.backward(), c.backward();
  CHECK(same_bits(a.gradient, b.gradient));
  CHECK(same_bits(a.gradient, c.gradient));
  CHECK(same_bits(a.statistics, b.statistics));
  CHECK(same_bits(a.dx, b.dx));
}

// A network whose stream is squeezed, shuffled and widened, with blocks that forget or remember in between.
template <coupling_config C, template <class, class> class Coupling, template <class> class Stage>
struct stages {
  using f4 = sequence<batch_norm<norm_config{.act = activation::relu}>,
                      conv2d<conv2d_config{.in = 4, .out = 4, .kernel = {3, 3}, .pad = {1, 1}}>>;
  using g4 = sequence<conv2d<conv2d_config{.in = 4, .out = 4, .bias = true, .act = activation::gelu}>, drop<20>>;
  using f16 = conv2d<conv2d_config{.in = 16, .out = 16, .act = activation::tanh}>;
  using f20 = conv2d<conv2d_config{.in = 20, .out = 20, .bias = true, .act = activation::tanh}>;
  using stride = conv2d<conv2d_config{.in = 16, .out = 20, .kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}}>;
  using pool = sequence<avg_pool2d<pool2d_config{.kernel = {2, 2}}>, pad_channels<2, 2>>;
  using project = conv2d<conv2d_config{.in = 16, .out = 20, .stride = {2, 2}, .bias = true}>;
  using block =
      sequence<conv2d<conv2d_config{.in = 3, .out = 8}>, to_stream<C>, repeat<2, Coupling<f4, g4>>,
               space_to_depth2d<space_to_depth2d_config{.block = {2, 2}}>, repeat<3, Coupling<f16, f16>>,
               channel_shuffle<channel_shuffle_config{.groups = 4}>, Coupling<f16, skip>,
               depth_to_space2d<space_to_depth2d_config{.block = {2, 2}}>, Coupling<g4, f4>,
               space_to_depth2d<space_to_depth2d_config{.block = {2, 2}}>, Stage<stored_coupling<stride, f20, pool>>,
               repeat<2, Coupling<f20, f20>>, from_stream, flatten, to_stream<C>, Coupling<skip, skip>,
               Stage<stored_coupling<pad_channels<1, 2>, skip, pad_channels<3, 0>>>, from_stream>;
  using type = network<block, sample_shape::image(3, 8, 4), policy>;
};
template <class F>
using as_it_is = F;

TEST_CASE("streams are squeezed, shuffled and widened") {
  // Squeezing takes the memory of a stream, once, whatever the depth.
  const auto compare = []<class Forgetting, class Storing>(Forgetting, Storing) {
    using forgetting = typename Forgetting::type;
    using storing = typename Storing::type;
    STATIC_REQUIRE(forgetting::training_memory.elements(32) < storing::training_memory.elements(32) * 2 / 3);
    passes<forgetting> a(37);
    passes<storing> b(37);
    a.forward(), b.forward();
    CHECK(same_bits(a.y, b.y));
    CHECK(same_bits(a.statistics, b.statistics));
    a.backward(), b.backward();
    CHECK(same_bits(a.gradient, b.gradient));
    CHECK(same_bits(a.dx, b.dx));
    a.infer(), b.infer();
    CHECK(same_bits(a.y, b.y));
  };
  compare(stages<fixed_point, reversible, checkpoint>(), stages<fixed_point, storing_coupling, as_it_is>());
  compare(stages<grid, reversible, as_it_is>(), stages<grid, storing_coupling, checkpoint>());
}

TEST_CASE("a stream that leaves the grid makes the result NaN") {
  using net =
      network<sequence<to_stream<grid>, reversible<elementwise<elementwise_config{.scale = true}>, skip>, from_stream>,
              sample_shape::features(2), policy>;
  passes<net> p(1);
  p.parameters = {1000.0f};
  p.x = {4000.0f, 1000.0f};
  p.forward();
  CHECK(p.y[0] != p.y[0]);
}

}  // namespace
}  // namespace tern::test
