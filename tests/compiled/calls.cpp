// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions, windows and moves of the compiled part, and what stays in line beside it. TERN_TEST_CALLS names the
// function.
#include "tests/compiled/calls.hpp"

#include "tern/simd.hpp"
#include "tests/compiled/memory.hpp"

namespace tern::test {
namespace {

/// All passes of a convolution, with a result of `extent` to the power of 2 positions.
template <conv2d_config C, class T, class Numerics = numerics::exact>
void convolution(memory<T>& m, const char* name, index_t n, index_t extent) {
  using op = conv2d<C, T>;
  const kernel<op, simd<devices::native, Numerics>> k;
  const index_t out = C.axis(0, extent).out;
  const auto x = m.in(n, C.in, extent, extent), residual = m.in(n, C.out, out, out), dy = m.in(n, C.out, out, out);
  const auto w = m.template in<layout_row>(C.kernel[0], C.kernel[1], C.in / C.groups, C.out);
  const auto scale = m.in(C.out), bias = m.in(C.out), slope = m.in(C.out);
  const index_t results = n * C.out * out * out;
  const auto forward = [&](auto... option) {
    with<C.scale>(scale, [&](auto... s) {
      with<C.bias>(bias, [&](auto... b) {
        with<C.residual>(residual, [&](auto... r) {
          with<C.act.takes_slope()>(slope, [&](auto... p) {
            k(x, w, s..., b..., r..., p..., m.out(n, C.out, out, out), option...);
            m.done(name, results);
          });
        });
      });
    });
  };
  forward();
  if constexpr (C.act == activation::none) {
    forward(accumulate);
    k.backward_data(dy, w, m.out(n, C.in, extent, extent));
    m.done(name, n * C.in * extent * extent);
    const auto dw = m.template out<layout_row>(C.kernel[0], C.kernel[1], C.in / C.groups, C.out);
    if constexpr (!C.scale && !C.residual && !C.bias) {
      k.backward_weights(x, dy, dw);
      m.done(name, dw.size());
    }
  }
}

/// A matmul with plain and packed weights, and its gradients.
template <matmul_config C, class T>
void product(memory<T>& m, const char* name, index_t rows, index_t columns, index_t depth) {
  const kernel<matmul<C, T>, simd<>> k;
  const auto a = m.template in<layout_row>(rows, depth), b = m.template in<layout_row>(depth, columns),
             dy = m.template in<layout_row>(rows, columns), residual = m.template in<layout_row>(rows, columns);
  const auto bias = m.in(columns);
  const auto run = [&](auto... option) {
    with<C.bias>(bias, [&](auto... p) {
      with<C.residual>(residual, [&](auto... r) {
        k(a, b, p..., r..., m.template out<layout_row>(rows, columns), option...);
        m.done(name, rows * columns);
        k(a, b, p..., r..., m.template out<layout_column>(rows, columns), option...);
        m.done(name, rows * columns);
      });
    });
  };
  run();
  if constexpr (C.act == activation::none) run(accumulate);
  if constexpr (!C.bias && !C.residual && C.act == activation::none) {
    k.backward_data(dy, b, m.template out<layout_row>(rows, depth));
    m.done(name, rows * depth);
    k.backward_weights(a, dy, m.template out<layout_row>(depth, columns));
    m.done(name, depth * columns);
    const auto prepared = k.prepare(a, b, m.template out<layout_row>(rows, columns));
    prepared(a, b, m.template out<layout_row>(rows, columns));
    m.done(name, rows * columns);
  }
}

template <class T>
void calls_of(record to) {
  static memory<T> m(to);
  m.used = 0, m.to = to;
  constexpr auto relu = activation::relu, tanh = activation::tanh, none = activation::none;
  convolution<conv2d_config{.in = 16, .out = 20, .kernel = {3, 3}, .pad = {1, 1}}>(m, "3x3", 2, 9);
  convolution<conv2d_config{.in = 16, .out = 40, .kernel = {3, 3}, .pad = {1, 1}, .bias = true, .act = relu}>(
      m, "bias and relu", 1, 12);
  convolution<conv2d_config{.in = 5,
                            .out = 7,
                            .kernel = {2, 3},
                            .stride = {2, 2},
                            .scale = true,
                            .bias = true,
                            .residual = true,
                            .act = tanh}>(m, "all and tanh", 3, 11);
  convolution<conv2d_config{
      .in = 8, .out = 8, .groups = 2, .kernel = {3, 3}, .pad = {1, 1}, .residual = true, .act = none}>(m, "groups", 2,
                                                                                                       10);
  convolution<conv2d_config{.in = 8, .out = 4, .kernel = {1, 1}, .bias = true, .act = activation::prelu}>(
      m, "few channels and slopes", 2, 40);
  convolution<conv2d_config{
      .in = 12, .out = 12, .groups = 12, .kernel = {3, 3}, .pad = {1, 1}, .bias = true, .act = relu}>(m, "depthwise", 2,
                                                                                                      9);
  convolution<conv2d_config{.in = 600, .out = 3, .kernel = {1, 1}, .residual = true, .act = leaky_relu(0.2)}>(
      m, "two chunks", 1, 5);
  product<matmul_config{}>(m, "matmul", 13, 37, 517);
  product<matmul_config{}>(m, "short matmul", 8, 8, 8);
  product<matmul_config{}>(m, "long matmul", 200, 96, 40);
  product<matmul_config{}>(m, "one row", 1, 300, 70);
  product<matmul_config{}>(m, "no terms", 4, 5, 0);
  product<matmul_config{.bias = true, .act = relu}>(m, "matmul, bias and relu", 13, 37, 517);
  product<matmul_config{.bias = true, .residual = true, .act = tanh}>(m, "matmul, all and tanh", 7, 50, 20);
  product<matmul_config{.m = 8, .n = 16, .k = 8, .bias = true}>(m, "static matmul", 8, 16, 8);

  const auto x = m.in(2, 17, 9, 11);
  constexpr pool2d_config window{.kernel = {3, 2}, .stride = {2, 2}, .pad = {1, 0}};
  kernel<max_pool2d<window, T>, simd<>>()(x, m.out(2, 17, 5, 5));
  m.done("max_pool2d", 2 * 17 * 25);
  kernel<avg_pool2d<window, T>, simd<>>()(x, m.out(2, 17, 5, 5));
  m.done("avg_pool2d", 2 * 17 * 25);
  kernel<avg_pool2d<window, T>, simd<>>().backward_data(m.in(2, 17, 5, 5), m.out(2, 17, 9, 11), accumulate);
  m.done("avg_pool2d, backward", 2 * 17 * 99);
  kernel<upsample2d<upsample2d_config{.factor = {2, 3}, .mode = interpolation::linear}, T>, simd<>>()(
      x, m.out(2, 17, 18, 33));
  m.done("upsample2d", 2 * 17 * 18 * 33);
}

}  // namespace

void TERN_TEST_CALLS(record to) {
  calls_of<float>(to);
  calls_of<double>(to);
  TERN_TEST_REDUCTIONS(to);
  TERN_TEST_MAPS(to);
}

}  // namespace tern::test
