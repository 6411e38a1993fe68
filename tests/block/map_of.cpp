// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the program as ops and as blocks: results of calls, the same bits under all policies, gradients against
// finite differences.
#include <sstream>
#include <string>
#include <vector>

#include "tern/block/check_gradient.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

struct softsign {
  static constexpr const char* name = "softsign";
  static constexpr index_t operations = 3;
  template <class V>
  TERN_FN V operator()(V x) const {
    return x / (V(1.0f) + math::abs(x));
  }
  template <class V>
  TERN_FN V derivative(V x) const {
    const V s = V(1.0f) + math::abs(x);
    return V(1.0f) / (s * s);
  }
};
struct square {  // has neither a name nor a derivative
  template <class V>
  TERN_FN V operator()(V x) const {
    return x * x;
  }
};
template <int N>
struct of_several {
  static constexpr const char* name = "of_several";
  template <class V>
    requires(N == 2)
  TERN_FN V operator()(V a, V b) const {
    return a - b;
  }
  template <class V>
    requires(N == 3)
  TERN_FN V operator()(V a, V b, V c) const {
    using math::select;
    return select(a > V(0.0f), b, c);
  }
  template <class V>
    requires(N == 4)
  TERN_FN V operator()(V a, V b, V c, V d) const {
    return (a + b) / (c + d);
  }
};

template <class T>
auto matrix(std::vector<T>& v) {
  return view<T, dims<2>>(unchecked, v.data(), dims<2>(7, static_cast<index_t>(v.size()) / 7));
}

template <class Policy, class T>
void check_calls() {
  auto a = random_vector<T>(7 * 37, 1), b = random_vector<T>(7 * 37, 2), c = random_vector<T>(7 * 37, 3),
       d = random_vector<T>(7 * 37, 4);
  std::vector<T> y[4], dx(a.size()), in_place = a;
  for (auto& v : y) v.resize(a.size());
  const kernel<map_of<softsign, T>, Policy> one;
  const kernel<map_of<of_several<2>, T>, Policy> two;
  const kernel<map_of<of_several<3>, T>, Policy> three;
  const kernel<map_of<of_several<4>, T>, Policy> four;
  one(matrix(a), matrix(y[0])), one(matrix(in_place), matrix(in_place));
  two(matrix(a), matrix(b), matrix(y[1]));
  three(matrix(a), matrix(b), matrix(c), matrix(y[2]));
  four(matrix(a), matrix(b), matrix(c), matrix(d), matrix(y[3]));
  one.backward_data(matrix(b), matrix(a), matrix(dx));
  CHECK(same_bits(in_place, y[0]));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const softsign f;
    CHECK(equal_bits(y[0][i], f(a[i])));
    CHECK(equal_bits(y[1][i], a[i] - b[i]));
    CHECK(equal_bits(y[2][i], a[i] > 0 ? b[i] : c[i]));
    CHECK(equal_bits(y[3][i], (a[i] + b[i]) / (c[i] + d[i])));
    CHECK(equal_bits(dx[i], b[i] * f.derivative(a[i])));
  }
}

TEMPLATE_TEST_CASE("calls of functions of the program", "", float, double) {
  check_calls<reference, TestType>();
  check_calls<simd<>, TestType>();
  check_calls<simt<>, TestType>();
}

TEST_CASE("messages of wrong calls of functions") {
  std::vector<float> a(21), b(14), y(21);
  CHECK(message([&] { kernel<map_of<of_several<2>>, simd<>>()(matrix(a), matrix(b), matrix(y)); }) ==
        "of_several: b is 7x2 and a is 7x3: their shapes must be equal");
  CHECK(message([&] { kernel<map_of<square>, simd<>>()(matrix(b), matrix(y)); }) ==
        "map_of: y is 7x3 and a is 7x2: their shapes must be equal");
}

template <class T>
struct with_functions {
  using value_type = T;
  using blocks = block_list<map_of<softsign, T>>;
  static constexpr value define(graph& g, value x) {
    x = g.block<map_of<softsign, T>>("first", g.conv2d("conv", {.out = 4, .bias = true}, x));
    return g.add("sum", x, g.block<map_of<softsign, T>>("second", x));
  }
};
constexpr sample_shape in = sample_shape::image(3, 3, 5);

TEST_CASE("gradients of functions of the program agree with finite differences") {
  const gradient_report r = check_gradient<network<with_functions<double>, in, reference>>();
  std::ostringstream text;
  text << r;
  INFO(text.str());
  CHECK(r.passed);
}

template <class Policy>
void check_network() {
  passes<network<with_functions<float>, in, reference>> wanted(4);
  passes<network<with_functions<float>, in, Policy>> found(4);
  wanted.forward(), found.forward(), wanted.backward(), found.backward();
  CHECK(same_bits(wanted.y, found.y));
  CHECK(same_bits(wanted.gradient, found.gradient));
  CHECK(same_bits(wanted.dx, found.dx));
  wanted.infer(), found.infer();
  CHECK(same_bits(wanted.y, found.y));
}
TEST_CASE("networks with functions of the program have the same bits under all policies") {
  check_network<simd<>>();
  check_network<mimd<>>();
  check_network<simt<>>();
}

TEST_CASE("a function without a derivative is a block for inference, in place, and for forward passes") {
  using net = network<sequence<map_of<softsign>, map_of<square>, map_of<square>>, sample_shape::features(5), simd<>>;
  STATIC_REQUIRE(net::parameters == 0);
  std::vector<float> x{-2, -1, 0, 1, 3}, y(5), memory(static_cast<std::size_t>(net::infer_memory.elements(1)));
  auto state = net::make_state();
  net::infer(state, std::span<const float>(), std::span<const float>(), std::span<const float>(x), std::span(y),
             std::span(memory));
  for (std::size_t i = 0; i < 5; ++i) {
    const float s = softsign()(x[i]), t = s * s;
    CHECK(equal_bits(y[i], t * t));
  }
  std::vector<float> of_training(5), kept(static_cast<std::size_t>(net::training_memory.elements(1)));
  net::forward(state, std::span<const float>(), std::span<float>(), std::span<const float>(x), std::span(of_training),
               std::span(kept));
  CHECK(same_bits(of_training, y));
}

}  // namespace
}  // namespace tern::test
