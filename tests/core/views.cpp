// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views know how many elements there are.
#include <array>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

namespace tern::test {
namespace {

template <class V, class T, class Shape, class Layout = layout_row>
constexpr bool is = std::is_same_v<V, view<T, Shape, Layout>>;

TEST_CASE("a view is made of anything that has elements", "[view]") {
  std::vector<float> v(12);
  const std::vector<float>& constant = v;
  float plain[12];
  std::array<double, 12> array{};
  const std::span<float> span(v);

  const view a(v, extents{3, 4});
  STATIC_REQUIRE(is<decltype(view(v, extents{3, 4})), float, dims<2>>);
  STATIC_REQUIRE(is<decltype(view(constant, extents<3, 4>{})), const float, extents<3, 4>>);
  STATIC_REQUIRE(is<decltype(view(plain, extents<3, 4>{})), float, extents<3, 4>>);
  STATIC_REQUIRE(is<decltype(view(array, extents{12})), double, dims<1>>);
  STATIC_REQUIRE(is<decltype(view(span.first(6), extents{2, 3})), float, dims<2>>);
  STATIC_REQUIRE(is<decltype(view(v.data(), 12, extents{12})), float, dims<1>>);
  STATIC_REQUIRE(is<decltype(view(unchecked, v.data(), extents{5})), float, dims<1>>);
  STATIC_REQUIRE(is<decltype(view(v, layout_column::mapping(extents{3, 4}))), float, dims<2>, layout_column>);
  const view<const float, dims<2>> adds_const(v, extents{4, 3});

  CHECK(a.data() == v.data());
  CHECK(view(plain, extents<3, 4>{}).data() == plain);
  CHECK(view(span.last(6), extents{2, 3}).data() == v.data() + 6);
  CHECK(adds_const.data() == v.data());
}

TEST_CASE("a view is not a container, since its elements may be strided", "[view]") {
  using apart = view<float, dims<2>, layout_strided>;
  STATIC_REQUIRE(!std::is_constructible_v<view<float, dims<1>>, apart&, dims<1>>);
  STATIC_REQUIRE(!std::is_constructible_v<view<float, dims<1>>, view<float, dims<2>>, dims<1>>);
}

TEST_CASE("a view has as many elements as its source", "[view]") {
  std::vector<float> v(12);
  const auto made = [&](auto... of) { return message([&] { static_cast<void>(view(of...)); }); };
  const std::span<float> all(v);
  CHECK(made(all, extents{3, 4}) == "no error");
  CHECK(made(all, extents{5, 3}) == "view: there are 12 elements: a view of shape 5x3 needs 15");
  CHECK(made(all, extents<5, 2>{}) == "view: there are 12 elements: a view of shape 5x2 needs 10");
  CHECK(made(v.data(), 11, extents{3, 4}) == "view: there are 11 elements: a view of shape 3x4 needs 12");
  CHECK(made(all, layout_channels_last::mapping(dims<3>(1, 3, 5))) ==
        "view: there are 12 elements: a view of shape 1x3x5 needs 15");
  CHECK(made(all.first(0), extents{0, 4}) == "no error");
  CHECK(made(unchecked, v.data(), extents{5, 3}) == "no error");
}

TEST_CASE("strides may leave elements out", "[view]") {
  std::vector<float> v(12);
  const auto columns = [&](index_t rows, index_t stride) {
    return message([&] { static_cast<void>(view(v, layout_strided::mapping{extents{rows, 2}, stride, 1})); });
  };
  CHECK(columns(3, 4) == "no error");
  CHECK(columns(2, 4) == "no error");
  CHECK(columns(3, 5) == "no error");
  CHECK(columns(4, 4) == "view: there are 12 elements: a view of shape 4x2 needs 14");
}

}  // namespace
}  // namespace tern::test
