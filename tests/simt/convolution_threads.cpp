// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions under simt with a thread per lane, every knob of the loops on one problem, the calls of users, and what
// calls say that blocks cannot count.
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tern/exec/simt/thread_block.hpp"
#include "tern/simt.hpp"
#include "tests/kernel/conv_parity.hpp"
#include "tests/simt/small_tiles.hpp"
#include "tests/support/message.hpp"

namespace tern::test {

using small = simt<devices::h200, numerics::exact, small_tiles>;
using small_as_large = simt<one_multiprocessor, numerics::exact, small_tiles>;

TEST_CASE("convolutions with a thread per lane give the bits of the reference", "[conv][simt]") {
  const auto threads = [](const conv_shape&) { return simt_threads{}; };
  conv_sums_parity<small, float>(threads, 30, 1e4);
  conv_gradient_parity<small, float>(threads, 30, 1e4);
  conv_gradient_parity<small_as_large, float>(threads, 10, 1e4);
}

TEST_CASE("every order and run-ahead of the loops gives the same bits of convolutions", "[conv][simt]") {
  std::mt19937 engine(Catch::rngSeed());
  conv_shape dense{.batch = 2, .in = 9, .out = 11}, narrow{.batch = 2, .groups = 5, .in = 1, .out = 2};
  for (conv_shape* s : {&dense, &narrow})
    for (int r = 1; r < 3; ++r) s->axis[r] = window_over(7, 3, r, 1, padding::given, 1, 1);
  constexpr epilogue all{.accumulate = true, .bias = true, .residual = true, .act = activation::relu, .scale = true};
  for (const conv_shape& s : {dense, narrow})
    for (const bool reverse : {false, true})
      for (int run_ahead = 0; run_ahead <= 5; ++run_ahead) {
        const auto state = [&](const conv_shape&) { return simt_host{reverse, run_ahead}; };
        check_conv_sums<small_as_large, float, conv_pass::forward, all>(s, engine, state);
        check_conv_sums<small_as_large, float, conv_pass::data, epilogue{.bias = true}>(s, engine, state);
        check_conv_gradient<small_as_large, float, true>(s, engine, state);
      }
}

TEST_CASE("grains and chunks of convolutions under simt are cut as the reference cuts them", "[conv][simt]") {
  std::mt19937 engine(Catch::rngSeed());
  const auto state = [](const conv_shape&) { return simt_host{}; };
  for (const index_t groups : {1, 3})
    for (const auto& [batch, size] : {std::pair{70, 1}, {70, 3}, {67, 11}, {5, 31}, {3, 32}, {2, 600}, {1, 1025}}) {
      conv_shape s{.batch = batch, .groups = groups, .in = 3, .out = 10};
      s.axis[2] = window_over(size, 3, 1, 1, padding::given, 1, 1);
      INFO(text(s));
      check_conv_gradient<small, float, true>(s, engine, state);
      check_conv_gradient<simt<>, float, false>(s, engine, state);  // several warps take turns
    }
  // Channels of several chunks, in tiles and without.
  for (const auto& [in, out] : {std::pair{1100, 2}, {2, 1100}, {513, 9}, {171, 9}, {171, 2}, {9, 512}}) {
    conv_shape s{.batch = 1, .groups = 2, .in = in, .out = out};
    s.axis[2] = window_over(3, 4, 1, 1, padding::given, 2, 1);
    INFO(text(s));
    for (int i = 0; i < 4; ++i) {  // some draws are special numbers, in which a wrong order does not show
      check_conv_sums<small, float, conv_pass::forward, epilogue{}>(s, engine, state);
      check_conv_sums<small, float, conv_pass::data, epilogue{}>(s, engine, state);
    }
  }
}

TEMPLATE_TEST_CASE("kernels of convolutions under simt are called like others", "[conv][simt]", float, double) {
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
    return view<T, dims<4>, layout_channels_last>(v.data(), dims<4>(3, c, height, width));
  };
  const auto results = [&](const auto& forward, const auto& transposed, const auto&... state) {
    std::vector<T> y(3 * 20 * 5 * 5, 7), z(y), dx(x.size(), 7), dw(w.size(), 7), db(20, 7), up(x.size(), 7);
    const view weights(w.data(), extents<3, 2, 6, 20>{}), dweights(dw.data(), extents<3, 2, 6, 20>{});
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
    return view<float, dims<3>, layout_channels_last>(p, dims<3>(2, 9, size));
  };
  std::vector<float> w(2 * 9 * 9, std::numeric_limits<float>::infinity()), y(2 * 9 * 3, 7), dw(w.size(), 7);
  const view weights(w.data(), extents<2, 9, 9>{}), dweights(dw.data(), extents<2, 9, 9>{});
  const kernel<conv1d<config>, simt<>> k;
  k(signal(nullptr, 0), weights, signal(y.data(), 3));
  k.backward_weights(signal(nullptr, 0), signal(y.data(), 3), dweights);
  CHECK(y == std::vector<float>(y.size()));
  CHECK(dw == std::vector<float>(dw.size()));
}

// A window that nothing lies in: sizes that need no memory.
TEST_CASE("convolutions under simt refuse what 32 bits do not count", "[conv][simt][contract]") {
  float x = 1, w[2] = {1, 1}, y = 7;
  const auto signal = [](float& at) { return view<float, dims<3>, layout_channels_last>(&at, dims<3>(1, 1, 1)); };
  const view weights(w, extents<2, 1, 1>{});
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
