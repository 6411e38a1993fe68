// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimisers against their formulas in float64, what wrong calls say.
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

// The formulas: functions of the gradient, the parameter, the state, and the factor that clips.
struct sgd_formula {
  bool nesterov;
  sgd_step s;
  void operator()(double g, double& p, double& v, double&) const {
    g += s.decay * p;
    v = s.momentum * v + g;
    p -= s.rate * (nesterov ? g + s.momentum * v : v);
  }
};
struct adam_formula {
  bool decoupled;
  adam_step s;
  void operator()(double g, double& p, double& m, double& v) const {
    if (decoupled)
      p -= s.rate * s.decay * p;
    else
      g += s.decay * p;
    m = s.beta1 * m + (1 - s.beta1) * g;
    v = s.beta2 * v + (1 - s.beta2) * g * g;
    const auto t = static_cast<double>(s.step);
    p -= s.rate * (m / (1 - std::pow(s.beta1, t))) / (std::sqrt(v / (1 - std::pow(s.beta2, t))) + s.epsilon);
  }
};
struct rmsprop_formula {
  rmsprop_step s;
  void operator()(double g, double& p, double& v, double& b) const {
    g += s.decay * p;
    v = s.alpha * v + (1 - s.alpha) * g * g;
    b = s.momentum * b + g / (std::sqrt(v) + s.epsilon);
    p -= s.rate * b;
  }
};

/// Steps of an optimiser on random numbers, of T under the reference.
template <class Op, class Step>
std::vector<std::vector<typename Op::value_type>> steps(index_t n, int remembered, Step step) {
  using T = typename Op::value_type;
  std::vector<std::vector<T>> x(static_cast<std::size_t>(1 + remembered));
  x[0] = random_vector<T>(n, 1);
  for (std::size_t i = 1; i < x.size(); ++i) x[i].resize(x[0].size());
  const kernel<Op, reference> k;
  for (unsigned t = 1; t <= 5; ++t) {
    auto gradient = random_vector<T>(n, 10 + t);
    if constexpr (requires { step.step; }) step.step = static_cast<index_t>(t);
    double sum = 0;
    for (const T g : gradient) sum += static_cast<double>(g) * static_cast<double>(g);
    const std::vector<T> squares{static_cast<T>(sum)};
    const auto call = [&](auto&... changed) {
      if constexpr (Op::config.clip)
        k(gradient, changed..., squares, step);
      else
        k(gradient, changed..., step);
    };
    if constexpr (requires { step.beta1; })
      call(x[0], x[1], x[2]);
    else if constexpr (requires { step.alpha; }) {
      if constexpr (Op::config.momentum)
        call(x[0], x[1], x[2]);
      else
        call(x[0], x[1]);
    } else {
      if constexpr (Op::config.momentum)
        call(x[0], x[1]);
      else
        call(x[0]);
    }
  }
  return x;
}

/// Three steps of a layer's optimiser that takes norms.
std::vector<float> layer_steps(bool by_lamb, index_t n) {
  auto p = random_vector(n, 1);
  std::vector<float> m(p.size()), v(p.size()), of_p(1), of_g(1);
  const kernel<sum_of_squares<>, reference> squares;
  for (unsigned t = 1; t <= 3; ++t) {
    auto g = random_vector(n, 10 + t);
    squares(p, of_p);
    if (by_lamb) {
      const adam_step step{.epsilon = 1e-6, .decay = 0.1, .step = static_cast<index_t>(t)};
      kernel<lamb_update<>, reference>{}(p, g, m, v, step);
      squares(g, of_g);
      kernel<lamb<>, reference>{}(g, p, of_p, of_g, lamb_step{0.1});
    } else {
      squares(g, of_g);
      kernel<lars<>, reference>{}(g, p, v, of_p, of_g, lars_step{.decay = 0.1, .trust = 0.5});
    }
  }
  return p;
}

