// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identities between convolutions, their passes and other ops, under the reference: bit by bit if the canonical order
// implies them, to rounding if mathematics does.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

TEST_CASE("a group is a convolution of its own", "[conv][law]") {
  constexpr conv2d_config grouped{.in = 6, .out = 9, .groups = 3, .kernel = {3, 2}, .stride = {1, 2}, .pad = {1, 0}};
  constexpr conv2d_config single{.in = 2, .out = 3, .kernel = {3, 2}, .stride = {1, 2}, .pad = {1, 0}};
  auto x = random_vector(2 * 6 * 5 * 8, 1), w = random_vector(3 * 2 * 2 * 9, 2);
  std::vector<float> y(2 * 9 * 5 * 4), z(y.size()), dx(x.size()), ex(x.size()), dw(w.size()), ew(w.size());
  const extents<2, 6, 5, 8> ix;
  const extents<2, 9, 5, 4> iy;
  const extents<3, 2, 2, 9> iw;
  const kernel<conv2d<grouped>, reference> all;
  all(last(x, ix), view(w, iw), last(y, iy));
  all.backward_data(last(y, iy), view(w, iw), last(dx, ix));
  all.backward_weights(last(x, ix), last(y, iy), view(dw, iw));
  const kernel<conv2d<single>, reference> one;
  for (index_t g = 0; g < 3; ++g) {
    // Some channels of a tensor are a strided view of it.
    const auto part = [&](std::vector<float>& v, index_t channels, index_t of, index_t height, index_t width) {
      return view(unchecked, v.data() + g * channels,
                  layout_strided::mapping(dims<4>(2, channels, height, width), height * width * of, 1, width * of, of));
    };
    const auto weights = [&](std::vector<float>& v) {
      return view(unchecked, v.data() + g * 3, layout_strided::mapping(dims<4>(3, 2, 2, 3), 2 * 2 * 9, 2 * 9, 9, 1));
    };
    one(part(x, 2, 6, 5, 8), weights(w), part(z, 3, 9, 5, 4));
    one.backward_data(part(y, 3, 9, 5, 4), weights(w), part(ex, 2, 6, 5, 8));
    one.backward_weights(part(x, 2, 6, 5, 8), part(y, 3, 9, 5, 4), weights(ew));
  }
  CHECK(same_bits(y, z));
  CHECK(same_bits(dx, ex));
  CHECK(same_bits(dw, ew));
}

TEST_CASE("a 1x1 convolution is the matmul of its positions", "[conv][law]") {
  // 600 and 700 channels: sums of more than one chunk.
  auto x = random_vector(2 * 600 * 3 * 5, 3), w = random_vector(600 * 700, 4);
  std::vector<float> y(2 * 700 * 3 * 5), z(y.size()), dx(x.size()), ex(x.size());
  const kernel<conv2d<conv2d_config{.in = 600, .out = 700}>, reference> conv;
  const kernel<matmul<>, reference> mm;
  const extents<2, 600, 3, 5> ix;
  const extents<2, 700, 3, 5> iy;
  const view weights(w, extents<600, 700>{});
  conv(last(x, ix), view(w, extents<1, 1, 600, 700>{}), last(y, iy));
  mm(view(x, extents<30, 600>{}), weights, view(z, extents<30, 700>{}));
  CHECK(same_bits(y, z));
  conv.backward_data(last(y, iy), view(w, extents<1, 1, 600, 700>{}), last(dx, ix));
  mm.backward_data(view(y, extents<30, 700>{}), weights, view(ex, extents<30, 600>{}));
  CHECK(same_bits(dx, ex));
}

TEST_CASE("a dense layer is a convolution of one position, in every pass", "[conv][law]") {
  auto x = random_vector(70 * 20, 5), dy = random_vector(70 * 30, 6);
  std::vector<float> dw(20 * 30), ew(dw.size()), db(30), eb(30);
  const kernel<conv1d<conv1d_config{.in = 20, .out = 30}>, reference> conv;
  const kernel<matmul<>, reference> mm;
  conv.backward_weights(last(x, extents<70, 20, 1>{}), last(dy, extents<70, 30, 1>{}), view(dw, extents<1, 20, 30>{}),
                        db);
  mm.backward_weights(view(x, extents<70, 20>{}), view(dy, extents<70, 30>{}), view(ew, extents<20, 30>{}), eb);
  CHECK(same_bits(dw, ew));
  CHECK(same_bits(db, eb));
}

