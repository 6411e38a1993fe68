// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of convolutions under simt as users write them, and what calls say that blocks cannot count.
#include <limits>
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tern/simt.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("convolutions under simt have the calls of other models", "[conv][simt]", float, double) {
  using T = TestType;
  using op = conv2d<conv2d_config{.in = 12,
                                  .out = 20,
                                  .groups = 2,
                                  .kernel = {3, 2},
                                  .stride = {2, 1},
                                  .pad = {1, 0},
                                  .bias = true,
                                  .act = activation::silu},
                    T>;
  using back = conv_transpose2d<
      conv_transpose2d_config{.in = 20, .out = 12, .groups = 2, .kernel = {3, 2}, .stride = {2, 1}, .crop = {1, 0}}, T>;
  auto random = [next = numbers(Catch::rngSeed())](index_t size) mutable {
    std::vector<T> v(static_cast<std::size_t>(size));
    for (T& x : v) x = static_cast<T>(next());
    return v;
  };
  std::vector<T> x = random(3 * 12 * 9 * 6), w = random(3 * 2 * 6 * 20), bias = random(20);
  const auto image = [](std::vector<T>& v, index_t c, index_t height, index_t width) {
    return view<T, dims<4>, layout_channels_last>(unchecked, v.data(), dims<4>(3, c, height, width));
  };
  const auto results = [&](const auto& forward, const auto& transposed, const auto&... state) {
    std::vector<T> y(3 * 20 * 5 * 5, 7), z(y), dx(x.size(), 7), dw(w.size(), 7), db(20, 7), up(x.size(), 7);
    const view weights(w, extents<3, 2, 6, 20>{}), dweights(dw, extents<3, 2, 6, 20>{});
    forward(state..., image(x, 12, 9, 6), weights, bias, image(y, 20, 5, 5));
    forward(state..., image(x, 12, 9, 6), forward.pack(weights), bias, image(z, 20, 5, 5));
    forward.backward_data(state..., image(y, 20, 5, 5), weights, image(dx, 12, 9, 6));
    forward.backward_weights(state..., image(x, 12, 9, 6), image(y, 20, 5, 5), dweights, db);
    transposed(state..., image(y, 20, 5, 5), transposed.pack(weights), image(up, 12, 9, 6));
    for (const std::vector<T>& v : {z, dx, dw, db, up}) y.insert(y.end(), v.begin(), v.end());
    return y;
  };
  const std::vector<T> wanted = results(kernel<op, reference>{}, kernel<back, reference>{});
  CHECK(wanted == results(kernel<op, simt<>>{}, kernel<back, simt<>>{}));
  CHECK(wanted == results(kernel<op, simt<>>{}, kernel<back, simt<>>{}, simt_host{.reverse = true}));
}

TEST_CASE("convolutions under simt of nothing but padding read nothing", "[conv][simt]") {
  constexpr conv1d_config config{.in = 9, .out = 9, .kernel = {2}, .pad = {2}};
  const auto signal = [](float* p, index_t size) {
    return view<float, dims<3>, layout_channels_last>(unchecked, p, dims<3>(2, 9, size));
  };
  std::vector<float> w(2 * 9 * 9, std::numeric_limits<float>::infinity()), y(2 * 9 * 3, 7), dw(w.size(), 7);
  const view weights(w, extents<2, 9, 9>{}), dweights(dw, extents<2, 9, 9>{});
  const kernel<conv1d<config>, simt<>> k;
  k(signal(nullptr, 0), weights, signal(y.data(), 3));
  k.backward_weights(signal(nullptr, 0), signal(y.data(), 3), dweights);
  CHECK(y == std::vector<float>(y.size()));
  CHECK(dw == std::vector<float>(dw.size()));
}

// A window that nothing lies in: sizes that need no memory.
TEST_CASE("convolutions under simt refuse sizes that exceed 32 bits", "[conv][simt][contract]") {
  float x = 1, w[2] = {1, 1}, y = 7;
  const auto signal = [](float& at) {
    return view<float, dims<3>, layout_channels_last>(unchecked, &at, dims<3>(1, 1, 1));
  };
  const view weights(unchecked, w, extents<2, 1, 1>{});
  constexpr index_t most = 1 << 28;
  constexpr conv1d_config fits{.in = 1, .out = 1, .kernel = {2}, .dilation = {most}, .pad = {most / 2}};
  constexpr conv1d_config large{.in = 1, .out = 1, .kernel = {2}, .dilation = {2 * most}, .pad = {most}};
  CHECK(message([&] { kernel<conv1d<fits>, simt<>>{}(signal(x), weights, signal(y)); }) == "no error");
  CHECK(equal_bits(y, 0.0f));
  y = 7;
  const std::string says =
      "simt: a convolution has 805306371 elements on an axis, counting padding and window: at most "
      "536870912 are possible";
  CHECK(message([&] { kernel<conv1d<large>, simt<>>{}(signal(x), weights, signal(y)); }) == says);
  CHECK(message([&] { kernel<conv1d<large>, simt<>>{}.backward_data(signal(x), weights, signal(y)); }) == says);
  CHECK(message([&] { kernel<conv1d<large>, simt<>>{}.backward_weights(signal(x), signal(x), weights); }) == says);
  CHECK(y == 7);
}

}  // namespace tern::test
