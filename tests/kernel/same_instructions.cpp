// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls kernels twice each, for same_instructions.py to count the instructions of measured_call.
#include <cstdio>
#include <vector>

#include "tern/simd.hpp"

extern "C" __attribute__((noinline)) void measured_call(void (*call)(const void*), const void* self) {
  call(self);
  __asm__ volatile("" ::: "memory");  // not a tail call: the count ends when this returns
}

namespace {

using tern::dims;
using tern::index_t;
using tern::unchecked, tern::view;

template <class F>
void twice(const char* name, const char* what, const F& f) {
  std::printf("%s, %s\n", name, what);
  // Volatile, or clang 19 makes a copy of measured_call for this function, under another name.
  void (*volatile call)(const void*) = [](const void* self) { (*static_cast<const F*>(self))(); };
  for (int i = 0; i < 2; ++i) measured_call(call, &f);
}

template <class Kernel>
void check(const char* name, index_t m, index_t n, index_t k) {
  const auto numbers = [](index_t count) { return std::vector<float>(static_cast<std::size_t>(count), 0.5f); };
  auto a = numbers(m * k), b = numbers(k * n), c = numbers(m * n);
  const view<const float, dims<2>> left(a, dims<2>(m, k)), right(b, dims<2>(k, n)), dy(c, dims<2>(m, n));
  const view<float, dims<2>> out(c, dims<2>(m, n)), dx(a, dims<2>(m, k)), db(b, dims<2>(k, n));
  const Kernel product;
  const auto packed = product.pack(right);
  twice(name, "plain", [&] { product(left, right, out); });
  twice(name, "packed", [&] { product(left, packed, out); });
  twice(name, "backward_data", [&] { product.backward_data(dy, packed, dx); });
  twice(name, "backward_weights", [&] { product.backward_weights(left, dy, db); });
}

template <class Op>
void check_conv(const char* name, index_t size, index_t result) {
  constexpr auto c = Op::config;
  constexpr index_t wide = requires { c.crop; } ? c.out : c.in, narrow = requires { c.crop; } ? c.in : c.out;
  const auto numbers = [](index_t count) { return std::vector<float>(static_cast<std::size_t>(count), 0.5f); };
  auto a = numbers(2 * c.in * size * size), b = numbers(9 * wide / c.groups * narrow),
       d = numbers(2 * c.out * result * result);
  using image = view<float, dims<4>, tern::layout_channels_last>;
  const image x(unchecked, a.data(), dims<4>(2, c.in, size, size)),
      y(unchecked, d.data(), dims<4>(2, c.out, result, result));
  const view w(b, dims<4>(3, 3, wide / c.groups, narrow));
  const tern::kernel<Op, tern::simd<>> conv;
  const auto packed = conv.pack(w);
  const auto packed_backward = conv.template pack<tern::pass::backward_data>(w);
  twice(name, "plain", [&] { conv(x, w, y); });
  twice(name, "packed", [&] { conv(x, packed, y); });
  twice(name, "backward_data", [&] { conv.backward_data(y, packed_backward, x); });
  twice(name, "backward_weights", [&] { conv.backward_weights(x, y, w); });
}

}  // namespace

int main() {
  using exact = tern::kernel<tern::matmul<>, tern::simd<>>;
  using relaxed = tern::kernel<tern::matmul<>, tern::simd<tern::devices::native, tern::numerics::relaxed>>;
  using fixed = tern::kernel<tern::matmul<tern::matmul_config{.m = 8, .n = 8, .k = 8}>, tern::simd<>>;
  check<exact>("1x300x600", 1, 300, 600);
  check<exact>("8x200x530", 8, 200, 530);
  check<exact>("37x53x71", 37, 53, 71);
  check<exact>("130x140x150", 130, 140, 150);
  check<relaxed>("37x53x71 relaxed", 37, 53, 71);
  check<fixed>("8x8x8 in the type", 8, 8, 8);

  check_conv<tern::conv2d<tern::conv2d_config{.in = 20, .out = 40, .kernel = {3, 3}, .pad = {1, 1}}>>("conv2d", 13, 13);
  check_conv<tern::conv2d<tern::conv2d_config{
      .in = 40, .out = 40, .groups = 40, .kernel = {3, 3}, .rule = tern::padding::same_torch}>>("depthwise", 13, 13);
  check_conv<tern::conv_transpose2d<tern::conv_transpose2d_config{
      .in = 20, .out = 10, .kernel = {3, 3}, .stride = {2, 2}, .crop = {1, 1}}>>("conv_transpose2d", 13, 25);

  std::vector<float> a(2 * 48 * 9 * 7, 0.5f), b(a.size()), p(48, 1.0f);
  using shape = tern::extents<2, 48, 9, 7>;
  const view<float, shape, tern::layout_channels_last> x(a, shape()), y(b, shape());
  const view<const float, dims<1>> scale(p, dims<1>(48));
  const view<float, dims<2>> rows(a, dims<2>(126, 48)), results(b, dims<2>(126, 48));
  const tern::kernel<tern::group_norm<tern::norm_config{.groups = 6}>, tern::simd<>> group;
  const tern::kernel<tern::layer_norm<>, tern::simd<>> layer;
  const tern::kernel<tern::elementwise<tern::elementwise_config{.act = tern::activation::silu}>, tern::simd<>> silu;
  twice("group_norm", "forward", [&] { group(x, scale, scale, y); });
  twice("layer_norm", "forward", [&] { layer(rows, scale, scale, results); });
  twice("elementwise", "silu", [&] { silu(x, y); });
  const tern::kernel<tern::softmax<>, tern::simd<>> soft;
  twice("softmax", "forward", [&] { soft(rows, results); });
  const tern::kernel<tern::adam<>, tern::simd<>> adam;
  std::vector<float> parameters(5000, 0.5f), gradient(5000, 0.25f), mean(5000), square(5000);
  twice("adam", "a step", [&] { adam(gradient, parameters, mean, square, tern::adam_step{.rate = 0}); });
  std::vector<std::int32_t> classes(126, 3);
  std::vector<float> numbers(127);
  const tern::kernel<tern::cross_entropy<>, tern::simd<>> entropy;
  twice("cross_entropy", "forward", [&] {
    entropy(rows, view<std::int32_t, dims<1>>(classes, dims<1>(126)),
            view<float, dims<1>>(numbers.data(), 126, dims<1>(126)),
            view<float, dims<1>>(numbers.data() + 126, 1, dims<1>(1)));
  });

  volatile int calls = 0;
  twice("what the counting is for", "a call that does more each time", [&] {
    calls = calls + 1;
    for (int i = 0; i < calls; ++i) calls = calls + 0;
  });
}
