// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses of the reference against float64 formulas, gradients against differences; laws; what wrong calls say.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
constexpr loss_config each{.reduce = reduction::none}, sums{.reduce = reduction::sum},
    of_batch{.reduce = reduction::batch_mean};

template <class Op>
using of_reference = kernel<Op, reference>;

template <class T>
auto rows(std::vector<T>& v, index_t n) {
  return view<T, dims<2>>(unchecked, v.data(), dims<2>(n, static_cast<index_t>(v.size()) / n));
}
template <class T>
auto column(std::vector<T>& v) {
  return view<T, dims<1>>(unchecked, v.data(), dims<1>(static_cast<index_t>(v.size())));
}

/// The formulas, in the type of the arguments.
template <class T>
T formula(loss_kind k, T a, T b, T c) {
  switch (k) {
    case loss_kind::squared_error: return (a - b) * (a - b);
    case loss_kind::bce_with_logits: return std::max(a, T(0)) - a * b + std::log1p(std::exp(-std::fabs(a)));
    case loss_kind::gaussian_nll: return (b + (a - c) * (a - c) * std::exp(-b)) / 2;
    case loss_kind::gaussian_kl: return (std::expm1(b) - b + a * a) / 2;
  }
  return 0;
}
/// Calls f with the inputs that there are, as views of n samples.
template <loss_kind K, class T, class F>
void with_inputs(std::vector<T>& a, std::vector<T>& b, std::vector<T>& c, index_t n, F f) {
  if constexpr (K == loss_kind::gaussian_nll)
    f(rows(a, n), rows(b, n), rows(c, n));
  else
    f(rows(a, n), rows(b, n));
}

template <loss_kind K, class T>
void check_formula() {
  const double unit = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
  for (const index_t size : {1, 2, 7, 127, 128, 129, 1000, 5000}) {
    constexpr index_t n = 3;
    INFO("kind " << static_cast<int>(K) << ", " << size << " elements");
    auto a = random_vector<T>(n * size, 1), b = random_vector<T>(n * size, 2), c = random_vector<T>(n * size, 3);
    for (T& v : a) v = 4 * v;
    if (K == loss_kind::bce_with_logits)
      for (T& v : b) v = v > 0 ? T(1) : T(0);
    std::vector<T> losses(n), total(1);
    with_inputs<K>(a, b, c, n, [&](auto... in) {
      of_reference<element_loss<K, loss_config{}, T>>{}(in..., column(losses), column(total));
    });
    long double of_all = 0, bound_of_all = 0;
    for (index_t s = 0; s < n; ++s) {
      long double wanted = 0, magnitude = 0;
      for (index_t e = 0; e < size; ++e) {
        const auto i = static_cast<std::size_t>(s * size + e);
        const auto term = formula<long double>(K, a[i], b[i], c[i]);
        // gaussian_nll has terms of both signs, and a difference whose rounding counts twice in its square.
        magnitude += std::fabs(term) + (K == loss_kind::gaussian_nll ? std::fabs(static_cast<long double>(b[i])) : 0);
        wanted += term;
      }
      // Additions on the path of rule 5, and at most 16 roundings in a term: the elementary functions have 3.
      const double path = std::ceil(static_cast<double>(std::min<index_t>(size, 4096)) / 128) + 7 +
                          std::ceil(static_cast<double>(size) / 4096) + 16;
      const auto error = std::fabs(static_cast<long double>(losses[static_cast<std::size_t>(s)]) - wanted);
      CHECK(static_cast<double>(error) <= path * unit * static_cast<double>(magnitude));
      of_all += wanted, bound_of_all += (path + n + 2) * unit * static_cast<double>(magnitude);
    }
    CHECK(std::fabs(static_cast<double>(static_cast<long double>(total[0]) - of_all / (n * size))) <=
          static_cast<double>(bound_of_all) / static_cast<double>(n * size));
  }
}

TEMPLATE_TEST_CASE("losses agree with their formulas", "[loss]", float, double) {
  check_formula<loss_kind::squared_error, TestType>();
  check_formula<loss_kind::bce_with_logits, TestType>();
  check_formula<loss_kind::gaussian_nll, TestType>();
  check_formula<loss_kind::gaussian_kl, TestType>();
}

