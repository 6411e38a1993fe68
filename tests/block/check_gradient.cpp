// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tern::check_gradient on blocks whose gradients are right, and on blocks with a mistake each.
#include <array>
#include <cmath>
#include <sstream>
#include <string>

#include "tern/block/check_gradient.hpp"
#include "tern/blocks.hpp"
#include "tern/simd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

namespace tern::test {

enum class mistake { none, of_parameter, of_x, overwrites, unwritten };
/// y = x g, with a g for every channel.
template <mistake M>
struct gain {};

}  // namespace tern::test

template <tern::test::mistake M, tern::sample_shape In, class Policy>
struct tern::layer<tern::test::gain<M>, In, Policy> : tern::layer_base<In> {
  static constexpr tern::index_t parameters = In.channels;
  static constexpr bool needs_x = true;
  template <class F, class Path>
  static void each_parameter(F& f, const Path& path) {
    path.visit(f, "gain", 0, tern::parameter::ones, 1, false, In.channels);
  }
  template <class Call, class T, class Mem>
  static void infer(const Call& c, const T* x, T* y, const Mem&) {
    for (tern::index_t i = 0; i < c.batch * In.size(); ++i) y[i] = x[i] * c.parameters[i % In.channels];
  }
  template <class Call, class T, class Mem>
  static void forward(const Call& c, const T* x, T* y, const Mem&, const Mem& scratch) {
    infer(c, x, y, scratch);
  }
  template <class Call, class T, class Mem>
  static void backward(const Call& c, const T* x, T*, const T* dy, T* dx, const Mem&, const Mem&) {
    using enum tern::test::mistake;
    for (tern::index_t i = 0; i < c.batch * In.size(); ++i) {
      const tern::index_t channel = i % In.channels;
      if (M == overwrites)
        c.gradient[channel] = dy[i] * x[i];
      else
        c.gradient[channel] += dy[i] * x[i] * (M == of_parameter && channel == 2 ? T(1.01) : T(1));
      if (dx && (M != unwritten || i > 0)) dx[i] = dy[i] * c.parameters[M == of_x ? 0 : channel];
    }
  }
};

namespace tern::test {
namespace {

template <mistake M>
struct checked {
  using value_type = double;
  using blocks = block_list<gain<M>>;
  static constexpr value define(graph& g, value x) {
    x = g.conv2d("conv", {.out = 4, .bias = true, .act = activation::tanh}, x);
    return g.block<gain<M>>("gain", x);
  }
};
template <mistake M, class Policy = reference>
using net = network<checked<M>, sample_shape::image(3, 2, 3), Policy>;

std::string text_of(const gradient_report& r) {
  std::ostringstream out;
  out << r;
  return out.str();
}

TEST_CASE("correct gradients pass") {
  const gradient_report r = check_gradient<net<mistake::none>>();
  INFO(text_of(r));
  CHECK(r.passed);
  CHECK(r.compared == 12 + 4 + 4 + 18);
  CHECK(text_of(r).starts_with("38 derivatives are right, within "));
  CHECK(check_gradient<net<mistake::none, simd<>>>({.samples = 7, .seed = 5}).passed);
}

TEST_CASE("mistakes are found, and named") {
  const gradient_report of_parameter = check_gradient<net<mistake::of_parameter>>();
  CHECK(!of_parameter.passed);
  CHECK(of_parameter.tensor == "gain.gain");
  CHECK(of_parameter.element == 2);
  CHECK(std::fabs(of_parameter.derivative / of_parameter.difference - 1.01) < 1e-5);
  CHECK(text_of(of_parameter).starts_with("the derivative of gain.gain[2] is "));

  const gradient_report of_x = check_gradient<net<mistake::of_x>>();
  CHECK(!of_x.passed);
  CHECK(of_x.tensor != "gain.gain");
  CHECK(!check_gradient<net<mistake::overwrites>>().passed);

  const gradient_report unwritten = check_gradient<net<mistake::unwritten>>();
  CHECK(!unwritten.passed);
  CHECK(std::isnan(unwritten.derivative));
}

TEST_CASE("gradients of floats, as precisely as finite differences allow") {
  using floats = network<sequence<conv2d<conv2d_config{.out = 4, .act = activation::tanh}>, flatten,
                                  matmul<matmul_config{.n = 3, .bias = true}>>,
                         sample_shape::image(2, 3, 3), simd<>>;
  const gradient_report r = check_gradient<floats>();
  INFO(text_of(r));
  CHECK(r.passed);
  using wrong = network<sequence<gain<mistake::of_x>, tern::flatten>, sample_shape::image(4, 2, 2), simd<>>;
  CHECK(!check_gradient<wrong>().passed);
}

struct two_of_each {
  using value_type = double;
  static constexpr std::array<value, 2> define(graph& g, value a, value b) {
    const value x = g.matmul("first", {.n = 3, .act = activation::sigmoid}, a);
    return {g.add("sum", x, b), g.multiply("product", x, b)};
  }
};

TEST_CASE("several inputs and results") {
  constexpr std::array shapes{sample_shape::features(5), sample_shape::features(3)};
  const gradient_report r = check_gradient<network<two_of_each, shapes, reference>>({.of_each_tensor = 100});
  INFO(text_of(r));
  CHECK(r.passed);
  CHECK(r.compared == 15 + 2 * 5 + 2 * 3);
}

TEST_CASE("dropouts draw the same in every pass, and penalties count") {
  using draws = sequence<matmul<matmul_config{.n = 8}, double>, drop<30>, normal_latent<std::ratio<1, 3>, double>>;
  const gradient_report r = check_gradient<network<draws, sample_shape::features(4), reference>>({.samples = 5});
  INFO(text_of(r));
  CHECK(r.passed);
}

TEST_CASE("a check without samples is refused") {
  CHECK(message([] { check_gradient<net<mistake::none>>({.samples = 0}); }) ==
        "check_gradient: .samples is 0 and .of_each_tensor 20: both must be at least 1");
}

}  // namespace
}  // namespace tern::test
