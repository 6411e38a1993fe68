// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong calls of ops that move elements: their messages at run time; they write nothing.
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

namespace tern {
namespace {

using test::message;

using up = kernel<upsample2d<upsample2d_config{.factor = {2, 3}}>, reference>;
using around = kernel<pad2d<pad2d_config{.pad = {1, 0}, .pad_end = 0, .mode = border::reflect}>, reference>;
using repeat = kernel<pad1d<pad1d_config{.pad_end = {2}, .mode = border::circular}>, reference>;
using deep = kernel<space_to_depth2d<space_to_depth2d_config{.block = {2, 3}}>, reference>;
using wide = kernel<depth_to_space2d<space_to_depth2d_config{.block = {2, 3}}>, reference>;
using shuffle = kernel<channel_shuffle<channel_shuffle_config{.groups = 3}>, reference>;
using copy = kernel<reorder<>, reference>;

template <class T, std::integral... E>
auto last(T* p, E... e) {
  return view<T, dims<sizeof...(E)>, layout_channels_last>(unchecked, p, dims<sizeof...(E)>(e...));
}

TEST_CASE("plans of moving ops state the bytes read and written", "[rearrange][contract]") {
  float* const none = nullptr;  // elements are not looked at
  const plan plain = copy::plan(view(unchecked, none, extents<2, 3, 4, 5>{}));
  CHECK(std::string(plain.op) == "reorder");
  CHECK(std::string(plain.element) == "float32");
  CHECK(plain.bytes_moved == 2 * 4 * 2 * 3 * 4 * 5);
  CHECK(plain.units == 1);
  const plan grown = up::plan(last(none, 2, 3, 4, 5), pass::backward_data);
  CHECK(grown.bytes_moved == 4 * (2 * 3 * 4 * 5 + 2 * 3 * 8 * 15));
  CHECK(grown.m == 2 * 8 * 15);
  CHECK(grown.n == 3);
  CHECK(message([&] { up::plan(last(none, 2, 3, 4, 5), pass::backward_weights); }) ==
        "upsample2d: there are no weights: the pass of a plan must be forward or backward_data");
  CHECK(message([&] { deep::plan(last(none, 1, 3, 4, 5)); }) ==
        "space_to_depth2d: x is 1x3x4x5: its extents must be multiples of .block");
  CHECK(message([&] { up::plan(last(none, 1 << 20, 1 << 10, 1 << 10, 1 << 5)); }) ==
        "upsample2d: y is 1048576x1024x2048x96: no machine can address so many elements");
}

TEST_CASE("shapes that disagree are named, and nothing is written", "[rearrange][contract]") {
  std::vector<float> memory(1000, 1), out(1000, 7);
  float *p = memory.data(), *q = out.data();
  CHECK(message([&] { up{}(last(p, 2, 3, 4, 5), last(q, 2, 3, 8, 10)); }) ==
        "upsample2d: x is 2x3x4x5 and y is 2x3x8x10: y must be 2x3x8x15");
  CHECK(message([&] { up{}.backward_data(last(p, 2, 3, 8, 15), last(q, 2, 3, 4, 6)); }) ==
        "upsample2d: dx is 2x3x4x6 and dy is 2x3x8x15: dy must be 2x3x8x18");
  CHECK(message([&] { up{}(last(p, 2, 3, 1 << 30, 1 << 30), last(q, 2, 3, 1, 1)); }) ==
        "upsample2d: x is 2x3x1073741824x1073741824: no machine can address so many elements");
  CHECK(message([&] { around{}(last(p, 1, 3, 1, 5), last(q, 1, 3, 2, 5)); }) ==
        "pad2d: x is 1x3x1x5: an axis that is reflected must have at least 2 elements");
  CHECK(message([&] { repeat{}(last(p, 1, 3, 0), last(q, 1, 3, 2)); }) ==
        "pad1d: x is 1x3x0: there must be an element to be put around the others");
  CHECK(message([&] { deep{}(last(p, 1, 3, 4, 5), last(q, 1, 18, 2, 1)); }) ==
        "space_to_depth2d: x is 1x3x4x5: its extents must be multiples of .block");
  CHECK(message([&] { deep{}(last(p, 1, 3, 4, 6), last(q, 1, 18, 2, 3)); }) ==
        "space_to_depth2d: x is 1x3x4x6 and y is 1x18x2x3: y must be 1x18x2x2");
  CHECK(message([&] { wide{}(last(p, 1, 15, 4, 5), last(q, 1, 3, 8, 15)); }) ==
        "depth_to_space2d: x is 1x15x4x5: its channels must be a multiple of the elements of a .block");
  CHECK(message([&] { shuffle{}(last(p, 1, 4, 5), last(q, 1, 4, 5)); }) ==
        "channel_shuffle: x is 1x4x5: .groups must divide its channels");
  CHECK(message([&] { copy{}(last(p, 1, 4, 5), view(unchecked, q, dims<3>(1, 5, 4))); }) ==
        "reorder: x is 1x4x5 and y is 1x5x4: y must be 1x4x5");
  CHECK(message([&] { static_cast<void>(part<2>(last(p, 1, 4, 5), 3, 3)); }) ==
        "part: elements 3 to 6 of an axis that has 5");
  CHECK(out == std::vector<float>(1000, 7));
}

TEST_CASE("null views, scattered channels and shared elements are refused", "[rearrange][contract]") {
  std::vector<float> memory(1000, 1);
  float *p = memory.data(), *none = nullptr;
  CHECK(message([&] { copy{}(last(none, 1, 4, 5), last(p, 1, 4, 5)); }) ==
        "reorder: x is a null view of 1x4x5 elements");
  CHECK(message([&] { copy{}(last(none, 0, 4, 5), last(none, 0, 4, 5)); }) == "no error");
  const view planes(unchecked, p, layout_strided::mapping(dims<3>(1, 6, 5), 30, 5, 1));
  CHECK(message([&] { shuffle{}(planes, last(p + 30, 1, 6, 5)); }) ==
        "channel_shuffle: x has stride 5 between channels: they must be next to each other");
  CHECK(message([&] { copy{}(planes, last(p + 30, 1, 6, 5)); }) == "no error");
  CHECK(message([&] { copy{}(planes, last(p + 29, 1, 6, 5)); }) == "reorder: y shares elements with x");
  const view folded(unchecked, p + 100, layout_strided::mapping(dims<3>(1, 6, 5), 0, 1, 5));
  CHECK(message([&] { copy{}(planes, folded); }) == "reorder: the strides of y give two results one element");
  const auto all = last(p, 2, 7, 4, 5);
  CHECK(message([&] { copy{}(part<1>(all, 0, 3), part<1>(all, 3, 3)); }) == "no error");
  CHECK(message([&] { copy{}(part<1>(all, 0, 3), part<1>(all, 2, 3)); }) == "reorder: y shares elements with x");
}

}  // namespace
}  // namespace tern