TEST_CASE("binary cross-entropies keep their digits however sure the logits are", "[loss]") {
  std::vector<float> x{30, -30, 80, -100, 0}, t{1, 0, 1, 0, 1}, losses(5);
  of_reference<bce_with_logits<each>>{}(rows(x, 5), rows(t, 5), column(losses));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double wanted = std::log1p(std::exp(-std::fabs(static_cast<double>(x[i]))));
    CHECK(std::fabs(static_cast<double>(losses[i]) - wanted) <= 4 * 0x1p-24 * wanted + 0x1p-149);
  }
}

TEMPLATE_TEST_CASE("cross-entropies agree with their formula", "[loss]", float, double) {
  using T = TestType;
  const double unit = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
  for (const index_t k : {1, 2, 10, 127, 128, 129, 1000, 5000})
    for (const double size : {1.0, 40.0})
      for (const double smoothing : {0.0, 0.1}) {
        INFO(k << " classes, logits of size " << size << ", smoothing " << smoothing);
        auto x = random_vector<T>(3 * k, 1);
        for (T& v : x) v = static_cast<T>(v * static_cast<T>(size));
        std::vector<std::int32_t> target{0, static_cast<std::int32_t>(k - 1), static_cast<std::int32_t>(k / 2)};
        std::vector<T> losses(3), total(1);
        const of_reference<cross_entropy<of_batch, T>> loss;
        if (smoothing > 0)
          loss(rows(x, 3), column(target), column(losses), column(total), label_smoothing{smoothing});
        else
          loss(rows(x, 3), column(target), column(losses), column(total));
        long double of_all = 0;
        double of_bounds = 0;
        for (index_t n = 0; n < 3; ++n) {
          const T* row = x.data() + n * k;
          const auto most = static_cast<long double>(*std::max_element(row, row + k));
          long double sum = 0, of_distances = 0, distances = 0;
          for (index_t i = 0; i < k; ++i) {
            const long double d = static_cast<long double>(row[i]) - most;
            sum += std::exp(d), of_distances += d, distances += std::fabs(d);
          }
          const long double d = static_cast<long double>(row[target[static_cast<std::size_t>(n)]]) - most,
                            e = static_cast<long double>(smoothing),
                            wanted = std::log(sum) - (1 - e) * d - e * of_distances / static_cast<long double>(k);
          of_all += wanted;
          // log S: the error of the sum (log K on average of rounded differences, additions) and of log itself; the
          // distances: two or three roundings each, and additions.
          const double path = std::ceil(static_cast<double>(std::min<index_t>(k, 4096)) / 128) + 7 +
                              std::ceil(static_cast<double>(k) / 4096);
          const double bound =
              unit * (std::log(static_cast<double>(k)) + path + 4 + 3 * static_cast<double>(std::log(sum)) +
                      4 * static_cast<double>(std::fabs(d)) +
                      smoothing * (path + 4) * static_cast<double>(distances) / static_cast<double>(k));
          CHECK(std::fabs(static_cast<double>(losses[static_cast<std::size_t>(n)] - wanted)) <= bound);
          of_bounds += bound;
        }
        CHECK(std::fabs(static_cast<double>(total[0] - of_all / 3)) <=
              (of_bounds + 4 * unit * static_cast<double>(of_all)) / 3);
      }
}

/// Checks a gradient of `loss()` with respect to the elements of x.
template <class Loss>
void check_differences(std::vector<double>& x, const std::vector<double>& dx, Loss loss) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double old = x[i], h = 1e-6;
    x[i] = old + h;
    const double up = loss();
    x[i] = old - h;
    const double down = loss();
    x[i] = old;
    CHECK(std::fabs(dx[i] - (up - down) / (2 * h)) < 2e-8);
  }
}

