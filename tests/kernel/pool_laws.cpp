// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identities between pools, their passes and convolutions, under the reference: bit by bit if the canonical order
// implies them, to rounding if mathematics does. Results of other frameworks are compared, too.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

template <class T>
auto signal(std::vector<T>& v) {
  return view<T, dims<3>, layout_channels_last>(unchecked, v.data(), dims<3>(1, 1, static_cast<index_t>(v.size())));
}
/// The pool of one signal.
template <class Op, class T>
std::vector<T> pooled(std::vector<T> x, std::size_t results) {
  std::vector<T> y(results);
  kernel<Op, reference>{}(signal(x), signal(y));
  return y;
}

TEST_CASE("a global average is the mean of the positions, and a global maximum their largest", "[pool][law]") {
  auto x = random_vector(2 * 5 * 30 * 40, 1);  // sums of three chunks
  std::vector<float> mean(2 * 5), most(2 * 5);
  const extents<2, 5, 30, 40> ix;
  const extents<2, 5, 1, 1> iy;
  kernel<global_avg_pool2d<>, reference>{}(last(x, ix), last(mean, iy));
  kernel<global_max_pool2d<>, reference>{}(last(x, ix), last(most, iy));
  const auto v = last(x, ix);
  for (index_t n = 0; n < 2; ++n)
    for (index_t c = 0; c < 5; ++c) {
      float total = 0, largest = -inf;
      for (index_t first = 0; first < 1200; first += 512) {
        float chain = 0;
        for (index_t i = first; i < 1200 && i < first + 512; ++i)
          chain += v(n, c, i / 40, i % 40), largest = std::fmax(largest, v(n, c, i / 40, i % 40));
        total += chain;
      }
      CHECK(equal_bits(last(mean, iy)(n, c, index_t(0), index_t(0)), total / 1200));
      CHECK(equal_bits(last(most, iy)(n, c, index_t(0), index_t(0)), largest));
    }
  // The same window, given by its size.
  std::vector<float> other(2 * 5);
  kernel<avg_pool2d<pool2d_config{.kernel = {30, 40}}>, reference>{}(last(x, ix), last(other, iy));
  CHECK(same_bits(mean, other));
}

TEST_CASE("the sums of averages are a depthwise convolution with ones", "[pool][law]") {
  constexpr pool2d_config cfg{
      .kernel = {3, 2}, .stride = {2, 1}, .dilation = {1, 2}, .pad = {1, 1}, .count_padding = true};
  constexpr conv2d_config ones{
      .in = 7, .out = 7, .groups = 7, .kernel = {3, 2}, .stride = {2, 1}, .dilation = {1, 2}, .pad = {1, 1}};
  auto x = random_vector(2 * 7 * 9 * 6, 2);
  std::vector<float> w(3 * 2 * 7, 1.0f), y(2 * 7 * 5 * 6), z(y.size());
  const extents<2, 7, 9, 6> ix;
  const extents<2, 7, 5, 6> iy;
  kernel<avg_pool2d<cfg>, reference>{}(last(x, ix), last(y, iy));
  kernel<conv2d<ones>, reference>{}(last(x, ix), view(w, extents<3, 2, 1, 7>{}), last(z, iy));
  for (float& v : z) v /= 6;
  CHECK(same_bits(y, z));
}

TEST_CASE("layouts do not change the bits of pools", "[pool][law]") {
  constexpr pool3d_config cfg{.kernel = {2, 3, 1}, .stride = {1, 2, 1}, .pad = {1, 1, 0}, .ceil_mode = true};
  const extents<2, 10, 3, 4, 5> ix;
  const extents<2, 10, 4, 3, 5> iy;
  auto x = random_vector(ix.size(), 3);
  std::vector<float> y(static_cast<std::size_t>(iy.size())), dx(x.size());
  std::vector<std::int32_t> at(y.size()), at8(2 * 16 * 4 * 3 * 5);
  std::vector<float> x8(2 * 16 * 3 * 4 * 5), y8(at8.size()), dx8(x8.size());
  using blocks = layout_channel_blocked<8>;
  const view<float, decltype(ix), blocks> vx8(x8, ix), vdx8(dx8, ix);
  const view<float, decltype(iy), blocks> vy8(y8, iy);
  const view<std::int32_t, decltype(iy), blocks> vat8(at8, iy);
  const auto each = [](const auto& e, auto f) {
    for (index_t n = 0; n < e.extent(0); ++n)
      for (index_t c = 0; c < e.extent(1); ++c)
        for (index_t i = 0; i < e.extent(2); ++i)
          for (index_t j = 0; j < e.extent(3); ++j)
            for (index_t k = 0; k < e.extent(4); ++k) f(n, c, i, j, k);
  };
  const auto vx = last(x, ix), vdx = last(dx, ix);
  const auto vy = last(y, iy);
  each(ix, [&](auto... i) { vx8(i...) = vx(i...); });
  const auto check = [&](const auto& k, auto backward) {
    k(vx, vy), k(vx8, vy8);
    backward(vx, vy, vdx), backward(vx8, vy8, vdx8);
    bool equal = true;
    each(iy, [&](auto... i) { equal = equal && equal_bits(vy8(i...), vy(i...)); });
    each(ix, [&](auto... i) { equal = equal && equal_bits(vdx8(i...), vdx(i...)); });
    CHECK(equal);
  };
  const kernel<max_pool3d<cfg>, reference> most;
  check(most, [&](const auto& from, const auto& dy, const auto& to) { most.backward_data(dy, from, to); });
  const kernel<avg_pool3d<cfg>, reference> mean;
  check(mean, [&](const auto&, const auto& dy, const auto& to) { mean.backward_data(dy, to); });
  most(vx, vy, last(at, iy)), most(vx8, vy8, vat8);
  each(iy, [&](auto... i) { CHECK(last(at, iy)(i...) == vat8(i...)); });
}

