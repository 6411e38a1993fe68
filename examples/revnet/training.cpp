// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The networks, as types, and their training. Compiled once for each instruction set (see CMakeLists.txt), so
// everything but make_network has internal linkage. The strategies share all kernels: one file costs less than three.
#include <bit>
#include <ctime>
#include <iterator>
#include <span>

#include "block.hpp"
#include "model.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"
#include "trainers.hpp"

namespace revnet {
namespace {

using tern::sample_shape;

template <class Strategy, index_t Depth = 3>
using net = tern::network<revnet_of<Strategy, Depth>, sample_shape::image(1, side, side), tern::simd<>>;
template <class Strategy>
using trainer = tern::trainer<net<Strategy>, tern::cross_entropy<tern::loss_config{.reduce = tern::reduction::sum}>,
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
  return with_strategy(strategy, [&]<class Strategy>() { return trainer<Strategy>::elements(batch); });
}
index_t activations(int strategy, index_t batch) {
  return with_strategy(strategy, [&]<class Strategy>() { return net<Strategy>::training_memory.elements(batch); });
}

template <class Strategy>
index_t of_depth(int depth, index_t batch) {
  constexpr tern::memory_need needs[] = {
      net<Strategy, depths[0]>::training_memory, net<Strategy, depths[1]>::training_memory,
      net<Strategy, depths[2]>::training_memory, net<Strategy, depths[3]>::training_memory,
      net<Strategy, depths[4]>::training_memory, net<Strategy, depths[5]>::training_memory};
  static_assert(std::size(needs) == depth_count && std::size(depths) == depth_count);
  return needs[depth].elements(batch);
}

/// A NaN that no kernel produces, as a marker.
constexpr std::uint32_t mark = 0x7fedcba9u;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A trainer, and its memory for activations, which is marked until something is written there.
template <class Strategy>
class learner {
 public:
  using type = trainer<Strategy>;

  learner(float* memory, index_t batch)
      : trainer_(std::span<float>(memory, static_cast<std::size_t>(type::elements(batch)))),
        activations_(std::span<float>(memory, static_cast<std::size_t>(type::elements(batch)))
                         .subspan(static_cast<std::size_t>(type::elements(0) - net<Strategy>::training_memory.fixed),
                                  static_cast<std::size_t>(net<Strategy>::training_memory.elements(batch)))) {
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
                return with_strategy(strategy, [&]<class Strategy>() { return of_depth<Strategy>(depth, batch); });
              },
          .train = train};
}

}  // namespace revnet