template <loss_kind K, loss_config C>
void check_gradients() {
  using op = of_reference<element_loss<K, C, double>>;
  constexpr bool reduced = C.reduce != reduction::none, two = tile::loss_term<K>::gradients == 2;
  auto a = random_vector<double>(2 * 7, 1), b = random_vector<double>(2 * 7, 2), c = random_vector<double>(2 * 7, 3);
  std::vector<double> losses(2), total(1), dlosses{0.7, -1.3}, da(a.size(), 1), db(a.size(), 1);
  const auto loss = [&] {
    with_inputs<K>(a, b, c, 2, [&](auto... in) {
      if constexpr (reduced)
        op{}(in..., column(losses), column(total));
      else
        op{}(in..., column(losses));
    });
    return reduced ? 3 * total[0] : losses[0] * dlosses[0] + losses[1] * dlosses[1];
  };
  with_inputs<K>(a, b, c, 2, [&](auto... in) {
    const auto run = [&](auto... rest) {
      if constexpr (reduced)
        op{}.backward_data(in..., rest..., accumulate, loss_scale{3});
      else
        op{}.backward_data(in..., column(dlosses), rest..., accumulate);
    };
    if constexpr (two)
      run(rows(da, 2), rows(db, 2));
    else
      run(rows(da, 2));
  });
  for (double& d : da) d -= 1;
  for (double& d : db) d -= 1;
  check_differences(a, da, loss);
  if (two) check_differences(b, db, loss);
}
template <loss_kind K>
void check_gradients_of() {
  INFO("kind " << static_cast<int>(K));
  check_gradients<K, loss_config{}>();
  check_gradients<K, each>();
  check_gradients<K, of_batch>();
}

TEST_CASE("gradients of losses are those of float64 differences", "[loss]") {
  check_gradients_of<loss_kind::squared_error>();
  check_gradients_of<loss_kind::bce_with_logits>();
  check_gradients_of<loss_kind::gaussian_nll>();
  check_gradients_of<loss_kind::gaussian_kl>();
}

TEST_CASE("gradients of cross-entropies are those of float64 differences", "[loss]") {
  auto x = random_vector<double>(4 * 5, 1);
  std::vector<std::int32_t> target{3, 0, -1, 4};
  std::vector<double> losses(4), total(1), dlosses{0.7, -1.3, 2, 0.1}, dx(x.size());
  of_reference<cross_entropy<loss_config{}, double>>{}.backward_data(rows(x, 4), column(target), rows(dx, 4),
                                                                     label_smoothing{0.2}, loss_scale{3});
  check_differences(x, dx, [&] {
    of_reference<cross_entropy<loss_config{}, double>>{}(rows(x, 4), column(target), column(losses), column(total),
                                                         label_smoothing{0.2});
    return 3 * total[0];
  });
  of_reference<cross_entropy<each, double>>{}.backward_data(rows(x, 4), column(target), column(dlosses), rows(dx, 4));
  check_differences(x, dx, [&] {
    of_reference<cross_entropy<each, double>>{}(rows(x, 4), column(target), column(losses));
    double sum = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) sum += losses[i] * dlosses[i];
    return sum;
  });
}

/// The density from the inverse of the covariance, in long double.
template <int N>
long double multivariate_formula(const double* x, const double* target) {
  long double l[N][N] = {}, z[N];
  int at = N;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j <= i; ++j, ++at)
      l[i][j] = i == j ? std::log1p(std::exp(static_cast<long double>(x[at]))) : static_cast<long double>(x[at]);
  // The covariance, and by Gauss and Jordan its inverse and determinant.
  long double s[N][2 * N] = {}, determinant = 1, square = 0;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k) s[i][j] += l[i][k] * l[j][k];
    s[i][N + i] = 1;
  }
  for (int k = 0; k < N; ++k) {
    const long double pivot = s[k][k];
    determinant *= pivot;
    for (long double& v : s[k]) v /= pivot;
    for (int i = 0; i < N; ++i) {
      const long double factor = s[i][k];
      for (int j = 0; j < 2 * N && i != k; ++j) s[i][j] -= factor * s[k][j];
    }
  }
  for (int i = 0; i < N; ++i) z[i] = static_cast<long double>(target[i]) - static_cast<long double>(x[i]);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) square += z[i] * s[i][N + j] * z[j];
  return (square + std::log(determinant)) / 2;
}

