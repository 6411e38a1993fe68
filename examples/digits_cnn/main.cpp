// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CIFAR-10 CNN of Keras, a network of tern's blocks, learns to read handwritten digits.
#include <algorithm>
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
#include "demo.hpp"
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
  --plan             only print what lies in the memory of a training step, as a table
  --plan-svg <file>  only draw it
  --help             this text
)";

struct options {
  std::string data = DIGITS_DATA, at_most, picture;
  int digits = 0, epochs = 12, batch = 32, threads = 0;
  bool plan = false;
};

/// The digits in an order that a seed tells, the first n of them, or all where n is 0.
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

index_t held_out;  // digits
double start;      // of training

void show(const progress& p) {
  std::printf("epoch %2d  loss %.4f  right %5.1f %%  %5.1f s\n", p.epoch, p.loss,
              100.0 * static_cast<double>(p.right) / static_cast<double>(held_out), demo::now() - start);
  std::fflush(stdout);
}

index_t last_right;

void run(int argc, char** argv) {
  options o;
  demo::parse(argc, argv, usage,
              {{"--data", &o.data},
               {"--at-most", &o.at_most},
               {"--plan-svg", &o.picture},
               {"--digits", nullptr, &o.digits},
               {"--epochs", nullptr, &o.epochs},
               {"--batch", nullptr, &o.batch},
               {"--threads", nullptr, &o.threads},
               {"--plan", nullptr, nullptr, &o.plan}});
  const network net =
      tern::dispatch([](auto isa) { return make_network(isa); }, o.at_most.empty() ? nullptr : o.at_most.c_str());
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
  net.train({.examples = {examples.data(), parts.others.labels.data(), parts.others.size()},
             .held_out = {rest.data(), parts.every_nth.labels.data(), held_out},
             .epochs = o.epochs,
             .batch = o.batch,
             .threads = o.threads,
             .memory = memory.data(),
             .report = [](const progress& p) { show(p), last_right = p.right; }});
  const double percent = 100.0 * static_cast<double>(last_right) / static_cast<double>(held_out);
  std::printf("%td of %td held-out digits are read right: %.1f %%, after %.1f s\n", last_right, held_out, percent,
              demo::now() - start);
  if (percent < 97) throw std::runtime_error("too many digits are misread: 97 % should be right");
}

}  // namespace
}  // namespace digits_cnn

int main(int argc, char** argv) { return demo::run("digits_cnn", digits_cnn::run, argc, argv); }
