// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops: their steps, fused and apart; gradients against differences of float64; operands that are repeated;
// calls in place; what a wrong call says.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tern/simd.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

template <elementwise_config C, class T = float>
using op = kernel<elementwise<C, T>, simd<>>;

template <class T>
auto rows_of(T* p, index_t n, index_t c) {
  return view<T, dims<2>>(unchecked, p, dims<2>(n, c));
}

TEST_CASE("a fused epilogue gives the bits of the op after the convolution", "[map][law]") {
  static constexpr conv2d_config plain{.in = 5, .out = 19, .kernel = {3, 3}, .pad = {1, 1}};
  static constexpr auto fused_config = [] {
    conv2d_config c = plain;
    c.scale = c.bias = c.residual = true, c.act = activation::hard_swish;
    return c;
  }();
  auto x = random_vector(2 * 5 * 7 * 9, 1), w = random_vector(9 * 5 * 19, 2), scale = random_vector(19, 3),
       bias = random_vector(19, 4), residual = random_vector(2 * 19 * 7 * 9, 5);
  std::vector<float> apart(residual.size()), fused(residual.size());
  const view weights(w, dims<4>(3, 3, 5, 19));
  kernel<conv2d<plain>, simd<>>{}(last(x, 2, 5, 7, 9), weights, last(apart, 2, 19, 7, 9));
  op<elementwise_config{.scale = true, .bias = true, .residual = true, .act = activation::hard_swish}>{}(
      last(apart, 2, 19, 7, 9), scale, bias, last(residual, 2, 19, 7, 9), last(apart, 2, 19, 7, 9));
  kernel<conv2d<fused_config>, simd<>>{}(last(x, 2, 5, 7, 9), weights, scale, bias, last(residual, 2, 19, 7, 9),
                                         last(fused, 2, 19, 7, 9));
  CHECK(same_bits(fused, apart));
}

TEST_CASE("fused and apart agree for every activation of a matmul", "[map][law]") {
  const auto check = [&]<activation A>() {
    INFO(name(A));
    auto a = random_vector(13 * 7, 1), b = random_vector(7 * 21, 2);
    std::vector<float> fused(13 * 21), apart(13 * 21);
    kernel<matmul<matmul_config{.act = A}>, simd<>>{}(rows_of(a.data(), 13, 7), rows_of(b.data(), 7, 21),
                                                      rows_of(fused.data(), 13, 21));
    kernel<matmul<matmul_config{}>, simd<>>{}(rows_of(a.data(), 13, 7), rows_of(b.data(), 7, 21),
                                              rows_of(apart.data(), 13, 21));
    op<elementwise_config{.act = A}>{}(rows_of(apart.data(), 13, 21), rows_of(apart.data(), 13, 21));
    CHECK(same_bits(fused, apart));
  };
  check.operator()<activation::relu>();
  check.operator()<activation::relu6>();
  check.operator()<activation::gelu_tanh>();
  check.operator()<leaky_relu(0.2)>();
  check.operator()<activation::elu>();
  check.operator()<activation::selu>();
  check.operator()<activation::hard_sigmoid>();
  check.operator()<activation::softplus>();
  check.operator()<activation::mish>();
}

/// The gradients of sum(y dy), with differences of float64.
template <activation A>
void check_gradient() {
  INFO(name(A));
  constexpr elementwise_config cfg{.scale = true, .bias = true, .residual = true, .act = A};
  constexpr elementwise_config without{.scale = true, .bias = true, .residual = true};
  const index_t n = 3, c = 5;
  std::vector<double> x = random_vector<double>(n * c, 1), scale = random_vector<double>(c, 2),
                      bias = random_vector<double>(c, 3), residual = random_vector<double>(n * c, 4),
                      dy = random_vector<double>(n * c, 5), y(x.size()), dx(x.size(), 1), dz(x.size());
  const auto forward = [&](const std::vector<double>& from, const std::vector<double>& rest) {
    op<cfg, double>{}(rows_of(from.data(), n, c), scale, bias, rows_of(rest.data(), n, c), rows_of(y.data(), n, c));
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  forward(x, residual);
  std::vector<double> saved = y;
  if (!derivative_from_result(A))
    op<without, double>{}(rows_of(x.data(), n, c), scale, bias, rows_of(residual.data(), n, c),
                          rows_of(saved.data(), n, c));
  op<cfg, double>{}.backward_data(rows_of(dy.data(), n, c), rows_of(saved.data(), n, c), scale,
                                  rows_of(dx.data(), n, c), accumulate);
  op<elementwise_config{.act = A}, double>{}.backward_data(rows_of(dy.data(), n, c), rows_of(saved.data(), n, c),
                                                           rows_of(dz.data(), n, c));
  const double h = 1e-6;
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto up = x, down = x, more = residual, less = residual;
    up[i] += h, down[i] -= h, more[i] += h, less[i] -= h;
    CHECK(std::fabs(dx[i] - 1 - (forward(up, residual) - forward(down, residual)) / (2 * h)) < 1e-8);
    CHECK(std::fabs(dz[i] - (forward(x, more) - forward(x, less)) / (2 * h)) < 1e-8);
  }
}

