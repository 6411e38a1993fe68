// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variational autoencoder learns what galaxies look like, rebuilds some that it has not seen, and makes up others.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "../galaxies/stamps.hpp"
#include "demo.hpp"
#include "isas.hpp"
#include "model.hpp"
#include "tern/tern.hpp"

namespace galaxy_vae {
namespace {

static_assert(side == galaxies::side && stamp == galaxies::stamp);

constexpr const char* usage = R"(usage: galaxy_vae [option]...

Cuts stamps of 64 x 64 pixels around galaxies from the Hubble eXtreme Deep Field and trains a variational autoencoder of
5.9 million weights, with adam, on those of the upper three quarters. Stamps are mirrored and turned at random. Exits
with 1 where the network does not explain half of what there is to see in galaxies that it has not seen.

  --out <file>     picture of galaxies that were held out, of what the network makes of them, and of others that it
                   makes up; by default galaxy_vae.png
  --steps <n>      of training, by default 500
  --batch <n>      stamps of a step, by default 16
  --threads <n>    by default one for each CPU
  --data <file>    the sky, by default )" GALAXIES_DATA R"(
  --at-most <isa>  use this instruction set or a lesser one: avx512, avx2, neon64 or scalar
  --help           this text
)";

struct options {
  std::string data = GALAXIES_DATA, out = "galaxy_vae.png", at_most;
  int steps = 500, batch = 16, threads = 0;
};

double start;  // of training

void show(const progress& p) {
  std::printf("step %4d  squared error %7.2f  divergence %6.2f  %5.1f s\n", p.step, p.squared_error, p.divergence,
              demo::now() - start);
  std::fflush(stdout);
}

/// The share of the stamps' variance that `others` do not explain: the squared difference of both, over that of the
/// stamps from their own mean colours.
double unexplained(const std::vector<float>& stamps, const std::vector<float>& others, index_t count) {
  double left = 0, all = 0;
  for (index_t i = 0; i < count; ++i) {
    const float *const a = &stamps[static_cast<std::size_t>(i * stamp)],
                       *const b = &others[static_cast<std::size_t>(i * stamp)];
    double mean[colours] = {};
    for (index_t p = 0; p < stamp; ++p) mean[p % colours] += static_cast<double>(a[p]) * colours / stamp;
    for (index_t p = 0; p < stamp; ++p) {
      const double d = static_cast<double>(a[p]) - mean[p % colours], e = static_cast<double>(a[p] - b[p]);
      all += d * d, left += e * e;
    }
  }
  return left / all;
}

void run(int argc, char** argv) {
  options o;
  demo::parse(argc, argv, usage,
              {{"--data", &o.data},
               {"--out", &o.out},
               {"--at-most", &o.at_most},
               {"--steps", nullptr, &o.steps},
               {"--batch", nullptr, &o.batch},
               {"--threads", nullptr, &o.threads}});
  const galaxies::picture sky = galaxies::read_png(o.data);
  const index_t line = sky.height * 3 / 4;
  const std::vector<float> stamps = galaxies::cut_stamps(sky, 0, line, side / 8);
  std::vector<float> others = galaxies::cut_stamps(sky, line, sky.height, side / 4);
  const auto count_of = [](const std::vector<float>& v) { return static_cast<index_t>(v.size()) / stamp; };
  if (count_of(stamps) < 1 || count_of(others) < o.batch)
    throw std::runtime_error(o.data + " has too few galaxies: " + std::to_string(count_of(stamps)) + " and " +
                             std::to_string(count_of(others)) + " held out, of which a batch is shown");

  const network net = demo::dispatch([](auto isa) { return make_network(isa); }, o.at_most);
  const auto batch_of_stamps = static_cast<std::size_t>(o.batch * stamp);
  std::vector<float> memory(static_cast<std::size_t>(net.elements(o.batch))), rebuilt(batch_of_stamps),
      imagined(batch_of_stamps);
  others.resize(batch_of_stamps);
  std::printf(
      "%td stamps to learn from; %td weights, %td of them of the decoder; batches of %d, %.0f MB, "
      "instruction set %s\n",
      count_of(stamps), net.parameters, net.parameters_of_decoder, o.batch,
      static_cast<double>(memory.size() * sizeof(float)) / 1e6, net.isa);
  start = demo::now();
  net.train({.stamps = stamps.data(),
             .count = count_of(stamps),
             .batch = o.batch,
             .steps = o.steps,
             .threads = o.threads,
             .memory = memory.data(),
             .shown = others.data(),
             .rebuilt = rebuilt.data(),
             .imagined = imagined.data(),
             .report = show});
  demo::print_checksum(memory.data(), static_cast<std::size_t>(net.kept));
  galaxies::write_png(o.out, galaxies::sheet({others.data(), rebuilt.data(), imagined.data()}, o.batch));
  const double left = unexplained(others, rebuilt, o.batch);
  std::printf("%.1f %% of what is to see in %d held-out galaxies is explained, after %.1f s\n", 100 * (1 - left),
              o.batch, demo::now() - start);
  std::printf("%s: held-out galaxies, what the network makes of them, and others that it makes up\n", o.out.c_str());
  if (!(left < 0.5)) throw std::runtime_error("the network did not learn: half should be explained");
}

}  // namespace
}  // namespace galaxy_vae

int main(int argc, char** argv) { return demo::run("galaxy_vae", galaxy_vae::run, argc, argv); }