TEST_CASE("a transposed convolution is a data gradient, and the other way round", "[conv][law]") {
  constexpr conv2d_config down{.in = 5, .out = 4, .kernel = {3, 4}, .stride = {2, 3}, .pad = {1, 0}, .pad_end = {0, 2}};
  constexpr conv_transpose2d_config up{.in = 4,
                                       .out = 5,
                                       .kernel = {3, 4},
                                       .stride = {2, 3},
                                       .crop = {1, 0},
                                       .crop_end = {0, 2},
                                       .output_padding = {1, 2}};
  const kernel<conv2d<down>, reference> conv;
  const kernel<conv_transpose2d<up>, reference> transpose;
  auto small = random_vector(3 * 4 * 6 * 5, 7), w = random_vector(3 * 4 * 5 * 4, 8);
  const extents<3, 4, 6, 5> is;
  const extents<3, 5, 13, 16> il;  // (6 - 1) * 2 + 3 - 1 + 1 and (5 - 1) * 3 + 4 - 2 + 2
  const view weights(w, extents<3, 4, 5, 4>{});
  std::vector<float> large(3 * 5 * 13 * 16), other(large.size()), back(small.size()), back_other(small.size());
  transpose(last(small, is), weights, last(large, il));
  conv.backward_data(last(small, is), weights, last(other, il));
  CHECK(same_bits(large, other));
  transpose.backward_data(last(large, il), weights, last(back, is));
  conv(last(large, il), weights, last(back_other, is));
  CHECK(same_bits(back, back_other));
  std::vector<float> dw(w.size()), ew(w.size()), db(5);
  transpose.backward_weights(last(small, is), last(large, il), view(dw, extents<3, 4, 5, 4>{}), db);
  conv.backward_weights(last(large, il), last(small, is), view(ew, extents<3, 4, 5, 4>{}));
  CHECK(same_bits(dw, ew));
}

TEST_CASE("packed weights give the bits of the others", "[conv][law]") {
  constexpr conv2d_config cfg{.in = 6, .out = 10, .groups = 2, .kernel = {3, 2}, .pad = {1, 1}};
  const kernel<conv2d<cfg>, reference> conv;
  auto x = random_vector(2 * 6 * 4 * 5, 24), w = random_vector(3 * 2 * 3 * 10, 25);
  std::vector<float> y(2 * 10 * 4 * 6), z(y.size()), dx(x.size()), ex(x.size());
  const extents<2, 6, 4, 5> ix;
  const extents<2, 10, 4, 6> iy;
  const view weights(w, extents<3, 2, 3, 10>{});
  conv(last(x, ix), weights, last(y, iy));
  conv.backward_data(last(y, iy), weights, last(dx, ix));
  std::vector<float> memory(static_cast<std::size_t>(conv.packed_size()));
  const auto check = [&](const auto& packed) {
    conv(last(x, ix), packed, last(z, iy));
    conv.backward_data(last(y, iy), packed, last(ex, ix));
    CHECK(same_bits(y, z));
    CHECK(same_bits(dx, ex));
  };
  check(conv.pack(weights));
  check(conv.pack(weights, memory));
  const auto check_backward = [&](const auto& packed) {
    std::fill(ex.begin(), ex.end(), -1.0f);
    conv.backward_data(last(y, iy), packed, last(ex, ix));
    CHECK(same_bits(dx, ex));
  };
  check_backward(conv.pack<pass::backward_data>(weights));
  memory.resize(static_cast<std::size_t>(conv.packed_size<pass::backward_data>()));
  check_backward(conv.pack<pass::backward_data>(weights, memory));
}

