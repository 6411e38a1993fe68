// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that move elements, as they are called: examples worked out by hand, and what holds between them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tern/simd.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

/// One signal of one channel.
template <class T>
auto line(std::vector<T>& v) {
  return last(v, 1, 1, static_cast<index_t>(v.size()));
}
template <class Op, class T = typename Op::value_type>
std::vector<T> apply(std::vector<T> x, index_t size) {
  std::vector<T> y(static_cast<std::size_t>(size)), z(y.size());
  kernel<Op, simd<>>{}(line(x), line(y));
  kernel<Op, reference>{}(line(x), line(z));
  CHECK(std::memcmp(y.data(), z.data(), y.size() * sizeof(T)) == 0);
  return y;
}
using numbers_of = std::vector<float>;

TEST_CASE("examples of upsampling", "[rearrange]") {
  constexpr upsample1d_config nearest{.factor = {3}}, half{.mode = interpolation::linear},
      corners{.mode = interpolation::linear_align_corners};
  CHECK(apply<upsample1d<nearest>>({1, 2}, 6) == numbers_of{1, 1, 1, 2, 2, 2});
  CHECK(apply<upsample1d<half>>({1, 2, 4}, 6) == numbers_of{1, 1.25f, 1.75f, 2.5f, 3.5f, 4});
  CHECK(apply<upsample1d<half>>({7}, 2) == numbers_of{7, 7});
  const numbers_of even = apply<upsample1d<corners>>({0, 5, 10}, 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::fabs(even[i] - 2 * static_cast<float>(i)) < 2e-6f);
  CHECK(apply<upsample1d<corners>>({7}, 2) == numbers_of{7, 7});
  // Elements with weight 0 are not read: no NaN from 0 times infinity.
  const float inf = INFINITY;
  CHECK(apply<upsample1d<half>>({inf, 1, 2, 3}, 8)[2] == inf);
  CHECK(apply<upsample1d<half>>({inf, 1, 2, 3}, 8)[3] == 1.25f);
  CHECK(apply<upsample1d<upsample1d_config{.factor = {3}, .mode = interpolation::linear}>>({inf, 1, -inf}, 9)[4] == 1);
}

TEST_CASE("examples of padding", "[rearrange]") {
  CHECK(apply<pad1d<pad1d_config{.pad = {1}, .pad_end = {2}}>>({1, 2, 3}, 6) == numbers_of{0, 1, 2, 3, 0, 0});
  CHECK(apply<pad1d<pad1d_config{.pad = {2}, .pad_end = {5}, .mode = border::reflect}>>({1, 2, 3}, 10) ==
        numbers_of{3, 2, 1, 2, 3, 2, 1, 2, 3, 2});
  CHECK(apply<pad1d<pad1d_config{.pad = {2}, .pad_end = {1}, .mode = border::replicate}>>({1, 2, 3}, 6) ==
        numbers_of{1, 1, 1, 2, 3, 3});
  CHECK(apply<pad1d<pad1d_config{.pad = {4}, .pad_end = {2}, .mode = border::circular}>>({1, 2, 3}, 9) ==
        numbers_of{3, 1, 2, 3, 1, 2, 3, 1, 2});
  numbers_of x{1, 2}, y(4);
  kernel<pad1d<pad1d_config{.pad = {1}, .pad_end = {1}}>, simd<>>{}(line(x), line(y), padding_value{-INFINITY});
  CHECK(y == numbers_of{-INFINITY, 1, 2, -INFINITY});
  numbers_of nothing, three(3);
  kernel<pad1d<pad1d_config{.pad = {1}, .pad_end = {2}}>, simd<>>{}(line(nothing), line(three), padding_value{4});
  CHECK(three == numbers_of{4, 4, 4});
  std::vector<bfloat16> bx{bfloat16(1.0f)}, by(2);
  kernel<pad1d<pad1d_config{.pad = {1}, .pad_end = 0}, bfloat16>, simd<>>{}(line(bx), line(by), padding_value{-3});
  CHECK((by[0] == -3.0f && by[1] == 1.0f));
}

