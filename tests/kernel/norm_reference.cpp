// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms of the reference against float64 formulas, gradients against differences; laws; what wrong calls say.
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

template <class Op>
using of_reference = kernel<Op, reference>;

template <class T>
auto matrix_of(std::vector<T>& v, index_t rows) {
  return view<T, dims<2>>(unchecked, v.data(), dims<2>(rows, static_cast<index_t>(v.size()) / rows));
}

/// Sizes of a norm over images (n, c, h, w).
struct sizes {
  index_t n, c, h, w, groups;
  index_t values() const { return c / groups * h * w; }
  index_t size() const { return n * c * h * w; }
};

/// The mathematics, in long double; x has channels last.
template <class T>
std::vector<long double> expected(const std::vector<T>& x, sizes s, bool center, const std::vector<T>& scale,
                                  const std::vector<T>& shift, double eps, bool batch) {
  std::vector<long double> y(x.size());
  if (batch) s.h *= s.n, s.n = 1;  // channels last: samples are rows of one image
  const index_t members = s.c / s.groups, positions = s.h * s.w;
  for (index_t n = 0; n < s.n; ++n)
    for (index_t g = 0; g < s.groups; ++g) {
      const auto each = [&](auto f) {
        for (index_t p = 0; p < positions; ++p)
          for (index_t c = g * members; c < (g + 1) * members; ++c)
            f(static_cast<std::size_t>((n * positions + p) * s.c + c), static_cast<std::size_t>(c));
      };
      long double mean = 0, squares = 0;
      if (center) each([&](std::size_t i, std::size_t) { mean += x[i]; });
      mean /= static_cast<long double>(s.values());
      each([&](std::size_t i, std::size_t) { squares += (x[i] - mean) * (x[i] - mean); });
      const long double rstd = 1 / std::sqrt(squares / static_cast<long double>(s.values()) + eps);
      each([&](std::size_t i, std::size_t c) {
        y[i] = (x[i] - mean) * rstd * (scale.empty() ? 1 : scale[c]) + (shift.empty() ? 0 : shift[c]);
      });
    }
  return y;
}

/// \tparam G  groups of a group norm
template <norm_kind K, index_t G, class T>
void check_forward(const sizes& s, double offset) {
  constexpr norm_config cfg{.groups = G, .shift = K != norm_kind::rms};
  using op = normalization<K, cfg, T>;
  INFO(op::name << " of " << dtype<T>::name << ": " << s.n << "x" << s.c << "x" << s.h << "x" << s.w << ", offset "
                << offset);
  auto x = random_vector<T>(s.size(), 1), scale = random_vector<T>(s.c, 2), shift = random_vector<T>(s.c, 3);
  for (T& v : x) v = static_cast<T>(v + static_cast<T>(offset));
  std::vector<T> y(x.size());
  if constexpr (cfg.shift)
    of_reference<op>{}(last(x, s.n, s.c, s.h, s.w), scale, shift, last(y, s.n, s.c, s.h, s.w), epsilon{1e-3});
  else
    of_reference<op>{}(last(x, s.n, s.c, s.h, s.w), scale, last(y, s.n, s.c, s.h, s.w), epsilon{1e-3});
  const auto wanted =
      expected(x, s, K != norm_kind::rms, scale, cfg.shift ? shift : std::vector<T>(), 1e-3, K == norm_kind::batch);
  // The mean is wrong by some roundings of its size, which is that of x; deviations are of size 1/2.
  const double unit = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
  const double bound = unit * (16 + 8 * std::fabs(offset) + 8 * std::log2(static_cast<double>(s.values())));
  double worst = 0;
  for (std::size_t i = 0; i < y.size(); ++i) worst = std::max(worst, static_cast<double>(std::fabs(y[i] - wanted[i])));
  INFO("worst " << worst << " of " << bound);
  CHECK(worst <= bound);
  CHECK(worst > 0);
}

