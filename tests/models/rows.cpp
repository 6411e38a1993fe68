// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms and softmax.
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/models/check.hpp"
#include "tests/models/dense.hpp"
#include "tests/models/layers.hpp"
#include "tests/support/pictures.hpp"

namespace tern::test {
namespace {

/// Numbers per channel, or per set and group.
struct column {
  index_t columns;
  std::vector<float> v;

  column(index_t sets, index_t per_set) : columns(per_set), v(static_cast<std::size_t>(sets * per_set)) {}
  column(index_t channels, numbers& next) : column(channels, 1) {
    for (float& x : v) x = static_cast<float>(next());
  }
  operand<float> get() { return {v.data(), columns, 1, 0}; }
  operand<const float> read() const { return {v.data(), columns, 1, 0}; }
  operand<const float> per_channel() const { return {v.data(), 1, 0, 0}; }
  operand<float> to_channels() { return {v.data(), 1, 0, 0}; }
  operand<const float> per_group(bool batch) const { return {v.data(), batch ? 0 : columns, 1, 0}; }
  friend bool equal_bits(const column& a, const column& b) {
    bool equal = true;
    for (std::size_t i = 0; i < a.v.size(); ++i) equal = equal && equal_bits(a.v[i], b.v[i]);
    return equal;
  }
};

/// Some results as the formula says them.
std::string compare_with_formula(const norm_shape& s, bool batch, const picture<float>& x, const column& scale,
                                 const column& shift, double eps, const picture<float>& y, std::mt19937& engine) {
  const auto below = [&](index_t n) { return static_cast<index_t>(engine() % static_cast<unsigned long>(n)); };
  for (int i = 0; i < samples; ++i) {
    const index_t n = below(s.batch), c = below(s.channels), members = s.channels / s.groups, group = c / members;
    const index_t at[] = {below(s.extent[0]), below(s.extent[1]), below(s.extent[2])};
    const auto each = [&](auto f) {
      for (index_t m = batch ? 0 : n; m < (batch ? s.batch : n + 1); ++m)
        for (index_t z = 0; z < s.extent[0]; ++z)
          for (index_t p = 0; p < s.extent[1]; ++p)
            for (index_t q = 0; q < s.extent[2]; ++q)
              for (index_t d = group * members; d < (group + 1) * members; ++d) f(x(m, d, z, p, q));
    };
    const auto count = static_cast<long double>((batch ? s.batch : 1) * s.positions() * members);
    long double mean = 0, squares = 0;
    each([&](float v) { mean += v; });
    mean /= count;
    each([&](float v) { squares += (v - mean) * (v - mean); });
    const long double rstd = 1 / std::sqrt(squares / count + eps);
    const auto of = [&](const column& v) { return static_cast<long double>(v.v[static_cast<std::size_t>(c)]); };
    const long double wanted = (x(n, c, at[0], at[1], at[2]) - mean) * rstd * of(scale) + of(shift);
    // x, scale and shift are below 1: the mean is wrong by some roundings, which rstd enlarges.
    const long double bound = 0x1p-24L * (16 + 8 * std::log2(count)) * (1 + rstd);
    if (!(std::fabs(y(n, c, at[0], at[1], at[2]) - wanted) <= bound)) return "the reference is far from the formula";
  }
  return "";
}

template <norm_steps S>
std::string norm_fault(const norm_shape& s, unsigned seed) {
  using order = picture<float>::order;
  const extents3 e{s.extent[0], s.extent[1], s.extent[2]};
  numbers next(seed);
  std::mt19937 engine(seed);
  picture<float> x(s.batch, s.channels, e), dy(s.batch, s.channels, e, order::padded);
  x.fill(next), dy.fill(next);
  const column scale(s.channels, next), shift(s.channels, next);
  const index_t sets = s.sets(S.batch);
  column mean(sets, s.groups), rstd = mean, variance = mean, mean_got = mean, rstd_got = mean, variance_got = mean;
  column dscale(s.channels, 1), dshift = dscale, dscale_got = dscale, dshift_got = dscale;
  picture<float> y(s.batch, s.channels, e), dx(s.batch, s.channels, e);
  constexpr float eps = 1e-5f;

  norm_values<float, S> values{s,       x,          {},         scale.per_channel(), shift.per_channel(),
                               y.get(), mean.get(), rstd.get(), variance.get(),      eps};
  normalization_kernel<reference>::run({}, values);
  if (const std::string wrong = compare_with_formula(s, S.batch, x, scale, shift, eps, y, engine); !wrong.empty())
    return wrong;
  norm_gradient<float, S.of_gradient(), false> gradient{s,           dy,          x,       scale.per_channel(),
                                                        mean.read(), rstd.read(), dx.get()};
  normalization_kernel<reference>::run({}, gradient);
  const auto sums = [&](column& to, column& to_shift) {
    return norm_weight_sums<float, true, false>(s, dy, x, mean.per_group(S.batch), rstd.per_group(S.batch),
                                                to.to_channels(), to_shift.to_channels());
  };
  place_sums_kernel<reference>::run({}, sums(dscale, dshift));
  for (const any_executor& run : executors) {
    const picture<float> y_got(s.batch, s.channels, e, order::blocks16), dx_got(s.batch, s.channels, e, order::padded);
    values.y = y_got.get(), values.mean = mean_got.get(), values.rstd = rstd_got.get();
    values.variance = variance_got.get(), gradient.dx = dx_got.get();
    normalization_kernel<simd<>>::run(run, values);
    normalization_kernel<simd<>>::run(run, gradient);
    place_sums_kernel<simd<>>::run(run, sums(dscale_got, dshift_got));
    const char* wrong = !equal_bits(y, y_got)                                                ? "values"
                        : !equal_bits(mean, mean_got) || !equal_bits(rstd, rstd_got)         ? "statistics"
                        : !equal_bits(variance, variance_got)                                ? "variance"
                        : !equal_bits(dx, dx_got)                                            ? "gradient"
                        : !equal_bits(dscale, dscale_got) || !equal_bits(dshift, dshift_got) ? "gradient of weights"
                                                                                             : nullptr;
    if (wrong) return std::string(wrong) + ": simd has other bits, " + run.name;
  }
  return "";
}

std::string softmax_fault(const row_shape& s, unsigned seed) {
  const extents3 e{s.extent[0], s.extent[1], s.extent[2]};
  numbers next(seed);
  std::mt19937 engine(seed);
  picture<float> x(s.batch, s.features, e), dy(s.batch, s.features, e), y(s.batch, s.features, e),
      dx(s.batch, s.features, e);
  x.fill([&] { return 8 * next(); }), dy.fill(next);
  softmax_values<float, false, false> values{s, scattered(image<const float>(x)), {}, scattered(y.get())};
  row_kernel<reference>::run({}, values);
  softmax_gradient<float, false, false> gradient{s, scattered(image<const float>(dy)), scattered(image<const float>(y)),
                                                 scattered(dx.get())};
  row_kernel<reference>::run({}, gradient);
  for (int i = 0; i < samples; ++i) {
    const auto below = [&](index_t n) { return static_cast<index_t>(engine() % static_cast<unsigned long>(n)); };
    const index_t n = below(s.batch), c = below(s.features);
    const index_t at[] = {below(e[0]), below(e[1]), below(e[2])};
    const auto of = [&](const picture<float>& p, index_t f) {
      return static_cast<long double>(p(n, f, at[0], at[1], at[2]));
    };
    long double most = of(x, 0), sum = 0;
    for (index_t f = 0; f < s.features; ++f) most = std::fmax(most, of(x, f));
    for (index_t f = 0; f < s.features; ++f) sum += std::exp(of(x, f) - most);
    const long double d = of(x, c) - most, wanted = std::exp(d) / sum;
    // The difference is rounded once, and exp makes a relative error of its size; then sums and two roundings.
    if (!(std::fabs(of(y, c) - wanted) <= 0x1p-24L * (std::fabs(d) + 24) * wanted + 1e-44L))
      return "the reference is far from the formula";
  }
  for (const any_executor& run : executors) {
    const picture<float> y_got(s.batch, s.features, e), dx_got(s.batch, s.features, e);
    values.y = scattered(y_got.get()), gradient.dx = scattered(dx_got.get());
    row_kernel<simd<>>::run(run, values);
    row_kernel<simd<>>::run(run, gradient);
    if (!equal_bits(y, y_got)) return std::string("values: simd has other bits, ") + run.name;
    if (!equal_bits(dx, dx_got)) return std::string("gradient: simd has other bits, ") + run.name;
  }
  return "";
}

}  // namespace

std::string fault_of_norm(const std::string& shape, unsigned seed) {
  const dense_layer l = dense_of(shape);
  norm_shape s;
  s.channels = l.channels;
  const std::size_t groups = shape.find("groups ");
  if (groups != std::string::npos) s.groups = std::atol(shape.c_str() + groups + 7);
  if (s.groups < 1 || s.channels % s.groups != 0) return "its groups do not divide the channels";
  if (l.op == "layernorm") {
    s.batch = l.positions();  // rows
    return norm_fault<norm_steps{}>(s, seed);
  }
  s.batch = l.samples;
  for (int r = 0; r < 3; ++r) s.extent[r] = l.extent[r];
  if (l.op == "groupnorm") return norm_fault<norm_steps{}>(s, seed);
  s.groups = s.channels;
  return norm_fault<norm_steps{.batch = true}>(s, seed);
}

std::string fault_of_softmax(const std::string& shape, unsigned seed) {
  const dense_layer l = dense_of(shape);
  row_shape s;
  s.batch = 1, s.features = l.channels;
  for (int r = 0; r < 3; ++r) s.extent[r] = l.extent[r];
  return softmax_fault(s, seed);
}

}  // namespace tern::test