TEST_CASE("layouts do not change bits", "[conv][law]") {
  constexpr conv3d_config cfg{
      .in = 10, .out = 7, .kernel = {2, 3, 1}, .dilation = {1, 2, 1}, .pad = {1, 2, 0}, .bias = true};
  const kernel<conv3d<cfg>, reference> conv;
  const extents<2, 10, 3, 4, 5> ix;
  const extents<2, 7, 4, 4, 5> iy;
  auto x = random_vector(2 * 10 * 3 * 4 * 5, 9), w = random_vector(2 * 3 * 10 * 7, 10), b = random_vector(7, 11);
  const view weights(w, extents<2, 3, 1, 10, 7>{});
  std::vector<float> y(2 * 7 * 4 * 4 * 5);
  conv(last(x, ix), weights, b, last(y, iy));

  using blocks = layout_channel_blocked<8>;
  std::vector<float> x8(2 * 16 * 3 * 4 * 5), y8(2 * 8 * 4 * 4 * 5);
  const view<float, decltype(ix), blocks> vx8(x8, ix);
  const view<float, decltype(iy), blocks> vy8(y8, iy);
  const auto vx = last(x, ix);
  const auto vy = last(y, iy);
  const auto each = [](const auto& e, auto f) {
    for (index_t n = 0; n < e.extent(0); ++n)
      for (index_t c = 0; c < e.extent(1); ++c)
        for (index_t i = 0; i < e.extent(2); ++i)
          for (index_t j = 0; j < e.extent(3); ++j)
            for (index_t k = 0; k < e.extent(4); ++k) f(n, c, i, j, k);
  };
  each(ix, [&](auto... i) { vx8(i...) = vx(i...); });
  conv(vx8, weights, b, vy8);
  bool equal = true;
  each(iy, [&](auto... i) { equal = equal && equal_bits(vy8(i...), vy(i...)); });
  CHECK(equal);
}

TEST_CASE("a batch may be cut at grains", "[conv][law]") {
  // 2 x 3 positions: a grain is 8 samples.
  constexpr conv2d_config cfg{.in = 3, .out = 4, .kernel = {2, 2}};
  const kernel<conv2d<cfg>, reference> conv;
  auto x = random_vector(21 * 3 * 3 * 4, 12), dy = random_vector(21 * 4 * 2 * 3, 13);
  const extents<2, 2, 3, 4> iw;
  std::vector<float> dw(2 * 2 * 3 * 4), ew(dw.size()), db(4), eb(4);
  conv.backward_weights(last(x, extents<21, 3, 3, 4>{}), last(dy, extents<21, 4, 2, 3>{}), view(dw, iw), db);
  const auto part = [&](index_t first, index_t count) {
    conv.backward_weights(
        view<float, dims<4>, layout_channels_last>(unchecked, x.data() + first * 36, dims<4>(count, 3, 3, 4)),
        view<float, dims<4>, layout_channels_last>(unchecked, dy.data() + first * 24, dims<4>(count, 4, 2, 3)),
        view(ew, iw), eb, accumulate);
  };
  part(0, 8), part(8, 8), part(16, 5);
  CHECK(same_bits(dw, ew));
  CHECK(same_bits(db, eb));
  std::fill(ew.begin(), ew.end(), 0.0f), std::fill(eb.begin(), eb.end(), 0.0f);
  part(0, 3), part(3, 18);
  CHECK(!same_bits(dw, ew));  // or the check above says nothing
}

