// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong calls of pools: their messages at run time; they write nothing.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

namespace tern {
namespace {

using test::message;

using most = kernel<max_pool2d<pool2d_config{.kernel = {3, 2}, .pad = {1, 0}}>, reference>;
using mean = kernel<avg_pool2d<pool2d_config{.channels = 3, .kernel = {2, 2}, .extent = {dynamic, 6}}>, reference>;

template <class T>
auto image_view(T* p, index_t n, index_t c, index_t y, index_t x) {
  return view<T, dims<4>, layout_channels_last>(unchecked, p, dims<4>(n, c, y, x));
}

TEST_CASE("plans of pools state bytes read and written, and operations", "[pool][contract]") {
  float* const none = nullptr;  // elements are not looked at
  const plan p = most::plan(image_view(none, 2, 3, 4, 6));
  CHECK(std::string(p.op) == "max_pool2d");
  CHECK(p.bytes_moved == 4 * (2 * 3 * 4 * 6 + 2 * 3 * 2 * 3));
  CHECK(p.m == 2 * 2 * 3);
  CHECK(p.n == 3);
  CHECK(p.flops == static_cast<double>(p.m * p.n * p.k));
  CHECK(mean::plan(image_view(none, 2, 3, 4, 6), pass::backward_data).bytes_moved == p.bytes_moved);
  CHECK(message([&] { mean::plan(image_view(none, 2, 3, 4, 6), pass::backward_weights); }) ==
        "avg_pool2d: there are no weights: the pass of a plan must be forward or backward_data");
}

TEST_CASE("shapes of pools that disagree are named, and nothing is written", "[pool][contract]") {
  std::vector<float> memory(400, 1), out(400, 7);
  std::vector<std::int32_t> at(400, 7);
  float *p = memory.data(), *q = out.data();
  const auto x = image_view(p, 2, 3, 4, 6), y = image_view(q, 2, 3, 2, 3);
  const auto indices = image_view(at.data(), 2, 3, 2, 3);
  CHECK(message([&] { most{}(x, y, indices); }) == "no error");
  CHECK(message([&] { mean{}(x, y); }) == "no error");
  std::fill(out.begin(), out.end(), 7.0f), std::fill(at.begin(), at.end(), 7);
  CHECK(message([&] { most{}(x, image_view(q, 2, 3, 2, 2)); }) ==
        "max_pool2d: x is 2x3x4x6 and y is 2x3x2x2: y must be 2x3x2x3");
  CHECK(message([&] { most{}(x, image_view(q, 2, 4, 2, 3)); }) ==
        "max_pool2d: y is 2x4x2x3 and x is 2x3x4x6: they must agree on channels");
  CHECK(message([&] { most{}(x, y, image_view(at.data(), 2, 3, 3, 2)); }) ==
        "max_pool2d: indices is 2x3x3x2 and y is 2x3x2x3: their shapes must be equal");
  CHECK(message([&] { mean{}(image_view(p, 2, 4, 4, 6), image_view(q, 2, 4, 2, 3)); }) ==
        "avg_pool2d: x is 2x4x4x6: channels must be 3, as .channels says");
  CHECK(message([&] { mean{}(image_view(p, 2, 3, 4, 4), image_view(q, 2, 3, 2, 2)); }) ==
        "avg_pool2d: x is 2x3x4x4: extent 3 must be 6, as .extent says");
  CHECK(
      message([&] { mean{}(image_view(p, 2, 3, 1, 6), image_view(q, 2, 3, 0, 3)); }) ==
      "avg_pool2d: x is 2x3x1x6: on axis 0 the window reaches over 2 elements, more than the 1 there are with padding: "
      "there would be no result");
  CHECK(message([&] { most{}(image_view(p, 1 << 22, 1 << 22, 1 << 22, 1 << 22), y); }) ==
        "max_pool2d: x is 4194304x4194304x4194304x4194304: no machine can address so many elements");
  CHECK(message([&] { most{}(x, y, image_view(at.data(), 1 << 22, 1 << 22, 1 << 22, 1 << 22)); }) ==
        "max_pool2d: indices is 4194304x4194304x4194304x4194304: no machine can address so many elements");
  CHECK(message([&] { mean{}.backward_data(image_view(p, 2, 3, 2, 2), image_view(q, 2, 3, 4, 6)); }) ==
        "avg_pool2d: dx is 2x3x4x6 and dy is 2x3x2x2: dy must be 2x3x2x3");
  CHECK(message([&] {
          most{}.backward_data(image_view(p, 2, 3, 2, 3), image_view(p, 2, 3, 5, 6), image_view(q, 2, 3, 4, 6));
        }) == "max_pool2d: dx is 2x3x4x6 and x is 2x3x5x6: their shapes must be equal");
  CHECK(message([&] {
          most{}.backward_data(image_view(p, 2, 3, 2, 3), image_view(at.data(), 2, 3, 2, 2), image_view(q, 2, 3, 4, 6));
        }) == "max_pool2d: indices is 2x3x2x2 and dy is 2x3x2x3: their shapes must be equal");
  CHECK(out == std::vector<float>(400, 7));
  CHECK(at == std::vector<std::int32_t>(400, 7));
}

TEST_CASE("pools refuse null views, scattered channels and shared elements", "[pool][contract]") {
  std::vector<float> memory(1000, 1);
  float *p = memory.data(), *none = nullptr;
  std::vector<std::int32_t> at(400);
  const auto x = image_view(p, 2, 3, 4, 6), y = image_view(p + 144, 2, 3, 2, 3);
  CHECK(message([&] { most{}(x, y); }) == "no error");
  CHECK(message([&] { most{}(image_view(none, 2, 3, 4, 6), y); }) ==
        "max_pool2d: x is a null view of 2x3x4x6 elements");
  CHECK(message([&] { most{}(image_view(none, 0, 3, 4, 6), image_view(none, 0, 3, 2, 3)); }) == "no error");
  const view scattered(unchecked, p, layout_strided::mapping(dims<4>(2, 3, 4, 6), 72, 24, 6, 1));
  CHECK(message([&] { most{}(scattered, y); }) ==
        "max_pool2d: x has stride 24 between channels: they must be next to each other");
  const std::string shares = "max_pool2d: y shares elements with x",
                    with_indices = "max_pool2d: y shares elements with indices";
  CHECK(message([&] { most{}(x, image_view(p + 143, 2, 3, 2, 3)); }) == shares);
  CHECK(message([&] { most{}(x, x); }) == "max_pool2d: x is 2x3x4x6 and y is 2x3x4x6: y must be 2x3x2x3");
  const auto dy = image_view(p + 200, 2, 3, 2, 3), dx = image_view(p + 300, 2, 3, 4, 6);
  CHECK(message([&] { most{}.backward_data(dy, x, dx); }) == "no error");
  CHECK(message([&] { most{}.backward_data(dy, x, x); }) == "max_pool2d: dx shares elements with x");
  CHECK(message([&] { most{}.backward_data(dy, x, image_view(p + 199, 2, 3, 4, 6)); }) ==
        "max_pool2d: dx shares elements with dy");

  // Indices within the memory of the other tensors.
  union word {
    float number;
    std::int32_t index;
  };
  std::vector<word> words(1000);
  float* numbers = &words.front().number;
  const auto input = image_view(numbers, 2, 3, 4, 6), output = image_view(numbers + 144, 2, 3, 2, 3);
  CHECK(message([&] { most{}(input, output, image_view(&words[180].index, 2, 3, 2, 3)); }) == "no error");
  CHECK(message([&] { most{}(input, output, image_view(&words[179].index, 2, 3, 2, 3)); }) == with_indices);
  CHECK(message([&] { most{}(input, output, image_view(&words[143].index, 2, 3, 2, 3)); }) == with_indices);
  const view folded(unchecked, &words[400].index, layout_strided::mapping(dims<4>(2, 3, 2, 3), 18, 1, 3, 3));
  CHECK(message([&] { most{}(input, output, folded); }) ==
        "max_pool2d: the strides of indices give two results one element");

  // Channels 0 to 2 and 3 to 5 of one tensor with 6.
  const auto channels = [p](index_t first, index_t height, index_t width) {
    return view(unchecked, p + first, layout_strided::mapping(dims<4>(2, 3, height, width), 144, 1, 36, 6));
  };
  CHECK(message([&] { most{}(channels(0, 4, 6), channels(3, 2, 3)); }) == "no error");
  CHECK(message([&] { most{}(channels(0, 4, 6), channels(2, 2, 3)); }) == shares);
}

TEST_CASE("a maximum's position must be an index", "[pool][contract]") {
  // Nothing is read: the only output is empty. 2^31 positions, all at one address.
  float x = 1;
  std::int32_t at = 0;
  const view large(unchecked, &x, layout_strided::mapping(dims<3>(1, 1, index_t(1) << 31), 0, 1, 0));
  std::vector<float> y(1);
  const view<float, dims<3>, layout_channels_last> one(y, dims<3>(1, 1, 1));
  const view<std::int32_t, dims<3>, layout_channels_last> index(unchecked, &at, dims<3>(1, 1, 1));
  CHECK(message([&] { kernel<global_max_pool1d<>, reference>{}(large, one, index); }) ==
        "max_pool1d: there are 2147483648 positions per channel, the index of a maximum is one of at most 2147483647");
}

}  // namespace
}  // namespace tern