TEMPLATE_TEST_CASE("norms agree with their formulas", "[norm]", float, double) {
  using T = TestType;
  for (const double offset : {0.0, 100.0}) {
    check_forward<norm_kind::layer, 1, T>({3, 10, 1, 1, 1}, offset);
    check_forward<norm_kind::layer, 1, T>({2, 768, 1, 1, 1}, offset);
    check_forward<norm_kind::layer, 1, T>({1, 5000, 1, 1, 1}, offset);
    check_forward<norm_kind::layer, 1, T>({2, 7, 5, 6, 1}, offset);
    check_forward<norm_kind::group, 4, T>({2, 12, 9, 7, 4}, offset);
    check_forward<norm_kind::group, 2, T>({2, 6, 40, 33, 2}, offset);  // three chunks
    check_forward<norm_kind::instance, 1, T>({2, 5, 6, 7, 5}, offset);
    check_forward<norm_kind::batch, 1, T>({40, 5, 1, 1, 5}, offset);
    check_forward<norm_kind::batch, 1, T>({3, 4, 20, 30, 4}, offset);
  }
  check_forward<norm_kind::rms, 1, T>({3, 300, 1, 1, 1}, 0);
  check_forward<norm_kind::rms, 1, T>({2, 30, 5, 7, 1}, 0);
}

