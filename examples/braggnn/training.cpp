// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BraggNN (Liu et al. 2020, arXiv 2008.08198; github.com/lzhengchun/BraggNN): where in a crop of 11 x 11 pixels is the
// peak? Compiled once for each instruction set, so everything but make_trainer has internal linkage.
#include "training.hpp"

#include <chrono>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "tern/blocks.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"

namespace braggnn {
namespace {

using namespace tern;

constexpr activation leaky = activation::leaky_relu;
using look = conv2d<{.in = 64, .out = 32, .bias = true}>;
using network_type = network<
    sequence<conv2d<{.in = 1, .out = 64, .kernel = {3, 3}, .bias = true}>,
             residual<sequence<non_local<look, look, look>, conv2d<{.in = 32, .out = 64, .bias = true}>>>,
             elementwise<{.act = leaky}>, conv2d<{.in = 64, .out = 32, .kernel = {3, 3}, .bias = true, .act = leaky}>,
             conv2d<{.in = 32, .out = 8, .kernel = {3, 3}, .bias = true, .act = leaky}>, flatten,
             matmul<{.n = 16, .bias = true, .act = leaky}>, matmul<{.n = 8, .bias = true, .act = leaky}>,
             matmul<{.n = 4, .bias = true, .act = leaky}>, matmul<{.n = 2, .bias = true, .act = leaky}>,
             matmul<{.n = 2, .bias = true}>>,
    sample_shape::image(1, side, side), simd<>>;
using trainer_type = tern::trainer<network_type, squared_error<{.reduce = reduction::sum}>, adam<>>;
static_assert(network_type::parameters > 33000 && network_type::parameters < 46000);

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

outcome train(const peaks& examples, const settings& with, void (*progress)(int, double), const peaks& held_out,
              float* centres) {
  const index_t at_a_time = trainer_type::samples_at_a_time(with.batch), pixels = side * side;
  std::vector<float> memory(static_cast<std::size_t>(trainer_type::elements(at_a_time)));
  trainer_type t{std::span<float>(memory)};
  t.initialize(1);
  team threads;
  std::vector<index_t> order(static_cast<std::size_t>(examples.count()));
  std::iota(order.begin(), order.end(), index_t{0});
  std::mt19937 random(1);
  std::vector<float> x, y;
  const double start = now();
  for (int e = 0; e < with.epochs; ++e) {
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
    double sum = 0;
    index_t seen = 0;
    // The rate falls to a twentieth.
    const double left = 1 - static_cast<double>(e) / with.epochs, rate = 2e-3 * (0.05 + 0.95 * left * left);
    for (index_t first = 0; first + with.batch <= examples.count(); first += with.batch) {
      x.clear(), y.clear();
      for (index_t i = 0; i < with.batch; ++i) {
        const index_t which = order[static_cast<std::size_t>(first + i)];
        x.insert(x.end(), examples.pixels.begin() + which * pixels, examples.pixels.begin() + (which + 1) * pixels);
        y.insert(y.end(), examples.centres.begin() + which * 2, examples.centres.begin() + (which + 1) * 2);
      }
      sum += t.step(threads, x, y, {.rate = rate}).loss * with.batch;
      seen += with.batch;
    }
    progress(e + 1, sum / static_cast<double>(seen));
  }
  outcome r{.parameters = network_type::parameters,
            .memory_bytes = network_type::training_memory.elements(at_a_time) * static_cast<index_t>(sizeof(float)),
            .seconds = now() - start,
            .seconds_of_a_peak = 0};

  // One peak at a time, as they come from a detector.
  std::vector<float> scratch(static_cast<std::size_t>(network_type::infer_memory.elements(1)));
  serial one;
  const double begin = now();
  for (index_t i = 0; i < held_out.count(); ++i)
    network_type::infer(one, t.parameters(), t.statistics(),
                        std::span(held_out.pixels).subspan(static_cast<std::size_t>(i * pixels), pixels),
                        std::span(centres + 2 * i, 2), scratch);
  r.seconds_of_a_peak = (now() - begin) / static_cast<double>(held_out.count());
  return r;
}

}  // namespace

trainer make_trainer(tern::isa_tag::current isa) { return {.isa = isa.name, .train = train}; }

}  // namespace braggnn