TEST_CASE("both orders of channels, as frameworks have them", "[rearrange]") {
  // PyTorch: pixel_shuffle of the channels 0 1 2 3 of one pixel is the image 0 1 / 2 3; with 8 channels the second
  // channel of the result has 4 to 7. TensorFlow's depth_to_space gives the first channel 0 2 4 6.
  numbers_of x{0, 1, 2, 3, 4, 5, 6, 7}, y(8), back(8);
  constexpr space_to_depth2d_config crd{.order = depth_order::crd}, dcr{};
  const auto planes = view(y, dims<4>(1, 2, 2, 2));  // reorder shows them channel by channel
  numbers_of z(8);
  kernel<depth_to_space2d<crd>, simd<>>{}(last(x, 1, 8, 1, 1), last(z, 1, 2, 2, 2));
  kernel<reorder<>, simd<>>{}(last(z, 1, 2, 2, 2), planes);
  CHECK(y == numbers_of{0, 1, 2, 3, 4, 5, 6, 7});
  kernel<space_to_depth2d<crd>, simd<>>{}(last(z, 1, 2, 2, 2), last(back, 1, 8, 1, 1));
  CHECK(back == x);
  kernel<depth_to_space2d<dcr>, simd<>>{}(last(x, 1, 8, 1, 1), last(z, 1, 2, 2, 2));
  CHECK(z == x);  // channels last: nothing moves
  kernel<reorder<>, simd<>>{}(last(z, 1, 2, 2, 2), planes);
  CHECK(y == numbers_of{0, 2, 4, 6, 1, 3, 5, 7});
}

TEST_CASE("an example of a channel shuffle", "[rearrange]") {
  numbers_of x{0, 1, 2, 3, 4, 5}, y(6);
  kernel<channel_shuffle<channel_shuffle_config{.groups = 2}>, simd<>>{}(last(x, 1, 6, 1), last(y, 1, 6, 1));
  CHECK(y == numbers_of{0, 3, 1, 4, 2, 5});
}

TEST_CASE("copies keep the bits of every element type", "[rearrange]") {
  // Also payloads of NaN, which arithmetic does not keep.
  std::vector<float> x(200);
  for (std::size_t i = 0; i < 200; ++i) {
    const auto bits = static_cast<std::uint32_t>(0x7f800001u + i * 0x8081u);
    std::memcpy(&x[i], &bits, sizeof bits);
  }
  std::vector<float> y(200), z(200);
  kernel<reorder<>, simd<>>{}(last(x, 2, 20, 5), view(y, dims<3>(2, 20, 5)));
  kernel<reorder<>, simd<>>{}(view(y, dims<3>(2, 20, 5)), last(z, 2, 20, 5));
  CHECK(std::memcmp(x.data(), z.data(), 200 * sizeof(float)) == 0);
  CHECK(std::memcmp(x.data(), y.data(), 200 * sizeof(float)) != 0);

  std::vector<half> hx(12), hy(12), hz(12);
  for (std::size_t i = 0; i < 12; ++i) hx[i].bits = static_cast<std::uint16_t>(i * 0x1555u);
  kernel<reorder<half>, simd<>>{}(last(hx, 1, 3, 4), view(hy, dims<3>(1, 3, 4)));
  kernel<reorder<half>, simd<>>{}(view(hy, dims<3>(1, 3, 4)), last(hz, 1, 3, 4));
  CHECK(std::memcmp(hx.data(), hz.data(), 12 * sizeof(half)) == 0);

  std::vector<std::int8_t> small(60), shuffled(60), again(60);
  for (std::size_t i = 0; i < 60; ++i) small[i] = static_cast<std::int8_t>(i * 7);
  constexpr channel_shuffle_config by2{.groups = 2}, by3{.groups = 3};
  kernel<channel_shuffle<by2, std::int8_t>, simd<>>{}(last(small, 2, 6, 5), last(shuffled, 2, 6, 5));
  kernel<channel_shuffle<by3, std::int8_t>, simd<>>{}(last(shuffled, 2, 6, 5), last(again, 2, 6, 5));
  CHECK(small == again);
  CHECK(small != shuffled);
}

