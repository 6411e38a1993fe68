// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one lesson, and draws its result.
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "chart.hpp"
#include "demo.hpp"
#include "examples/digits/dataset.hpp"
#include "examples/digits/resize.hpp"
#include "examples/galaxies/stamps.hpp"
#include "isas.hpp"
#include "lesson.hpp"

namespace lessons {
namespace {

constexpr const char* usage = R"(usage: learn_<system> [option]...

Trains a network of the zoo, or a small one of its kind, on real or simulated samples, and shows what it makes of others.
Exits with 1 where it did not learn.

  --out <name>     writes <name>.png, a picture, and <name>.svg, the loss of the steps or what is compared; by default
                   the name of the program
  --steps <n>      instead of those that the lesson takes
  --threads <n>    by default 2
  --help           this text
)";

/// Rows of images with a border.
galaxies::picture sheet(const picture& p) {
  const index_t pixels = p.side * p.side, count = static_cast<index_t>(p.pixels.size()) / pixels,
                rows = (count + p.columns - 1) / p.columns, step = p.side + 2;
  galaxies::picture all{p.columns * step, rows * step, {}};
  all.pixels.assign(static_cast<std::size_t>(all.width * all.height * galaxies::colours), 0.35f);
  for (index_t i = 0; i < count; ++i)
    for (index_t q = 0; q < pixels; ++q) {
      const index_t x = i % p.columns * step + 1 + q % p.side, y = i / p.columns * step + 1 + q / p.side;
      std::fill_n(all.at(x, y), galaxies::colours, p.pixels[static_cast<std::size_t>(i * pixels + q)]);
    }
  return all;
}

digit_images digits_of(const digits::dataset& from, index_t side) { return {resized(from, side), from.labels}; }

void run(int argc, char** argv) {
  const lesson l = demo::dispatch([](auto isa) { return make_lesson(isa); }, "");
  std::string out = argv[0];
  out = out.substr(out.rfind('/') + 1);
  task k{.steps = l.steps, .threads = 2};
  int steps = 0;
  demo::parse(argc, argv, usage, {{"--out", &out}, {"--steps", nullptr, &steps}, {"--threads", nullptr, &k.threads}});
  const bool is_whole = steps == 0 || steps >= l.steps;
  if (steps > 0) k.steps = steps;
  if (l.digits_side > 0) {
    const digits::split split(digits::load(DIGITS_DATA), 5);
    k.learned = digits_of(split.others, l.digits_side), k.held_out = digits_of(split.every_nth, l.digits_side);
  }
  std::vector<std::pair<double, double>> losses;
  const double start = demo::now();
  k.report = [&](index_t step, double loss) {
    losses.push_back({static_cast<double>(step + 1), loss});
    if ((step + 1) % std::max<index_t>(k.steps / 10, 1) != 0) return;
    std::printf("step %5td: loss %.5g, %.0f s\n", step + 1, loss, demo::now() - start);
    std::fflush(stdout);
  };
  std::printf("%s\n", l.title);
  const outcome o = l.learn(k);
  std::printf("%s, of samples that were not learned: %.4f before, %.4f after %td steps (%.0f s)\n", l.measure,
              o.untrained, o.trained, k.steps, demo::now() - start);
  demo::chart chart{l.title, {.title = "step"}, {.title = "loss", .logarithmic = true}, {{"loss", true, losses}}};
  if (!o.curves.empty()) {
    chart = {l.title, {.title = "depth"}, {.title = "mean energy"}, {}};
    for (const auto& [name, values] : o.curves) {
      demo::series s{name, true, {}};
      for (std::size_t i = 0; i < values.size(); ++i) s.points.push_back({static_cast<double>(i), values[i]});
      chart.all.push_back(s);
    }
  }
  galaxies::write_png(out + ".png", sheet(o.shown));
  demo::write_chart(out + ".svg", chart);
  std::printf("%s.png: %s\n", out.c_str(), l.image_rows);
  if (is_whole && !(o.trained < l.wanted))
    throw std::runtime_error("the network did not learn: the measure should be less than " + std::to_string(l.wanted));
}

}  // namespace
}  // namespace lessons

int main(int argc, char** argv) { return demo::run("learn", lessons::run, argc, argv); }
