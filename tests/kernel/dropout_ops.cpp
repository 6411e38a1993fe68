// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox against published words; dropout under simd against the reference, its statistics and laws; what wrong calls
// say.
#include <cmath>
#include <string>
#include <vector>

#include "tern/simd.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

template <class T>
auto rows(std::vector<T>& v, index_t n) {
  return view<T, dims<2>>(unchecked, v.data(), dims<2>(n, static_cast<index_t>(v.size()) / n));
}
using drop = kernel<dropout<>, simd<>>;
constexpr drop_rate half{0.5};

// The known answers of Random123, the library of Philox's authors.
TEST_CASE("Philox gives the published words", "[dropout]") {
  const auto words = [](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, std::uint32_t k0,
                        std::uint32_t k1) {
    std::uint64_t w[4][1] = {{a}, {b}, {c}, {d}};
    tile::philox(w, k0, k1);
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    return std::vector<std::uint32_t>{low(w[0][0]), low(w[1][0]), low(w[2][0]), low(w[3][0])};
  };
  using list = std::vector<std::uint32_t>;
  CHECK(words(0, 0, 0, 0, 0, 0) == list{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t all = ~std::uint32_t{0};
  CHECK(words(all, all, all, all, all, all) == list{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(words(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0) ==
        list{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("the share of dropped elements is the rate, independent of other draws", "[dropout]") {
  constexpr index_t n = 64, c = 1000;
  std::vector<float> x(n * c, 1), y(x.size()), other(x.size());
  for (const double rate : {0.1, 0.5, 0.9}) {
    double agree = 0;
    for (std::uint32_t step = 0; step < 4; ++step) {
      const random_site site{.seed = 5, .step = step, .site = 2};
      drop{}(rows(x, n), rows(y, n), drop_rate{rate}, site);
      double dropped = 0, of_first = 0, neighbours = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        REQUIRE((y[i] == 0 || equal_bits(y[i], static_cast<float>(1 / (1 - rate)))));
        dropped += y[i] == 0, of_first += i % c == 0 && y[i] == 0;
        neighbours += i > 0 && y[i] == 0 && y[i - 1] == 0;
        agree += step > 0 && y[i] == 0 && other[i] == 0;
      }
      // Five standard deviations of a binomial distribution: of elements, of those of one place, and of pairs.
      const auto near = [](double count, double trials, double p) {
        return std::fabs(count - trials * p) <= 5 * std::sqrt(trials * p * (1 - p)) + 1;
      };
      CHECK(near(dropped, n * c, rate));
      CHECK(near(of_first, n, rate));
      CHECK(std::fabs(neighbours - n * c * rate * rate) <= 10 * std::sqrt(n * c * rate));
      other = y;
    }
    CHECK(std::fabs(agree - 3 * n * c * rate * rate) <= 10 * std::sqrt(3 * n * c * rate));
  }
  // Nothing is dropped at 0, and other seeds and sites drop other elements.
  drop{}(rows(x, n), rows(y, n), drop_rate{0}, random_site{});
  CHECK(y == x);
  const auto drawn = [&](const random_site& site) {
    drop{}(rows(x, n), rows(y, n), half, site);
    return y;
  };
  const auto first = drawn({});
  CHECK(first == drawn({}));
  CHECK(first != drawn({.seed = 1}));
  CHECK(first != drawn({.seed = std::uint64_t{1} << 32}));
  CHECK(first != drawn({.step = 1}));
  CHECK(first != drawn({.site = 1}));
  CHECK(first != drawn({.sample = 1}));
}

TEST_CASE("the mask depends on neither the cut of the batch nor the layout, and the gradient has the same",
          "[dropout][law]") {
  auto x = random_vector(6 * 5 * 3 * 4, 1);
  std::vector<float> whole(x.size()), parts(x.size()), planes(x.size()), images(x.size()), dx(x.size());
  constexpr random_site site{.seed = 9, .step = 4, .site = 1, .sample = 100};
  drop{}(last(x, 6, 5, 3, 4), last(whole, 6, 5, 3, 4), half, site);
  for (const auto& [first, n] : {std::pair<index_t, index_t>{0, 1}, {1, 3}, {4, 2}}) {
    random_site of_part = site;
    of_part.sample += static_cast<std::uint32_t>(first);
    const auto part = [first = first, n = n](std::vector<float>& v) {
      return view(unchecked, v.data() + first * 60, layout_channels_last::mapping(dims<4>(n, 5, 3, 4)));
    };
    drop{}(part(x), part(parts), half, of_part);
  }
  CHECK(same_bits(whole, parts));
  const kernel<reorder<>, simd<>> turn;
  const view in(planes, dims<4>(6, 5, 3, 4)), out(images, dims<4>(6, 5, 3, 4));
  turn(last(x, 6, 5, 3, 4), in);
  drop{}(in, out, half, site);
  turn(out, last(parts, 6, 5, 3, 4));
  CHECK(same_bits(whole, parts));
  drop{}.backward_data(last(x, 6, 5, 3, 4), last(dx, 6, 5, 3, 4), half, site);
  CHECK(same_bits(whole, dx));
  drop{}(last(x, 6, 5, 3, 4), last(x, 6, 5, 3, 4), half, site);
  CHECK(same_bits(whole, x));
}

TEST_CASE("stochastic depth drops whole samples", "[dropout]") {
  constexpr index_t n = 2000, c = 7;
  std::vector<float> x(n * c, 3), y(x.size());
  kernel<stochastic_depth<>, simd<>>{}(rows(x, n), rows(y, n), drop_rate{0.2}, random_site{.seed = 3});
  double dropped = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 1; j < c; ++j) REQUIRE(y[i * c + j] == y[i * c]);
    dropped += y[i * c] == 0;
  }
  CHECK(std::fabs(dropped - 400) <= 5 * std::sqrt(320.0));
}

TEST_CASE("dropped elements are 0, even if they were NaN", "[dropout]") {
  std::vector<float> x(1000, NAN), y(1000);
  drop{}(rows(x, 1), rows(y, 1), half, random_site{});
  int zeros = 0;
  for (const float v : y) zeros += equal_bits(v, 0.0f);
  CHECK(zeros > 400);
  CHECK(zeros < 600);
}

TEST_CASE("wrong calls of dropout are named, and nothing is written", "[dropout][contract]") {
  std::vector<float> x(24, 1), y(24, 7);
  const random_site site;
  CHECK(message([&] { drop{}(rows(x, 4), rows(y, 3), half, site); }) ==
        "dropout: y is 3x8 and x is 4x6: their shapes must be equal");
  CHECK(message([&] { drop{}(rows(x, 4), rows(y, 4), drop_rate{1}, site); }) ==
        "dropout: drop_rate is 1: it must be in [0, 1)");
  CHECK(message([&] { drop{}(rows(x, 4), view(unchecked, x.data() + 1, dims<2>(4, 5)), half, site); }) ==
        "dropout: y is 4x5 and x is 4x6: their shapes must be equal");
  CHECK(message([&] {
          drop{}(view(unchecked, x.data(), dims<2>(4, 5)), view(unchecked, x.data() + 1, dims<2>(4, 5)), half, site);
        }) == "dropout: y shares elements with x, and is not that tensor itself");
  CHECK(message([&] {
          drop{}.backward_data(view(unchecked, static_cast<float*>(nullptr), dims<2>(4, 6)), rows(y, 4), half, site);
        }) == "dropout: dy is a null view of 4x6 elements");
  CHECK(y == std::vector<float>(24, 7));
  CHECK(std::string(drop::plan(rows(x, 4)).op) == "dropout");
}

}  // namespace
}  // namespace tern::test
