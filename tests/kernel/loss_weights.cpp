// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross-entropies of classes with weights, by PyTorch's definition in float64, and the same bits under every model.
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/mimd.hpp"
#include "tern/reference.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

constexpr index_t batch = 5, places = 7;

struct rows_of_classes {
  index_t classes;
  std::vector<float> x, weights;
  std::vector<std::int32_t> target;

  explicit rows_of_classes(index_t k, unsigned seed)
      : classes(k), x(random_vector<float>(batch * k * places, seed)), weights(static_cast<std::size_t>(k)) {
    std::mt19937 random(seed);
    for (float& v : x) v *= 4;
    for (float& w : weights) w = static_cast<float>(random() % 1000) / 300;
    for (index_t i = 0; i < batch * places; ++i)
      target.push_back(random() % 9 == 0 ? -1 : static_cast<std::int32_t>(random() % static_cast<unsigned>(k)));
  }
  auto logits() { return view(x, extents(batch, classes, places)); }
  auto classes_of_rows() { return view(target, extents(batch, places)); }
  double at(index_t n, index_t c, index_t p) const {
    return static_cast<double>(x[static_cast<std::size_t>((n * classes + c) * places + p)]);
  }
};

/// Losses and the gradient of their sum, as PyTorch's CrossEntropyLoss(weight, label_smoothing) has them.
struct expected {
  std::vector<double> losses, gradient;
  double weights_of_targets = 0;

  expected(const rows_of_classes& r, double smoothing) : losses(r.target.size(), 0.0), gradient(r.x.size(), 0.0) {
    const double k = static_cast<double>(r.classes);
    for (index_t n = 0; n < batch; ++n)
      for (index_t p = 0; p < places; ++p) {
        const auto row = static_cast<std::size_t>(n * places + p);
        const std::int32_t t = r.target[row];
        if (t < 0) continue;
        double sum = 0, all = 0;
        for (index_t c = 0; c < r.classes; ++c) {
          sum += std::exp(r.at(n, c, p));
          all += static_cast<double>(r.weights[static_cast<std::size_t>(c)]);
        }
        const double of_target = static_cast<double>(r.weights[static_cast<std::size_t>(t)]);
        weights_of_targets += of_target;
        for (index_t c = 0; c < r.classes; ++c) {
          const double w = static_cast<double>(r.weights[static_cast<std::size_t>(c)]),
                       share = (c == t ? 1 - smoothing : 0) * w + smoothing / k * w,
                       probability = std::exp(r.at(n, c, p)) / sum;
          losses[row] -= share * std::log(probability);
          gradient[static_cast<std::size_t>((n * r.classes + c) * places + p)] =
              probability * ((1 - smoothing) * of_target + smoothing / k * all) - share;
        }
      }
  }
};

template <loss_config C, class Policy, class... State>
auto run(rows_of_classes& r, State&... state) {
  struct {
    std::vector<float> losses = std::vector<float>(batch * places), total = std::vector<float>(1), dx, each;
  } result;
  result.dx.assign(r.x.size(), NAN), result.each = result.dx;
  const kernel<cross_entropy<C>, Policy> k;
  const auto losses = view(result.losses, extents(batch, places));
  k(state..., r.logits(), r.classes_of_rows(), r.weights, losses, result.total);
  k.backward_data(state..., r.logits(), r.classes_of_rows(), r.weights,
                  view(result.dx, extents(batch, r.classes, places)));
  constexpr loss_config each_row{
      .reduce = reduction::none, .label_smoothing = C.label_smoothing, .class_weights = true};
  std::vector<float> ones(batch * places, 1.0f);
  kernel<cross_entropy<each_row>, Policy>().backward_data(state..., r.logits(), r.classes_of_rows(), r.weights,
                                                          view(ones, extents(batch, places)),
                                                          view(result.each, extents(batch, r.classes, places)));
  return result;
}

constexpr double unit = 0x1p-24;

