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
  return view<T, dims<2>>(p, dims<2>(n, c));
}

TEST_CASE("an epilogue that is fused gives the bits of the op behind the convolution", "[map][law]") {
  static constexpr conv2d_config plain{.in = 5, .out = 19, .kernel = {3, 3}, .pad = {1, 1}};
  static constexpr auto fused_config = [] {
    conv2d_config c = plain;
    c.scale = c.bias = c.residual = true, c.act = activation::hard_swish;
    return c;
  }();
  auto x = random_vector(2 * 5 * 7 * 9, 1), w = random_vector(9 * 5 * 19, 2), scale = random_vector(19, 3),
       bias = random_vector(19, 4), residual = random_vector(2 * 19 * 7 * 9, 5);
  std::vector<float> apart(residual.size()), fused(residual.size());
  const view weights(w.data(), dims<4>(3, 3, 5, 19));
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
  check.operator()<activation::gelu_tanh>();
  check.operator()<leaky_relu(1, 5)>();
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
  const view planes(r.data(), dims<4>(2, 3, 4, 5));
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
        "elementwise: y shares elements with an input, and is not that input itself");
  CHECK(message([&] { relu{}.backward_data(x, rows_of(p + 50, 4, 5), y); }) ==
        "elementwise: saved is 4x5 and dy is 4x6: their shapes must be equal");
  CHECK(message([&] { relu{}.backward_data(x, rows_of(p + 50, 4, 6), rows_of(q, 5, 6)); }) ==
        "elementwise: dx is 5x6 and dy is 4x6: their shapes must be equal");
  const view<float, dims<1>> five(p + 50, dims<1>(5)), six(p + 50, dims<1>(6)), unset(none, dims<1>(6));
  CHECK(message([&] { scaled{}(x, five, y); }) ==
        "elementwise: scale has 5 elements and x is 4x6: one per channel is needed");
  CHECK(message([&] { scaled{}(x, unset, y); }) == "elementwise: scale is a null view of 6 elements");
  CHECK(message([&] { scaled{}(x, rows_of(p + 50, 2, 6), y); }) ==
        "elementwise: scale is 2x6 and x is 4x6: the extents of scale must be those of x or, except for channels, 1");
  CHECK(message([&] { scaled{}(x, rows_of(p + 50, 4, 1), y); }) ==
        "elementwise: scale is 4x1 and x is 4x6: the extents of scale must be those of x or, except for channels, 1");
  CHECK(message([&] { scaled{}(x, view<float, dims<1>>(q + 2, dims<1>(6)), y); }) ==
        "elementwise: y shares elements with an input, and is not that input itself");
  const view folded(q, layout_strided::mapping(dims<2>(4, 6), 3, 1));
  CHECK(message([&] { relu{}(x, folded); }) == "elementwise: the strides of y give two results one element");
  CHECK(out == std::vector<float>(200, 7));
  CHECK(message([&] { scaled{}(x, six, x); }) == "no error");
  CHECK(message([&] { relu{}(rows_of(none, 0, 6), rows_of(none, 0, 6)); }) == "no error");
}

TEST_CASE("plans of elementwise ops say what they read, write and compute", "[map][contract]") {
  float* const none = nullptr;
  using full = op<elementwise_config{.scale = true, .bias = true, .residual = true, .act = activation::relu}>;
  const plan p = full::plan(rows_of(none, 4, 6));
  CHECK(std::string(p.op) == "elementwise");
  CHECK(p.bytes_moved == 3 * 4 * 6 * 4);
  CHECK(p.m == 4);
  CHECK(p.n == 6);
  CHECK(p.flops == 4 * 4 * 6);
  CHECK(full::plan(rows_of(none, 4, 6), pass::backward_data).bytes_moved == 3 * 4 * 6 * 4);
  CHECK(message([&] { full::plan(rows_of(none, 4, 6), pass::backward_weights); }) ==
        "elementwise: there are no weights: the pass of a plan must be forward or backward_data");
}

}  // namespace
}  // namespace tern::test