template <int N>
void check_multivariate() {
  INFO(N << " numbers");
  constexpr index_t n = 5, features = N + N * (N + 1) / 2;
  using of_samples = kernel<multivariate_gaussian_nll<N, each, double>, reference>;
  using of_all = kernel<multivariate_gaussian_nll<N, sums, double>, reference>;
  auto x = random_vector<double>(n * features, 1), target = random_vector<double>(n * N, 2);
  for (index_t i = 0; i < n; ++i)  // diagonals of about 1: differences keep their digits
    for (index_t k = 0, at = N; k < N; at += ++k + 1) x[static_cast<std::size_t>(i * features + at)] += 1;
  std::vector<double> losses(n), total(1), dx(x.size()), weights = random_vector<double>(n, 3), again(x.size(), 1);
  of_samples{}(rows(x, n), rows(target, n), column(losses));
  double sum = 0;
  for (index_t i = 0; i < n; ++i) {
    const auto wanted = static_cast<double>(
        multivariate_formula<N>(&x[static_cast<std::size_t>(i * features)], &target[static_cast<std::size_t>(i * N)]));
    // Forward substitution: N^2 roundings at most of numbers whose size is that of z, squared.
    CHECK(std::fabs(losses[static_cast<std::size_t>(i)] - wanted) <= 0x1p-53 * 8 * N * N * (1 + std::fabs(wanted)));
    sum += losses[static_cast<std::size_t>(i)];
  }
  of_all{}(rows(x, n), rows(target, n), column(losses), column(total));
  CHECK(std::fabs(total[0] - sum) <= 0x1p-50 * (1 + std::fabs(sum)));

  of_samples{}.backward_data(rows(x, n), rows(target, n), column(weights), rows(dx, n));
  check_differences(x, dx, [&] {
    of_samples{}(rows(x, n), rows(target, n), column(losses));
    double weighted = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) weighted += weights[i] * losses[i];
    return weighted;
  });
  of_all{}.backward_data(rows(x, n), rows(target, n), rows(dx, n), loss_scale{0.25});
  of_all{}.backward_data(rows(x, n), rows(target, n), rows(again, n), accumulate, loss_scale{0.25});
  for (std::size_t i = 0; i < dx.size(); ++i) CHECK(again[i] == 1 + dx[i]);
}

TEST_CASE("losses of several numbers at once, and their gradients, agree with the covariance", "[loss]") {
  check_multivariate<1>();
  check_multivariate<2>();
  check_multivariate<3>();
  check_multivariate<4>();
}

TEST_CASE("a triangle without correlations gives the loss of single numbers", "[loss][law]") {
  // One number with the standard deviation softplus(r): log softplus(r) + ((t - m) / softplus(r))^2 / 2.
  std::vector<float> x{0.5f, -0.25f, 1.5f, 0, 2.5f}, target{1, -2}, both(1), total(1), single(1), sum{0};
  kernel<multivariate_gaussian_nll<2, sums>, reference>{}(rows(x, 1), rows(target, 1), column(both), column(total));
  for (int i = 0; i < 2; ++i) {
    std::vector<float> one{x[static_cast<std::size_t>(i)], x[i == 0 ? 2 : 4]}, t{target[static_cast<std::size_t>(i)]};
    kernel<multivariate_gaussian_nll<1, sums>, reference>{}(rows(one, 1), rows(t, 1), column(single), column(sum),
                                                            accumulate);
  }
  CHECK(std::fabs(both[0] - sum[0]) <= 0x1p-22f * std::fabs(sum[0]));
}

TEST_CASE("rows without a target are left out", "[loss]") {
  std::vector<float> x{1, 2, 3, nan, inf, 0, 1, 2, 3}, losses(3), total(1), dx(x.size(), 7);
  std::vector<std::int32_t> target{0, -1, 2};
  of_reference<cross_entropy<>>{}(rows(x, 3), column(target), column(losses), column(total));
  CHECK(equal_bits(losses[1], 0.0f));
  CHECK(losses[2] < losses[0]);
  of_reference<cross_entropy<>>{}.backward_data(rows(x, 3), column(target), rows(dx, 3));
  for (const std::size_t i : {3, 4, 5}) CHECK(equal_bits(dx[i], 0.0f));
  CHECK(dx[0] < 0);
  CHECK(std::fabs(dx[0] + dx[1] + dx[2]) < 1e-7f);
}

