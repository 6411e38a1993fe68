// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolutional autoencoder learns what galaxies look like: a few updates under every policy, which give the same
// bits, and a course of many under simd.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "network.hpp"
#include "stamps.hpp"

namespace galaxies {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

namespace {

constexpr const char* usage = R"(usage: galaxies [option]...

Cuts stamps of 64 x 64 pixels around galaxies from the Hubble eXtreme Deep Field and trains an autoencoder, which has to
rebuild each of them from 1,024 numbers. First one update of the weights under each policy of tern: the results have to
be the same bits. Then the course, under simd. Exits with 1 where bits differ or the network did not learn.

  --out <file>     picture of stamps that were held out, above, and what the network made of them, below;
                   by default galaxies.png
  --updates <n>    length of the course, by default 800
  --data <file>    the sky, by default )" GALAXIES_DATA R"(
  --at-most <isa>  use this instruction set or a lesser one: avx512, avx2, neon64 or scalar
  --help           this text
)";

struct options {
  std::string data = GALAXIES_DATA, out = "galaxies.png";
  int updates = 800;
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
    if (name != "--data" && name != "--out" && name != "--updates" && name != "--at-most")
      throw std::runtime_error("there is no option " + name + "; --help lists those there are");
    if (i + 1 == argc) throw std::runtime_error(name + " needs a value");
    if (name == "--data") o.data = argv[i + 1];
    if (name == "--out") o.out = argv[i + 1];
    if (name == "--at-most") o.at_most = argv[i + 1];
    if (name == "--updates" && (o.updates = std::atoi(argv[i + 1])) < 1)
      throw std::runtime_error("--updates must be at least 1");
  }
  return o;
}

/// Weights drawn evenly from +-sqrt(6 / inputs) (He et al. 2015, arXiv 1502.01852), the same on every machine.
network fresh() {
  network net{};
  std::mt19937 random(1);
  const auto fill = [&](auto& w, float inputs) {
    for (float& x : w) x = (static_cast<float>(random() >> 8) * 0x1p-23f - 1) * std::sqrt(6 / inputs);
  };
  fill(net.w1, 27), fill(net.w2, 144), fill(net.w3, 288), fill(net.w4, 64);
  fill(net.w5, 16 * 4), fill(net.w6, 48 * 4), fill(net.w7, 24 * 4), fill(net.w8, 144);  // 4 taps of 16 meet a result
  return net;
}

/// 64 bits that change with any bit of the numbers (FNV-1a).
std::uint64_t checksum(const float* x, index_t size) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (index_t i = 0; i < size; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, &x[i], sizeof bits);
    sum = (sum ^ bits) * 0x100000001b3u;
  }
  return sum;
}

double mean_squared_error(const float* x, const float* y, index_t size) {
  double sum = 0;
  for (index_t i = 0; i < size; ++i) sum += static_cast<double>(x[i] - y[i]) * static_cast<double>(x[i] - y[i]);
  return sum / static_cast<double>(size);
}

/// How far stamps are from their own mean colour: what a network would leave that learned nothing else.
double variance(const float* x, index_t count) {
  double sum = 0;
  for (index_t i = 0; i < count; ++i) {
    double mean[colours] = {};
    for (index_t p = 0; p < stamp; ++p) mean[p % colours] += static_cast<double>(x[i * stamp + p]) * colours / stamp;
    for (index_t p = 0; p < stamp; ++p) {
      const double d = static_cast<double>(x[i * stamp + p]) - mean[p % colours];
      sum += d * d;
    }
  }
  return sum / static_cast<double>(count * stamp);
}

void run(const options& o) {
  // Galaxies of the lowest quarter of the sky are held out; no stamp reaches over the line.
  const picture sky = read_png(o.data);
  const index_t line = sky.height * 3 / 4;
  const std::vector<float> stamps = cut_stamps(sky, 0, line, side / 4),
                           others = cut_stamps(sky, line, sky.height, side / 4);
  const index_t learned = static_cast<index_t>(stamps.size()) / stamp;
  if (learned < batch || static_cast<index_t>(others.size()) < batch * stamp)
    throw std::runtime_error(o.data + " has too few galaxies: " + std::to_string(learned) + " and " +
                             std::to_string(others.size() / stamp));
  const float* held_out = others.data();
  std::vector<index_t> order(static_cast<std::size_t>(o.updates * batch));
  std::mt19937 random(2);
  for (index_t& i : order) i = static_cast<index_t>(random() % static_cast<unsigned>(learned));
  std::vector<float> rebuilt(batch * stamp);

  const trainers here = tern::dispatch([](auto isa) { return make_trainers(isa); }, o.at_most);
  const double peak = here.measured_peak(100);
  std::printf("%td stamps of %td x %td pixels, %td held out; %td weights, batches of %td\n", learned, side, side, batch,
              weights, batch);
  std::printf("one core, instruction set %s, measured peak %.1f GFLOP/s in float32\n\n", here.isa, peak / 1e9);

  std::printf("%-10s %-30s %9s %9s %8s  %s\n", "policy", "runs on", "seconds", "GFLOP/s", "of peak", "checksum");
  std::uint64_t first = 0;
  bool equal = true;
  trainer* simd = nullptr;
  const auto net = std::make_unique<network>();
  for (const auto& p : here.policies) {
    *net = fresh();
    const cost c = p.train(*net, {stamps.data(), order.data(), 1, 0.002f, held_out, rebuilt.data(), nullptr});
    const std::uint64_t sum = checksum(net->w1, weights) ^ checksum(rebuilt.data(), batch * stamp);
    const double rate = c.flops / c.seconds;
    std::printf("%-10s %-30s %9.3f %9.2f %7.1f%%  %016llx\n", p.policy, p.where, c.seconds, rate / 1e9,
                100 * rate / peak, static_cast<unsigned long long>(sum));
    std::fflush(stdout);
    if (&p == here.policies) first = sum;
    equal = equal && sum == first;
    if (std::strcmp(p.policy, "simd") == 0) simd = p.train;
  }
  std::puts("\nOne update of the weights and a batch of results. Seconds and rates are those of the convolutions.\n");
  if (!equal) throw std::runtime_error("the checksums differ: the policies did not compute the same bits");

  *net = fresh();
  const auto progress = [](index_t update, index_t updates, double error) {
    if ((update & (update - 1)) != 0 && update + 1 != updates) return;
    std::printf("update %5td: mean squared error %.5f\n", update, error);
    std::fflush(stdout);
  };
  const cost c = simd(*net, {stamps.data(), order.data(), o.updates, 0.002f, held_out, rebuilt.data(), progress});
  const double error = mean_squared_error(rebuilt.data(), held_out, batch * stamp), all = variance(held_out, batch);
  std::printf("\n%d updates in %.1f s of convolutions: %.1f GFLOP/s, %.0f %% of the peak\n", o.updates, c.seconds,
              c.flops / c.seconds / 1e9, 100 * c.flops / c.seconds / peak);
  std::printf("held-out galaxies: mean squared error %.5f, %.1f %% of what there is to learn\n", error,
              100 * error / all);
  write_png(o.out, side_by_side(held_out, rebuilt.data(), batch));
  std::printf("%s: stamps above, and below what the network made of them\n", o.out.c_str());
  if (!(error < all / 4)) throw std::runtime_error("the network did not learn: three quarters should be explained");
}

}  // namespace
}  // namespace galaxies

int main(int argc, char** argv) try { galaxies::run(galaxies::parse(argc, argv)); } catch (const std::exception& e) {
  std::fflush(stdout);
  std::fprintf(stderr, "galaxies: %s\n", e.what());
  return 1;
}