TEST_CASE("blocks of channels come and go, and their padding stays", "[rearrange]") {
  using blocks = layout_channel_blocked<8>;
  auto x = random_vector(2 * 11 * 3 * 5, 1);
  std::vector<float> blocked(2 * 16 * 3 * 5, -5.0f), y(x.size());
  const view<float, dims<4>, blocks> v(blocked, dims<4>(2, 11, 3, 5));
  const view planes(x, dims<4>(2, 11, 3, 5));
  kernel<reorder<>, simd<>>{}(planes, v);
  CHECK(v(1, 9, 2, 3) == planes(1, 9, 2, 3));
  CHECK(std::count(blocked.begin(), blocked.end(), -5.0f) == 2 * 5 * 3 * 5);
  kernel<reorder<>, simd<>>{}.backward_data(v, view(y, dims<4>(2, 11, 3, 5)));
  CHECK(x == y);
}

TEST_CASE("parts are crops, and tensors are concatenated in them", "[rearrange]") {
  auto a = random_vector(2 * 3 * 4 * 5, 2), b = random_vector(2 * 6 * 4 * 5, 3);
  std::vector<float> y(2 * 9 * 4 * 5), back(b.size()), crop(2 * 9 * 2 * 3);
  const auto all = last(y, 2, 9, 4, 5);
  const kernel<reorder<>, simd<>> copy;
  copy(last(a, 2, 3, 4, 5), part<1>(all, 0, 3));
  copy(last(b, 2, 6, 4, 5), part<1>(all, 3, 6));
  CHECK(all(1, 2, 3, 4) == last(a, 2, 3, 4, 5)(1, 2, 3, 4));
  CHECK(all(1, 3, 0, 1) == last(b, 2, 6, 4, 5)(1, 0, 0, 1));
  copy.backward_data(part<1>(all, 3, 6), last(back, 2, 6, 4, 5));  // the gradient of a part is a part of the gradient
  CHECK(back == b);
  const auto middle = part<3>(part<2>(all, 1, 2), 2, 3);
  copy(middle, last(crop, 2, 9, 2, 3));
  CHECK(last(crop, 2, 9, 2, 3)(1, 8, 1, 2) == all(1, 8, 2, 4));
  // A crop undoes a padding.
  constexpr pad2d_config around{.pad = {1, 2}, .pad_end = {3, 1}, .mode = border::reflect};
  std::vector<float> padded(2 * 3 * 8 * 8), same(a.size());
  kernel<pad2d<around>, simd<>>{}(last(a, 2, 3, 4, 5), last(padded, 2, 3, 8, 8));
  copy(part<3>(part<2>(last(padded, 2, 3, 8, 8), 1, 4), 2, 5), last(same, 2, 3, 4, 5));
  CHECK(same == a);
  // Channels of one tensor may go to others of it.
  copy(part<1>(all, 0, 3), part<1>(all, 6, 3));
  CHECK(all(1, 7, 3, 4) == all(1, 1, 3, 4));
}