template <norm_kind K, norm_config C>
void check_gradients(const sizes& s) {
  using op = normalization<K, C, double>;
  INFO(op::name << ", scale " << C.scale << ", " << s.n << "x" << s.c << "x" << s.h << "x" << s.w);
  auto x = random_vector<double>(s.size(), 1), scale = random_vector<double>(s.c, 2),
       shift = random_vector<double>(s.c, 3), dy = random_vector<double>(s.size(), 4);
  const index_t sets = K == norm_kind::batch ? 1 : s.n;
  std::vector<double> y(x.size()), means(static_cast<std::size_t>(sets * s.groups)), deviations(means.size()),
      dx(x.size(), 1), dscale(scale.size(), 1), dshift(scale.size(), 1);
  const auto by_group = [&](std::vector<double>& v) {
    if constexpr (K == norm_kind::batch)
      return view<double, dims<1>>(unchecked, v.data(), dims<1>(s.groups));
    else
      return matrix_of(v, s.n);
  };
  const auto mean = by_group(means), rstd = by_group(deviations);
  const auto image = [&](std::vector<double>& v) { return last(v, s.n, s.c, s.h, s.w); };
  const auto loss = [&](std::vector<double>& from, std::vector<double>& a, std::vector<double>& b) {
    if constexpr (K == norm_kind::rms)
      of_reference<op>{}(image(from), a, image(y), rstd);
    else if constexpr (C.scale)
      of_reference<op>{}(image(from), a, b, image(y), mean, rstd);
    else
      of_reference<op>{}(image(from), image(y), mean, rstd);
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  loss(x, scale, shift);
  const of_reference<op> k;
  const auto all_at_once = [&](auto... option) {
    auto a = dx, b = dscale, c = dshift;
    if constexpr (K == norm_kind::rms)
      k.backward(image(dy), image(x), scale, rstd, image(a), b, option...);
    else if constexpr (C.scale)
      k.backward(image(dy), image(x), scale, mean, rstd, image(a), b, c, option...);
    else
      k.backward(image(dy), image(x), mean, rstd, image(a), b, c, option...);
    return std::tuple{a, b, c};
  };
  const auto one_by_one = [&](auto... option) {
    auto a = dx, b = dscale, c = dshift;
    if constexpr (K == norm_kind::rms) {
      k.backward_data(image(dy), image(x), scale, rstd, image(a), option...);
      k.backward_weights(image(dy), image(x), rstd, b, option...);
    } else {
      if constexpr (C.scale)
        k.backward_data(image(dy), image(x), scale, mean, rstd, image(a), option...);
      else
        k.backward_data(image(dy), image(x), mean, rstd, image(a), option...);
      k.backward_weights(image(dy), image(x), mean, rstd, b, c, option...);
    }
    return std::tuple{a, b, c};
  };
  CHECK(all_at_once() == one_by_one());
  CHECK(all_at_once(accumulate) == one_by_one(accumulate));
  std::tie(dx, dscale, dshift) = one_by_one(accumulate);
  const double h = 1e-6;
  const auto difference = [&](std::vector<double>& v, std::size_t i) {
    const double old = v[i];
    v[i] = old + h;
    const double up = loss(x, scale, shift);
    v[i] = old - h;
    const double down = loss(x, scale, shift);
    v[i] = old;
    return (up - down) / (2 * h);
  };
  for (std::size_t i = 0; i < x.size(); i += 3) CHECK(std::fabs(dx[i] - 1 - difference(x, i)) < 2e-7);
  for (std::size_t c = 0; C.scale && c < scale.size(); ++c) {
    CHECK(std::fabs(dscale[c] - 1 - difference(scale, c)) < 1e-7);
    if (C.shift) CHECK(std::fabs(dshift[c] - 1 - difference(shift, c)) < 1e-7);
  }
}

TEST_CASE("gradients of norms are those of float64 differences", "[norm]") {
  constexpr norm_config plain{.scale = false, .shift = false};
  check_gradients<norm_kind::layer, norm_config{}>({4, 9, 1, 1, 1});
  check_gradients<norm_kind::layer, plain>({3, 200, 1, 1, 1});
  check_gradients<norm_kind::group, norm_config{.groups = 3}>({2, 6, 4, 3, 3});
  check_gradients<norm_kind::instance, norm_config{}>({2, 3, 4, 5, 3});
  check_gradients<norm_kind::batch, norm_config{}>({5, 3, 2, 4, 3});
  check_gradients<norm_kind::batch, plain>({7, 4, 1, 1, 4});
  check_gradients<norm_kind::rms, norm_config{.shift = false}>({3, 11, 1, 1, 1});
  check_gradients<norm_kind::rms, norm_config{.shift = false}>({2, 5, 3, 2, 1});
}

TEST_CASE("a layer norm is invariant to a scale and an offset of its input", "[norm][law]") {
  constexpr norm_config plain{.scale = false, .shift = false};
  auto x = random_vector<double>(4 * 50, 1);
  std::vector<double> y(x.size()), z(x.size()), larger(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) larger[i] = 8 * x[i] + 16;
  const of_reference<layer_norm<plain, double>> k;
  k(matrix_of(x, 4), matrix_of(y, 4), epsilon{1e-12});
  k(matrix_of(larger, 4), matrix_of(z, 4), epsilon{64e-12});
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::fabs(y[i] - z[i]) < 1e-13);
}

TEST_CASE("kinds of norms that are mathematically equal agree bit by bit", "[norm][law]") {
  auto x = random_vector(3 * 12 * 5 * 4, 1);
  std::vector<float> a(x.size()), b(x.size());
  constexpr norm_config plain{.scale = false, .shift = false}, twelve{.groups = 12, .scale = false, .shift = false};
  of_reference<layer_norm<plain>>{}(last(x, 3, 12, 5, 4), last(a, 3, 12, 5, 4));
  of_reference<group_norm<plain>>{}(last(x, 3, 12, 5, 4), last(b, 3, 12, 5, 4));
  CHECK(same_bits(a, b));
  of_reference<instance_norm<plain>>{}(last(x, 3, 12, 5, 4), last(a, 3, 12, 5, 4));
  of_reference<group_norm<twelve>>{}(last(x, 3, 12, 5, 4), last(b, 3, 12, 5, 4));
  CHECK(same_bits(a, b));
  // A sample does not see the others.
  std::vector<float> alone(12 * 5 * 4), first(x.begin() + 2 * 240, x.end());
  of_reference<instance_norm<plain>>{}(last(first, 1, 12, 5, 4), last(alone, 1, 12, 5, 4));
  CHECK(same_bits(alone, std::vector<float>(a.begin() + 2 * 240, a.end())));
}