template <class Op, class Step, class Formula>
void check(const char* name, int remembered, Step step, Formula formula) {
  using T = typename Op::value_type;
  if (!Op::config.clip) step.most = 0;
  for (const index_t n : {0, 1, 15, 16, 17, 1000}) {
    INFO(name << ", " << n << " parameters");
    const auto wanted = steps<Op>(n, remembered, step);
    std::vector<double> p(static_cast<std::size_t>(n)), a(p.size()), b(p.size());
    const auto start = random_vector<T>(n, 1);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = static_cast<double>(start[i]);
    for (unsigned t = 1; t <= 5; ++t) {
      const auto gradient = random_vector<T>(n, 10 + t);
      double sum = 0;
      for (const T g : gradient) sum += static_cast<double>(g) * static_cast<double>(g);
      const double norm = std::sqrt(sum), factor = Op::config.clip && norm > step.most ? step.most / norm : 1;
      if constexpr (requires { formula.s.step; }) formula.s.step = static_cast<index_t>(t);
      for (std::size_t i = 0; i < p.size(); ++i) formula(static_cast<double>(gradient[i]) * factor, p[i], a[i], b[i]);
    }
    // Five steps with at most 16 roundings each, of numbers that stay below 3.
    const double bound = 5 * 16 * 3 * (sizeof(T) == 4 ? 0x1p-24 : 0x1p-53);
    bool near = true;
    for (std::size_t i = 0; i < p.size(); ++i)
      near = near && std::fabs(static_cast<double>(wanted[0][i]) - p[i]) <= bound;
    CHECK(near);
  }
}

/// A step on the gradient of a loss that was multiplied by a power of two, against one on that of the loss itself.
template <class Op, class Step>
void check_scale(Step step) {
  using T = typename Op::value_type;
  INFO(Op::name << " of " << dtype<T>::name);
  const index_t n = 100;
  const double scale = 0x1p20;
  const kernel<Op, simd<>> k;
  const auto run = [&](double s) {
    auto g = random_vector<T>(n, 1), p = random_vector<T>(n, 2), a = random_vector<T>(n, 3), b = random_vector<T>(n, 4);
    for (T& x : b) x = std::fabs(x);  // an average of squares
    for (T& x : g) x = static_cast<T>(static_cast<double>(x) * s);
    step.scale = s;
    std::vector<T> squares(1), of_parameters{T(2)};
    kernel<sum_of_squares<T>, reference>{}(g, squares);
    if constexpr (std::is_same_v<Step, lars_step>)
      k(g, p, a, of_parameters, squares, step);
    else if constexpr (std::is_same_v<Op, lamb_update<T>>)
      k(p, g, a, b, step);
    else if constexpr (std::is_same_v<Step, sgd_step>)
      k(g, p, a, squares, step);
    else
      k(g, p, b, a, squares, step);
    p.insert(p.end(), a.begin(), a.end()), p.insert(p.end(), b.begin(), b.end());
    if constexpr (std::is_same_v<Op, lamb_update<T>>) p.insert(p.end(), g.begin(), g.end());  // the update
    return p;
  };
  CHECK(same_bits(run(1), run(scale)));
}

TEMPLATE_TEST_CASE("gradients of a scaled loss make the step of the loss", "[optimizer][law]", float, double) {
  using T = TestType;
  check_scale<sgd<sgd_config{.momentum = true, .clip = true}, T>>(sgd_step{.most = 1});
  check_scale<adam<adam_config{.decoupled = true, .clip = true}, T>>(adam_step{.most = 1});
  check_scale<rmsprop<rmsprop_config{.momentum = true, .clip = true}, T>>(rmsprop_step{.most = 1});
  check_scale<lars<T>>(lars_step{});
  check_scale<lamb_update<T>>(adam_step{});
}

