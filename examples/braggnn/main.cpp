// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BraggNN learns where the centre of a diffraction peak lies, to a fraction of a pixel.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "demo.hpp"
#include "isas.hpp"
#include "tern/tern.hpp"
#include "training.hpp"

namespace braggnn {
namespace {

constexpr const char* usage = R"(usage: braggnn [option]...

Trains BraggNN on simulated diffraction peaks of 11 x 11 pixels whose centres are known, and says how far from the truth
it is on peaks that it has not seen, beside what the centre of mass gives. Every other peak has a neighbour. Exits with
1 where the network is not the better one for three quarters of the peaks.

  --peaks <n>      to learn from, by default 8192; an eighth as many are held out
  --epochs <n>     how often the network sees each, by default 25
  --batch <n>      peaks of a step, by default 64
  --threads <n>    by default one for each CPU
  --at-most <isa>  use this instruction set or a lesser one: avx512, avx2, neon64 or scalar
  --help           this text
)";

/// Distances between centres, in pixels, sorted.
std::vector<double> errors(const peaks& truth, const std::vector<float>& found) {
  std::vector<double> e;
  for (std::size_t i = 0; i < found.size(); i += 2)
    e.push_back(side * std::hypot(found[i] - truth.centres[i], found[i + 1] - truth.centres[i + 1]));
  std::sort(e.begin(), e.end());
  return e;
}
void show(const char* name, const std::vector<double>& e) {
  const auto at = [&](double share) { return e[static_cast<std::size_t>(share * static_cast<double>(e.size() - 1))]; };
  std::printf("  %-16s %8.3f %8.3f %8.3f\n", name, at(0.5), at(0.75), at(0.95));
}

void run(int argc, char** argv) {
  int count = 8192, epochs = 25, batch = 64, threads = 0;
  std::string at_most;
  demo::parse(argc, argv, usage,
              {{"--peaks", nullptr, &count},
               {"--epochs", nullptr, &epochs},
               {"--batch", nullptr, &batch},
               {"--threads", nullptr, &threads},
               {"--at-most", &at_most}});
  if (batch > count) throw std::runtime_error("--batch must be at most --peaks");
  const trainer here = demo::dispatch([](auto isa) { return make_trainer(isa); }, at_most);
  const peaks examples = simulate(count, 1), held_out = simulate(std::max(count / 8, 16), 2);
  std::printf("%td peaks to learn from, %td held out; %s, batches of %d, %d epochs\n", examples.count(),
              held_out.count(), here.isa, batch, epochs);
  std::vector<float> found(held_out.centres.size()), masses(held_out.centres.size());
  std::vector<float> memory(static_cast<std::size_t>(here.elements(batch)));
  const outcome o = here.train(
      examples, {.epochs = epochs, .batch = batch, .threads = threads}, memory.data(),
      [](int epoch, double loss) {
        std::printf("\r  epoch %d, error of a coordinate %.3f pixels ", epoch, side * std::sqrt(loss / 2));
        std::fflush(stdout);
      },
      held_out, found.data());
  for (index_t i = 0; i < held_out.count(); ++i)
    centroid(&held_out.pixels[static_cast<std::size_t>(i * side * side)], &masses[static_cast<std::size_t>(2 * i)]);

  std::printf("\n%td parameters; a step takes %td bytes; %.1f s of training; %.1f us for one peak on one thread\n",
              o.parameters, o.memory_bytes, o.seconds, 1e6 * o.seconds_of_a_peak);
  demo::print_checksum(memory.data(), static_cast<std::size_t>(here.kept));
  const std::vector<double> network = errors(held_out, found), mass = errors(held_out, masses);
  std::printf("\n  off by, in pixels    50 %%     75 %%     95 %% of the held-out peaks, at most\n");
  show("BraggNN", network), show("centre of mass", mass);
  const std::size_t three_quarters = network.size() * 3 / 4;
  if (!(network[three_quarters] < mass[three_quarters]))
    throw std::runtime_error("the network is no better than the centre of mass");
}

}  // namespace
}  // namespace braggnn

int main(int argc, char** argv) { return demo::run("braggnn", braggnn::run, argc, argv); }
