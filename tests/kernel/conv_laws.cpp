// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds between convolutions, their passes and other ops, under the reference: bit by bit where the canonical
// order says so, to rounding where mathematics does.
#include <cmath>
#include <limits>
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
  all(last(x, ix), view(w.data(), iw), last(y, iy));
  all.backward_data(last(y, iy), view(w.data(), iw), last(dx, ix));
  all.backward_weights(last(x, ix), last(y, iy), view(dw.data(), iw));
  const kernel<conv2d<single>, reference> one;
  for (index_t g = 0; g < 3; ++g) {
    // Some channels of a tensor are a strided view of it.
    const auto part = [&](std::vector<float>& v, index_t channels, index_t of, index_t height, index_t width) {
      return view(v.data() + g * channels,
                  layout_strided::mapping(dims<4>(2, channels, height, width), height * width * of, 1, width * of, of));
    };
    const auto weights = [&](std::vector<float>& v) {
      return view(v.data() + g * 3, layout_strided::mapping(dims<4>(3, 2, 2, 3), 2 * 2 * 9, 2 * 9, 9, 1));
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
  const view weights(w.data(), extents<600, 700>{});
  conv(last(x, ix), view(w.data(), extents<1, 1, 600, 700>{}), last(y, iy));
  mm(view(x.data(), extents<30, 600>{}), weights, view(z.data(), extents<30, 700>{}));
  CHECK(same_bits(y, z));
  conv.backward_data(last(y, iy), view(w.data(), extents<1, 1, 600, 700>{}), last(dx, ix));
  mm.backward_data(view(y.data(), extents<30, 700>{}), weights, view(ex.data(), extents<30, 600>{}));
  CHECK(same_bits(dx, ex));
}

TEST_CASE("a dense layer is a convolution of one position, in every pass", "[conv][law]") {
  auto x = random_vector(70 * 20, 5), dy = random_vector(70 * 30, 6);
  std::vector<float> dw(20 * 30), ew(dw.size()), db(30), eb(30);
  const kernel<conv1d<conv1d_config{.in = 20, .out = 30}>, reference> conv;
  const kernel<matmul<>, reference> mm;
  conv.backward_weights(last(x, extents<70, 20, 1>{}), last(dy, extents<70, 30, 1>{}),
                        view(dw.data(), extents<1, 20, 30>{}), db);
  mm.backward_weights(view(x.data(), extents<70, 20>{}), view(dy.data(), extents<70, 30>{}),
                      view(ew.data(), extents<20, 30>{}), eb);
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
  const view weights(w.data(), extents<3, 4, 5, 4>{});
  std::vector<float> large(3 * 5 * 13 * 16), other(large.size()), back(small.size()), back_other(small.size());
  transpose(last(small, is), weights, last(large, il));
  conv.backward_data(last(small, is), weights, last(other, il));
  CHECK(same_bits(large, other));
  transpose.backward_data(last(large, il), weights, last(back, is));
  conv(last(large, il), weights, last(back_other, is));
  CHECK(same_bits(back, back_other));
  std::vector<float> dw(w.size()), ew(w.size()), db(5);
  transpose.backward_weights(last(small, is), last(large, il), view(dw.data(), extents<3, 4, 5, 4>{}), db);
  conv.backward_weights(last(large, il), last(small, is), view(ew.data(), extents<3, 4, 5, 4>{}));
  CHECK(same_bits(dw, ew));
}

TEST_CASE("packed weights give the bits of the others", "[conv][law]") {
  constexpr conv2d_config cfg{.in = 6, .out = 10, .groups = 2, .kernel = {3, 2}, .pad = {1, 1}};
  const kernel<conv2d<cfg>, reference> conv;
  auto x = random_vector(2 * 6 * 4 * 5, 24), w = random_vector(3 * 2 * 3 * 10, 25);
  std::vector<float> y(2 * 10 * 4 * 6), z(y.size()), dx(x.size()), ex(x.size());
  const extents<2, 6, 4, 5> ix;
  const extents<2, 10, 4, 6> iy;
  const view weights(w.data(), extents<3, 2, 3, 10>{});
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
  const view weights(w.data(), extents<2, 3, 1, 10, 7>{});
  std::vector<float> y(2 * 7 * 4 * 4 * 5);
  conv(last(x, ix), weights, b, last(y, iy));

  using blocks = layout_channel_blocked<8>;
  std::vector<float> x8(2 * 16 * 3 * 4 * 5), y8(2 * 8 * 4 * 4 * 5);
  const view<float, decltype(ix), blocks> vx8(x8.data(), ix);
  const view<float, decltype(iy), blocks> vy8(y8.data(), iy);
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
  conv.backward_weights(last(x, extents<21, 3, 3, 4>{}), last(dy, extents<21, 4, 2, 3>{}), view(dw.data(), iw), db);
  const auto part = [&](index_t first, index_t count) {
    conv.backward_weights(view<float, dims<4>, layout_channels_last>(x.data() + first * 36, dims<4>(count, 3, 3, 4)),
                          view<float, dims<4>, layout_channels_last>(dy.data() + first * 24, dims<4>(count, 4, 2, 3)),
                          view(ew.data(), iw), eb, accumulate);
  };
  part(0, 8), part(8, 8), part(16, 5);
  CHECK(same_bits(dw, ew));
  CHECK(same_bits(db, eb));
  std::fill(ew.begin(), ew.end(), 0.0f), std::fill(eb.begin(), eb.end(), 0.0f);
  part(0, 3), part(3, 18);
  CHECK(!same_bits(dw, ew));  // or the check above says nothing
}

TEST_CASE("gradients are adjoint to the convolution", "[conv][law]") {
  constexpr conv2d_config cfg{.in = 4,
                              .out = 6,
                              .groups = 2,
                              .kernel = {3, 3},
                              .stride = {2, 1},
                              .dilation = {1, 2},
                              .pad = {1, 3},
                              .pad_end = {2, 0}};
  const kernel<conv2d<cfg, double>, reference> conv;
  auto x = random_vector<double>(3 * 4 * 7 * 9, 14), w = random_vector<double>(3 * 3 * 2 * 6, 15),
       dy = random_vector<double>(3 * 6 * 4 * 8, 16);
  std::vector<double> y(dy.size()), dx(x.size()), dw(w.size());
  const extents<3, 4, 7, 9> ix;
  const extents<3, 6, 4, 8> iy;
  const extents<3, 3, 2, 6> iw;
  conv(last(x, ix), view(w.data(), iw), last(y, iy));
  conv.backward_data(last(dy, iy), view(w.data(), iw), last(dx, ix));
  conv.backward_weights(last(x, ix), last(dy, iy), view(dw.data(), iw));
  const auto inner = [](const auto& a, const auto& b) {
    long double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
    return sum;
  };
  const long double left = inner(y, dy);
  CHECK(std::fabs(left - inner(x, dx)) < 1e-12L);
  CHECK(std::fabs(left - inner(w, dw)) < 1e-12L);
}

TEST_CASE("what lies on padding is not multiplied", "[conv][law]") {
  constexpr conv1d_config cfg{.in = 1, .out = 1, .kernel = {3}, .pad = {1}};
  const kernel<conv1d<cfg>, reference> conv;
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> x = {1, 2, 3}, w = {bad, 1, 1}, y(3);
    conv(last(x, extents<1, 1, 3>{}), view(w.data(), extents<3, 1, 1>{}), last(y, extents<1, 1, 3>{}));
    CHECK(y[0] == 3);
    CHECK(!std::isfinite(y[1]));
  }
}

