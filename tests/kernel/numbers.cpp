// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number in place of a vector of scales, biases or slopes: the bits of a vector that is filled with it.
#include <limits>
#include <vector>

#include "tern/mimd.hpp"
#include "tern/reference.hpp"
#include "tern/simd.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using tiles = mimd<devices::gc200>;

/// Some tiles, whose memory is small.
auto machine() { return contraction_kernel<tiles>::machine(tile_resources{7, 65536}); }

template <class T, class Policy>
void check_elementwise(auto&... state) {
  constexpr elementwise_config config{.scale = true, .bias = true, .act = activation::prelu};
  const kernel<elementwise<config, T>, Policy> k;
  for (const index_t channels : {1, 7, 32}) {
    CAPTURE(channels);
    const index_t size = 2 * channels * 3 * 5;
    auto x = random_vector<T>(size, 1), dy = random_vector<T>(size, 2);
    const std::vector<T> scale(static_cast<std::size_t>(channels), T(0.3)), bias(scale.size(), T(-0.1)),
        slope(scale.size(), T(0.25));
    std::vector<T> from_vectors(x.size()), from_numbers(x.size(), std::numeric_limits<T>::quiet_NaN());
    const auto image = [&](auto& v) { return last(v, 2, channels, 3, 5); };
    k(state..., image(x), scale, bias, slope, image(from_vectors));
    k(state..., image(x), 0.3, -0.1, 0.25, image(from_numbers));
    CHECK(same_bits(from_numbers, from_vectors));
    k(state..., image(x), scale, -0.1, slope, image(from_numbers));
    CHECK(same_bits(from_numbers, from_vectors));

    k.backward_data(state..., image(dy), image(x), scale, slope, image(from_vectors));
    k.backward_data(state..., image(dy), image(x), T(0.3), T(0.25), image(from_numbers));
    CHECK(same_bits(from_numbers, from_vectors));
    std::vector<T> of_vectors(scale.size()), of_numbers(scale.size());
    k.backward_scale(state..., image(dy), image(x), slope, image(x), of_vectors);
    k.backward_scale(state..., image(dy), image(x), 0.25, image(x), of_numbers);
    CHECK(same_bits(of_numbers, of_vectors));
  }
}

TEST_CASE("numbers are scales, biases and slopes of elementwise ops", "[numbers]") {
  check_elementwise<float, reference>();
  check_elementwise<double, reference>();
  check_elementwise<float, simd<>>();
  check_elementwise<double, simd<>>();
  auto state = machine();
  check_elementwise<float, tiles>(state);
}

template <class Policy>
void check_contractions(auto&... state) {
  constexpr conv2d_config conv{
      .in = 4, .out = 19, .kernel = 3, .pad = 1, .scale = true, .bias = true, .act = activation::prelu};
  auto x = random_vector(2 * 4 * 6 * 7, 1), w = random_vector(9 * 4 * 19, 2);
  std::vector<float> scale(19, 0.3f), bias(19, 2.0f), slope(19, 0.25f), from_vectors(2 * 19 * 6 * 7),
      from_numbers(from_vectors.size());
  const view weights(w, dims<4>(3, 3, 4, 19));
  const kernel<conv2d<conv>, Policy> convolve;
  convolve(state..., last(x, 2, 4, 6, 7), weights, scale, bias, slope, last(from_vectors, 2, 19, 6, 7));
  convolve(state..., last(x, 2, 4, 6, 7), weights, 0.3f, 2, 0.25, last(from_numbers, 2, 19, 6, 7));
  CHECK(same_bits(from_numbers, from_vectors));

  const kernel<matmul<matmul_config{.n = 23, .bias = true, .act = activation::prelu}>, Policy> multiply;
  auto a = random_vector(13 * 9, 3), b = random_vector(9 * 23, 4);
  bias.assign(23, 2.0f), slope.assign(23, 0.25f), from_vectors.assign(13 * 23, 0), from_numbers.assign(13 * 23, 1);
  const view left(a, dims<2>(13, 9)), right(b, dims<2>(9, 23));
  multiply(state..., left, right, bias, slope, view(from_vectors, dims<2>(13, 23)));
  multiply(state..., left, right, 2, 0.25, view(from_numbers, dims<2>(13, 23)));
  CHECK(same_bits(from_numbers, from_vectors));
}

TEST_CASE("numbers are scales, biases and slopes of contractions", "[numbers]") {
  check_contractions<reference>();
  check_contractions<simd<>>();
  auto state = machine();
  check_contractions<tiles>(state);
}

TEST_CASE("a call that is prepared with a number takes others", "[numbers][prepared]") {
  const kernel<elementwise<elementwise_config{.scale = true}>, simd<>> k;
  auto x = random_vector(3 * 5, 1);
  std::vector<float> y(x.size()), doubled(x.size());
  const view in(x, dims<2>(3, 5)), out(y, dims<2>(3, 5));
  const auto times = k.prepare(in, 1, out);
  times(in, 2, out);
  for (std::size_t i = 0; i < x.size(); ++i) doubled[i] = 2 * x[i];
  CHECK(same_bits(y, doubled));
}

TEST_CASE("shapes beside numbers are checked", "[numbers][contract]") {
  const kernel<elementwise<elementwise_config{.scale = true}>, simd<>> k;
  std::vector<float> x(15), y(15, 3);
  CHECK(message([&] { k(view(x, dims<2>(3, 5)), 2, view(y, dims<2>(5, 3))); }) ==
        "elementwise: y is 5x3 and x is 3x5: their shapes must be equal");
  CHECK(y == std::vector<float>(15, 3));
}

}  // namespace
}  // namespace tern::test