TEST_CASE("a mean of kept rows is PyTorch's", "[loss]") {
  std::vector<float> x{1, 2, 3, 4, 0, 1, 1, 2, 3}, losses(3), total(1), dx(x.size()), sum(1), of_sum(x.size());
  std::vector<std::int32_t> target{0, -1, 2};
  const of_reference<cross_entropy<loss_config{.reduce = reduction::mean_of_kept}>> k;
  const of_reference<cross_entropy<loss_config{.reduce = reduction::sum}>> all;
  k(rows(x, 3), column(target), column(losses), column(total));
  all(rows(x, 3), column(target), column(losses), column(sum));
  CHECK(equal_bits(total[0], sum[0] / 2));
  k.backward_data(rows(x, 3), column(target), rows(dx, 3));
  all.backward_data(rows(x, 3), column(target), rows(of_sum, 3), loss_scale{0.5});
  CHECK(same_bits(dx, of_sum));
  std::vector<std::int32_t> none{-1, -1, -1};
  CHECK(message([&] { k(rows(x, 3), column(none), column(losses), column(total)); }) ==
        "cross_entropy: x is 3x3: there is nothing to average");
}

TEST_CASE("a config's label smoothing is that of a call", "[loss]") {
  std::vector<float> x{1, 2, 3, 4, 0, 1}, losses(2), expected(2), dx(6), dx_expected(6);
  std::vector<std::int32_t> target{0, 2};
  const of_reference<cross_entropy<loss_config{.reduce = reduction::none, .label_smoothing = 0.2}>> k;
  const of_reference<cross_entropy<loss_config{.reduce = reduction::none}>> plain;
  k(rows(x, 2), column(target), column(losses));
  plain(rows(x, 2), column(target), column(expected), label_smoothing{0.2});
  CHECK(same_bits(losses, expected));
  k.backward_data(rows(x, 2), column(target), column(losses), rows(dx, 2));
  plain.backward_data(rows(x, 2), column(target), column(losses), rows(dx_expected, 2), label_smoothing{0.2});
  CHECK(same_bits(dx, dx_expected));
  k(rows(x, 2), column(target), column(losses), label_smoothing{0.1});
  CHECK(!same_bits(losses, expected));
}

TEST_CASE("targets that are not classes are refused before anything is written", "[loss]") {
  std::vector<float> x{1, 2, 3, 1, 2, 3}, losses(2, 7), total(1, 7), dx(x.size(), 7);
  std::vector<std::int32_t> target{2, 3};
  const char* const sentence = "cross_entropy: a target of sample 1 is 3: there are 3 classes";
  const of_reference<cross_entropy<>> k;
  CHECK(message([&] { k(rows(x, 2), column(target), column(losses), column(total)); }) == sentence);
  CHECK(message([&] { k.backward_data(rows(x, 2), column(target), rows(dx, 2)); }) == sentence);
  CHECK((losses[0] == 7 && total[0] == 7 && dx[0] == 7));
}

TEST_CASE("a cross-entropy is the logarithm of its softmax", "[loss][law]") {
  auto x = random_vector(9 * 33, 1);
  std::vector<float> logarithms(x.size()), losses(9);
  std::vector<std::int32_t> target(9);
  for (std::size_t i = 0; i < 9; ++i) target[i] = static_cast<std::int32_t>(i * 4 % 33);
  of_reference<softmax<softmax_config{.log = true}>>{}(rows(x, 9), rows(logarithms, 9));
  of_reference<cross_entropy<each>>{}(rows(x, 9), column(target), column(losses));
  for (std::size_t i = 0; i < 9; ++i)
    CHECK(equal_bits(losses[i], -logarithms[i * 33 + static_cast<std::size_t>(target[i])]));
}

TEST_CASE("batches of losses that are cut at grains give the bits of the whole", "[loss][law]") {
  auto x = random_vector(100 * 6, 1), t = random_vector(100 * 6, 2);
  std::vector<float> losses(100), whole(1), parts(1, 0), dx(x.size()), dx_parts(x.size());
  const of_reference<squared_error<sums>> k;
  const auto part = [](std::vector<float>& v, index_t first, index_t n) {
    return view<float, dims<2>>(unchecked, v.data() + first * 6, dims<2>(n, 6));
  };
  k(rows(x, 100), rows(t, 100), column(losses), column(whole));
  k.backward_data(rows(x, 100), rows(t, 100), rows(dx, 100), loss_scale{1.0 / 600});
  std::vector<float> all(losses);
  for (const auto& [first, n] : {std::pair<index_t, index_t>{0, 64}, {64, 32}, {96, 4}}) {
    k(part(x, first, n), part(t, first, n), view<float, dims<1>>(unchecked, losses.data() + first, dims<1>(n)),
      column(parts), accumulate);
    k.backward_data(part(x, first, n), part(t, first, n), part(dx_parts, first, n), loss_scale{1.0 / 600});
  }
  CHECK(same_bits(losses, all));
  CHECK(same_bits(whole, parts));
  CHECK(same_bits(dx, dx_parts));
  std::vector<float> means(x.size());
  of_reference<squared_error<>>{}.backward_data(rows(x, 100), rows(t, 100), rows(means, 100));
  CHECK(same_bits(dx, means));
}