template <loss_config C>
void check(unsigned seed) {
  for (const index_t classes : {1, 2, 3, 10, 17, 64, 129}) {
    INFO(classes << " classes");
    rows_of_classes r(classes, seed);
    const expected want(r, static_cast<double>(C.label_smoothing));
    const auto got = run<C, reference>(r);
    double total = 0, most_weight = 0, sum_of_weights = 0;
    for (const float w : r.weights) most_weight = std::max(most_weight, double(w)), sum_of_weights += double(w);
    for (const double l : want.losses) total += l;
    // A loss sums some 4 + log2(classes) roundings of numbers of at most |x| + log(classes), which is 16 here, times
    // weights; of smoothed targets all classes take part.
    const double of_loss = unit * 16 * (most_weight + sum_of_weights / double(classes)) * (12 + double(classes) / 8);
    for (std::size_t i = 0; i < want.losses.size(); ++i) {
      CHECK(std::abs(double(got.losses[i]) - want.losses[i]) <= of_loss);
      if (r.target[i] < 0) CHECK(got.losses[i] == 0.0f);
    }
    const double of_gradient = unit * (most_weight + sum_of_weights) * 40;
    const double divisor = C.reduce == reduction::mean_of_kept ? want.weights_of_targets : 1;
    CHECK(std::abs(double(got.total[0]) - total / divisor) <= (of_loss * 35 + unit * 35 * total) / divisor);
    for (std::size_t i = 0; i < want.gradient.size(); ++i) {
      CHECK(std::abs(double(got.dx[i]) - want.gradient[i] / divisor) <= of_gradient / divisor);
      CHECK(std::abs(double(got.each[i]) - want.gradient[i]) <= of_gradient);
    }
    const auto same = [&](const auto& other) {
      CHECK(same_bits(other.losses, got.losses));
      CHECK(same_bits(other.total, got.total));
      CHECK(same_bits(other.dx, got.dx));
      CHECK(same_bits(other.each, got.each));
    };
    same(run<C, simd<>>(r));
    team two({.threads = 2, .oversubscribe = true});
    same(run<C, simd<>>(r, two));
    tile_machine tiles(5, 1 << 16);
    same(run<C, mimd<>>(r, tiles));
    if constexpr (C.reduce != reduction::mean_of_kept) {
      simt_host blocks;
      same(run<C, simt<>>(r, blocks));
    }
  }
}

TEST_CASE("classes with weights", "[loss]") {
  check<loss_config{.reduce = reduction::sum, .class_weights = true}>(1);
  check<loss_config{.reduce = reduction::mean_of_kept, .class_weights = true}>(2);
}
TEST_CASE("classes with weights, and smoothed targets", "[loss]") {
  check<loss_config{.reduce = reduction::sum, .label_smoothing = 0.1, .class_weights = true}>(3);
  check<loss_config{.reduce = reduction::mean_of_kept, .label_smoothing = 0.3, .class_weights = true}>(4);
}

TEST_CASE("weights of one give the bits of no weights", "[loss]") {
  rows_of_classes r(12, 5);
  r.weights.assign(12, 1.0f);
  std::vector<float> losses(batch * places), plain(losses);
  constexpr loss_config none{.reduce = reduction::none}, weighted{.reduce = reduction::none, .class_weights = true};
  kernel<cross_entropy<none>, simd<>>()(r.logits(), r.classes_of_rows(), view(plain, extents(batch, places)));
  kernel<cross_entropy<weighted>, simd<>>()(r.logits(), r.classes_of_rows(), r.weights,
                                            view(losses, extents(batch, places)));
  CHECK(same_bits(losses, plain));
}

TEST_CASE("weights of another number of classes, or of none that are kept, are refused", "[loss]") {
  rows_of_classes r(4, 6);
  std::vector<float> losses(batch * places), total(1), three(3, 1.0f);
  constexpr loss_config c{.reduce = reduction::mean_of_kept, .class_weights = true};
  const kernel<cross_entropy<c>, simd<>> k;
  const auto to = view(losses, extents(batch, places));
  CHECK(message([&] { k(r.logits(), r.classes_of_rows(), three, to, total); }) ==
        "cross_entropy: weights is 3 and x is 5x4x7: they must agree on classes");
  r.weights.assign(4, 0.0f);
  CHECK(message([&] { k(r.logits(), r.classes_of_rows(), r.weights, to, total); }) ==
        "cross_entropy: x is 5x4x7: there is nothing to average");
}

}  // namespace
}  // namespace tern::test
