// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolutional autoencoder learns the appearance of galaxies: a few updates under every policy, which give the same
// bits, and a full training under simd.
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "demo.hpp"
#include "isas.hpp"
#include "network.hpp"
#include "stamps.hpp"

namespace galaxies {

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
  std::string data = GALAXIES_DATA, out = "galaxies.png", at_most;
  int updates = 800;
};

network fresh() {
  network net{};
  demo::he_uniform random;
  random.fill(net.w1, 27), random.fill(net.w2, 144), random.fill(net.w3, 288), random.fill(net.w4, 64);
  // Each result of the transposed convolutions uses 4 of their 16 taps.
  random.fill(net.w5, 16 * 4), random.fill(net.w6, 48 * 4), random.fill(net.w7, 24 * 4), random.fill(net.w8, 144);
  return net;
}

double mean_squared_error(const float* x, const float* y, index_t size) {
  double sum = 0;
  for (index_t i = 0; i < size; ++i) sum += static_cast<double>(x[i] - y[i]) * static_cast<double>(x[i] - y[i]);
  return sum / static_cast<double>(size);
}

/// The variance of stamps around their own mean colours: the error of a network that learned only these.
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

void run(int argc, char** argv) {
  options o;
  demo::parse(argc, argv, usage,
              {{"--data", &o.data}, {"--out", &o.out}, {"--at-most", &o.at_most}, {"--updates", nullptr, &o.updates}});
  // Galaxies of the lowest quarter of the sky are held out; no stamp crosses the line.
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

  const trainers here = demo::dispatch([](auto isa) { return make_trainers(isa); }, o.at_most);
  const double peak = here.measured_peak(100);
  std::printf("%td stamps of %td x %td pixels, %td held out; %td weights, batches of %td\n", learned, side, side, batch,
              weights, batch);
  demo::policy_table table(here.isa, peak);
  trainer* simd = nullptr;
  const auto net = std::make_unique<network>();
  for (const auto& p : here.policies) {
    *net = fresh();
    const demo::cost c = p.train(*net, {stamps.data(), order.data(), 1, 0.002, held_out, rebuilt.data(), nullptr});
    demo::checksum sum;
    sum.add(net->w1, weights), sum.add(rebuilt.data(), rebuilt.size());
    table.row(p.policy, p.where, c, sum);
    if (std::strcmp(p.policy, "simd") == 0) simd = p.train;
  }
  std::puts("\nOne update of the weights and a batch of results. Seconds and rates are those of the convolutions.\n");
  table.require_equal();

  *net = fresh();
  const auto progress = [](index_t update, index_t updates, double error) {
    if ((update & (update - 1)) != 0 && update + 1 != updates) return;
    std::printf("update %5td: mean squared error %.5f\n", update, error);
    std::fflush(stdout);
  };
  const demo::cost c = simd(*net, {stamps.data(), order.data(), o.updates, 0.002, held_out, rebuilt.data(), progress});
  const double error = mean_squared_error(rebuilt.data(), held_out, batch * stamp), all = variance(held_out, batch);
  std::printf("\n%d updates in %.1f s of convolutions: %.1f GFLOP/s, %.0f %% of the peak\n", o.updates, c.seconds,
              c.flops / c.seconds / 1e9, 100 * c.flops / c.seconds / peak);
  std::printf("held-out galaxies: mean squared error %.5f, %.1f %% of what there is to learn\n", error,
              100 * error / all);
  write_png(o.out, sheet({held_out, rebuilt.data()}, batch));
  std::printf("%s: stamps above, and below what the network made of them\n", o.out.c_str());
  if (!(error < all / 4)) throw std::runtime_error("the network did not learn: three quarters should be explained");
}

}  // namespace
}  // namespace galaxies

int main(int argc, char** argv) { return demo::run("galaxies", galaxies::run, argc, argv); }