TEST_CASE("gradients are those of float64 differences", "[map]") {
  check_gradient<activation::sigmoid>();
  check_gradient<activation::tanh>();
  check_gradient<activation::gelu>();
  check_gradient<activation::silu>();
  check_gradient<activation::gelu_tanh>();
  check_gradient<activation::elu>();
  check_gradient<activation::softplus>();
  check_gradient<activation::mish>();
}

/// The gradients of everything that is repeated somewhere, with differences of float64: a scale per sample and channel,
/// a bias per channel, and for PReLU a slope per channel and position.
template <activation A>
void check_sums() {
  INFO(name(A));
  constexpr elementwise_config cfg{.scale = true, .bias = true, .act = A};
  constexpr elementwise_config without{.scale = true, .bias = true};
  const index_t n = 3, c = 5, l = 7;
  std::vector<double> x = random_vector<double>(n * c * l, 1), scale = random_vector<double>(n * c, 2),
                      bias = random_vector<double>(c, 3), slope = random_vector<double>(c * l, 4),
                      dy = random_vector<double>(n * c * l, 5), y(x.size());
  const auto image = [&](auto& v) { return last(v, n, c, l); };
  const auto of_samples = [&](auto& v) { return last(v, n, c, 1); };
  const auto of_positions = [&](auto& v) { return last(v, 1, c, l); };
  const auto forward = [&] {
    if constexpr (A.takes_slope())
      op<cfg, double>{}(image(x), of_samples(scale), bias, of_positions(slope), last(y, n, c, l));
    else
      op<cfg, double>{}(image(x), of_samples(scale), bias, last(y, n, c, l));
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  forward();
  std::vector<double> saved = y, dscale(scale.size(), 1), dbias(bias.size(), 1), dslope(slope.size(), 1);
  if (!derivative_from_result(A)) op<without, double>{}(image(x), of_samples(scale), bias, last(saved, n, c, l));
  const auto check = [&](std::vector<double>& parameter, const std::vector<double>& gradient) {
    const double h = 1e-6;
    for (std::size_t i = 0; i < parameter.size(); ++i) {
      const double at = parameter[i];
      parameter[i] = at + h;
      const double up = forward();
      parameter[i] = at - h;
      CHECK(std::fabs(gradient[i] - 1 - (up - forward()) / (2 * h)) < 1e-7);
      parameter[i] = at;
    }
  };
  const op<cfg, double> k;
  if constexpr (A == activation::none) {
    k.backward_scale(image(dy), image(x), of_samples(dscale), accumulate);
    k.backward_bias(image(dy), dbias, accumulate);
  } else if constexpr (A.takes_slope()) {
    k.backward_scale(image(dy), image(saved), of_positions(slope), image(x), of_samples(dscale), accumulate);
    k.backward_bias(image(dy), image(saved), of_positions(slope), dbias, accumulate);
    k.backward_slope(image(dy), image(saved), of_positions(dslope), accumulate);
    check(slope, dslope);
    std::vector<double> dx(x.size(), 1);
    k.backward_data(image(dy), image(saved), of_samples(scale), of_positions(slope), last(dx, n, c, l), accumulate);
    check(x, dx);
  } else {
    k.backward_scale(image(dy), image(saved), image(x), of_samples(dscale), accumulate);
    k.backward_bias(image(dy), image(saved), dbias, accumulate);
  }
  check(scale, dscale);
  check(bias, dbias);
}

TEST_CASE("gradients of scales, biases and slopes are those of float64 differences", "[map]") {
  check_sums<activation::none>();
  check_sums<activation::tanh>();
  check_sums<activation::mish>();
  check_sums<activation::prelu>();
}

TEST_CASE("a PReLU with equal slopes is a leaky ReLU, and NaN stays", "[map][law]") {
  auto x = random_vector(3 * 40, 1), dy = random_vector(3 * 40, 2);
  x[7] = std::numeric_limits<float>::quiet_NaN(), x[8] = -0.0f;
  std::vector<float> slope(40, 1.0f / 4), y(x.size()), wanted(x.size()), dx(x.size()), dx_wanted(x.size());
  const op<elementwise_config{.act = activation::prelu}> prelu;
  const op<elementwise_config{.act = leaky_relu(0.25)}> leaky;
  prelu(rows_of(x.data(), 3, 40), slope, rows_of(y.data(), 3, 40));
  leaky(rows_of(x.data(), 3, 40), rows_of(wanted.data(), 3, 40));
  CHECK(same_bits(y, wanted));
  CHECK(std::isnan(y[7]));
  prelu.backward_data(rows_of(dy.data(), 3, 40), rows_of(x.data(), 3, 40), slope, rows_of(dx.data(), 3, 40));
  leaky.backward_data(rows_of(dy.data(), 3, 40), rows_of(wanted.data(), 3, 40), rows_of(dx_wanted.data(), 3, 40));
  CHECK(same_bits(dx, dx_wanted));
  std::vector<float> dslope(40);
  prelu.backward_slope(rows_of(dy.data(), 3, 40), rows_of(x.data(), 3, 40), dslope);
  CHECK(std::isnan(dslope[7]));
  CHECK(!std::isnan(dslope[8]));
}

TEST_CASE("a batch cut at grains gives the gradients of the whole, and a bias those of a convolution", "[map][law]") {
  // Samples of 5 positions: grains have 8 of them.
  const index_t n = 21, c = 19, l = 5;
  auto dy = random_vector(n * c * l, 1), x = random_vector(n * c * l, 2);
  std::vector<float> dscale(c), dbias(c), cut_scale(c), cut_bias(c), of_conv(c);
  const op<elementwise_config{.scale = true, .bias = true}> k;
  k.backward_scale(last(dy, n, c, l), last(x, n, c, l), dscale);
  k.backward_bias(last(dy, n, c, l), dbias);
  for (index_t first = 0; first < n; first += 8) {
    const index_t samples = n - first < 8 ? n - first : 8, at = first * c * l;
    const auto part = [&](std::vector<float>& v) {
      return view<float, dims<3>, layout_channels_last>(unchecked, v.data() + at, dims<3>(samples, c, l));
    };
    k.backward_scale(part(dy), part(x), cut_scale, accumulate);
    k.backward_bias(part(dy), cut_bias, accumulate);
  }
  CHECK(same_bits(dscale, cut_scale));
  CHECK(same_bits(dbias, cut_bias));
  static constexpr conv1d_config cfg{.in = 3, .out = 19, .kernel = {1}, .bias = true};
  auto from = random_vector(n * 3 * l, 3);
  std::vector<float> dw(3 * 19);
  kernel<conv1d<cfg>, simd<>>{}.backward_weights(last(from, n, 3, l), last(dy, n, c, l), view(dw, dims<3>(1, 3, 19)),
                                                 of_conv);
  CHECK(same_bits(dbias, of_conv));
}

TEST_CASE("a scale may be one per sample and channel, as squeeze and excitation has it", "[map]") {
  auto x = random_vector(2 * 3 * 4 * 5, 1), s = random_vector(2 * 3, 2);
  std::vector<float> y(x.size());
  op<elementwise_config{.scale = true}>{}(last(x, 2, 3, 4, 5), last(s, 2, 3, 1, 1), last(y, 2, 3, 4, 5));
  bool right = true;
  for (index_t n = 0; n < 2; ++n)
    for (index_t c = 0; c < 3; ++c)
      for (index_t i = 0; i < 20; ++i)
        right =
            right && last(y, 2, 3, 4, 5)(n, c, i / 5, i % 5) ==
                         last(x, 2, 3, 4, 5)(n, c, i / 5, i % 5) * last(s, 2, 3, 1, 1)(n, c, index_t(0), index_t(0));
  CHECK(right);
}

TEST_CASE("layouts may differ from tensor to tensor", "[map]") {
  auto x = random_vector(2 * 3 * 4 * 5, 1), r = random_vector(2 * 3 * 4 * 5, 2);
  std::vector<float> y(x.size());
  const view planes(r, dims<4>(2, 3, 4, 5));
  op<elementwise_config{.residual = true}>{}(last(x, 2, 3, 4, 5), planes, last(y, 2, 3, 4, 5));
  bool right = true;
  for (index_t n = 0; n < 2; ++n)
    for (index_t c = 0; c < 3; ++c)
      for (index_t i = 0; i < 20; ++i)
        right = right && last(y, 2, 3, 4, 5)(n, c, i / 5, i % 5) ==
                             last(x, 2, 3, 4, 5)(n, c, i / 5, i % 5) + planes(n, c, i / 5, i % 5);
  CHECK(right);
}

TEST_CASE("wrong calls of elementwise ops are named, and nothing is written", "[map][contract]") {
  std::vector<float> memory(200, 1), out(200, 7);
  float *p = memory.data(), *q = out.data(), *none = nullptr;
  using relu = op<elementwise_config{.act = activation::relu}>;
  using scaled = op<elementwise_config{.scale = true}>;
  const auto x = rows_of(p, 4, 6), y = rows_of(q, 4, 6);
  CHECK(message([&] { relu{}(x, rows_of(q, 4, 5)); }) ==
        "elementwise: y is 4x5 and x is 4x6: their shapes must be equal");
  CHECK(message([&] { relu{}(rows_of(none, 4, 6), y); }) == "elementwise: x is a null view of 4x6 elements");
  CHECK(message([&] { relu{}(x, rows_of(p + 1, 4, 6)); }) ==
        "elementwise: y shares elements with x, and is not that tensor itself");
  CHECK(message([&] { relu{}.backward_data(x, rows_of(p + 50, 4, 5), y); }) ==
        "elementwise: saved is 4x5 and dy is 4x6: their shapes must be equal");
  CHECK(message([&] { relu{}.backward_data(x, rows_of(p + 50, 4, 6), rows_of(q, 5, 6)); }) ==
        "elementwise: dx is 5x6 and dy is 4x6: their shapes must be equal");
  const view<float, dims<1>> five(unchecked, p + 50, dims<1>(5)), six(unchecked, p + 50, dims<1>(6)),
      unset(unchecked, none, dims<1>(6));
  CHECK(message([&] { scaled{}(x, five, y); }) == "elementwise: scale is 5 and x is 4x6: they must agree on channels");
  CHECK(message([&] { scaled{}(x, unset, y); }) == "elementwise: scale is a null view of 6 elements");
  CHECK(message([&] { scaled{}(x, rows_of(p + 50, 2, 6), y); }) ==
        "elementwise: scale is 2x6 and x is 4x6: extents of scale must be those of x or 1");
  CHECK(message([&] { scaled{}(x, rows_of(p + 50, 4, 1), y); }) ==
        "elementwise: scale is 4x1 and x is 4x6: they must agree on channels");
  CHECK(message([&] { scaled{}(x, view<float, dims<1>>(unchecked, q + 2, dims<1>(6)), y); }) ==
        "elementwise: y shares elements with scale, and is not that tensor itself");
  CHECK(message([&] { scaled{}(x, rows_of(q, 1, 6), y); }) ==
        "elementwise: y shares elements with scale, and is not that tensor itself");
  const view folded(unchecked, q, layout_strided::mapping(dims<2>(4, 6), 3, 1));
  CHECK(message([&] { relu{}(x, folded); }) == "elementwise: the strides of y give two results one element");
  CHECK(message([&] { scaled{}.backward_scale(x, rows_of(p + 50, 4, 5), six); }) ==
        "elementwise: x is 4x5 and dy is 4x6: their shapes must be equal");
  CHECK(message([&] { scaled{}.backward_scale(x, rows_of(p + 50, 4, 6), five); }) ==
        "elementwise: dscale is 5 and dy is 4x6: they must agree on channels");
  CHECK(message([&] { scaled{}.backward_scale(x, rows_of(p + 50, 4, 6), six); }) ==
        "elementwise: dscale shares elements with x");
  const view same(unchecked, q, layout_strided::mapping(dims<1>(6), 0));
  CHECK(message([&] { scaled{}.backward_scale(x, rows_of(p + 50, 4, 6), same); }) ==
        "elementwise: the strides of dscale give two results one element");
  const auto vast = rows_of(p, index_t(1) << 40, index_t(1) << 40);
  CHECK(message([&] { relu{}(vast, vast); }) ==
        "elementwise: x is 1099511627776x1099511627776: no machine can address so many elements");
  CHECK(message([&] { relu{}.backward_data(vast, vast, vast); }) ==
        "elementwise: dy is 1099511627776x1099511627776: no machine can address so many elements");
  CHECK(message([&] { scaled{}.backward_scale(vast, vast, six); }) ==
        "elementwise: dy is 1099511627776x1099511627776: no machine can address so many elements");
  CHECK(out == std::vector<float>(200, 7));
  CHECK(message([&] { scaled{}(x, six, x); }) == "no error");
  CHECK(message([&] { relu{}(rows_of(none, 0, 6), rows_of(none, 0, 6)); }) == "no error");
}

TEST_CASE("plans of elementwise ops state bytes read and written, and operations", "[map][contract]") {
  float* const none = nullptr;
  using full = op<elementwise_config{.scale = true, .bias = true, .residual = true, .act = activation::relu}>;
  const plan p = full::plan(rows_of(none, 4, 6));
  CHECK(std::string(p.op) == "elementwise");
  CHECK(p.bytes_moved == 3 * 4 * 6 * 4);
  CHECK(p.m == 4);
  CHECK(p.n == 6);
  CHECK(p.flops == 4 * 4 * 6);
  CHECK(full::plan(rows_of(none, 4, 6), pass::backward_data).bytes_moved == 3 * 4 * 6 * 4);
  CHECK(full::plan(rows_of(none, 4, 6), pass::backward_weights).bytes_moved == 3 * 4 * 6 * 4);
  CHECK(message([&] { op<elementwise_config{.residual = true}>::plan(rows_of(none, 4, 6), pass::backward_weights); }) ==
        "elementwise: there are no weights: the pass of a plan must be forward or backward_data");
}

TEST_CASE("a plan of an elementwise op says how many tasks an executor gets", "[elementwise]") {
  float* const none = nullptr;
  using relu = kernel<elementwise<elementwise_config{.act = activation::relu}>, simd<>>;
  CHECK(relu::plan(view(unchecked, none, extents<8, 64, 56, 56>{}), pass::forward, 4).units == 4);
  CHECK(relu::plan(view(unchecked, none, extents<8, 64, 56, 56>{})).units == 1);
  CHECK(relu::plan(view(unchecked, none, extents<1, 2, 3, 4>{}), pass::forward, 4).units == 1);
}

TEST_CASE("tasks write the results of large tensors, in place too", "[elementwise]") {
  constexpr elementwise_config cfg{.bias = true, .act = activation::relu};
  const kernel<elementwise<cfg>, simd<>> k;
  const index_t n = 3, c = 67, rows = 41, columns = 43;
  auto x = random_vector(n * c * rows * columns, 1), bias = random_vector(c, 2);
  std::vector<float> wanted(x.size()), got(x.size());
  const auto shape = dims<4>(n, c, rows, columns);
  const view<const float, dims<4>, layout_channels_last> vx(x, shape);
  kernel<elementwise<cfg>, reference>{}(vx, bias, view<float, dims<4>, layout_channels_last>(wanted, shape));
  with_concurrency five{[](index_t tasks, task_ref f) {
                          for (index_t i = 0; i < tasks; ++i) f(i);
                        },
                        5};
  k(five, vx, bias, view<float, dims<4>, layout_channels_last>(got, shape));
  CHECK(same_bits(wanted, got));
  k(five, vx, bias, view<float, dims<4>, layout_channels_last>(x, shape));
  CHECK(same_bits(wanted, x));
}

}  // namespace
}  // namespace tern::test
