// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/driver/norms.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "tests/driver/places.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test::inline TERN_ISA {

namespace {

template <class T>
double number_at(const drawn_tensor& t, index_t i) {
  T x;
  std::memcpy(&x, &t.values[static_cast<std::size_t>(i) * sizeof(T)], sizeof(T));
  return static_cast<double>(x);
}

/// The index of the statistic for a channel of a sample.
std::size_t number_of(const drawn_tensor& statistic, index_t sample, index_t channel, index_t channels) {
  const tensor_shape& s = statistic.shape;
  if (s.rank == 2) return static_cast<std::size_t>(sample * s.extent[1] + channel / (channels / s.extent[1]));
  return static_cast<std::size_t>(statistic.is.shape_of(1) == std::string("n") ? sample : channel);
}

/// \param mean  null if there is none
void find_statistics(const drawn_tensor& x, drawn_tensor* mean, drawn_tensor& rstd) {
  const index_t n = x.shape.extent[0], channels = x.shape.extent[1], size = x.shape.size();
  if (size == 0) return;
  struct sums {
    double values = 0, sum = 0, squares = 0;
    double mean() const { return sum / values; }
    double rstd(double m) const { return 1 / std::sqrt(std::fabs(squares / values - m * m) + 1e-5); }
  };
  std::vector<sums> of(static_cast<std::size_t>(rstd.shape.size()));
  const index_t positions = size / n / channels;
  for (index_t i = 0; i < size; ++i) {
    const double v = x.of == number::float32 ? number_at<float>(x, i) : number_at<double>(x, i);
    sums& s = of[number_of(rstd, i / positions / channels, i / positions % channels, channels)];
    ++s.values, s.sum += v, s.squares += v * v;
  }
  auto next = of.begin();
  rstd.fill([&] {
    const sums& s = *next++;
    return s.rstd(mean != nullptr ? s.mean() : 0);
  });
  if (mean == nullptr) return;
  next = of.begin();
  mean->fill([&] { return next++->mean(); });
}

/// Most x and gradients are finite, some far from zero.
void fill_finite(drawn_call& c, std::mt19937& engine) {
  for (drawn_tensor& t : c.tensors) {
    const std::string name = t.is.name;
    if ((name != "x" && name != "dy") || engine() % 4 == 0) continue;
    numbers next(static_cast<unsigned>(engine()), engine() % 4 == 0 ? numbers::kind::extremes : numbers::kind::uniform);
    const double offset = name == "x" && engine() % 2 == 0 ? 100 : 0;
    t.fill([&] { return offset + next(); });
  }
}
/// Statistics are those of x now and then.
void fill_norm(drawn_call& c, std::mt19937& engine) {
  fill_finite(c, engine);
  drawn_tensor *x = nullptr, *mean = nullptr, *rstd = nullptr;
  for (drawn_tensor& t : c.tensors) {
    const std::string name = t.is.name;
    if (name == "x") x = &t;
    if (name == "mean" && !t.is_output()) mean = &t;
    if (name == "rstd" && !t.is_output()) rstd = &t;
  }
  if (x != nullptr && rstd != nullptr && engine() % 2 == 0) find_statistics(*x, mean, *rstd);
}

/// Sums that several cores share.
call_rules many_chunks(double most, index_t groups, void (*fill)(drawn_call&, std::mt19937&)) {
  call_rules rules;
  rules.fits = [most](const tensor_shape* s) { return static_cast<double>(s->size()) <= most; };
  rules.fill = fill;
  rules.sizes = {
      {"n", {33, 65, 65}}, {"groups", {groups}}, {"channels", {}}, {"spatial...2", {5, 13}}, {"spatial...", {1, 2, 5}}};
  for (const index_t members : {3, 17, 33, 64, 65, 130}) rules.sizes[2].second.push_back(groups * members);
  return rules;
}

}  // namespace

call_rules norm_calls(std::mt19937& engine, double most, index_t groups) {
  if (most > 1000 && engine() % 4 == 0) return many_chunks(std::min(4 * most, 2e5), groups, fill_norm);
  call_rules rules;
  rules.fits = [most](const tensor_shape* s) { return static_cast<double>(s->size()) <= most; };
  rules.fill = fill_norm;
  rules.sizes = {{"n", {0, 1, 2, 3, 5, 33}}, {"groups", {groups}}, {"channels", {}}};
  for (const index_t members : {1, 2, 3, 5, 8, 16, 17, 24, 31, 64, 127, 128, 129, 255, 300, 600, 5000})
    rules.sizes.back().second.push_back(groups * members);
  const index_t rank = below(engine, 4);
  for (index_t r = 0; r < 3; ++r) {
    const std::string axis = "spatial..." + std::to_string(r);
    if (r < 3 - rank)
      rules.sizes.push_back({axis, {1}});
    else
      rules.sizes.push_back({axis, {1, 2, 3, 5, 7, 13, 24, 600}});
  }
  return rules;
}
call_rules norm_sums(std::mt19937& engine, double most) {
  if (most > 1000 && engine() % 2 == 0) return many_chunks(std::min(4 * most, 2e5), 1, fill_finite);
  call_rules rules = summed_places(engine, most);
  rules.fill = fill_finite;
  return rules;
}

}  // namespace tern::test::inline TERN_ISA
