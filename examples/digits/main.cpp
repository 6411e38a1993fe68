// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small network learns to read handwritten digits, once under every policy, and ends with the same bits.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "dataset.hpp"
#include "network.hpp"

namespace digits {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

namespace {

constexpr const char* usage = R"(usage: digits [option]...

Trains a perceptron on four fifths of 1,797 handwritten digits of 8 x 8 pixels and tests it on the rest, once under each
policy of tern. The results have to be the same bits; exits with 1 where they are not, or too many digits are misread.

  --data <file>    the digits, by default )" DIGITS_DATA R"(
  --epochs <n>     how often the network sees each digit, by default 20
  --at-most <isa>  use this instruction set or a lesser one: avx512, avx2, neon64 or scalar
  --help           this text
)";

struct options {
  std::string data = DIGITS_DATA;
  int epochs = 20;
  const char* at_most = nullptr;
};

options parse(int argc, char** argv) {
  options o;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--help" || name == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    }
    if (name != "--data" && name != "--epochs" && name != "--at-most")
      throw std::runtime_error("there is no option " + name + "; --help lists those there are");
    if (i + 1 == argc) throw std::runtime_error(name + " needs a value");
    if (name == "--data") o.data = argv[i + 1];
    if (name == "--at-most") o.at_most = argv[i + 1];
    if (name == "--epochs" && (o.epochs = std::atoi(argv[i + 1])) < 1)
      throw std::runtime_error("--epochs must be at least 1");
  }
  return o;
}

/// Weights drawn evenly from +-sqrt(6 / inputs) (He et al. 2015, arXiv 1502.01852), the same on every machine.
network fresh() {
  network net{};
  std::mt19937 random(1);
  const auto fill = [&](auto& weights, float inputs) {
    for (float& w : weights) w = (static_cast<float>(random() >> 8) * 0x1p-23f - 1) * std::sqrt(6 / inputs);
  };
  fill(net.w1, pixels), fill(net.w2, hidden);
  return net;
}

/// 64 bits that change with any bit of the results (FNV-1a).
class checksum {
 public:
  void add(const float* x, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      std::uint32_t bits;
      std::memcpy(&bits, &x[i], sizeof bits);
      value_ = (value_ ^ bits) * 0x100000001b3u;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

int answer(const float* logits) { return static_cast<int>(std::max_element(logits, logits + classes) - logits); }

/// Digits side by side, with what the network took them for.
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

void run(const options& o) {
  const split digits(load(o.data), 5);
  const samples examples = digits.others.all(), held_out = digits.every_nth.all();
  const trainers here = tern::dispatch([](auto isa) { return make_trainers(isa); }, o.at_most);
  const double peak = here.measured_peak(100);
  std::printf("%td digits to learn from, %td held out; network %td-%td-%td, batches of %td, %d epochs\n",
              examples.count, held_out.count, pixels, hidden, classes, batch, o.epochs);
  std::printf("one core, instruction set %s, measured peak %.1f GFLOP/s in float32\n\n", here.isa, peak / 1e9);

  std::printf("%-10s %-30s %9s %9s %8s  %s\n", "policy", "runs on", "seconds", "GFLOP/s", "of peak", "checksum");
  std::vector<float> logits(digits.every_nth.labels.size() * classes);
  std::uint64_t first = 0;
  bool equal = true;
  for (const auto& p : here.policies) {
    const auto net = std::make_unique<network>(fresh());
    const cost c = p.train(*net, examples, o.epochs, held_out, logits.data());
    checksum sum;
    sum.add(net->w1, std::size(net->w1)), sum.add(net->b1, std::size(net->b1));
    sum.add(net->w2, std::size(net->w2)), sum.add(net->b2, std::size(net->b2));
    sum.add(logits.data(), logits.size());
    const double rate = c.flops / c.seconds;
    std::printf("%-10s %-30s %9.3f %9.2f %7.1f%%  %016llx\n", p.policy, p.where, c.seconds, rate / 1e9,
                100 * rate / peak, static_cast<unsigned long long>(sum.value()));
    std::fflush(stdout);
    if (&p == here.policies) first = sum.value();
    equal = equal && sum.value() == first;
  }
  std::puts("\nSeconds and rates are those of the matmuls. Checksums are over the bits of weights and results.\n");
  if (!equal) throw std::runtime_error("the checksums differ: the policies did not compute the same bits");

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

int main(int argc, char** argv) try { digits::run(digits::parse(argc, argv)); } catch (const std::exception& e) {
  std::fflush(stdout);
  std::fprintf(stderr, "digits: %s\n", e.what());
  return 1;
}