TEST_CASE("any layout of images gives the bits of rows", "[loss][law]") {
  auto x = random_vector(2 * 5 * 3 * 4, 1), t = random_vector(x.size(), 2);
  std::vector<float> x_last(x.size()), t_last(x.size()), losses(2), wanted(2), row_losses(24), row_wanted(24);
  const view in(x, dims<4>(2, 5, 3, 4)), of(t, dims<4>(2, 5, 3, 4));
  kernel<reorder<>, reference>{}(in, last(x_last, 2, 5, 3, 4));
  kernel<reorder<>, reference>{}(of, last(t_last, 2, 5, 3, 4));
  const of_reference<squared_error<each>> k;
  k(in, of, column(losses));
  k(rows(x_last, 2), rows(t_last, 2), column(wanted));
  CHECK(same_bits(losses, wanted));
  std::vector<std::int32_t> target(24);
  for (std::size_t i = 0; i < target.size(); ++i) target[i] = static_cast<std::int32_t>(i % 5);
  const of_reference<cross_entropy<each>> c;
  c(in, view(target, dims<3>(2, 3, 4)), view(row_losses, dims<3>(2, 3, 4)));
  c(rows(x_last, 24), column(target), column(row_wanted));
  CHECK(same_bits(row_losses, row_wanted));
  double sum = 0;
  for (const float l : row_losses) sum += static_cast<double>(l);
  std::vector<float> total(1);
  of_reference<cross_entropy<sums>>{}(in, view(target, dims<3>(2, 3, 4)), view(row_losses, dims<3>(2, 3, 4)),
                                      column(total));
  CHECK(std::fabs(static_cast<double>(total[0]) - sum) <= 24 * 0x1p-24 * sum);
}

TEST_CASE("wrong calls of losses of several numbers are named, and nothing is written", "[loss][contract]") {
  using loss = of_reference<multivariate_gaussian_nll<2, sums>>;
  std::vector<float> x(4 * 5, 1), t(4 * 2, 1), losses(4, 7), total(1, 7), dx(4 * 5, 7), wide(4 * 6);
  const auto call = [&](auto&... tensors) { return message([&] { loss{}(tensors...); }); };
  const auto from = rows(x, 4), wanted = rows(t, 4), six = rows(wide, 4);
  const auto to = column(losses), sum = column(total);
  CHECK(call(six, wanted, to, sum) == "multivariate_gaussian_nll: x is 4x6: features must be 5, as N = 2 says");
  const auto half = rows(t, 2);
  CHECK(call(from, half, to, sum) == "multivariate_gaussian_nll: target is 2x4: numbers must be 2, as N = 2 says");
  std::vector<float> few(3, 7);
  const auto three = column(few);
  CHECK(call(from, wanted, three, sum) == "multivariate_gaussian_nll: losses is 3 and x is 4x5: they must agree on n");
  CHECK(message([&] { loss{}.backward_data(from, wanted, from); }) != "");
  CHECK(message([&] { loss{}.backward_data(from, wanted, rows(dx, 4), loss_scale{INFINITY}); }) ==
        "multivariate_gaussian_nll: loss_scale is inf: it must be finite");
  for (const float v : losses) CHECK(v == 7);
  CHECK(total[0] == 7);
  for (const float v : dx) CHECK(v == 7);
}

