// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs with differences, quotients, maxima and minima of two values: gradients against finite differences in float64,
// and the same network by hand.
#include <cmath>
#include <sstream>
#include <vector>

#include "tern/block/check_gradient.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

/// Values that are read before and after, a value with itself, operands whose gradient nobody wants, and a checkpoint.
template <class T>
struct all_of_two {
  using value_type = T;
  static constexpr value define(graph& g, value x) {
    const value a = g.conv2d("a", {.out = 3, .bias = true, .act = activation::tanh}, x);
    const value b = g.conv2d("b", {.out = 3, .act = activation::sigmoid}, x);
    const value less = g.subtract("less", a, b);
    const value over = g.divide("over", less, g.activate("positive", activation::softplus, b));
    const value larger = [&] {
      const auto again = g.checkpoint();
      return g.maximum("larger", over, g.minimum("smaller", a, x));
    }();
    const value none = g.subtract("none", g.divide("one", b, b), g.maximum("same", a, a));
    return g.matmul("dense", {.n = 2}, g.flatten(g.add("sum", larger, g.subtract("all", none, less))));
  }
};
constexpr sample_shape in = sample_shape::image(3, 3, 5);

TEST_CASE("gradients of functions of two values agree with finite differences") {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const gradient_report r = check_gradient<network<all_of_two<double>, in, reference>>({.samples = 3, .seed = seed});
    std::ostringstream text;
    text << r;
    INFO(text.str());
    CHECK(r.passed);
  }
}

template <class Policy>
void check_policy() {
  passes<network<all_of_two<float>, in, reference>> wanted(4);
  passes<network<all_of_two<float>, in, Policy>> found(4);
  for (const bool inference : {false, true}) {
    if (inference)
      wanted.infer(), found.infer();
    else
      wanted.forward(), found.forward();
    CHECK(same_bits(wanted.y, found.y));
  }
  wanted.forward(), found.forward(), wanted.backward(), found.backward();
  CHECK(same_bits(wanted.gradient, found.gradient));
  CHECK(same_bits(wanted.dx, found.dx));
}
TEST_CASE("graphs of functions of two values have the same bits under all policies") {
  check_policy<simd<>>();
  check_policy<mimd<>>();
  check_policy<simt<>>();
}

/// A kind of pooling: the ratio of the larger to the smaller of two halves of the features.
struct ratio {
  static constexpr value define(graph& g, value x) {
    const value a = g.slice("a", 0, 5, x), b = g.slice("b", 5, 5, x);
    return g.divide("ratio", g.subtract("sum", g.maximum("larger", a, b), g.minimum("smaller", a, b)), b);
  }
};

TEST_CASE("a graph of functions of two values has the bits of calls by hand") {
  using net = network<ratio, sample_shape::features(10), simd<>>;
  constexpr index_t batch = 7;
  passes<net> p(batch);
  // Equal values, too.
  for (std::size_t n = 0; n < 7; ++n) p.x[n * 10] = p.x[n * 10 + 5];
  p.forward(), p.backward();

  using matrix = view<float, dims<2>>;
  std::vector<float> memory(16 * 35);
  index_t used = 0;
  const auto fresh = [&] { return matrix(unchecked, memory.data() + 35 * used++, dims<2>(batch, 5)); };
  const matrix a = fresh(), b = fresh(), larger = fresh(), smaller = fresh(), less = fresh(), y = fresh(), dy = fresh(),
               dless = fresh(), db = fresh(), dlarger = fresh(), dsmaller = fresh(), da = fresh(),
               da_of_larger = fresh(), db_of_larger = fresh(), db_of_smaller = fresh();
  for (index_t n = 0; n < batch; ++n)
    for (index_t i = 0; i < 5; ++i) {
      a(n, i) = p.x[static_cast<std::size_t>(n * 10 + i)], b(n, i) = p.x[static_cast<std::size_t>(n * 10 + 5 + i)];
      dy(n, i) = p.dy[static_cast<std::size_t>(n * 5 + i)];
    }
  const kernel<maximum<>, simd<>> max;
  const kernel<minimum<>, simd<>> min;
  const kernel<subtract<>, simd<>> subtracted;
  const kernel<divide<>, simd<>> divided;
  max(a, b, larger), min(a, b, smaller), subtracted(larger, smaller, less), divided(less, b, y);
  divided.backward_data(dy, less, b, dless, db);
  subtracted.backward_data(dless, dlarger, dsmaller);
  min.backward_data(dsmaller, a, b, da, db_of_smaller);
  max.backward_data(dlarger, a, b, da_of_larger, db_of_larger);
  // Sums in the order of the backward pass: that of the last reader first.
  const kernel<elementwise<elementwise_config{.residual = true}>, simd<>> add;
  add(da, da_of_larger, da), add(db, db_of_smaller, db), add(db, db_of_larger, db);
  for (index_t n = 0; n < batch; ++n)
    for (index_t i = 0; i < 5; ++i) {
      INFO(n << ", " << i);
      CHECK(equal_bits(p.y[static_cast<std::size_t>(n * 5 + i)], y(n, i)));
      CHECK(equal_bits(p.dx[static_cast<std::size_t>(n * 10 + i)], da(n, i)));
      CHECK(equal_bits(p.dx[static_cast<std::size_t>(n * 10 + 5 + i)], db(n, i)));
    }
}

}  // namespace
}  // namespace tern::test
