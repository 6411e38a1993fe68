// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The networks, as types, and their training. Compiled once for each instruction set (see CMakeLists.txt), so
// everything but make_network has internal linkage. The strategies share all kernels: one file costs less than three.
#include <bit>
#include <ctime>
#include <iterator>
#include <span>

#include "model.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"
#include "trainers.hpp"

namespace revnet {
namespace {

using tern::activation, tern::repeat, tern::sample_shape;

template <index_t In, index_t Out>
using conv3x3 = tern::conv2d<tern::conv2d_config{.in = In, .out = Out, .kernel = {3, 3}, .pad = {1, 1}}>;
using norm_relu = tern::batch_norm<tern::norm_config{.act = activation::relu}>;

/// F and G of a stage: half of its channels.
template <index_t Half>
using branch = tern::sequence<norm_relu, conv3x3<Half, Half>, norm_relu, conv3x3<Half, Half>>;
template <index_t In, index_t Out>
using boundary = tern::sequence<tern::avg_pool2d<tern::pool2d_config{.kernel = {2, 2}}>,
                                tern::conv2d<tern::conv2d_config{.in = In, .out = Out}>>;

// A block of a stage under each strategy.
template <index_t Half>
using storing = tern::remembering<branch<Half>, branch<Half>>;
template <index_t Half>
using recomputing = tern::checkpoint<storing<Half>>;
template <index_t Half>
using inverting = tern::reversible<branch<Half>, branch<Half>>;

/// RevNet-38 of Gomez et al. 2017, arXiv 1707.04585, table 1, has 3 blocks per stage. There the first blocks of stages
/// 2 and 3 halve the images and widen them; here all blocks are reversible, and a pool and a 1 x 1 convolution stand
/// between stages.
template <template <index_t> class Block, index_t Depth>
using revnet_of = tern::sequence<conv3x3<1, 32>, tern::to_stream<>, repeat<Depth, Block<16>>, tern::from_stream<>,
                                 boundary<32, 64>, tern::to_stream<>, repeat<Depth, Block<32>>, tern::from_stream<>,
                                 boundary<64, 112>, tern::to_stream<>, repeat<Depth, Block<56>>, tern::from_stream<>,
                                 norm_relu, tern::global_avg_pool2d<>, tern::flatten,
                                 tern::matmul<tern::matmul_config{.n = classes, .bias = true}>>;
template <template <index_t> class Block, index_t Depth = 3>
using net = tern::network<revnet_of<Block, Depth>, sample_shape::image(1, side, side), tern::simd<>>;
template <template <index_t> class Block>
using trainer = tern::trainer<net<Block>, tern::cross_entropy<tern::loss_config{.reduce = tern::reduction::sum}>,
                              tern::sgd<tern::sgd_config{.momentum = true}>>;

constexpr index_t pixels = side * side;

/// Calls f with the blocks of strategy s.
template <class F>
auto with_strategy(int s, F f) {
  if (s == 0) return f.template operator()<storing>();
  if (s == 1) return f.template operator()<recomputing>();
  return f.template operator()<inverting>();
}

index_t elements(int strategy, index_t batch) {
  return with_strategy(strategy, [&]<template <index_t> class Block>() { return trainer<Block>::elements(batch); });
}
index_t activations(int strategy, index_t batch) {
  return with_strategy(strategy,
                       [&]<template <index_t> class Block>() { return net<Block>::training_memory.elements(batch); });
}

template <template <index_t> class Block>
index_t of_depth(int depth, index_t batch) {
  constexpr tern::memory_need needs[] = {
      net<Block, depths[0]>::training_memory, net<Block, depths[1]>::training_memory,
      net<Block, depths[2]>::training_memory, net<Block, depths[3]>::training_memory,
      net<Block, depths[4]>::training_memory, net<Block, depths[5]>::training_memory};
  static_assert(std::size(needs) == depth_count && std::size(depths) == depth_count);
  return needs[depth].elements(batch);
}

/// A number that no kernel makes: a NaN with a mark of its own.
constexpr std::uint32_t mark = 0x7fedcba9u;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A trainer, and its memory for activations, which is marked until something is written there.
template <template <index_t> class Block>
class learner {
 public:
  using type = trainer<Block>;

  learner(float* memory, index_t batch)
      : trainer_(std::span<float>(memory, static_cast<std::size_t>(type::elements(batch)))),
        activations_(std::span<float>(memory, static_cast<std::size_t>(type::elements(batch)))
                         .subspan(static_cast<std::size_t>(type::elements(0) - net<Block>::training_memory.fixed),
                                  static_cast<std::size_t>(net<Block>::training_memory.elements(batch)))) {
    trainer_.initialize(1);
    for (float& x : activations_) x = std::bit_cast<float>(mark);
  }

  step_result step(tern::team& crew, std::span<const float> x, std::span<const std::int32_t> labels) {
    const double start = demo::now(), processor_start = processor_seconds();
    const tern::step_report r = trainer_.step(crew, x, labels, {.rate = 0.05, .decay = 2e-4});
    return {.loss = r.loss, .seconds = demo::now() - start, .processor_seconds = processor_seconds() - processor_start};
  }
  index_t touched() const {
    index_t n = 0;
    for (const float& x : activations_) n += std::bit_cast<std::uint32_t>(x) != mark;
    return n;
  }

 private:
  type trainer_;
  std::span<float> activations_;
};

void train(task& k) {
  tern::team crew(k.threads);
  learner<storing> a(k.memory[0], k.batch);
  learner<recomputing> b(k.memory[1], k.batch);
  learner<inverting> c(k.memory[2], k.batch);
  const auto whole = k.count / k.batch;
  for (int s = 0; s < k.steps; ++s) {
    const index_t first = s % whole * k.batch;
    const std::span<const float> x(k.images + first * pixels, static_cast<std::size_t>(k.batch * pixels));
    const std::span<const std::int32_t> labels(k.labels + first, static_cast<std::size_t>(k.batch));
    const step_result results[] = {a.step(crew, x, labels), b.step(crew, x, labels), c.step(crew, x, labels)};
    if (s == 0) k.touched[0] = a.touched(), k.touched[1] = b.touched(), k.touched[2] = c.touched();
    k.report(s + 1, results);
  }
}

}  // namespace

network make_network(tern::isa_tag::current isa) {
  static_assert(trainer<storing>::kept_elements == trainer<inverting>::kept_elements &&
                trainer<storing>::kept_elements == trainer<recomputing>::kept_elements);
  return {.isa = isa.name,
          .parameters = net<storing>::parameters,
          .kept = trainer<storing>::kept_elements,
          .elements = elements,
          .activations = activations,
          .of_depth =
              [](int strategy, int depth, index_t batch) {
                return with_strategy(strategy,
                                     [&]<template <index_t> class Block>() { return of_depth<Block>(depth, batch); });
              },
          .train = train};
}

}  // namespace revnet