TEST_CASE("a loss scale falls if gradients overflow, and rises if they do not", "[optimizer]") {
  adaptive_loss_scale s{.value = 8, .patience = 3, .least = 2, .most = 16};
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(!s.accepts(inf));
  CHECK(s.value == 4);
  CHECK(!s.accepts(nan));
  CHECK(!s.accepts(-inf));
  CHECK(s.value == 2);  // not less
  for (int doublings = 0; doublings < 5; ++doublings)
    for (int i = 0; i < 3; ++i) {
      CHECK(s.value == std::fmin(2 << doublings, 16));
      CHECK(s.accepts(1e30));
    }
  CHECK(s.value == 16);  // not more
  CHECK(s.accepts(0));
  CHECK(!s.accepts(inf));  // counts anew
  for (int i = 0; i < 3; ++i) CHECK((s.value == 8 && s.accepts(1)));
  CHECK(s.value == 16);
}

TEMPLATE_TEST_CASE("optimisers agree with their formulas", "[optimizer]", float, double) {
  using T = TestType;
  const sgd_step plain{.rate = 0.1, .momentum = 0, .decay = 0.01}, moving{.rate = 0.1, .decay = 0.01, .most = 2};
  check<sgd<sgd_config{}, T>>("sgd", 0, plain, sgd_formula{false, plain});
  check<sgd<sgd_config{.momentum = true}, T>>("momentum", 1, moving, sgd_formula{false, moving});
  check<sgd<sgd_config{.momentum = true, .nesterov = true, .clip = true}, T>>("nesterov, clipped", 1, moving,
                                                                              sgd_formula{true, moving});
  const adam_step a{.rate = 0.01, .epsilon = 1e-3, .decay = 0.1, .most = 1.5};
  check<adam<adam_config{}, T>>("adam", 2, a, adam_formula{false, a});
  check<adam<adam_config{.decoupled = true, .clip = true}, T>>("adamw, clipped", 2, a, adam_formula{true, a});
  const rmsprop_step r{.rate = 0.01, .epsilon = 1e-3, .decay = 0.1}, rm{.rate = 0.01, .epsilon = 1e-3, .momentum = 0.9};
  check<rmsprop<rmsprop_config{}, T>>("rmsprop", 1, r, rmsprop_formula{r});
  check<rmsprop<rmsprop_config{.momentum = true}, T>>("rmsprop with momentum", 2, rm, rmsprop_formula{rm});
}

TEST_CASE("layers that differ in size take steps in proportion", "[optimizer]") {
  for (const bool by_lamb : {false, true})
    for (const index_t n : {1, 17, 1000}) {
      INFO((by_lamb ? "lamb, " : "lars, ") << n << " parameters");
      const auto wanted = layer_steps(by_lamb, n);
      std::vector<double> p(static_cast<std::size_t>(n)), m(p.size()), v(p.size());
      const auto start = random_vector(n, 1);
      const auto norm = [](const std::vector<double>& x) {
        double sum = 0;
        for (const double i : x) sum += i * i;
        return std::sqrt(sum);
      };
      for (std::size_t i = 0; i < p.size(); ++i) p[i] = static_cast<double>(start[i]);
      for (unsigned t = 1; t <= 3; ++t) {
        const auto single = random_vector(n, 10 + t);
        std::vector<double> g(single.begin(), single.end());
        if (by_lamb) {
          for (std::size_t i = 0; i < p.size(); ++i) {
            m[i] = 0.9 * m[i] + 0.1 * g[i], v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
            g[i] = m[i] / (1 - std::pow(0.9, t)) / (std::sqrt(v[i] / (1 - std::pow(0.999, t))) + 1e-6) + 0.1 * p[i];
          }
          const double ratio = norm(p) / norm(g);
          for (std::size_t i = 0; i < p.size(); ++i) p[i] -= 0.1 * ratio * g[i];
        } else {
          const double ratio = 0.5 * norm(p) / (norm(g) + 0.1 * norm(p) + 1e-8);
          for (std::size_t i = 0; i < p.size(); ++i) {
            v[i] = 0.9 * v[i] + 0.1 * ratio * (g[i] + 0.1 * p[i]);
            p[i] -= v[i];
          }
        }
      }
      // As above; norms lose at most the roundings of a path through rule 5.
      bool near = true;
      for (std::size_t i = 0; i < p.size(); ++i)
        near = near && std::fabs(static_cast<double>(wanted[i]) - p[i]) <= 3 * (16 + 16) * 3 * 0x1p-24;
      CHECK(near);
    }
  std::vector<float> zeros(3), g{1, 2, 3}, v(3), none(1), one{14};
  kernel<lars<>, simd<>>{}(g, zeros, v, none, one, lars_step{.rate = 1});
  CHECK(zeros == std::vector<float>{-1, -2, -3});
}