/// The gradients of a convolution without epilogue: they are adjoint to it, and what finite differences say. It is
/// linear in x and in w, so differences of any width have rounding errors only.
template <class Op, class X, class W, class Y>
void check_gradients(const X& ix, const W& iw, const Y& iy) {
  const kernel<Op, reference> conv;
  auto x = random_vector<double>(ix.size(), 14), w = random_vector<double>(iw.size(), 15),
       dy = random_vector<double>(iy.size(), 16);
  std::vector<double> y(dy.size()), dx(x.size()), dw(w.size());
  // Of a loss: fewer products than results times weights, each of at most 1, and rounded as often.
  const double tolerance = static_cast<double>(y.size() * w.size()) * std::numeric_limits<double>::epsilon();
  const auto loss = [&] {
    conv(last(x, ix), view(w, iw), last(y, iy));
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  const auto inner = [](const auto& a, const auto& b) {
    long double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
    return sum;
  };
  conv.backward_data(last(dy, iy), view(w, iw), last(dx, ix));
  conv.backward_weights(last(x, ix), last(dy, iy), view(dw, iw));
  loss();
  const long double left = inner(y, dy);
  CHECK(std::fabs(left - inner(x, dx)) < tolerance);
  CHECK(std::fabs(left - inner(w, dw)) < tolerance);
  const auto check_differences = [&](std::vector<double>& of, const std::vector<double>& gradient) {
    for (std::size_t i = 0; i < of.size(); ++i) {
      const double at = of[i];
      of[i] = at + 1;
      const double above = loss();
      of[i] = at - 1;
      const double below = loss();
      of[i] = at;
      CHECK(std::fabs((above - below) / 2 - gradient[i]) < 4 * tolerance);
    }
  };
  check_differences(x, dx);
  check_differences(w, dw);
}

TEST_CASE("gradients are adjoint to the convolution, and those of finite differences", "[conv][law]") {
  constexpr conv1d_config dilated{.in = 2, .out = 3, .kernel = {3}, .dilation = {4}, .rule = padding::causal};
  check_gradients<conv1d<dilated, double>>(extents<2, 2, 11>{}, extents<3, 2, 3>{}, extents<2, 3, 11>{});
  constexpr conv2d_config grouped{.in = 4,
                                  .out = 6,
                                  .groups = 2,
                                  .kernel = {3, 3},
                                  .stride = {2, 1},
                                  .dilation = {1, 2},
                                  .pad = {1, 3},
                                  .pad_end = {2, 0}};
  check_gradients<conv2d<grouped, double>>(extents<2, 4, 5, 6>{}, extents<3, 3, 2, 6>{}, extents<2, 6, 3, 5>{});
  constexpr conv2d_config depthwise{.in = 3, .out = 6, .groups = 3, .kernel = {3, 2}, .pad = {1, 0}};
  check_gradients<conv2d<depthwise, double>>(extents<2, 3, 4, 5>{}, extents<3, 2, 1, 6>{}, extents<2, 6, 4, 4>{});
  constexpr conv3d_config volume{.in = 2, .out = 3, .kernel = {2, 3, 1}, .stride = {1, 2, 3}, .pad = {1, 1, 0}};
  check_gradients<conv3d<volume, double>>(extents<1, 2, 3, 4, 4>{}, extents<2, 3, 1, 2, 3>{}, extents<1, 3, 4, 2, 2>{});
  constexpr conv_transpose2d_config up{
      .in = 3, .out = 2, .kernel = {3, 3}, .stride = {2, 2}, .crop = {1, 1}, .output_padding = {1, 0}};
  check_gradients<conv_transpose2d<up, double>>(extents<2, 3, 3, 4>{}, extents<3, 3, 2, 3>{}, extents<2, 2, 6, 7>{});
}

TEST_CASE("taps on padding, or between the steps of a stride, are not multiplied", "[conv][law]") {
  constexpr conv1d_config same{.in = 1, .out = 1, .kernel = {3}, .pad = {1}};
  constexpr conv1d_config strided{.in = 1, .out = 1, .kernel = {3}, .stride = {2}, .pad = {1}};
  constexpr conv_transpose1d_config up{.in = 1, .out = 1, .kernel = {3}, .stride = {2}, .crop = {1}};
  const kernel<conv1d<same>, reference> conv;
  const kernel<conv1d<strided>, reference> steps;
  const kernel<conv_transpose1d<up>, reference> transpose;
  const extents<1, 1, 2> two;
  const extents<1, 1, 3> three;
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> x = {1, 2, 3}, w = {bad, 1, 1}, y(3), dy = {5, 7}, dx(3), z(3), dw(3);
    const view weights(w, extents<3, 1, 1>{});
    conv(last(x, three), weights, last(y, three));
    CHECK(y[0] == 3);
    CHECK(!std::isfinite(y[1]));
    conv.backward_data(last(x, three), weights, last(y, three));
    CHECK(!std::isfinite(y[1]));
    CHECK(y[2] == 5);
    // Results 0 and 1 lie on inputs -1 to 1 and 1 to 3: only input 1 has a product with tap 0.
    steps.backward_data(last(dy, two), weights, last(dx, three));
    transpose(last(dy, two), weights, last(z, three));
    for (const std::vector<float>& v : {dx, z}) {
      CHECK(v[0] == 5);
      CHECK(!std::isfinite(v[1]));
      CHECK(v[2] == 7);
    }
    // Tap 0 never meets the last input, nor tap 2 the first.
    x = {1, 2, bad}, dy = {5, 7};
    steps.backward_weights(last(x, three), last(dy, two), view(dw, extents<3, 1, 1>{}));
    CHECK(dw[0] == 14);
    CHECK(!std::isfinite(dw[1]));
    CHECK(dw[2] == 10);
  }
}

