// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains a reversible network in three ways, which give the same bits: blocks store what their backward passes need,
// recompute it, or invert it from their results. Prints the cost of each.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "../digits/dataset.hpp"
#include "../digits/resize.hpp"
#include "chart.hpp"
#include "demo.hpp"
#include "isas.hpp"
#include "model.hpp"

namespace revnet {
namespace {

constexpr const char* usage = R"(usage: revnet [option]...

Trains RevNet-38 on handwritten digits that are resized to 32 x 32 pixels three times with the same seeds: its blocks
remember all that their backward passes need, or recompute it from their inputs, or from their results. Losses and
parameters have to be the same bits; exits with 1 where they are not. Prints what each takes, on all cores.

  --data <file>    the digits, by default )" DIGITS_DATA R"(
  --steps <n>      updates of the weights, by default 20
  --batch <n>      digits of an update, by default 32
  --threads <n>    by default one for each CPU
  --plot <file>    draw the memory of deeper networks as an SVG
  --at-most <isa>  use this instruction set or a lesser one: avx512, avx2, neon64 or scalar
  --help           this text
)";

struct options {
  std::string data = DIGITS_DATA, at_most, plot;
  int steps = 20, batch = 32, threads = 0;
};

/// Measurements of every strategy, by step.
struct records {
  std::vector<double> losses[strategies], seconds[strategies], processor_seconds[strategies];
  int steps;
};
records recorded;  // the steps reported so far

void show(int step, const step_result (&of)[strategies]) {
  for (int s = 0; s < strategies; ++s) {
    recorded.losses[s].push_back(of[s].loss), recorded.seconds[s].push_back(of[s].seconds);
    recorded.processor_seconds[s].push_back(of[s].processor_seconds);
  }
  std::printf("step %3d of %d  loss", step, recorded.steps);
  for (const step_result& r : of) std::printf("  %.6f", r.loss);
  std::printf("  seconds");
  for (const step_result& r : of) std::printf("  %.3f", r.seconds);
  std::puts("");
  std::fflush(stdout);
}

double median(std::vector<double> v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

/// Bytes for activations by strategy and depth.
struct bytes_by_depth {
  double of[strategies][depth_count];
};
demo::chart chart_of(const bytes_by_depth& bytes, index_t batch) {
  demo::chart c{
      .title = "Activation bytes of a training step of " + std::to_string(batch) + " samples",
      .x = {.title = "blocks per stage", .logarithmic = true, .ticks = {std::begin(depths), std::end(depths)}},
      .y = {.title = "bytes", .logarithmic = true, .ticks = {}},
      .all = {}};
  for (int s = 0; s < strategies; ++s) {
    c.all.push_back({.name = strategy_names[s], .line = true, .points = {}});
    for (int d = 0; d < depth_count; ++d) c.all.back().points.emplace_back(depths[d], bytes.of[s][d]);
  }
  return c;
}

double bytes(index_t numbers) { return static_cast<double>(numbers) * sizeof(float); }

/// The median over steps of the time relative to that of the first strategy in the same step: slow phases of the
/// machine cancel.
double ratio(const std::vector<double>& of, const std::vector<double>& to) {
  std::vector<double> r;
  for (std::size_t i = 0; i < of.size(); ++i) r.push_back(of[i] / to[i]);
  return median(r);
}

template <class T>
bool same_bits(const T* a, const T* b, std::size_t n) {
  return std::memcmp(a, b, n * sizeof(T)) == 0;
}

void print_depths(const network& net, const bytes_by_depth& by_depth, index_t batch) {
  std::printf("\nActivation bytes of a step of %td digits, of networks with more blocks per stage:\n\n%-12s", batch,
              "strategy");
  for (const index_t d : depths) std::printf("%14td", d);
  for (int s = 0; s < strategies; ++s) {
    std::printf("\n%-12s", strategy_names[s]);
    for (const double b : by_depth.of[s]) std::printf("%14.0f", b);
  }
  std::printf("\n\nParameters (%td in RevNet-38), their gradients and velocities come on top.\n", net.parameters);
}

void run(int argc, char** argv) {
  options o;
  demo::parse(argc, argv, usage,
              {{"--data", &o.data},
               {"--at-most", &o.at_most},
               {"--plot", &o.plot},
               {"--steps", nullptr, &o.steps},
               {"--batch", nullptr, &o.batch},
               {"--threads", nullptr, &o.threads}});
  const network net = demo::dispatch([](auto isa) { return make_network(isa); }, o.at_most);
  const digits::dataset data = digits::load(o.data);
  if (o.batch > data.size()) throw std::runtime_error("--batch must be at most the number of digits");
  bytes_by_depth by_depth;
  for (int s = 0; s < strategies; ++s)
    for (int d = 0; d < depth_count; ++d) by_depth.of[s][d] = bytes(net.of_depth(s, d, o.batch));
  if (!o.plot.empty()) demo::write_chart(o.plot, chart_of(by_depth, o.batch));

  const std::vector<float> images = digits::resized(data, side);
  std::vector<float> memory[strategies];
  task k{.images = images.data(),
         .labels = data.labels.data(),
         .count = data.size(),
         .batch = o.batch,
         .steps = o.steps,
         .threads = o.threads,
         .memory = {},
         .touched = {},
         .report = show};
  for (int s = 0; s < strategies; ++s) {
    memory[s].resize(static_cast<std::size_t>(net.elements(s, o.batch)));
    k.memory[s] = memory[s].data();
  }
  std::printf("RevNet-38, %td weights, %d steps of %d digits, instruction set %s; %s, %s, %s:\n", net.parameters,
              o.steps, o.batch, net.isa, strategy_names[0], strategy_names[1], strategy_names[2]);
  recorded.steps = o.steps;
  net.train(k);

  std::printf("\n%-12s %15s %15s %8s %11s %7s %11s %7s\n", "strategy", "bytes, planned", "bytes, touched", "of all",
              "s per step", "times", "CPU s", "times");
  for (int s = 0; s < strategies; ++s) {
    const double planned = bytes(net.activations(s, o.batch));
    std::printf("%-12s %15.0f %15.0f %7.1f%% %11.4f %7.2f %11.4f %7.2f\n", strategy_names[s], planned,
                bytes(k.touched[s]), 100 * planned / bytes(net.activations(0, o.batch)), median(recorded.seconds[s]),
                ratio(recorded.seconds[s], recorded.seconds[0]), median(recorded.processor_seconds[s]),
                ratio(recorded.processor_seconds[s], recorded.processor_seconds[0]));
  }
  print_depths(net, by_depth, o.batch);

  for (int s = 1; s < strategies; ++s) {
    const std::string than =
        std::string(" of '") + strategy_names[s] + "' are not those of '" + strategy_names[0] + "'";
    if (!same_bits(recorded.losses[s].data(), recorded.losses[0].data(), recorded.losses[0].size()))
      throw std::runtime_error("the losses" + than);
    if (!same_bits(k.memory[s], k.memory[0], static_cast<std::size_t>(net.kept)))
      throw std::runtime_error("the parameters" + than);
  }
  demo::print_checksum(k.memory[0], static_cast<std::size_t>(net.kept));
  std::printf("\nAll losses, parameters, velocities and running averages are the same bits; the last loss is %.6f\n",
              recorded.losses[0].back());
}

}  // namespace
}  // namespace revnet

int main(int argc, char** argv) { return demo::run("revnet", revnet::run, argc, argv); }