TEST_CASE("a batch norm gives the variance, and is the instance norm of one sample", "[norm][law]") {
  auto x = random_vector(1 * 6 * 5 * 7, 1), scale = random_vector(6, 2), shift = random_vector(6, 3);
  std::vector<float> y(x.size()), z(x.size()), mean(6), rstd(6), variance(6), means(6), deviations(6);
  of_reference<batch_norm<>>{}(last(x, 1, 6, 5, 7), scale, shift, last(y, 1, 6, 5, 7), mean, rstd, variance,
                               epsilon{0.5});
  of_reference<instance_norm<>>{}(last(x, 1, 6, 5, 7), scale, shift, last(z, 1, 6, 5, 7), matrix_of(means, 1),
                                  matrix_of(deviations, 1), epsilon{0.5});
  CHECK(same_bits(y, z));
  CHECK(same_bits(mean, means));
  CHECK(same_bits(rstd, deviations));
  for (std::size_t c = 0; c < 6; ++c) CHECK(equal_bits(rstd[c], 1 / std::sqrt(variance[c] + 0.5f)));
  CHECK(message([&] { of_reference<batch_norm<>>{}(last(x, 0, 6, 5, 7), scale, shift, last(y, 0, 6, 5, 7)); }) ==
        "batch_norm: x is 0x6x5x7: there are no elements to normalise");
  CHECK(message([&] {
          of_reference<batch_norm<>>{}(last(x, 1, 6, 5, 7), scale, shift, last(y, 1, 6, 5, 7), mean,
                                       view(unchecked, rstd.data(), dims<1>(5)));
        }) == "batch_norm: rstd is 5 and x is 1x6x5x7: they must agree on channels");
}

TEST_CASE("a batch norm of known statistics is folded into the convolution before it", "[norm][law]") {
  constexpr conv2d_config plain{.in = 3, .out = 5, .kernel = {3, 3}, .pad = {1, 1}};
  constexpr conv2d_config fused{.in = 3, .out = 5, .kernel = {3, 3}, .pad = {1, 1}, .scale = true, .bias = true};
  auto x = random_vector<double>(2 * 3 * 6 * 5, 1), w = random_vector<double>(9 * 3 * 5, 2),
       scale = random_vector<double>(5, 3), shift = random_vector<double>(5, 4);
  std::vector<double> y(2 * 5 * 6 * 5), normed(y.size()), folded(y.size()), mean(5), rstd(5), variance(5), factor(5),
      offset(5);
  const view weights(w, dims<4>(3, 3, 3, 5));
  of_reference<conv2d<plain, double>>{}(last(x, 2, 3, 6, 5), weights, last(y, 2, 5, 6, 5));
  const of_reference<batch_norm<norm_config{}, double>> k;
  k(last(y, 2, 5, 6, 5), scale, shift, last(normed, 2, 5, 6, 5), mean, rstd, variance);
  k.fold(mean, variance, scale, shift, factor, offset);
  of_reference<conv2d<fused, double>>{}(last(x, 2, 3, 6, 5), weights, factor, offset, last(folded, 2, 5, 6, 5));
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::fabs(normed[i] - folded[i]) < 1e-13);
  std::vector<double> four(4);
  CHECK(message([&] { k.fold(mean, variance, scale, shift, four, offset); }) ==
        "batch_norm: factor is 4 and mean is 5: their shapes must be equal");
  CHECK(message([&] { k.fold(mean, variance, scale, shift, factor, offset, epsilon{0}); }) ==
        "batch_norm: epsilon is 0: it must be positive");
  const std::vector<double> before = factor;
  mean.assign(5, 0.5), mean[3] = -0.5;
  CHECK(message([&] { k.fold(variance, mean, scale, shift, factor, offset); }) ==
        "batch_norm: the variance of channel 3 is -0.5: it must not be negative; the mean comes before it");
  CHECK(factor == before);
}