TEST_CASE("the gradient of a maximum scatters to its indices, and needs none", "[pool][law]") {
  constexpr pool2d_config cfg{.kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}};
  const kernel<max_pool2d<cfg>, reference> k;
  const extents<3, 6, 9, 8> ix;
  const extents<3, 6, 5, 4> iy;
  auto x = random_vector(ix.size(), 4), dy = random_vector(iy.size(), 5);
  std::vector<float> y(dy.size()), from_indices(x.size()), from_x(x.size()), scattered(x.size());
  std::vector<std::int32_t> at(y.size());
  k(last(x, ix), last(y, iy), last(at, iy));
  k.backward_data(last(dy, iy), last(at, iy), last(from_indices, ix));
  k.backward_data(last(dy, iy), last(x, ix), last(from_x, ix));
  for (index_t n = 0; n < 3; ++n)
    for (index_t p = 0; p < 20; ++p)
      for (index_t c = 0; c < 6; ++c) {
        const auto i = static_cast<std::size_t>((n * 20 + p) * 6 + c);
        const auto to = static_cast<std::size_t>((n * 72 + at[i]) * 6 + c);
        CHECK(equal_bits(x[to], y[i]));
        scattered[to] += dy[i];
      }
  CHECK(same_bits(from_indices, scattered));
  CHECK(same_bits(from_indices, from_x));
  // Accumulating goes on with what is there, window after window.
  k.backward_data(last(dy, iy), last(at, iy), last(from_indices, ix), accumulate);
  k.backward_data(last(dy, iy), last(x, ix), last(from_x, ix), accumulate);
  CHECK(same_bits(from_indices, from_x));
  CHECK(!same_bits(from_indices, scattered));
}

TEST_CASE("gradients are those of finite differences", "[pool][law]") {
  constexpr pool2d_config cfg{.kernel = {3, 2}, .stride = {2, 1}, .pad = {1, 1}, .ceil_mode = true};
  const extents<2, 3, 6, 5> ix;
  const extents<2, 3, 4, 6> iy;
  auto x = random_vector<double>(ix.size(), 6), dy = random_vector<double>(iy.size(), 7);
  std::vector<double> y(dy.size()), dx(x.size());
  const auto check = [&](const auto& k) {
    // The loss is the sum of y dy. Maxima of numbers that are apart are linear nearby, averages everywhere.
    const auto loss = [&] {
      k(last(x, ix), last(y, iy));
      double sum = 0;
      for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
      return sum;
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double at = x[i], step = 1e-7;
      x[i] = at + step;
      const double above = loss();
      x[i] = at - step;
      const double below = loss();
      x[i] = at;
      CHECK(std::fabs((above - below) / (2 * step) - dx[i]) < 1e-6);
    }
  };
  const kernel<max_pool2d<cfg, double>, reference> most;
  most.backward_data(last(dy, iy), last(x, ix), last(dx, ix));
  check(most);
  const kernel<avg_pool2d<cfg, double>, reference> mean;
  mean.backward_data(last(dy, iy), last(dx, ix));
  check(mean);
}

