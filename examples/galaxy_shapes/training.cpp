// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The estimators of galaxy shapes of Arcelin et al. (2021, arXiv 2106.02465, github.com/BastienArcelin/IPU-GPU), with
// weights that are known and with weights that have distributions, as types, and their training. The result is a
// normal distribution of three numbers. Compiled once for each instruction set, so everything but make_networks has
// internal linkage.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "block.hpp"
#include "model.hpp"
#include "start.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"

namespace galaxy_shapes {
namespace {

constexpr index_t image = side * side * bands;

template <class U>
std::span<U> span_of(U* p, index_t n) {
  return {p, static_cast<std::size_t>(n)};
}
double softplus(double x) { return std::log1p(std::exp(x)); }

template <bool Bayesian>
struct training {
  using net = tern::network<estimator<Bayesian>, tern::sample_shape::image(bands, side, side), tern::simd<>>;
  using trainer = tern::trainer<net, loss, tern::adam<tern::adam_config{.clip = true}>>;

  static index_t working_elements(index_t batch) {
    return batch * (image + numbers + features) + net::infer_memory.elements(batch);
  }
  static index_t elements(index_t batch) { return trainer::elements(batch) + working_elements(batch); }

  static void train(const task& k) {
    tern::team crew(k.threads);
    trainer t(span_of(k.memory, trainer::elements(k.batch)));
    t.initialize(1);
    // Means begin near 0, spreads near log 2.
    demo::shrink_last_weights<net>(t.parameters(), 0.1);
    const std::span<float> x = span_of(k.memory + trainer::elements(k.batch), k.batch * image),
                           y = span_of(x.data() + x.size(), k.batch * numbers);
    std::vector<index_t> order(static_cast<std::size_t>(k.count));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<index_t>(i);
    std::mt19937 random(1);
    const index_t all = k.epochs * (k.count / k.batch);
    index_t step = 0;
    progress so_far{};
    index_t steps = 0;
    for (int e = 0; e < k.epochs; ++e) {
      for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
      for (index_t first = 0; first + k.batch <= k.count; first += k.batch) {
        for (index_t i = 0; i < k.batch; ++i) {
          const index_t which = order[static_cast<std::size_t>(first + i)];
          std::copy_n(k.images + which * image, image, x.data() + i * image);
          std::copy_n(k.truth + which * numbers, numbers, y.data() + i * numbers);
        }
        const double left = 1 - static_cast<double>(step) / static_cast<double>(all);
        const auto r = t.step(crew, x, y, {.rate = k.rate * (0.05 + 0.95 * left), .most = 10}, k.batch);
        so_far.loss += r.loss, so_far.penalty += r.penalty, ++steps, ++step;
        if (step % 64 == 0 || step == all) {
          const auto n = static_cast<double>(steps);
          k.report({.seen = step * k.batch, .loss = so_far.loss / n, .penalty = so_far.penalty / n});
          so_far = {}, steps = 0;
        }
      }
    }
    answer(crew, t, k, x.data() + x.size() + y.size());
  }

 private:
  /// Answers for the requested galaxies: means over draws of the weights, and their spread.
  static void answer(tern::team& crew, const trainer& t, const task& k, float* memory) {
    const int draws = Bayesian ? k.draws : 1;
    for (index_t first = 0; first < k.asked_count; first += k.batch) {
      const index_t n = std::min(k.batch, k.asked_count - first);
      std::vector<estimate> sums(static_cast<std::size_t>(n)), squares(sums.size());
      for (int d = 0; d < draws; ++d) {
        const std::span<const float> x = span_of(k.asked + first * image, n * image);
        const std::span<float> y = span_of(memory, n * features),
                               scratch = span_of(memory + k.batch * features, net::infer_memory.elements(k.batch));
        if (Bayesian)
          net::sample(crew, t.parameters(), t.statistics(), x, y, scratch,
                      {.seed = 2, .step = static_cast<std::uint32_t>(d)});
        else
          net::infer(crew, t.parameters(), t.statistics(), x, y, scratch);
        for (index_t i = 0; i < n; ++i) {
          const float *const mean = y.data() + i * features, *row = mean + numbers;
          for (index_t j = 0; j < numbers; row += ++j) {
            double variance = 0;
            for (index_t c = 0; c <= j; ++c) {
              const double l = c < j ? static_cast<double>(row[c]) : softplus(static_cast<double>(row[c]));
              variance += l * l;
            }
            const auto at = static_cast<std::size_t>(i);
            const auto m = static_cast<double>(mean[j]);
            sums[at].mean[j] += m / draws, squares[at].mean[j] += m * m / draws, sums[at].spread[j] += variance / draws;
          }
        }
      }
      for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < numbers; ++j) {
          const auto at = static_cast<std::size_t>(i);
          const double m = sums[at].mean[j], of_weights = std::max(0.0, squares[at].mean[j] - m * m);
          estimate& to = k.answers[first + i];
          to.mean[j] = m, to.spread[j] = std::sqrt(sums[at].spread[j] + of_weights),
          to.unknown[j] = std::sqrt(of_weights);
        }
    }
  }
};

template <bool Bayesian>
constexpr network of = {.parameters = training<Bayesian>::net::parameters,
                        .kept = training<Bayesian>::trainer::kept_elements,
                        .elements = training<Bayesian>::elements,
                        .train = training<Bayesian>::train};

}  // namespace

networks make_networks(tern::isa_tag::current isa) {
  return {.isa = isa.name, .deterministic = of<false>, .bayesian = of<true>};
}

}  // namespace galaxy_shapes
