// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents, layouts and views, while compiling and at run time.
#include <array>
#include <random>
#include <set>
#include <vector>

#include "tern/core/as_view.hpp"
#include "tern/core/extents.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

namespace tern {
namespace {

// Shapes know what is static, cost nothing where all is, and compare by value.
static_assert(extents<3, dynamic>(3, 4).extent(1) == 4 && extents<3, dynamic>::static_extent(0) == 3);
static_assert(extents<3, dynamic, 5, dynamic>(4, 6) == extents(3, 4, 5, 6) && extents<dynamic, 7>(2) == extents(2, 7));
static_assert(std::is_same_v<decltype(extents{1, 2}), dims<2>> && dims<2>::rank == 2);
static_assert(extents{3, 4}.size() == 12 && extents<>{}.size() == 1);
static_assert(extents<3, 4>{} == extents{3, 4} && !(extents{3, 4} == extents{4, 3}) && !(extents{3} == extents{3, 1}));
static_assert(sizeof(view<float, extents<8, 8>>) == sizeof(float*));
static_assert(sizeof(view<float, extents<8, dynamic>>) == sizeof(float*) + sizeof(index_t));

// Layouts give the strides they promise, also before the extents are known.
using image = extents<2, 3, 4, 5>;
static_assert(layout_row::mapping<image>{}(1, 2, 3, 4) == 119 && layout_row::mapping<image>::static_stride(0) == 60);
static_assert(layout_column::mapping<image>{}(1, 0, 0, 0) == 1 && layout_column::mapping<image>{}.stride(3) == 24);
static_assert(layout_transposed::mapping<extents<2, 3, 4>>{}(1, 2, 3) == 12 + 2 + 9);
static_assert(layout_channels_last::mapping<image>{}(1, 2, 3, 4) == ((1 * 4 + 3) * 5 + 4) * 3 + 2);
static_assert(layout_channels_last::mapping<image>::static_stride(2) == 15);
static_assert(layout_channel_blocked<8>::mapping<extents<2, 9, 1, 2>>{}(1, 8, 0, 1) == ((1 * 2 + 1) * 2 + 1) * 8);
static_assert(layout_channel_blocked<8>::mapping<extents<2, 9, 1, 2>>{}.required_span_size() == 64);
static_assert(layout_row::mapping<extents<dynamic, 7>>::static_stride(0) == 7 &&
              layout_row::mapping<extents<7, dynamic>>::static_stride(0) == dynamic);
static_assert(strided_mapping<layout_channels_last::mapping<dims<4>>> &&
              !strided_mapping<layout_channel_blocked<4>::mapping<dims<4>>>);

/// Every index has an offset of its own, inside the span, that agrees with the strides where there are some.
template <class Mapping>
void check_mapping(const Mapping& m) {
  std::set<index_t> seen;
  const auto& e = m.extents();
  index_t last = -1;
  for (index_t i = 0; i < e.extent(0); ++i)
    for (index_t j = 0; j < e.extent(1); ++j)
      for (index_t k = 0; k < e.extent(2); ++k) {
        const index_t offset = m(i, j, k);
        REQUIRE(offset >= 0);
        REQUIRE(seen.insert(offset).second);
        last = offset > last ? offset : last;
        if constexpr (strided_mapping<Mapping>) REQUIRE(offset == i * m.stride(0) + j * m.stride(1) + k * m.stride(2));
        if constexpr (strided_mapping<Mapping>)
          for (int r = 0; r < 3; ++r)
            REQUIRE((Mapping::static_stride(r) == dynamic || Mapping::static_stride(r) == m.stride(r)));
      }
  REQUIRE(last < m.required_span_size());
}

TEST_CASE("every layout maps indices one to one into its span", "[core][layout]") {
  std::mt19937 engine(Catch::rngSeed());
  for (int round = 0; round < 20; ++round) {
    const index_t a = 1 + static_cast<index_t>(engine() % 5), b = 1 + static_cast<index_t>(engine() % 9),
                  c = 1 + static_cast<index_t>(engine() % 7);
    const dims<3> e(a, b, c);
    INFO(a << "x" << b << "x" << c);
    check_mapping(layout_row::mapping<dims<3>>(e));
    check_mapping(layout_column::mapping<dims<3>>(e));
    check_mapping(layout_transposed::mapping<dims<3>>(e));
    check_mapping(layout_channels_last::mapping<dims<3>>(e));
    check_mapping(layout_channel_blocked<4>::mapping<dims<3>>(e));
    check_mapping(layout_strided::mapping<dims<3>>(e, b * c + 3, c, 1));
    check_mapping(layout_strided::mapping<dims<3>>(e));
  }
  check_mapping(layout_row::mapping<extents<3, dynamic, 4>>(extents<3, dynamic, 4>(3, 5, 4)));
  check_mapping(layout_channels_last::mapping<extents<3, 5, dynamic>>(extents<3, 5, dynamic>(3, 5, 4)));
}

TEST_CASE("a view takes its layout from a mapping", "[core][view]") {
  float p[24] = {};
  const view row(unchecked, p, layout_row::mapping(dims<3>(2, 3, 4)));
  const view last(unchecked, p, layout_channels_last::mapping(dims<3>(2, 3, 4)));
  const view blocks(unchecked, p, layout_channel_blocked<4>::mapping(dims<3>(2, 3, 3)));
  static_assert(std::is_same_v<decltype(row)::layout_type, layout_row>);
  static_assert(std::is_same_v<decltype(last)::layout_type, layout_channels_last>);
  static_assert(std::is_same_v<decltype(blocks)::layout_type, layout_channel_blocked<4>>);
  CHECK(&last(0, 1, 0) == p + 1);
  CHECK(&blocks(0, 0, 1) == p + 4);
}

TEST_CASE("views of one tensor agree on its elements", "[core][view]") {
  std::vector<float> memory(6);
  for (std::size_t i = 0; i < 6; ++i) memory[i] = static_cast<float>(i);
  const view a{memory, extents{2, 3}};
  const view<const float, dims<2>> b = a;
  const auto t = transposed(a);
  const view s{memory, layout_strided::mapping{extents{2, 2}, 3, 2}};
  for (index_t i = 0; i < 2; ++i)
    for (index_t j = 0; j < 3; ++j) {
      CHECK(b(i, j) == a(i, j));
      CHECK(t(j, i) == a(i, j));
      CHECK(transposed(transposed(s)).size() == 4);
    }
  CHECK(s(1, 1) == 5);
  CHECK(rows(a, 1, 1)(0, 2) == 5);
  CHECK(rows(t, 1, 2)(1, 1) == 5);
  CHECK(std::is_same_v<decltype(t)::layout_type, layout_column>);
  const view batch{memory, extents{3, 1, 2}};
  CHECK(transposed(batch)(2, 1, 0) == batch(2, 0, 1));
}

TEST_CASE("vectors, arrays and spans are views of rank 1", "[core][view]") {
  std::vector<double> v{1, 2, 3};
  const std::array<double, 2> w{4, 5};
  CHECK(as_view(v).size() == 3);
  CHECK(as_view(v)(2) == 3);
  CHECK(as_view(w)(1) == 5);
  CHECK(std::is_same_v<decltype(as_view(w))::element_type, const double>);
}

#if defined(__cpp_exceptions)
TEST_CASE("wrong extents say which dimension is wrong", "[core][contract]") {
  using test::message;
  CHECK(message([] { extents<3, dynamic>(4, 1); }) == "extents: dimension 0 is 4 where the type says 3");
  CHECK(message([] { extents{2, -1}; }) == "extents: dimension 1 is -1: it must be at least 0");
  CHECK(message([] { layout_strided::mapping<dims<2>>(dims<2>(2, 2), 1, -2); }) ==
        "layout_strided: stride 1 is -2: it must be at least 0");
  float x[4] = {};
  CHECK(message([&] { rows(view{unchecked, x, extents{2, 2}}, 1, 2); }) == "rows: rows 1 to 3 of a view that has 2");
}
#endif

}  // namespace
}  // namespace tern