TEST_CASE("a depthwise convolution is one convolution for every channel", "[conv][law]") {
  constexpr conv2d_config all{.in = 5, .out = 10, .groups = 5, .kernel = {3, 3}, .stride = {2, 1}, .pad = {1, 1}},
      one{.in = 1, .out = 2, .kernel = {3, 3}, .stride = {2, 1}, .pad = {1, 1}};
  auto x = random_vector(2 * 5 * 7 * 6, 30), w = random_vector(3 * 3 * 10, 31);
  std::vector<float> y(2 * 10 * 4 * 6), channel(2 * 7 * 6), taps(3 * 3 * 2), result(2 * 2 * 4 * 6);
  const view<float, dims<4>, layout_channels_last> vx(x, dims<4>(2, 5, 7, 6)), vy(y, dims<4>(2, 10, 4, 6)),
      vc(channel, dims<4>(2, 1, 7, 6)), vr(result, dims<4>(2, 2, 4, 6));
  kernel<conv2d<all>, reference>{}(vx, view(w, extents<3, 3, 1, 10>{}), vy);
  bool equal = true;
  for (index_t c = 0; c < 5; ++c) {
    for (index_t n = 0; n < 2; ++n)
      for (index_t i = 0; i < 7; ++i)
        for (index_t j = 0; j < 6; ++j) vc(n, 0, i, j) = vx(n, c, i, j);
    for (std::size_t t = 0; t < 9; ++t)
      for (std::size_t o = 0; o < 2; ++o) taps[t * 2 + o] = w[t * 10 + static_cast<std::size_t>(c) * 2 + o];
    kernel<conv2d<one>, reference>{}(vc, view(taps, extents<3, 3, 1, 2>{}), vr);
    for (index_t n = 0; n < 2; ++n)
      for (index_t o = 0; o < 2; ++o)
        for (index_t i = 0; i < 4; ++i)
          for (index_t j = 0; j < 6; ++j) equal = equal && equal_bits(vr(n, o, i, j), vy(n, c * 2 + o, i, j));
  }
  CHECK(equal);
}

TEST_CASE("sizes in the config change nothing", "[conv][law]") {
  constexpr conv2d_config open{.in = 3, .out = 5, .kernel = {3, 2}, .stride = {2, 1}, .rule = padding::same_tf};
  constexpr conv2d_config fixed{
      .in = 3, .out = 5, .kernel = {3, 2}, .stride = {2, 1}, .rule = padding::same_tf, .extent = {7, 6}, .batch = 2};
  auto x = random_vector(2 * 3 * 7 * 6, 32), w = random_vector(3 * 2 * 3 * 5, 33);
  const extents<2, 3, 7, 6> ix;
  const extents<2, 5, 4, 6> iy;
  const view weights(w, extents<3, 2, 3, 5>{});
  std::vector<float> y(2 * 5 * 4 * 6), z(y.size()), dx(x.size()), ex(x.size()), dw(w.size()), ew(w.size());
  const auto run = [&](auto k, auto& to, auto& to_x, auto& to_w) {
    k(last(x, ix), weights, last(to, iy));
    k.backward_data(last(to, iy), weights, last(to_x, ix));
    k.backward_weights(last(x, ix), last(to, iy), view(to_w, extents<3, 2, 3, 5>{}));
  };
  run(kernel<conv2d<open>, reference>{}, y, dx, dw);
  run(kernel<conv2d<fixed>, reference>{}, z, ex, ew);
  CHECK(same_bits(y, z));
  CHECK(same_bits(dx, ex));
  CHECK(same_bits(dw, ew));
}

TEST_CASE("a causal convolution does not depend on later inputs", "[conv][law]") {
  constexpr conv1d_config cfg{.in = 2, .out = 3, .kernel = {3}, .dilation = {2}, .rule = padding::causal};
  const kernel<conv1d<cfg>, reference> conv;
  auto x = random_vector(2 * 12, 17), w = random_vector(3 * 2 * 3, 18);
  std::vector<float> y(3 * 12), z(3 * 12);
  conv(last(x, extents<1, 2, 12>{}), view(w, extents<3, 2, 3>{}), last(y, extents<1, 3, 12>{}));
  for (std::size_t i = 14; i < 24; ++i) x[i] = 100;  // from time 7 on
  conv(last(x, extents<1, 2, 12>{}), view(w, extents<3, 2, 3>{}), last(z, extents<1, 3, 12>{}));
  for (std::size_t i = 0; i < 36; ++i) CHECK(equal_bits(y[i], z[i]) == (i < 21));
}

