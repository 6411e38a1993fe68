// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of `validate` about declared calls. (tests/driver finds wrong declarations.)
#include <string>

#include "tern/kernel/declaration.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

using declare::declaration;
using declare::in;
using declare::out;

TEST_CASE("sentences are put together", "[declared]") {
  const auto text = [](const auto&... part) {
    declare::sentence s;
    (s << ... << part);
    return std::string(s.text());
  };
  CHECK(text("a ", index_t{0}, " ", index_t{-120}, " ", dynamic) == "a 0 -120 ?");
  CHECK(text(index_t{1} << 62, " ", -(index_t{1} << 62) - (index_t{1} << 62)) ==
        "4611686018427387904 -9223372036854775808");
  CHECK(text(std::string(500, 'x').c_str()).size() == declare::sentence::room - 1);
  declare::sentence form;
  declare::add_form(form, "op",
                    {"", 0, 3, in("x", "n c s..."), in("mask", "n c").when(false, ".mask"),
                     in("scale", "c").when(true, ".scale"), out("y", "n c s...")});
  CHECK(std::string(form.text()) ==
        "op: the call takes (x, mask, scale, y); mask is taken if .mask is set, scale if .scale is set");
}

TEST_CASE("tensors are checked against their declaration", "[declared]") {
  using declare::element;
  using declare::fact;
  constexpr declaration d{
      "", 0, 3, in("x", "n c s..."), in("mask", "n c").elements_are(element::uint8), out("y", "c n")};
  const auto judged = [&](const fact& x, const fact& mask, const fact& y) {
    declare::sentence s;
    const fact t[] = {x, mask, y};
    declare::validate(s, "op", d, t);
    return std::string(s.text());
  };
  const fact x{3, {2, 3, 4}, element::op, 4}, mask{2, {2, 3}, element::uint8, 1}, y{2, {3, 2}, element::op, 4, true};
  CHECK(judged(x, mask, y) == "");
  CHECK(judged({4, {2, 3, 4, dynamic}, element::op, 4}, mask, {2, {dynamic, 2}, element::op, 4, true}) == "");
  CHECK(judged(x, {2, {2, 5}, element::uint8, 1}, y) == "op: mask is 2x5 and x is 2x3x4: they must agree on c");
  CHECK(judged(x, mask, {2, {3, 4}, element::op, 4, true}) == "op: y is 3x4 and x is 2x3x4: they must agree on n");
  CHECK(judged(x, x, y) == "op: mask must have elements of type std::uint8_t");
  CHECK(judged({1, {2}, element::op, 4}, mask, y) == "op: x has 1 axis: it must be (n, c, s...), 2 to 5 axes");
  CHECK(judged(x, {3, {2, 3, 1}, element::uint8, 1}, y) == "op: mask has 3 axes: it must be (n, c)");
  CHECK(judged(x, mask, {2, {3, 2}, element::op, 4, false}) ==
        "op: y is written: it must be a view of elements that are not const");
  CHECK(judged({3, {1 << 20, 1 << 20, 1 << 8}, element::op, 4}, mask, y) ==
        "op: x is 1048576x1048576x256: no machine can address so many elements");
  CHECK(judged({3, {2, 3, 4}, element::op, 4, false, false}, mask, y) ==
        "op: x must be in a layout with strides, or with blocks of channels");
  CHECK(judged({3, {2, 3, 4}, element::op, 4, false, true, true}, mask, y) == "op: x is a null view of 2x3x4 elements");
}

}  // namespace
}  // namespace tern::test