TEST_CASE("the epsilon of a config is that of a call", "[norm]") {
  constexpr norm_config with{.epsilon = 1e-3};
  auto x = random_vector<float>(5 * 8, 1), scale = random_vector<float>(8, 2), shift = random_vector<float>(8, 3);
  std::vector<float> y(40), wanted(40), other(40), mean(8), variance(8, 2), factor(8), offset(8), factors(8),
      offsets(8);
  of_reference<layer_norm<with>>{}(matrix_of(x, 5), scale, shift, matrix_of(y, 5));
  of_reference<layer_norm<>>{}(matrix_of(x, 5), scale, shift, matrix_of(wanted, 5), epsilon{1e-3});
  CHECK(same_bits(y, wanted));
  of_reference<layer_norm<with>>{}(matrix_of(x, 5), scale, shift, matrix_of(other, 5), epsilon{1e-5});
  of_reference<layer_norm<>>{}(matrix_of(x, 5), scale, shift, matrix_of(wanted, 5));
  CHECK(same_bits(other, wanted));
  of_reference<batch_norm<with>>{}.fold(mean, variance, scale, shift, factor, offset);
  of_reference<batch_norm<>>{}.fold(mean, variance, scale, shift, factors, offsets, epsilon{1e-3});
  CHECK(same_bits(factor, factors));
}

TEST_CASE("norms of constants, huge numbers, NaN and infinity", "[norm]") {
  constexpr norm_config plain{.scale = false, .shift = false};
  const of_reference<layer_norm<plain>> k;
  std::vector<float> x(40, 3.0f), y(40), rstd(1), mean(1);
  k(matrix_of(x, 1), matrix_of(y, 1), mean, rstd, epsilon{0.25});
  CHECK(y == std::vector<float>(40, 0.0f));
  CHECK(rstd[0] == 2);
  CHECK(mean[0] == 3);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 ? 1e18f : -1e18f;
  k(matrix_of(x, 1), matrix_of(y, 1));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::fabs(y[i] - (i % 2 ? 1.0f : -1.0f)) < 1e-6f);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    x[7] = bad;
    k(matrix_of(x, 1), matrix_of(y, 1));
    for (const float v : y) CHECK(std::isnan(v));
  }
  std::vector<float> one(1, 5.0f), out(1);
  k(matrix_of(one, 1), matrix_of(out, 1));
  CHECK(out[0] == 0);
}

TEST_CASE("a batch that is cut at grains gives the gradients of the uncut batch", "[norm][law]") {
  auto x = random_vector(96 * 20, 1), dy = random_vector(96 * 20, 2);
  std::vector<float> y(x.size()), mean(96), rstd(96), whole(20), parts(20, 0), whole_shift(20), shift_parts(20, 0);
  std::vector<float> scale(20, 1.0f), shift(20, 0.0f);
  const of_reference<layer_norm<>> k;
  k(matrix_of(x, 96), scale, shift, matrix_of(y, 96), mean, rstd);
  k.backward_weights(matrix_of(dy, 96), matrix_of(x, 96), mean, rstd, whole, whole_shift);
  for (index_t first : {0, 64}) {
    const index_t n = first == 0 ? 64 : 32;
    const auto part = [&](std::vector<float>& v) {
      return view<float, dims<2>>(unchecked, v.data() + first * 20, dims<2>(n, 20));
    };
    const auto view_of = [&](std::vector<float>& v) {
      return view<float, dims<1>>(unchecked, v.data() + first, dims<1>(n));
    };
    k.backward_weights(part(dy), part(x), view_of(mean), view_of(rstd), parts, shift_parts, accumulate);
  }
  CHECK(same_bits(whole, parts));
  CHECK(same_bits(whole_shift, shift_parts));
}

