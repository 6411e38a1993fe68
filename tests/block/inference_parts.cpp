// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed inference computes a batch in parts, which threads may compute alone: the bits of the whole batch, in no more
// memory than it says.
#include <algorithm>
#include <ratio>
#include <string>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"
#include "tests/block/executors.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using policy = simd<small_cache>;

using norm = batch_norm<norm_config{.act = activation::relu}>;
using images = sequence<conv2d<conv2d_config{.in = 3, .out = 4, .kernel = {3, 3}, .pad = {1, 1}}>, norm,
                        residual<sequence<conv2d<conv2d_config{.in = 4, .out = 4, .kernel = {1, 1}}>, norm>>,
                        global_avg_pool2d<>, flatten, matmul<matmul_config{.n = 5, .bias = true}>>;
using rows = sequence<matmul<matmul_config{.n = 40, .bias = true, .act = activation::tanh}>,
                      matmul<matmul_config{.n = 30}>, softmax<>>;
// Layers that call others pack the weights of these.
template <index_t In, index_t Out = In>
using conv3 = conv2d<conv2d_config{.in = In, .out = Out, .kernel = {3, 3}, .pad = {1, 1}, .bias = true}>;
using branch = sequence<norm, conv3<4>>;
using couplings = sequence<conv3<3, 8>, to_stream<>, reversible<branch, branch>, reversible<norm, branch>,
                           repeat<2, stored_coupling<branch, conv3<4>>>, from_stream>;
template <int Stride>
using shortcut = avg_pool2d<pool2d_config{.kernel = {Stride, Stride}, .stride = {Stride, Stride}}>;
using strided = sequence<norm, conv2d<conv2d_config{.in = 4, .out = 4, .kernel = {2, 2}, .stride = {2, 2}}>>;
using stages = sequence<conv3<3, 8>, to_stream<>, stored_coupling<strided, branch, shortcut<2>>, from_stream>;
using positions = sequence<conv3<3, 6>, non_local<conv3<6, 2>, conv3<6, 2>, conv3<6, 5>>, norm>;
using distributions = sequence<bayesian<conv3<3, 6>, std::ratio<1>>, norm, flatten,
                               bayesian<matmul<matmul_config{.n = 7}>, std::ratio<1>>>;
constexpr sample_shape image = sample_shape::image(3, 12, 12), row = sample_shape::features(20);

template <class Net, class State>
void check(const passes<Net>& known, State&& state, index_t elements) {
  std::vector<float> packed = poisoned<float>(Net::packed), memory = poisoned<float>(elements),
                     y = poisoned<float>(known.batch * Net::out.size());
  const auto ready = Net::pack(known.parameters, known.statistics, packed);
  Net::infer(state, ready, known.x, y, memory);
  CHECK(same_bits(y, known.y));
}

template <class Block, sample_shape In>
void check_all() {
  using net = network<Block, In, policy>;
  team one(1), three(3);
  for (const index_t batch : {0, 1, 2, 3, 4, 7, 8, 31, 64}) {
    INFO(batch << " samples, " << net::infer_samples << " in a part");
    passes<net> known(batch);
    known.infer();
    const index_t least = net::packed_infer_elements(batch);
    check(known, serial(), least);
    check(known, one, least);
    for (const index_t elements : {least, net::packed_infer_elements(batch, 3), net::infer_memory.elements(batch)}) {
      check(known, three, elements);
      for (const index_t tasks : {2, 3, 5}) check(known, backwards{tasks}, elements);
    }
    CHECK(net::packed_infer_elements(batch, 3) >= least);
    if (least == 0) continue;
    std::vector<float> packed(static_cast<std::size_t>(net::packed)), memory = poisoned<float>(least - 1);
    const auto ready = net::pack(known.parameters, known.statistics, packed);
    CHECK_THROWS_WITH(net::infer(three, ready, known.x, known.y, memory),
                      "network: memory has " + std::to_string(least - 1) + " elements: a batch of " +
                          std::to_string(batch) + " needs " + std::to_string(least));
  }
}

TEST_CASE("packed inference in parts gives the bits of the whole batch") {
  STATIC_REQUIRE(network<images, image, policy>::infer_samples < 4);
  check_all<images, image>();
  // Weights are larger than activations: parts are, too.
  STATIC_REQUIRE(network<rows, row, policy>::infer_samples > 4);
  check_all<rows, row>();
}

TEST_CASE("inner layers are packed") {
  STATIC_REQUIRE(network<couplings, image, policy>::packed > network<couplings, image, policy>::parameters);
  STATIC_REQUIRE(network<distributions, image, policy>::packed > network<distributions, image, policy>::parameters / 2);
  check_all<couplings, image>();
  check_all<stages, image>();
  check_all<positions, image>();
  check_all<distributions, image>();
}

TEST_CASE("packed inference takes memory for a part, or for one part per thread") {
  using net = network<images, image, policy>;
  constexpr index_t samples = net::infer_samples;
  STATIC_REQUIRE(net::packed_infer_elements(1000) == net::infer_memory.elements(samples));
  CHECK(message([] { net::packed_infer_elements(-1); }) ==
        "network: memory to infer -1 samples: there must be at least 0");
  CHECK(message([] { net::packed_infer_elements(16, 0); }) ==
        "network: memory for 0 threads: there must be at least 1");
  STATIC_REQUIRE(net::packed_infer_elements(1000, 7) == 7 * net::infer_memory.elements(samples));
  STATIC_REQUIRE(net::packed_infer_elements(1, 7) == net::infer_memory.elements(1));
}

TEST_CASE("a batch whose samples depend on each other is not cut") {
  using over_samples = network<softmax<softmax_config{.axis = 0}>, row, policy>;
  STATIC_REQUIRE(over_samples::packed_infer_elements(1000) == over_samples::infer_memory.elements(1000));
  check_all<softmax<softmax_config{.axis = 0}>, row>();
}

TEST_CASE("models with machines of their own compute the whole batch") {
  using net = network<images, image, reference>;
  STATIC_REQUIRE(net::packed_infer_elements(1000) == net::infer_memory.elements(1000));
}

}  // namespace
}  // namespace tern::test
