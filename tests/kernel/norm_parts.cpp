// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch norms over parts of a batch: the bits of the whole where parts are cut at grains; joining in any order within
// rounding; what wrong calls say. Other policies have the bits of the reference (tests/driver).
#include <cmath>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

constexpr norm_config full{.residual = true, .act = activation::relu}, bare{.scale = false, .shift = false};

template <class T>
auto part_of(std::vector<T>& v, index_t first, index_t n, index_t c, index_t h, index_t w) {
  return view(unchecked, v.data() + first * c * h * w, layout_channels_last::mapping(dims<4>(n, c, h, w)));
}

/// All that a batch norm of parts makes.
template <norm_config C, class T>
std::vector<T> norm_in_parts(index_t batch, index_t c, index_t h, index_t w, const std::vector<index_t>& cuts) {
  auto x = random_vector<T>(batch * c * h * w, 1), more = random_vector<T>(batch * c * h * w, 2),
       dy = random_vector<T>(batch * c * h * w, 3), scale = random_vector<T>(c, 4), shift = random_vector<T>(c, 5);
  std::vector<T> mean(static_cast<std::size_t>(c), 7), squares(mean), rstd(mean), variance(mean), dscale(mean.size()),
      dshift(mean.size()), y(x.size()), dx(x.size());
  const kernel<batch_norm<C, T>, reference> k;
  const auto each = [&](auto f) {
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) f(cuts[i], cuts[i + 1] - cuts[i]);
  };
  index_t seen = 0;
  each([&](index_t first, index_t n) {
    const auto from = part_of(x, first, n, c, h, w);
    if (seen == 0)
      k.statistics(from, mean, squares);
    else
      k.statistics(from, mean, squares, values_seen{seen});
    seen += n * h * w;
  });
  k.deviation(squares, rstd, variance, values_seen{seen}, epsilon{1e-3});
  each([&](index_t first, index_t n) {
    const auto at = [&](std::vector<T>& v) { return part_of(v, first, n, c, h, w); };
    if constexpr (C.scale)
      k.apply(at(x), mean, rstd, scale, shift, at(more), at(y));
    else
      k.apply(at(x), mean, rstd, at(y));
    k.backward_weights(at(dy), at(x), mean, rstd, dscale, dshift, accumulate);
  });
  each([&](index_t first, index_t n) {
    const auto at = [&](std::vector<T>& v) { return part_of(v, first, n, c, h, w); };
    if constexpr (C.scale)
      k.backward_part(at(dy), at(x), mean, rstd, dscale, dshift, scale, at(dx), values_seen{seen});
    else
      k.backward_part(at(dy), at(x), mean, rstd, dscale, dshift, at(dx), values_seen{seen});
  });
  // All gradients of the whole in one call.
  std::vector<T> all_dx(x.size()), all_dscale(mean.size()), all_dshift(mean.size());
  const auto all = [&](std::vector<T>& v) { return part_of(v, 0, batch, c, h, w); };
  if constexpr (C.scale)
    k.backward(all(dy), all(x), scale, mean, rstd, all(all_dx), all_dscale, all_dshift);
  else
    k.backward(all(dy), all(x), mean, rstd, all(all_dx), all_dscale, all_dshift);
  CHECK(same_bits(dx, all_dx));
  CHECK(same_bits(all_dscale, dscale));
  CHECK(same_bits(all_dshift, dshift));
  for (const auto* v : {&mean, &squares, &rstd, &variance, &y, &dscale, &dshift})
    dx.insert(dx.end(), v->begin(), v->end());
  return dx;
}

template <norm_config C, class T>
void check(index_t batch, index_t c, index_t h, index_t w, const std::vector<index_t>& cuts) {
  INFO(batch << " x " << c << " x " << h << " x " << w);
  const auto wanted = norm_in_parts<C, T>(batch, c, h, w, {0, batch});
  // The whole as one call has it.
  auto x = random_vector<T>(batch * c * h * w, 1), more = random_vector<T>(batch * c * h * w, 2),
       dy = random_vector<T>(batch * c * h * w, 3), scale = random_vector<T>(c, 4), shift = random_vector<T>(c, 5);
  std::vector<T> y(x.size()), dx(x.size()), mean(static_cast<std::size_t>(c)), rstd(mean), variance(mean);
  const kernel<batch_norm<C, T>, reference> k;
  const auto all = [&](std::vector<T>& v) { return part_of(v, 0, batch, c, h, w); };
  if constexpr (C.scale) {
    k(all(x), scale, shift, all(more), all(y), mean, rstd, variance, epsilon{1e-3});
    k.backward_data(all(dy), all(x), scale, mean, rstd, all(dx));
  } else {
    k(all(x), all(y), mean, rstd, variance, epsilon{1e-3});
    k.backward_data(all(dy), all(x), mean, rstd, all(dx));
  }
  const auto at = [&](std::size_t first, std::size_t n) {
    const auto from = wanted.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector<T>(from, from + static_cast<std::ptrdiff_t>(n));
  };
  const std::size_t n = x.size(), m = mean.size();
  CHECK(same_bits(at(n, m), mean));
  CHECK(same_bits(at(n + 2 * m, m), rstd));
  CHECK(same_bits(at(n + 3 * m, m), variance));
  CHECK(same_bits(at(n + 4 * m, n), y));
  CHECK(same_bits(at(0, n), dx));

  CHECK(same_bits(wanted, norm_in_parts<C, T>(batch, c, h, w, cuts)));
}