TEST_CASE("a causal convolution sees nothing that comes later", "[conv][law]") {
  constexpr conv1d_config cfg{.in = 2, .out = 3, .kernel = {3}, .dilation = {2}, .rule = padding::causal};
  const kernel<conv1d<cfg>, reference> conv;
  auto x = random_vector(2 * 12, 17), w = random_vector(3 * 2 * 3, 18);
  std::vector<float> y(3 * 12), z(3 * 12);
  conv(last(x, extents<1, 2, 12>{}), view(w.data(), extents<3, 2, 3>{}), last(y, extents<1, 3, 12>{}));
  for (std::size_t i = 14; i < 24; ++i) x[i] = 100;  // from time 7 on
  conv(last(x, extents<1, 2, 12>{}), view(w.data(), extents<3, 2, 3>{}), last(z, extents<1, 3, 12>{}));
  for (std::size_t i = 0; i < 36; ++i) CHECK(equal_bits(y[i], z[i]) == (i < 21));
}

TEST_CASE("the epilogue of a convolution is its steps, one after the other", "[conv][law]") {
  constexpr conv1d_config plain{.in = 3, .out = 5, .kernel = {2}},
      fused{.in = 3, .out = 5, .kernel = {2}, .scale = true, .bias = true, .residual = true, .act = activation::relu};
  auto x = random_vector(2 * 3 * 9, 19), w = random_vector(2 * 3 * 5, 20), s = random_vector(5, 21),
       b = random_vector(5, 22), r = random_vector(2 * 5 * 8, 23);
  std::vector<float> y(r.size()), z(r.size());
  const extents<2, 5, 8> iy;
  const view weights(w.data(), extents<2, 3, 5>{});
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

}  // namespace
}  // namespace tern::test