TEST_CASE("the epilogue of a convolution is its steps, one after the other", "[conv][law]") {
  constexpr conv1d_config plain{.in = 3, .out = 5, .kernel = {2}},
      fused{.in = 3, .out = 5, .kernel = {2}, .scale = true, .bias = true, .residual = true, .act = activation::relu};
  auto x = random_vector(2 * 3 * 9, 19), w = random_vector(2 * 3 * 5, 20), s = random_vector(5, 21),
       b = random_vector(5, 22), r = random_vector(2 * 5 * 8, 23);
  std::vector<float> y(r.size()), z(r.size());
  const extents<2, 5, 8> iy;
  const view weights(w, extents<2, 3, 5>{});
  kernel<conv1d<plain>, reference>{}(last(x, extents<2, 3, 9>{}), weights, last(y, iy));
  kernel<conv1d<fused>, reference>{}(last(x, extents<2, 3, 9>{}), weights, s, b, last(r, iy), last(z, iy));
  for (std::size_t i = 0; i < y.size(); ++i) {
    volatile float step = y[i] * s[i % 5];
    step = step + b[i % 5];
    step = step + r[i];
    y[i] = 0 > step ? 0.0f : static_cast<float>(step);
  }
  CHECK(same_bits(y, z));
}

/// A convolution, plain or transposed, whose epilogue has a PReLU, against the two ops.
template <class Fused, class Plain, class Y>
void check_prelu(const Y& iy) {
  using bend = elementwise<elementwise_config{.act = activation::prelu}>;
  auto x = random_vector(3 * 4 * 7 * 6, 24), w = random_vector(3 * 2 * 4 * 5, 25), b = random_vector(5, 26);
  auto of_channels = random_vector(5, 27);
  auto of_positions = random_vector(iy.extent(2) * iy.extent(3) * 5, 28), of_rows = random_vector(iy.extent(2) * 5, 29);
  const auto size = static_cast<std::size_t>(iy.extent(0) * iy.extent(1) * iy.extent(2) * iy.extent(3));
  std::vector<float> y(size), wanted(size), got(size);
  const auto in = last(x, extents<3, 4, 7, 6>{});
  constexpr bool transposed = std::string_view(Fused::name).starts_with("conv_transpose");
  const auto weights = [&] {
    if constexpr (transposed)
      return view(unchecked, w.data(), extents<3, 2, 5, 4>{});
    else
      return view(unchecked, w.data(), extents<3, 2, 4, 5>{});
  }();
  const kernel<Fused, reference> fused;
  kernel<Plain, reference>{}(in, weights, b, last(y, iy));
  const auto check = [&](const auto& slope) {
    std::fill(got.begin(), got.end(), std::numeric_limits<float>::quiet_NaN());
    kernel<bend, reference>{}(last(y, iy), slope, last(wanted, iy));
    fused(in, weights, b, slope, last(got, iy));
    CHECK(same_bits(wanted, got));
  };
  check(view(of_channels, dims<1>(5)));
  check(last(of_positions, dims<4>(1, 5, iy.extent(2), iy.extent(3))));
  check(last(of_rows, dims<4>(1, 5, iy.extent(2), 1)));
}

TEST_CASE("a PReLU in the epilogue of a convolution equals the op after it", "[conv][law]") {
  constexpr conv2d_config plain{.in = 4, .out = 5, .kernel = {3, 2}, .bias = true},
      fused{.in = 4, .out = 5, .kernel = {3, 2}, .bias = true, .act = activation::prelu};
  check_prelu<conv2d<fused>, conv2d<plain>>(dims<4>(3, 5, 5, 5));
  constexpr conv_transpose2d_config spread{.in = 4, .out = 5, .kernel = {3, 2}, .bias = true},
      bent{.in = 4, .out = 5, .kernel = {3, 2}, .bias = true, .act = activation::prelu};
  check_prelu<conv_transpose2d<bent>, conv_transpose2d<spread>>(dims<4>(3, 5, 9, 7));
}

}  // namespace
}  // namespace tern::test