TEST_CASE("wrong calls of losses are named, and nothing is written", "[loss][contract]") {
  std::vector<float> memory(200, 1), out(200, 7);
  std::vector<std::int32_t> classes(200, 1);
  float *p = memory.data(), *q = out.data(), *none = nullptr;
  const auto matrix = [](auto* at, index_t n, index_t c) { return view(unchecked, at, dims<2>(n, c)); };
  const auto row_view = [](auto* at, index_t n) { return view(unchecked, at, dims<1>(n)); };
  const of_reference<squared_error<>> k;
  const of_reference<cross_entropy<>> c;
  const auto x = matrix(p, 4, 6), t = matrix(p + 50, 4, 6), dx = matrix(q, 4, 6);
  const auto losses = row_view(q, 4), total = row_view(q + 10, 1);
  const auto target = row_view(classes.data(), 4);
  CHECK(message([&] { k(x, matrix(p, 4, 5), losses, total); }) ==
        "squared_error: target is 4x5 and x is 4x6: their shapes must be equal");
  CHECK(message([&] { k(x, t, row_view(q, 5), total); }) ==
        "squared_error: losses is 5 and x is 4x6: they must agree on n");
  CHECK(message([&] { k(x, t, losses, row_view(q + 10, 2)); }) == "squared_error: total is 2: it must be (1)");
  CHECK(message([&] { k(matrix(none, 4, 6), t, losses, total); }) == "squared_error: x is a null view of 4x6 elements");
  CHECK(message([&] { k(x, t, losses, row_view(none, 1)); }) == "squared_error: total is a null view of 1 elements");
  CHECK(message([&] { k(matrix(p, 4, 0), matrix(p, 4, 0), losses, total); }) ==
        "squared_error: x is 4x0: there is nothing to average");
  CHECK(message([&] { k(x, t, losses, row_view(q, 1)); }) == "squared_error: losses shares elements with total");
  CHECK(message([&] { k(x, t, row_view(p, 4), total); }) == "squared_error: losses shares elements with x");
  CHECK(message([&] { k.backward_data(x, t, dx, loss_scale{std::nan("")}); }) ==
        "squared_error: loss_scale is nan: it must be finite");
  CHECK(message([&] { k.backward_data(x, t, matrix(p + 1, 4, 6)); }) ==
        "squared_error: dx shares elements with x, and is not that tensor itself");
  CHECK(message([&] { k.backward_data(x, t, matrix(q, 3, 6)); }) ==
        "squared_error: dx is 3x6 and x is 4x6: their shapes must be equal");
  CHECK(message([&] { of_reference<gaussian_kl<>>{}.backward_data(x, t, dx, dx); }) ==
        "gaussian_kl: dmean shares elements with dlog_variance");
  CHECK(message([&] { c(x, row_view(classes.data(), 5), losses, total); }) ==
        "cross_entropy: target is 5 and x is 4x6: they must agree on n");
  CHECK(message([&] { c(x, target, row_view(q, 3), total); }) ==
        "cross_entropy: losses is 3 and x is 4x6: they must agree on n");
  CHECK(message([&] { c(matrix(p, 4, 0), target, losses, total); }) == "cross_entropy: x is 4x0: there are no classes");
  CHECK(message([&] { c(matrix(p, 0, 6), row_view(classes.data(), 0), row_view(q, 0), total); }) ==
        "cross_entropy: x is 0x6: there is nothing to average");
  CHECK(message([&] { c(x, target, losses, total, label_smoothing{1}); }) ==
        "cross_entropy: label_smoothing is 1: it must be in [0, 1)");
  CHECK(message([&] { c.backward_data(x, target, matrix(p + 1, 4, 6)); }) ==
        "cross_entropy: dx shares elements with x, and is not that tensor itself");
  CHECK(message([&] { of_reference<cross_entropy<>>::plan(x, pass::backward_weights); }) ==
        "cross_entropy: there are no weights: the pass of a plan must be forward or backward_data");
  CHECK(out == std::vector<float>(200, 7));
  CHECK(message([&] { k.backward_data(x, t, x); }) == "no error");
  CHECK(message([&] { c.backward_data(x, target, x); }) == "no error");
  CHECK(message([&] {
          of_reference<squared_error<sums>>{}(matrix(none, 0, 6), matrix(none, 0, 6), row_view(none, 0), total);
        }) == "no error");
  CHECK(equal_bits(out[10], 0.0f));
  const plan plain = of_reference<gaussian_nll<>>::plan(x, pass::backward_data);
  CHECK(std::string(plain.op) == "gaussian_nll");
  CHECK(plain.bytes_moved == 5 * 4 * 6 * 4);
  CHECK(plain.m == 4);
  CHECK(plain.n == 6);
}

}  // namespace
}  // namespace tern::test
