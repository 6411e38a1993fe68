// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CIFAR-10 CNN of Keras, a network of tern's blocks, learns to read handwritten digits.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../digits/dataset.hpp"
#include "../digits/resize.hpp"
#include "chart.hpp"
#include "demo.hpp"
#include "isas.hpp"
#include "model.hpp"

namespace digits_cnn {
namespace {

constexpr const char* usage = R"(usage: digits_cnn [option]...

Trains the CIFAR-10 CNN of Keras, with adam, on four fifths of 1,797 handwritten digits that are resized to 32 x 32
pixels, and tests it on the rest, on all cores. Exits with 1 where less than 97 % of the rest are read right.

  --data <file>      the digits, by default )" DIGITS_DATA R"(
  --digits <n>       only the first so many of them
  --epochs <n>       how often the network sees each digit, by default 12
  --batch <n>        digits from one update of the weights to the next, by default 32
  --threads <n>      by default one for each CPU
  --at-most <isa>    use this instruction set or a lesser one: avx512, avx2, neon64 or scalar
  --batch-sizes <file>  train with batches of 4, 16, 64 and 256 digits, one after the other, and draw how many of the
                     rest are read right after how many digits seen, as an SVG. The rate grows with the root of the
                     batch (Malladi et al. 2022, arXiv 2205.10287)
  --plan             only print what lies in the memory of a training step, as a table
  --plan-svg <file>  only draw it
  --help             this text
)";

struct options {
  std::string data = DIGITS_DATA, at_most, picture, batch_sizes;
  int digits = 0, epochs = 12, batch = 32, threads = 0;
  bool plan = false;
};

/// The first n digits, or all if n is 0, in a random order that the seed determines.
digits::dataset shuffled(digits::dataset d, index_t n) {
  std::mt19937 random(1);
  for (std::size_t i = d.labels.size() - 1; i > 0; --i) {
    const std::size_t j = random() % (i + 1);
    std::swap(d.labels[i], d.labels[j]);
    std::swap_ranges(d.images.begin() + static_cast<std::ptrdiff_t>(i) * digits::pixels,
                     d.images.begin() + static_cast<std::ptrdiff_t>(i + 1) * digits::pixels,
                     d.images.begin() + static_cast<std::ptrdiff_t>(j) * digits::pixels);
  }
  if (n > 0 && n < d.size()) d.labels.resize(static_cast<std::size_t>(n));
  return d;
}

index_t held_out;                                // digits
double start;                                    // of training
std::vector<std::pair<double, double>> learned;  // (digits seen, percent right)

void show(const progress& p) {
  const double percent = 100.0 * static_cast<double>(p.right) / static_cast<double>(held_out);
  std::printf("%6td digits seen  loss %.4f  right %5.1f %%  %5.1f s\n", p.seen, p.loss, percent, demo::now() - start);
  std::fflush(stdout);
  learned.emplace_back(p.seen, percent);
}

/// Trains with batches of several sizes and draws the learning curves.
void compare_batches(const network& net, task k, const std::string& file) {
  demo::chart c{.title = "Digits read right, by digits seen, for batches of",
                .x = {.title = "digits seen", .logarithmic = false, .ticks = {}},
                .y = {.title = "% of the held-out ones", .logarithmic = false, .ticks = {}},
                .all = {}};
  for (const index_t batch : {4, 16, 64, 256}) {
    std::vector<float> memory(static_cast<std::size_t>(net.elements(batch)));
    k.batch = batch, k.memory = memory.data(), k.rate = 1e-3 * std::sqrt(static_cast<double>(batch) / 32);
    std::printf("batches of %td, rate %.2g\n", batch, k.rate);
    learned.clear(), start = demo::now();
    net.train(k);
    c.all.push_back({.name = std::to_string(batch), .line = true, .points = learned});
  }
  demo::write_chart(file, c);
  std::printf("%s: what batches of each size learn\n", file.c_str());
}

void run(int argc, char** argv) {
  options o;
  demo::parse(argc, argv, usage,
              {{"--data", &o.data},
               {"--at-most", &o.at_most},
               {"--plan-svg", &o.picture},
               {"--batch-sizes", &o.batch_sizes},
               {"--digits", nullptr, &o.digits},
               {"--epochs", nullptr, &o.epochs},
               {"--batch", nullptr, &o.batch},
               {"--threads", nullptr, &o.threads},
               {"--plan", nullptr, nullptr, &o.plan}});
  const network net = demo::dispatch([](auto isa) { return make_network(isa); }, o.at_most);
  if (o.plan) net.plan(o.batch, std::cout);
  if (!o.picture.empty()) {
    std::ofstream file(o.picture);
    net.picture(o.batch, file);
    if (!file.flush()) throw std::runtime_error("cannot write " + o.picture);
  }
  if (o.plan || !o.picture.empty()) return;

  const digits::split parts(shuffled(digits::load(o.data), o.digits), 5);
  if (parts.others.size() == 0) throw std::runtime_error("there must be at least 2 digits");
  const std::vector<float> examples = digits::resized(parts.others, side),
                           rest = digits::resized(parts.every_nth, side);
  std::vector<float> memory(static_cast<std::size_t>(net.elements(o.batch)));
  std::printf("%td digits to learn from, %td held out; %td weights, batches of %d, %.1f MB, instruction set %s\n",
              parts.others.size(), parts.every_nth.size(), net.parameters, o.batch,
              static_cast<double>(memory.size() * sizeof(float)) / 1e6, net.isa);
  held_out = parts.every_nth.size(), start = demo::now();
  task k{.examples = {examples.data(), parts.others.labels.data(), parts.others.size()},
         .held_out = {rest.data(), parts.every_nth.labels.data(), held_out},
         .epochs = o.epochs,
         .batch = o.batch,
         .rate = 1e-3,
         .report_every = parts.others.size(),
         .threads = o.threads,
         .memory = memory.data(),
         .report = show};
  if (!o.batch_sizes.empty()) {
    k.report_every = std::max<index_t>(k.report_every / 4, 1);
    compare_batches(net, k, o.batch_sizes);
    return;
  }
  net.train(k);
  demo::print_checksum(memory.data(), static_cast<std::size_t>(net.kept));
  const double percent = learned.back().second;
  std::printf("%.1f %% of %td held-out digits are read right, after %.1f s\n", percent, held_out, demo::now() - start);
  if (percent < 97) throw std::runtime_error("too many digits are misread: 97 % should be right");
}

}  // namespace
}  // namespace digits_cnn

int main(int argc, char** argv) { return demo::run("digits_cnn", digits_cnn::run, argc, argv); }
