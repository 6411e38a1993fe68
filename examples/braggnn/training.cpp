// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training of BraggNN. Compiled once for each instruction set, so everything but make_trainer has internal linkage.
#include "training.hpp"

#include <chrono>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "block.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"

namespace braggnn {
namespace {

using namespace tern;

using network_type = network<block, sample_shape::image(1, side, side), simd<>>;
using trainer_type = tern::trainer<network_type, squared_error<loss_config{.reduce = reduction::sum}>, adam<>>;
static_assert(network_type::parameters > 33000 && network_type::parameters < 46000);

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

index_t elements(index_t batch) { return trainer_type::elements(trainer_type::samples_at_a_time(batch)); }

outcome train(const peaks& examples, const settings& with, float* memory, void (*progress)(int, double),
              const peaks& held_out, float* centres) {
  const index_t at_a_time = trainer_type::samples_at_a_time(with.batch), pixels = side * side;
  trainer_type t{std::span<float>(memory, static_cast<std::size_t>(elements(with.batch)))};
  t.initialize(1);
  team threads(with.threads);
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

trainer make_trainer(tern::isa_tag::current isa) {
  return {.isa = isa.name, .train = train, .elements = elements, .kept = trainer_type::kept_elements};
}

}  // namespace braggnn
