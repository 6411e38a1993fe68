// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two networks learn the shapes and redshifts of galaxies, and how sure they may be of them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "chart.hpp"
#include "demo.hpp"
#include "isas.hpp"
#include "model.hpp"
#include "simulated.hpp"
#include "tern/tern.hpp"

namespace galaxy_shapes {
namespace {

constexpr const char* usage = R"(usage: galaxy_shapes [option]...

Trains estimators of the ellipticities and the redshift of simulated galaxies, 64 x 64 pixels in six bands: one with
weights that are known, one whose weights have distributions. Both say how far off they may be. Their errors on galaxies
that they have not seen are compared with what they say, and with second moments. Exits with 1 where an estimator is no
better than these.

  --out <file>     estimated ellipticities over the true ones, as an SVG; by default galaxy_shapes.svg
  --galaxies <n>   to learn from, by default 4096; an eighth as many are held out
  --epochs <n>     how often a network sees each, by default 2
  --batch <n>      galaxies of a step, by default 8
  --draws <n>      of weights that have distributions, for an estimate, by default 16
  --threads <n>    by default one for each CPU
  --at-most <isa>  use this instruction set or a lesser one: avx512, avx2, neon64 or scalar
  --help           this text
)";

struct options {
  std::string out = "galaxy_shapes.svg", at_most;
  int galaxies = 4096, epochs = 2, batch = 8, draws = 16, threads = 0;
};

constexpr const char* names[numbers] = {"e1", "e2", "redshift"};

double start;  // of training

void show(const progress& p) {
  std::printf("\r  %td galaxies seen, loss %.3f and %.3f for weights, %.1f s ", p.seen, p.loss, p.penalty,
              demo::now() - start);
  std::fflush(stdout);
}

struct errors {
  double root_mean_square[numbers], within[numbers];  ///< within: percent of errors of at most one standard deviation
};
errors errors_of(const std::vector<estimate>& answers, const galaxies& truth) {
  errors r{};
  const auto n = static_cast<double>(answers.size());
  for (int j = 0; j < numbers; ++j) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const double e = answers[i].mean[j] - static_cast<double>(truth.truth[i * numbers + static_cast<std::size_t>(j)]);
      r.root_mean_square[j] += e * e / n, r.within[j] += std::fabs(e) <= answers[i].spread[j] ? 100 / n : 0;
    }
    r.root_mean_square[j] = std::sqrt(r.root_mean_square[j]);
  }
  return r;
}

/// The root mean square error of second moments, over both ellipticities.
double error_of_moments(const galaxies& truth) {
  double sum = 0;
  for (index_t i = 0; i < truth.count(); ++i) {
    double e1 = 0, e2 = 0;
    moments(&truth.images[static_cast<std::size_t>(i * side * side * bands)], &e1, &e2);
    e1 -= static_cast<double>(truth.truth[static_cast<std::size_t>(i * numbers)]);
    e2 -= static_cast<double>(truth.truth[static_cast<std::size_t>(i * numbers + 1)]);
    sum += (e1 * e1 + e2 * e2) / (2 * static_cast<double>(truth.count()));
  }
  return std::sqrt(sum);
}
double spread_of(const galaxies& truth, int which) {
  double sum = 0, squares = 0;
  for (std::size_t i = static_cast<std::size_t>(which); i < truth.truth.size(); i += numbers)
    sum += static_cast<double>(truth.truth[i]),
        squares += static_cast<double>(truth.truth[i]) * static_cast<double>(truth.truth[i]);
  const auto n = static_cast<double>(truth.count());
  return std::sqrt(squares / n - sum / n * sum / n);
}

void run(int argc, char** argv) {
  options o;
  demo::parse(argc, argv, usage,
              {{"--out", &o.out},
               {"--at-most", &o.at_most},
               {"--galaxies", nullptr, &o.galaxies},
               {"--epochs", nullptr, &o.epochs},
               {"--batch", nullptr, &o.batch},
               {"--draws", nullptr, &o.draws},
               {"--threads", nullptr, &o.threads}});
  if (o.batch > o.galaxies) throw std::runtime_error("--batch must be at most --galaxies");
  const networks here = demo::dispatch([](auto isa) { return make_networks(isa); }, o.at_most);
  const galaxies examples = simulate(o.galaxies, 1), held_out = simulate(std::max(o.galaxies / 8, 16), 2);
  std::printf("%td galaxies to learn from, %td held out; batches of %d, instruction set %s\n", examples.count(),
              held_out.count(), o.batch, here.isa);
  const double by_moments = error_of_moments(held_out);

  std::vector<estimate> answers(static_cast<std::size_t>(held_out.count()));
  demo::chart chart{.title = "Ellipticities of galaxies that were held out",
                    .x = {.title = "true e1", .logarithmic = false, .ticks = {}},
                    .y = {.title = "estimated e1", .logarithmic = false, .ticks = {}},
                    .all = {}};
  std::string table;
  bool learned = true;
  const auto study = [&](const char* name, const network& net, double rate) {
    std::printf("%s, %td parameters:\n", name, net.parameters);
    start = demo::now();
    std::vector<float> memory(static_cast<std::size_t>(net.elements(o.batch)));
    net.train({.images = examples.images.data(),
               .truth = examples.truth.data(),
               .count = examples.count(),
               .batch = o.batch,
               .epochs = o.epochs,
               .threads = o.threads,
               .rate = rate,
               .memory = memory.data(),
               .asked = held_out.images.data(),
               .asked_count = held_out.count(),
               .draws = o.draws,
               .answers = answers.data(),
               .report = show});
    std::puts("");
    demo::print_checksum(memory.data(), static_cast<std::size_t>(net.kept));
    const errors e = errors_of(answers, held_out);
    double unknown = 0;
    chart.all.push_back({.name = name, .line = false, .points = {}});
    for (std::size_t i = 0; i < answers.size(); ++i) {
      chart.all.back().points.emplace_back(held_out.truth[i * numbers], answers[i].mean[0]);
      unknown += answers[i].unknown[0] / static_cast<double>(answers.size());
    }
    char line[256];
    std::snprintf(line, sizeof line, "%-16s%9.4f%9.4f%9.4f%9.0f%%%8.0f%%%8.0f%%%12.4f\n", name, e.root_mean_square[0],
                  e.root_mean_square[1], e.root_mean_square[2], e.within[0], e.within[1], e.within[2], unknown);
    table += line;
    learned = learned && e.root_mean_square[0] < by_moments && e.root_mean_square[1] < by_moments;
  };
  study("known weights", here.deterministic, 1e-3);
  study("distributions", here.bayesian, 1e-3);

  std::printf("\n                root mean square error      within one spread          of e1, what\n%-16s", "");
  for (const char* n : names) std::printf("%9s", n);
  for (const char* n : names) std::printf("%9s", n);
  std::printf(" weights differ by\n%s%-16s%9.4f%9.4f\n%-16s%9.4f%9.4f%9.4f\n", table.c_str(), "second moments",
              by_moments, by_moments, "always the mean", spread_of(held_out, 0), spread_of(held_out, 1),
              spread_of(held_out, 2));
  demo::write_chart(o.out, chart);
  std::printf("%s: estimated over true ellipticities\n", o.out.c_str());
  if (!learned) throw std::runtime_error("an estimator is no better than second moments");
}

}  // namespace
}  // namespace galaxy_shapes

int main(int argc, char** argv) { return demo::run("galaxy_shapes", galaxy_shapes::run, argc, argv); }
