// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong calls of convolutions: their messages at run time; they write nothing.
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

namespace tern {
namespace {

using test::message;

constexpr conv2d_config cfg{.in = 3, .out = 4, .kernel = {3, 3}, .pad = {1, 0}};
using conv = kernel<conv2d<cfg>, reference>;
using biased =
    kernel<conv2d<conv2d_config{.in = 3, .out = 4, .scale = true, .bias = true, .residual = true}>, reference>;
using bent = kernel<conv2d<conv2d_config{.in = 3, .out = 4, .act = activation::prelu}>, reference>;
using transposed =
    kernel<conv_transpose1d<conv_transpose1d_config{.in = 2, .out = 2, .kernel = {2}, .crop = {3}}>, reference>;

template <class T>
auto image_view(T* p, index_t n, index_t c, index_t y, index_t x) {
  return view<T, dims<4>, layout_channels_last>(unchecked, p, dims<4>(n, c, y, x));
}

TEST_CASE("shapes of convolutions that disagree are named, and nothing is written", "[conv][contract]") {
  std::vector<float> memory(400, 1), out(400, 7);
  float *p = memory.data(), *q = out.data();
  const auto x = image_view(p, 2, 3, 4, 5), y = image_view(q, 2, 4, 4, 3);
  const view w(unchecked, p + 200, extents<3, 3, 3, 4>{});
  CHECK(message([&] { conv{}(x, w, y); }) == "no error");
  std::fill(out.begin(), out.end(), 7.0f);
  CHECK(message([&] { conv{}(x, w, image_view(q, 2, 4, 4, 5)); }) ==
        "conv2d: x is 2x3x4x5 and y is 2x4x4x5: y must be 2x4x4x3");
  CHECK(message([&] { conv{}(image_view(p, 2, 2, 4, 5), w, y); }) == "conv2d: x is 2x2x4x5: in must be 3, as .in says");
  CHECK(message([&] { conv{}(x, view(unchecked, p, dims<4>(3, 2, 3, 4)), y); }) ==
        "conv2d: w is 3x2x3x4: extent 1 must be 3, as .kernel says");
  CHECK(message([&] { conv{}(image_view(p, 2, 3, 4, 2), w, image_view(q, 2, 4, 4, 1)); }) ==
        "conv2d: x is 2x3x4x2: on axis 1 the window reaches over 3 elements, more than the 2 there are with padding: "
        "there would be no result");
  CHECK(message([&] { conv{}.backward_data(y, w, image_view(p, 1, 3, 4, 5)); }) ==
        "conv2d: dx is 1x3x4x5 and dy is 2x4x4x3: they must agree on n");
  CHECK(message([&] {
          conv{}.backward_weights(x, image_view(p, 2, 4, 4, 3), view(unchecked, q, dims<4>(3, 3, 4, 3)));
        }) == "conv2d: dw is 3x3x4x3: in/groups must be 3, as .in / .groups says");
  CHECK(message([&] {
          conv{}.backward_weights(x, image_view(p, 2, 4, 4, 3), view(unchecked, q, extents<3, 3, 3, 4>{}),
                                  std::vector<float>(3));
        }) == "conv2d: dbias is 3: out must be 4, as .out says");
  CHECK(message([&] {
          biased{}(x, view(unchecked, p, extents<1, 1, 3, 4>{}), std::vector<float>(4), std::vector<float>(5),
                   image_view(p, 2, 4, 4, 5), image_view(q, 2, 4, 4, 5));
        }) == "conv2d: bias is 5: out must be 4, as .out says");
  CHECK(message([&] {
          biased{}(x, view(unchecked, p, extents<1, 1, 3, 4>{}), std::vector<float>(4), std::vector<float>(4),
                   image_view(p, 2, 4, 5, 4), image_view(q, 2, 4, 4, 5));
        }) == "conv2d: y is 2x4x4x5 and residual is 2x4x5x4: their shapes must be equal");
  CHECK(message([&] {
          const auto signal = [](float* at, index_t size) {
            return view<float, dims<3>, layout_channels_last>(unchecked, at, dims<3>(1, 2, size));
          };
          transposed{}(signal(p, 4), view(unchecked, p, extents<2, 2, 2>{}), signal(q, 1));
        }) ==
        "conv_transpose1d: x is 1x2x4: on axis 0 the crops take 6 of the 5 elements of its result: nothing is left");
  CHECK(message([&] {
          bent{}(x, view(unchecked, p, extents<1, 1, 3, 4>{}), image_view(p, 1, 4, 4, 4), image_view(q, 2, 4, 4, 5));
        }) == "conv2d: y is 2x4x4x5 and slope is 1x4x4x4: they must agree on results...");
  CHECK(message([&] {
          bent{}(x, view(unchecked, p, extents<1, 1, 3, 4>{}), std::vector<float>(3), image_view(q, 2, 4, 4, 5));
        }) == "conv2d: slope is 3: out must be 4, as .out says");
  CHECK(out == std::vector<float>(400, 7));
}

TEST_CASE("sizes that would overflow are refused", "[conv][contract]") {
  std::vector<float> memory(1000, 1), out(400);
  float *p = memory.data(), *q = out.data();
  constexpr index_t large = index_t(1) << 40;
  const view w(unchecked, p + 200, extents<3, 3, 3, 4>{});
  const auto x = image_view(p, 2, 3, 4, 5), y = image_view(q, 2, 4, 4, 3);
  CHECK(message([&] { conv{}(image_view(p, 2, 3, large, large), w, y); }) ==
        "conv2d: x is 2x3x1099511627776x1099511627776: no machine can address so many elements");
  CHECK(message([&] { conv{}.backward_data(image_view(q, large, 4, large, 0), w, x); }) ==
        "conv2d: dy is 1099511627776x4x1099511627776x0: no machine can address so many elements");
  CHECK(message([&] { conv{}.backward_weights(x, y, view(unchecked, p + 200, dims<4>(large, large, 3, 4))); }) ==
        "conv2d: dw is 1099511627776x1099511627776x3x4: no machine can address so many elements");
}

TEST_CASE("packing refuses wrong shapes and memory", "[conv][contract]") {
  std::vector<float> w(200, 1), memory(200);
  const view weights(unchecked, w.data(), extents<3, 3, 3, 4>{});
  CHECK(message([&] { static_cast<void>(conv{}.pack(view(unchecked, w.data(), dims<4>(3, 3, 4, 3)))); }) ==
        "conv2d: w is 3x3x4x3: in/groups must be 3, as .in / .groups says");
  CHECK(message([&] { static_cast<void>(conv{}.pack(weights, view(unchecked, memory.data(), dims<1>(107)))); }) ==
        "conv2d: packed weights take 108 elements, the memory given has 107");
  CHECK(message([&] {
          static_cast<void>(conv{}.pack(weights, view(unchecked, static_cast<float*>(nullptr), dims<1>(108))));
        }) == "conv2d: the memory to pack into is at a null pointer, 108 elements are needed");
  CHECK(message([&] { static_cast<void>(conv{}.pack(weights, view(unchecked, w.data() + 50, dims<1>(108)))); }) ==
        "conv2d: the memory to pack into shares elements with w");
  auto owner = conv{}.pack(weights);
  const auto taken = std::move(owner);
  std::vector<float> x(2 * 3 * 4 * 5), y(2 * 4 * 4 * 5);
  CHECK(message([&] { conv{}(image_view(x.data(), 2, 3, 4, 5), owner, image_view(y.data(), 2, 4, 4, 3)); }) ==
        "conv2d: w has no elements: the packed weights have been moved from");
}

TEST_CASE("convolutions refuse null views, scattered channels and shared elements", "[conv][contract]") {
  std::vector<float> memory(1000, 1), out(400);
  float *p = memory.data(), *q = out.data(), *none = nullptr;
  const auto x = image_view(p, 2, 3, 4, 5), y = image_view(q, 2, 4, 4, 3);
  const view w(unchecked, p + 200, extents<3, 3, 3, 4>{});
  CHECK(message([&] { conv{}(image_view(none, 2, 3, 4, 5), w, y); }) == "conv2d: x is a null view of 2x3x4x5 elements");
  CHECK(message([&] { conv{}(x, view(unchecked, none, extents<3, 3, 3, 4>{}), y); }) ==
        "conv2d: w is a null view of 3x3x3x4 elements");
  CHECK(message([&] { conv{}(image_view(none, 0, 3, 4, 5), w, image_view(none, 0, 4, 4, 3)); }) == "no error");
  const view scattered(unchecked, p, layout_strided::mapping(dims<4>(2, 3, 4, 5), 60, 20, 5, 1));
  CHECK(message([&] { conv{}(scattered, w, y); }) ==
        "conv2d: x has stride 20 between channels: they must be next to each other");
  const std::string shares = "conv2d: y shares elements with ";
  CHECK(message([&] { conv{}(x, w, image_view(p + 119, 2, 4, 4, 3)); }) == shares + "x");
  CHECK(message([&] { conv{}(x, w, image_view(p + 120 - 16, 2, 4, 4, 3)); }) == shares + "x");
  CHECK(message([&] { conv{}(x, w, image_view(p + 307, 2, 4, 4, 3)); }) == shares + "w");  // the last weight
  CHECK(message([&] { conv{}(x, w, image_view(p + 308, 2, 4, 4, 3)); }) == "no error");
  const view folded(unchecked, q, layout_strided::mapping(dims<4>(2, 4, 4, 3), 48, 1, 8, 4));
  CHECK(message([&] { conv{}(x, w, folded); }) == "conv2d: the strides of y give two results one element");

  // Channels 0 to 2 and 3 to 6 of one tensor with 7.
  const view<float, extents<3, 3, 3, 4>> weights(unchecked, q, extents<3, 3, 3, 4>{});
  const auto channels = [p](index_t first, index_t count, index_t width) {
    return view(unchecked, p + first, layout_strided::mapping(dims<4>(2, count, 4, width), 140, 1, 35, 7));
  };
  CHECK(message([&] { conv{}(channels(0, 3, 5), weights, channels(3, 4, 3)); }) == "no error");
  CHECK(message([&] { conv{}(channels(0, 3, 5), weights, channels(2, 4, 3)); }) == shares + "x");
}

}  // namespace
}  // namespace tern