TEST_CASE("averages move", "[optimizer]") {
  std::vector<float> x{1, 2, 3}, average{0, 2, 7};
  kernel<moving_average<>, simd<>>{}(x, average, moving_average_step{.decay = 0.75});
  CHECK(average == std::vector<float>{0.25f, 2, 6});
}

TEST_CASE("sums of squares are near to those in double", "[optimizer]") {
  for (const index_t n : {0, 1, 127, 4097, 30000}) {
    auto x = random_vector(n, 1);
    std::vector<float> total(1, 7);
    kernel<sum_of_squares<>, reference>{}(x, total);
    double exact = 0;
    for (const float v : x) exact += static_cast<double>(v) * static_cast<double>(v);
    CHECK(std::fabs(static_cast<double>(total[0]) - exact) <= 50 * 0x1p-24 * exact);
  }
}

TEST_CASE("a machine made for so many parameters runs a step on them", "[optimizer]") {
  auto x = random_vector(1000, 1), p = random_vector(1000, 2), wanted = p;
  std::vector<float> of_x(1), of_x_wanted(1);
  kernel<sgd<>, reference>{}(x, wanted);
  kernel<sum_of_squares<>, reference>{}(x, of_x_wanted);
  tile_machine machine = kernel<sgd<>, mimd<few_tiles>>::make_state(1000);
  kernel<sgd<>, mimd<few_tiles>>{}(machine, x, p);
  tile_machine other = kernel<sum_of_squares<>, mimd<few_tiles>>::make_state(1000);
  kernel<sum_of_squares<>, mimd<few_tiles>>{}(other, x, of_x);
  CHECK(same_bits(p, wanted));
  CHECK(same_bits(of_x, of_x_wanted));
}

TEST_CASE("powers are those of exact squaring", "[optimizer]") {
  CHECK(tile::power(0.9, 1) == 0.9);
  CHECK(tile::power(0.5, 10) == 0x1p-10);
  CHECK(std::fabs(tile::power(0.999, 1000) - std::pow(0.999, 1000.0)) < 1e-14);
}

