// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch norms over parts of a batch: the bits of the whole where parts are cut at grains, under every policy; joining
// in any order within rounding; what wrong calls say.
#include <cmath>
#include <vector>

#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/kernel/norm_parts_parity.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/message.hpp"

namespace tern::test {
namespace {

constexpr norm_config bare{.scale = false, .shift = false};

template <norm_config C, class T>
void check(index_t batch, index_t c, index_t h, index_t w, const std::vector<index_t>& cuts) {
  INFO(batch << " x " << c << " x " << h << " x " << w);
  const auto plain = [](auto f) { f(); };
  const auto wanted = norm_in_parts<reference, C, T>(batch, c, h, w, {0, batch}, plain);
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

  const auto equal = [&](const std::vector<T>& got) { return same_bits(wanted, got); };
  CHECK(equal(norm_in_parts<reference, C, T>(batch, c, h, w, cuts, plain)));
  CHECK(equal(norm_in_parts<simd<>, C, T>(batch, c, h, w, cuts, plain)));
  with_concurrency backwards{[](index_t count, task_ref f) {
                               for (index_t i = count; i-- > 0;) f(i);
                             },
                             3};
  CHECK(equal(norm_in_parts<simd<>, C, T>(batch, c, h, w, cuts, [&](auto f) { f(backwards); })));
  CHECK(equal(norm_in_parts<mimd<>, C, T>(batch, c, h, w, cuts, [&](auto f) {
    tile_machine cores(3, 0);
    f(cores);
  })));
  CHECK(equal(norm_in_parts<mimd<few_tiles>, C, T>(batch, c, h, w, cuts, [&](auto f) {
    tile_machine tiles(5, 1 << 23);
    f(tiles);
  })));
  CHECK(equal(norm_in_parts<simt<>, C, T>(batch, c, h, w, cuts, plain)));
}

TEMPLATE_TEST_CASE("batch norms of parts that are cut at grains have the bits of the whole", "[norm][parts]", float,
                   double) {
  norm_part_cases([]<norm_config C>(auto... arguments) { check<C, TestType>(arguments...); });
}

TEST_CASE("statistics may be joined in any order, within rounding", "[norm][parts][law]") {
  constexpr index_t batch = 64, c = 5;
  auto x = random_vector(batch * c * 6, 1);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 100;
  const kernel<batch_norm<>, simd<>> k;
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
  CHECK(message([&] { k.deviation(q, r, values_seen{1}, epsilon{0}); }) == "batch_norm: eps is 0: it must be positive");
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