TEMPLATE_TEST_CASE("batch norms of parts that are cut at grains have the bits of the whole", "[norm][parts]", float,
                   double) {
  using T = TestType;
  check<full, T>(12, 19, 5, 3, {0, 4, 8, 12});    // grains of four samples
  check<bare, T>(70, 33, 1, 1, {0, 32, 64, 70});  // of 32
  check<full, T>(3, 600, 30, 20, {0, 1, 3});      // chunks within a sample
  check<full, T>(3, 7, 30, 20, {0, 2, 3});
}

TEST_CASE("statistics may be joined in any order, within rounding", "[norm][parts][law]") {
  constexpr index_t batch = 64, c = 5;
  auto x = random_vector(batch * c * 6, 1);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 100;
  const kernel<batch_norm<>, reference> k;
  std::vector<float> mean(c), squares(c), other_mean(c), other_squares(c), all_mean(c), all_squares(c);
  k.statistics(part_of(x, 0, batch, c, 2, 3), all_mean, all_squares);
  k.statistics(part_of(x, 32, 32, c, 2, 3), mean, squares);
  k.statistics(part_of(x, 0, 32, c, 2, 3), other_mean, other_squares);
  k.join(mean, squares, values_seen{32 * 6}, other_mean, other_squares, 32 * 6);
  for (std::size_t i = 0; i < c; ++i) {
    CHECK(std::fabs(mean[i] - all_mean[i]) <= 8 * 0x1p-24f * 101);
    // Deviations of size 1 of numbers near 100, each rounded there.
    CHECK(std::fabs(squares[i] - all_squares[i]) <= 2 * 8 * 0x1p-24f * 101 * batch * 6);
  }
  std::vector<float> none(c, 7), same(none);
  k.join(none, same, values_seen{0}, mean, squares, 3);
  CHECK(same_bits(none, mean));
  CHECK(same_bits(same, squares));
  k.join(none, same, values_seen{3}, other_mean, other_squares, 0);
  CHECK(same_bits(none, mean));
}

TEST_CASE("wrong calls on parts are named, and nothing is written", "[norm][parts][contract]") {
  std::vector<float> x(60, 1), y(60, 7), few(4, 7), m(5, 7), q(5, 7), r(5, 7);
  const kernel<batch_norm<bare>, reference> k;
  const auto in = part_of(x, 0, 6, 5, 2, 1);
  CHECK(message([&] { k.statistics(in, few, q); }) ==
        "batch_norm: mean is 4 and x is 6x5x2x1: they must agree on channels");
  CHECK(message([&] { k.statistics(in, m, m); }) == "batch_norm: mean shares elements with squares");
  CHECK(message([&] { k.statistics(part_of(x, 0, 0, 5, 2, 1), m, q); }) ==
        "batch_norm: x is 0x5x2x1: there are no elements to normalise");
  CHECK(message([&] { k.statistics(in, m, q, values_seen{-1}); }) ==
        "batch_norm: -1 values were seen: the number must be at least 0");
  CHECK(message([&] { k.deviation(q, r, values_seen{0}); }) ==
        "batch_norm: there are 0 values: a deviation needs at least one");
  CHECK(message([&] { k.deviation(q, r, values_seen{1}, epsilon{0}); }) ==
        "batch_norm: epsilon is 0: it must be positive");
  CHECK(message([&] { k.join(m, q, values_seen{1}, few, q, 1); }) ==
        "batch_norm: other_mean is 4 and mean is 5: their shapes must be equal");
  CHECK(message([&] { k.apply(in, m, r, part_of(y, 0, 5, 5, 2, 1)); }) ==
        "batch_norm: y is 5x5x2x1 and x is 6x5x2x1: their shapes must be equal");
  CHECK(message([&] { k.apply(in, m, few, part_of(y, 0, 6, 5, 2, 1)); }) ==
        "batch_norm: rstd is 4 and x is 6x5x2x1: they must agree on channels");
  CHECK(message([&] { k.backward_part(in, in, m, r, q, q, part_of(y, 0, 6, 5, 2, 1), values_seen{0}); }) ==
        "batch_norm: totals are of 0 values: the number must be at least 1");
  CHECK(y == std::vector<float>(60, 7));
  CHECK(m == std::vector<float>(5, 7));
  CHECK(r == std::vector<float>(5, 7));
}

}  // namespace
}  // namespace tern::test