TEST_CASE("plans of norms state bytes read and written, and operations", "[norm][contract]") {
  float* const none = nullptr;
  const view<float, dims<2>> x(unchecked, none, dims<2>(12, 768));
  const plan p = of_reference<layer_norm<>>::plan(x);
  CHECK(std::string(p.op) == "layer_norm");
  CHECK(p.bytes_moved == 2 * 12 * 768 * 4);
  CHECK(p.m == 12);
  CHECK(p.n == 768);
  CHECK(p.flops == 8 * 12 * 768);
  CHECK(of_reference<layer_norm<>>::plan(x, pass::backward_data).bytes_moved == 3 * 12 * 768 * 4);
  CHECK(of_reference<layer_norm<>>::plan(x, pass::backward_weights).bytes_moved == 2 * 12 * 768 * 4);
  CHECK(message([&] { of_reference<group_norm<norm_config{.groups = 5}>>::plan(x); }) ==
        "group_norm: x has 768 channels, which .groups = 5 does not divide");
}

TEST_CASE("wrong calls of norms are named, and nothing is written", "[norm][contract]") {
  std::vector<float> memory(400, 1), out(400, 7);
  float *p = memory.data(), *q = out.data(), *none = nullptr;
  const auto rows = [](float* at, index_t n, index_t c) { return view<float, dims<2>>(unchecked, at, dims<2>(n, c)); };
  const auto numbers_at = [](float* at, index_t n) { return view<float, dims<1>>(unchecked, at, dims<1>(n)); };
  constexpr norm_config plain{.scale = false, .shift = false}, groups{.groups = 4, .scale = false, .shift = false};
  const of_reference<layer_norm<plain>> k;
  const of_reference<layer_norm<>> full;
  const of_reference<group_norm<groups>> by_groups;
  const auto x = rows(p, 4, 6), y = rows(q, 4, 6);
  CHECK(message([&] { k(x, rows(q, 4, 5)); }) == "layer_norm: y is 4x5 and x is 4x6: their shapes must be equal");
  CHECK(message([&] { k(rows(none, 4, 6), y); }) == "layer_norm: x is a null view of 4x6 elements");
  CHECK(message([&] { k(rows(p, 4, 0), rows(q, 4, 0)); }) ==
        "layer_norm: x is 4x0: there are no elements to normalise");
  CHECK(message([&] { k(x, y, epsilon{0}); }) == "layer_norm: epsilon is 0: it must be positive");
  CHECK(message([&] { k(x, y, epsilon{-1e-5}); }) == "layer_norm: epsilon is -1e-05: it must be positive");
  CHECK(message([&] { k(x, y, epsilon{std::nan("")}); }) == "layer_norm: epsilon is nan: it must be positive");
  CHECK(message([&] { k(x, y, epsilon{1e-60}); }) ==
        "layer_norm: epsilon is 1e-60, which is 0 in float32: it must be positive and finite");
  CHECK(message([&] { k(x, y, epsilon{1e300}); }) ==
        "layer_norm: epsilon is 1e+300, which is inf in float32: it must be positive and finite");
  CHECK(message([&] {
          kernel<group_norm<norm_config{.groups = 3, .scale = false, .shift = false}>, reference>{}(
              x, y, rows(q + 50, 4, 2), rows(q + 60, 4, 3));
        }) == "group_norm: mean is 4x2: groups must be 3, as .groups says");
  CHECK(message([&] { by_groups(x, y); }) == "group_norm: x has 6 channels, which .groups = 4 does not divide");
  CHECK(message([&] { full(x, numbers_at(p + 50, 5), numbers_at(p + 60, 6), y); }) ==
        "layer_norm: scale is 5 and x is 4x6: they must agree on channels");
  CHECK(message([&] { full(x, numbers_at(p + 50, 6), numbers_at(none, 6), y); }) ==
        "layer_norm: shift is a null view of 6 elements");
  CHECK(message([&] { k(x, rows(p + 1, 4, 6)); }) ==
        "layer_norm: y shares elements with x, and is not that tensor itself");
  CHECK(message([&] { k(x, y, numbers_at(q + 50, 3), numbers_at(q + 60, 4)); }) ==
        "layer_norm: mean is 3 and x is 4x6: they must agree on n");
  CHECK(message([&] { k(x, y, numbers_at(q + 20, 4), numbers_at(q + 60, 4)); }) ==
        "layer_norm: y shares elements with mean");
  CHECK(message([&] { k(x, y, numbers_at(q + 60, 4), numbers_at(q + 60, 4)); }) ==
        "layer_norm: mean shares elements with rstd");
  CHECK(message([&] { full.backward_weights(x, x, numbers_at(p, 4), numbers_at(p, 4), numbers_at(q, 5)); }) ==
        "layer_norm: dscale is 5 and dy is 4x6: they must agree on channels");
  CHECK(message([&] {
          full.backward_weights(x, x, numbers_at(p, 4), numbers_at(p, 4), numbers_at(q, 6), numbers_at(q, 6));
        }) == "layer_norm: dscale shares elements with dshift");
  CHECK(message([&] { k.backward_data(x, x, numbers_at(p, 4), numbers_at(p, 4), rows(q, 3, 6)); }) ==
        "layer_norm: dx is 3x6 and dy is 4x6: their shapes must be equal");
  CHECK(message([&] {
          full.backward(x, x, numbers_at(p, 6), numbers_at(p, 4), numbers_at(p, 4), y, numbers_at(q, 6));
        }) == "layer_norm: dx shares elements with dscale");
  CHECK(message([&] {
          full.backward(x, x, numbers_at(q + 60, 6), numbers_at(p, 4), numbers_at(p, 4), y, numbers_at(q + 60, 6));
        }) == "layer_norm: dscale shares elements with scale");
  const kernel<layer_norm<norm_config{.scale = false, .shift = false, .residual = true}>, reference> with_rest;
  for (const index_t inside : {0, 1}) {  // of the residual
    INFO("statistic " << inside);
    CHECK(message([&] {
            with_rest(x, rows(q + 100, 4, 6), y, numbers_at(q + (inside == 0 ? 110 : 50), 4),
                      numbers_at(q + (inside == 1 ? 110 : 60), 4));
          }) == std::string("layer_norm: ") + (inside == 0 ? "mean" : "rstd") + " shares elements with residual");
  }
  const kernel<batch_norm<norm_config{.residual = true}>, reference> of_batch;
  const auto six = [&](index_t at) { return numbers_at(q + at, 6); };
  CHECK(message([&] {
          of_batch(x, numbers_at(p, 6), numbers_at(p, 6), rows(q + 100, 4, 6), y, six(50), six(60), six(110));
        }) == "batch_norm: variance shares elements with residual");
  CHECK(message([&] {
          of_batch.fold(numbers_at(p, 6), numbers_at(p, 6), numbers_at(p, 6), numbers_at(p, 6), six(50), six(53));
        }) == "batch_norm: factor shares elements with offset");
  CHECK(message([&] { of_batch.fold(numbers_at(p, 6), numbers_at(p, 6), six(50), six(60), six(51), six(70)); }) ==
        "batch_norm: factor shares elements with scale, and is not that tensor itself");
  const view folded(unchecked, q, layout_strided::mapping(dims<2>(4, 6), 3, 1));
  CHECK(message([&] { k(folded, folded); }) == "layer_norm: the strides of y give two results one element");
  CHECK(out == std::vector<float>(400, 7));
  CHECK(message([&] { k(x, x); }) == "no error");
  CHECK(message([&] { k(rows(none, 0, 6), rows(none, 0, 6)); }) == "no error");
}

}  // namespace
}  // namespace tern::test