TEST_CASE("wrong calls of optimisers are named, and nothing is written", "[optimizer][contract]") {
  std::vector<float> g(5, 1), p(5, 7), v(5, 7), square(5, 7), few(4, 7), squares(1, 1);
  const std::vector<float> before = p;
  const kernel<sgd<sgd_config{.momentum = true, .clip = true}>, reference> k;
  const sgd_step clipped{.most = 1};
  CHECK(message([&] { k(g, few, v, squares, clipped); }) ==
        "sgd: parameters is 4 and gradient is 5: their shapes must be equal");
  CHECK(message([&] { k(g, p, few, squares, clipped); }) ==
        "sgd: velocity is 4 and gradient is 5: their shapes must be equal");
  CHECK(message([&] { k(g, p, v, few, clipped); }) == "sgd: squares is 4: it must be (1)");
  CHECK(message([&] { k(g, p, p, squares, clipped); }) == "sgd: parameters shares elements with velocity");
  CHECK(message([&] { k(p, p, v, squares, clipped); }) == "sgd: parameters shares elements with gradient");
  CHECK(message([&] { k(g, view(unchecked, static_cast<float*>(nullptr), dims<1>(5)), v, squares, clipped); }) ==
        "sgd: parameters is a null view of 5 elements");
  const kernel<adam<>, reference> adam_of;
  CHECK(message([&] { k(g, p, v, squares, sgd_step{.scale = 0}); }) ==
        "sgd: .scale is 0: it must be positive and finite, as its inverse must be in the element type");
  CHECK(message([&] { adam_of(g, p, v, square, adam_step{.scale = -1}); }) ==
        "adam: .scale is -1: it must be positive and finite, as its inverse must be in the element type");
  CHECK(message([&] { adam_of(g, p, v, square, adam_step{.scale = HUGE_VAL}); }) ==
        "adam: .scale is inf: it must be positive and finite, as its inverse must be in the element type");
  CHECK(message([&] {
          adam_of(g, p, v, square, adam_step{.scale = 1e-40});
        }).starts_with("adam: .scale is 1e-40: it must be positive and finite, as its inverse"));
  CHECK(message([&] {
          adam_of(g, p, v, square, adam_step{.scale = 1e300});
        }).starts_with("adam: .scale is 1e+300: it must be positive and finite, as its inverse"));
  CHECK(message([&] { adam_of(g, p, v, square, adam_step{.step = 0}); }) ==
        "adam: .step is 0: steps are counted from 1");
  CHECK(message([&] { adam_of(g, p, v, square, adam_step{.rate = std::nan("")}); }) ==
        "adam: .rate is nan: it must be at least 0, and finite in the element type");
  CHECK(message([&] { k(g, p, v, squares, sgd_step{.rate = -0.1, .most = 1}); }) ==
        "sgd: .rate is -0.1: it must be at least 0, and finite in the element type");
  CHECK(message([&] { k(g, p, v, squares, sgd_step{.momentum = 2, .most = 1}); }) ==
        "sgd: .momentum is 2: it must be in [0, 1)");
  CHECK(message([&] { adam_of(g, p, v, square, adam_step{.decay = -0.1}); }) ==
        "adam: .decay is -0.1: it must be at least 0, and finite in the element type");
  CHECK(message([&] { adam_of(g, p, v, square, adam_step{.beta1 = 1}); }) == "adam: .beta1 is 1: it must be in [0, 1)");
  CHECK(message([&] { adam_of(g, p, v, square, adam_step{.epsilon = -1}); }) ==
        "adam: .epsilon is -1: it must be positive and finite in the element type, or a denominator may be 0");
  CHECK(message([&] { adam_of(g, p, v, square, adam_step{.epsilon = 1e-60}); }) ==
        "adam: .epsilon is 1e-60: it must be positive and finite in the element type, or a denominator may be 0");
  CHECK(message([&] { adam_of(g, p, v, square, adam_step{.rate = 1e39}); }) ==
        "adam: .rate is 1e+39: it must be at least 0, and finite in the element type");
  CHECK(message([&] { adam_of(g, p, v, square, adam_step{.most = 1}); }) ==
        "adam: .most is 1: it must be 0, as the config has no .clip");
  CHECK(message([&] { k(g, p, v, squares); }) ==
        "sgd: .most is 0: it must be positive, the largest norm of the gradient");
  CHECK(message([&] { kernel<rmsprop<>, reference>{}(g, p, v, rmsprop_step{.alpha = 2}); }) ==
        "rmsprop: .alpha is 2: it must be in [0, 1)");
  CHECK(message([&] { kernel<moving_average<>, reference>{}(g, p, moving_average_step{.decay = 1.5}); }) ==
        "moving_average: .decay is 1.5: it must be in [0, 1]");
  CHECK(message([&] { kernel<sum_of_squares<>, reference>{}(g, few); }) ==
        "sum_of_squares: total is 4: it must be (1)");
  CHECK(message([&] { kernel<sum_of_squares<>, reference>{}(g, view(unchecked, g.data() + 2, dims<1>(1))); }) ==
        "sum_of_squares: total shares elements with x");
  CHECK(p == before);
  CHECK(v == before);
  const plan of_adam = kernel<adam<>, reference>::plan(100);
  CHECK(std::string(of_adam.op) == "adam");
  CHECK(of_adam.bytes_moved == 7 * 100 * 4);
  CHECK(kernel<adamw<>, mimd<few_tiles>>::plan(100000).units > 1);
}

}  // namespace
}  // namespace tern::test