/// <f(x), dy> = <x, f's gradient of dy>, and accumulating adds.
template <class Op, class Policy>
void check_adjoint(index_t in_channels, index_t out_channels, index_t in, index_t out) {
  const kernel<Op, Policy> k;
  auto x = random_vector<double>(2 * in_channels * in * in, 4),
       dy = random_vector<double>(2 * out_channels * out * out, 5);
  std::vector<double> y(dy.size()), dx(x.size()), twice(x.size());
  k(last(x, 2, in_channels, in, in), last(y, 2, out_channels, out, out));
  k.backward_data(last(dy, 2, out_channels, out, out), last(dx, 2, in_channels, in, in));
  const auto inner = [](const auto& a, const auto& b) {
    long double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
    return sum;
  };
  CHECK(std::fabs(inner(y, dy) - inner(x, dx)) < 1e-12L);
  twice = dx;
  k.backward_data(last(dy, 2, out_channels, out, out), last(twice, 2, in_channels, in, in), accumulate);
  bool added = true;
  for (std::size_t i = 0; i < dx.size(); ++i) added = added && twice[i] == dx[i] + dx[i];
  CHECK(added);
}

TEMPLATE_TEST_CASE("gradients are adjoint", "[rearrange]", reference, simd<>) {
  using P = TestType;
  check_adjoint<reorder<double>, P>(3, 3, 5, 5);
  check_adjoint<channel_shuffle<channel_shuffle_config{.groups = 3}, double>, P>(12, 12, 5, 5);
  check_adjoint<space_to_depth2d<space_to_depth2d_config{.order = depth_order::crd}, double>, P>(3, 12, 6, 3);
  check_adjoint<depth_to_space2d<space_to_depth2d_config{}, double>, P>(12, 3, 3, 6);
  check_adjoint<upsample2d<upsample2d_config{.factor = {3, 3}}, double>, P>(5, 5, 4, 12);
  check_adjoint<upsample2d<upsample2d_config{.mode = interpolation::linear}, double>, P>(5, 5, 4, 8);
  check_adjoint<upsample2d<upsample2d_config{.factor = {3, 3}, .mode = interpolation::linear_align_corners}, double>,
                P>(5, 5, 4, 12);
  check_adjoint<pad2d<pad2d_config{.pad = {1, 2}, .pad_end = {2, 1}}, double>, P>(5, 5, 4, 7);
  check_adjoint<pad2d<pad2d_config{.pad = {1, 7}, .pad_end = {6, 0}, .mode = border::reflect}, double>, P>(5, 5, 4, 11);
  check_adjoint<pad2d<pad2d_config{.pad = {1, 7}, .pad_end = {6, 0}, .mode = border::circular}, double>, P>(5, 5, 4,
                                                                                                            11);
}

TEST_CASE("the gradient of nearest upsampling is a sum in order", "[rearrange]") {
  std::vector<float> dy{1e8f, 1, -1e8f, 1}, dx(1);
  kernel<upsample1d<upsample1d_config{.factor = {4}}>, simd<>>{}.backward_data(line(dy), line(dx));
  CHECK(dx[0] == 1);  // ((1e8 + 1) - 1e8) + 1
}

TEST_CASE("interpolation is the same along every axis", "[rearrange]") {
  constexpr upsample1d_config one{.factor = {3}, .mode = interpolation::linear};
  constexpr upsample3d_config middle{.factor = {1, 3, 1}, .mode = interpolation::linear};
  auto x = random_vector(4 * 7, 6);
  std::vector<float> y(4 * 21), z(4 * 21);
  kernel<upsample1d<one>, simd<>>{}(last(x, 1, 4, 7), last(y, 1, 4, 21));
  kernel<upsample3d<middle>, simd<>>{}(last(x, 1, 4, 1, 7, 1), last(z, 1, 4, 1, 21, 1));
  CHECK(y == z);
}

TEST_CASE("a plan says how many tasks an executor gets", "[rearrange]") {
  float* const none = nullptr;
  const view large(unchecked, none, extents<8, 64, 56, 56>{});
  const view small(unchecked, none, extents<1, 2, 3, 4>{});
  CHECK(kernel<reorder<>, simd<>>::plan(large, pass::forward, 4).units == 4);
  CHECK(kernel<reorder<>, simd<>>::plan(large).units == 1);
  CHECK(kernel<reorder<>, simd<>>::plan(small, pass::forward, 4).units == 1);
}

}  // namespace
}  // namespace tern::test
