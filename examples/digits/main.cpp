// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small network learns to read handwritten digits, once under every policy, and ends with the same bits.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "dataset.hpp"
#include "demo.hpp"
#include "isas.hpp"
#include "network.hpp"

namespace digits {

namespace {

constexpr const char* usage = R"(usage: digits [option]...

Trains a perceptron with a batch norm and dropout on four fifths of 1,797 handwritten digits of 8 x 8 pixels and tests it
on the rest, once under each policy of tern. The results have to be the same bits; exits with 1 where they are not, or too
many digits are misread.

  --data <file>    the digits, by default )" DIGITS_DATA R"(
  --epochs <n>     how often the network sees each digit, by default 20
  --at-most <isa>  use this instruction set or a lesser one: avx512, avx2, neon64 or scalar
  --help           this text
)";

struct options {
  std::string data = DIGITS_DATA, at_most;
  int epochs = 20;
};

network fresh() {
  network net{};
  demo::he_uniform random;
  float* const w = net.learned.of;
  random.fill(w + weights::w1, pixels * hidden, pixels), random.fill(w + weights::w2, hidden * classes, hidden);
  std::fill_n(w + weights::gain, hidden, 1.0f), std::fill_n(net.variance, hidden, 1.0f);
  return net;
}

int answer(const float* logits) { return static_cast<int>(std::max_element(logits, logits + classes) - logits); }

/// Prints digits side by side, with the network's answers.
void show(const samples& s, const std::vector<float>& logits, const std::vector<index_t>& which) {
  for (index_t row = 0; row < 8; ++row) {
    for (const index_t i : which)
      for (index_t column = 0; column < 8; ++column) {
        const char c = " .:-=+*%#@"[static_cast<int>(s.images[i * pixels + row * 8 + column] * 9)];
        std::printf("%s%c%c", column == 0 ? "    " : "", c, c);
      }
    std::puts("");
  }
  for (const index_t i : which) {
    const int read = answer(&logits[static_cast<std::size_t>(i * classes)]);
    char text[64];
    std::snprintf(text, sizeof text, read == s.labels[i] ? "read as %d" : "read as %d, is %d", read, s.labels[i]);
    std::printf("    %-16s", text);
  }
  std::puts("\n");
}

void run(int argc, char** argv) {
  options o;
  demo::parse(argc, argv, usage, {{"--data", &o.data}, {"--at-most", &o.at_most}, {"--epochs", nullptr, &o.epochs}});
  const split digits(load(o.data), 5);
  const samples examples = digits.others.all(), held_out = digits.every_nth.all();
  const trainers here = demo::dispatch([](auto isa) { return make_trainers(isa); }, o.at_most);
  const double peak = here.measured_peak(100);
  std::printf("%td digits to learn from, %td held out; network %td-%td-%td, %td weights, batches of %td, %d epochs\n",
              examples.count, held_out.count, pixels, hidden, classes, weights::size, batch, o.epochs);
  demo::policy_table table(here.isa, peak);
  std::vector<float> logits(digits.every_nth.labels.size() * classes);
  for (const auto& p : here.policies) {
    const auto net = std::make_unique<network>(fresh());
    const demo::cost c = p.train(*net, examples, o.epochs, held_out, logits.data());
    demo::checksum sum;
    sum.add(net->learned.of, weights::size);
    sum.add(net->mean, hidden), sum.add(net->variance, hidden);
    sum.add(logits.data(), logits.size());
    table.row(p.policy, p.where, c, sum);
  }
  std::puts("\nSeconds and rates are those of the matmuls. Checksums are over the bits of weights and results.\n");
  table.require_equal();

  index_t right = 0, misread = -1;
  for (index_t i = 0; i < held_out.count; ++i)
    if (answer(&logits[static_cast<std::size_t>(i * classes)]) == held_out.labels[i])
      ++right;
    else if (misread < 0)
      misread = i;
  const double percent = 100.0 * static_cast<double>(right) / static_cast<double>(held_out.count);
  std::vector<index_t> which{0, held_out.count / 2};
  if (misread >= 0) which.push_back(misread);
  show(held_out, logits, which);
  std::printf("%td of %td held-out digits are read right: %.1f %%; all policies gave the same bits\n", right,
              held_out.count, percent);
  if (percent < 95) throw std::runtime_error("too many digits are misread: 95 % should be right");
}

}  // namespace
}  // namespace digits

int main(int argc, char** argv) { return demo::run("digits", digits::run, argc, argv); }