TEST_CASE("NaN wins a maximum, ties take the first, padding never wins", "[pool][law]") {
  using two = max_pool1d<pool1d_config{.kernel = {2}}>;
  CHECK(same_bits(pooled<two>(std::vector<float>{nan, 1, 1, nan, 0.0f, -0.0f, -0.0f, 0.0f, -inf, -inf}, 5),
                  {nan, nan, 0.0f, -0.0f, -inf}));
  CHECK(same_bits(pooled<max_pool1d<pool1d_config{.kernel = {2}, .pad = {1}}>>(std::vector<float>{-1, -2}, 2),
                  {-1.0f, -2.0f}));
  std::vector<float> x{-inf, -inf, nan, nan, 2, 2, 1, nan}, y(4);
  std::vector<std::int32_t> at(4);
  kernel<two, reference>{}(signal(x), signal(y), signal(at));
  CHECK(at == std::vector<std::int32_t>{0, 2, 4, 7});
  // Windows without an input.
  constexpr pool1d_config wide{.kernel = {2}, .stride = {1}, .pad = {2}, .pad_end = {0}};
  x = {3}, y.resize(2), at.resize(2);
  kernel<max_pool1d<wide>, reference>{}(signal(x), signal(y), signal(at));
  CHECK(same_bits(y, {-inf, 3}));
  CHECK(at == std::vector<std::int32_t>{-1, 0});
  CHECK(same_bits(pooled<avg_pool1d<wide>>(x, 2), {0.0f, 3.0f}));
}

// Numbers of results and divisors as torch.nn.AvgPool1d defines them (ATen's pooling_output_shape and avg_pool2d).
TEST_CASE("ceil mode and counted padding follow PyTorch's rules", "[pool][law]") {
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  CHECK(pooled<avg_pool1d<pool1d_config{.kernel = {4}, .stride = {3}}>>(x, 1) == std::vector<float>{2.5f});
  CHECK(pooled<avg_pool1d<pool1d_config{.kernel = {4}, .stride = {3}, .ceil_mode = true}>>(x, 2) ==
        std::vector<float>{2.5f, 5});
  // Window 2 would begin at input 7, on the padding at the end: it is left out.
  constexpr pool1d_config counted{.kernel = {2}, .stride = {4}, .pad = {1}, .ceil_mode = true, .count_padding = true},
      uncounted{.kernel = {2}, .stride = {4}, .pad = {1}, .ceil_mode = true};
  CHECK(pooled<avg_pool1d<counted>>(x, 2) == std::vector<float>{0.5f, 4.5f});
  CHECK(pooled<avg_pool1d<uncounted>>(x, 2) == std::vector<float>{1, 4.5f});
  // The last window: input 6, one zero of padding, and one tap that hangs over and is not counted.
  constexpr pool1d_config over{.kernel = {3}, .stride = {3}, .pad = {1}, .ceil_mode = true, .count_padding = true};
  CHECK(pooled<avg_pool1d<over>>(x, 3) == std::vector<float>{1, 4, 3});
}

// divisor_override of torch.nn.AvgPool1d.
TEST_CASE("sums are divided by a number that is given", "[pool][law]") {
  const std::vector<float> x{1, 2, 3, 4, 5};
  constexpr pool1d_config thirds{.kernel = {2}, .stride = {2}, .pad = {1}, .divisor = 3};
  CHECK(pooled<avg_pool1d<thirds>>(x, 3) == std::vector<float>{1.0f / 3, 5.0f / 3, 3});
  CHECK(pooled<avg_pool1d<pool1d_config{.kernel = {whole_axis}, .divisor = 1}>>(x, 1) == std::vector<float>{15});
  std::vector<float> dy{3, 6, 9}, dx(5);
  kernel<avg_pool1d<thirds>, reference>{}.backward_data(signal(dy), signal(dx));
  CHECK(dx == std::vector<float>{1, 2, 2, 3, 3});
}

// tf.nn.avg_pool with padding='SAME': the divisor is the number of elements, an odd element of padding goes to the end.
TEST_CASE("padding by TensorFlow's rule is not counted", "[pool][law]") {
  constexpr pool1d_config same{.kernel = {3}, .stride = {2}, .rule = padding::same_tf};
  CHECK(pooled<avg_pool1d<same>>(std::vector<float>{1, 2, 3, 4}, 2) == std::vector<float>{2, 3.5f});
  CHECK(pooled<max_pool1d<same>>(std::vector<float>{-1, -2, -3, -4}, 2) == std::vector<float>{-1, -3});
}

TEST_CASE("some axes are pooled whole", "[pool][law]") {
  auto x = random_vector(2 * 3 * 4 * 5, 8);
  std::vector<float> y(2 * 3 * 4), z(y.size());
  kernel<max_pool2d<pool2d_config{.kernel = {1, whole_axis}}>, reference>{}(last(x, extents<2, 3, 4, 5>{}),
                                                                            last(y, extents<2, 3, 4, 1>{}));
  kernel<max_pool2d<pool2d_config{.kernel = {1, 5}}>, reference>{}(last(x, extents<2, 3, 4, 5>{}),
                                                                   last(z, extents<2, 3, 4, 1>{}));
  CHECK(same_bits(y, z));
}

}  // namespace
}  // namespace tern::test
