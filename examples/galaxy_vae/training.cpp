// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variational autoencoder for galaxies of Arcelin et al. (2021, arXiv 2106.02465,
// github.com/BastienArcelin/IPU-GPU), of 3 colours instead of 6 bands, as one type, and its training. Compiled once for
// each instruction set, so everything but make_network has internal linkage.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "block.hpp"
#include "model.hpp"
#include "start.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"

namespace galaxy_vae {
namespace {

using tern::sample_shape;
using encoder = encoder_of<colours>;
using decoder = decoder_of<colours>;

using policy = tern::simd<>;
using net = tern::network<vae_of<colours>, sample_shape::image(colours, side, side), policy>;
using net_of_encoder = tern::network<encoder, sample_shape::image(colours, side, side), policy>;
using net_of_decoder = tern::network<decoder, sample_shape::features(latent), policy>;
using trainer = tern::trainer<net, tern::squared_error<tern::loss_config{.reduce = tern::reduction::sum}>,
                              tern::adam<tern::adam_config{.clip = true}>>;

index_t inference_elements(index_t batch) {
  return std::max(net::infer_memory.elements(batch), net_of_decoder::infer_memory.elements(batch));
}
/// Samples depend on each other through the batch norm at the front: a batch is not cut.
index_t elements(index_t batch) { return trainer::elements(batch) + batch * stamp + inference_elements(batch); }

template <class U>
std::span<U> span_of(U* p, index_t n) {
  return {p, static_cast<std::size_t>(n)};
}

/// Copies a stamp, mirrored or turned in one of eight ways.
void copy_turned(const float* from, unsigned way, float* to) {
  for (index_t y = 0; y < side; ++y)
    for (index_t x = 0; x < side; ++x) {
      const index_t u = way & 1 ? side - 1 - x : x, v = way & 2 ? side - 1 - y : y;
      std::copy_n(from + (way & 4 ? u * side + v : v * side + u) * colours, colours, to + (y * side + x) * colours);
    }
}

/// The decoder is the end of the network, and its parameters are the last ones.
std::span<float> of_decoder(const trainer& t) {
  return t.parameters().last(static_cast<std::size_t>(net_of_decoder::parameters));
}

void train(const task& k) {
  tern::team crew(k.threads);
  trainer t(span_of(k.memory, trainer::elements(k.batch)));
  t.initialize(1);
  // Latent variables begin near standard normal ones.
  demo::shrink_last_weights<net_of_encoder>(t.parameters(), 0.05);
  // Results begin as the mean colour, which is near that of the sky.
  double sum = 0;
  for (index_t i = 0; i < k.count * stamp; ++i) sum += static_cast<double>(k.stamps[i]);
  const double mean = sum / static_cast<double>(k.count * stamp);
  demo::shrink_last_weights<net_of_decoder>(of_decoder(t), 0.1);
  for (float& b : t.parameters().last(colours)) b = static_cast<float>(std::log(mean / (1 - mean)));
  float* const x = k.memory + trainer::elements(k.batch);
  const std::span<float> scratch = span_of(x + k.batch * stamp, inference_elements(k.batch));
  std::mt19937 random(3);
  progress so_far{};
  int steps = 0;
  for (int step = 1; step <= k.steps; ++step) {
    for (index_t i = 0; i < k.batch; ++i) {
      const auto which = static_cast<index_t>(random() % static_cast<unsigned long>(k.count));
      copy_turned(k.stamps + which * stamp, static_cast<unsigned>(random() % 8), x + i * stamp);
    }
    // The divergence is phased in over the first quarter of the steps.
    t.penalty_scale = std::min(1.0, 4.0 * step / k.steps);
    const double left = 1 - static_cast<double>(step - 1) / k.steps;
    const auto r = t.step(crew, span_of(x, k.batch * stamp), span_of(x, k.batch * stamp),
                          {.rate = 5e-4 * (0.05 + 0.95 * left), .most = 100}, k.batch);
    so_far.squared_error += r.loss, so_far.divergence += r.penalty * weight::den, ++steps;
    if (step % 20 == 0 || step == k.steps) {
      k.report({.step = step, .squared_error = so_far.squared_error / steps, .divergence = so_far.divergence / steps});
      so_far = {}, steps = 0;
    }
  }
  net::infer(crew, t.parameters(), t.statistics(), span_of(k.shown, k.batch * stamp),
             span_of(k.rebuilt, k.batch * stamp), scratch);
  std::vector<float> z(static_cast<std::size_t>(k.batch * latent));
  for (float& v : z)
    v = static_cast<float>(std::sqrt(-2 * std::log((static_cast<double>(random()) + 1) * 0x1p-32)) *
                           std::cos(6.283185307179586 * static_cast<double>(random()) * 0x1p-32));
  net_of_decoder::infer(crew, of_decoder(t), {}, z, span_of(k.imagined, k.batch * stamp), scratch);
}
static_assert(net::parameters == net_of_encoder::parameters + net_of_decoder::parameters);

}  // namespace

network make_network(tern::isa_tag::current isa) {
  return {.isa = isa.name,
          .parameters = net::parameters,
          .parameters_of_decoder = net_of_decoder::parameters,
          .kept = trainer::kept_elements,
          .elements = elements,
          .train = train};
}

}  // namespace galaxy_vae
