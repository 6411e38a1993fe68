// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the elements at one place, and random numbers.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/models/check.hpp"
#include "tests/models/dense.hpp"
#include "tests/models/layers.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {
namespace {

/// A tensor (n, c, z, y, x) with channels last.
struct tensor {
  dense_layer shape;
  std::vector<float> v;

  explicit tensor(const dense_layer& l) : shape(l), v(static_cast<std::size_t>(l.elements()), -7.7e33f) {}
  tensor(const dense_layer& l, numbers& next) : tensor(l) {
    for (float& x : v) x = static_cast<float>(next());
  }
  auto get() {
    return view(unchecked, v.data(),
                layout_channels_last::mapping(
                    dims<5>(shape.samples, shape.channels, shape.extent[0], shape.extent[1], shape.extent[2])));
  }
  friend bool equal_bits(const tensor& a, const tensor& b) {
    bool equal = true;
    for (std::size_t i = 0; i < a.v.size(); ++i) equal = equal && equal_bits(a.v[i], b.v[i]);
    return equal;
  }
};

/// One element for every channel, of one sample or of all, at every position or once.
dense_layer repeated(dense_layer l, bool of_samples, bool of_positions) {
  if (!of_samples) l.samples = 1;
  if (!of_positions) l.extent[0] = l.extent[1] = l.extent[2] = 1;
  return l;
}

/// Checks that call(executor, to) under simd gives the bits of the reference, `wanted`. \param name  of the result
template <class Call>
std::string compare(const char* name, const tensor& wanted, Call call) {
  for (const any_executor& run : executors) {
    tensor got(wanted.shape);
    call(run, got);
    if (!equal_bits(wanted, got)) return std::string(name) + ": simd has other bits, " + run.name;
  }
  return "";
}

/// The gradients of a residual sum are dy.
std::string add_fault(const dense_layer& l, numbers& next) {
  using op = elementwise<elementwise_config{.residual = true}>;
  tensor x(l, next), r(l, next), y(l);
  kernel<op, reference>{}(x.get(), r.get(), y.get());
  for (std::size_t i = 0; i < y.v.size(); ++i)
    if (!equal_bits(y.v[i], x.v[i] + r.v[i])) return "the reference is not the sum";
  return compare("sum", y, [&](const auto& run, tensor& to) { kernel<op, simd<>>{}(run, x.get(), r.get(), to.get()); });
}

/// A number per sample and channel, as squeeze-and-excitation has it, or per element.
std::string scale_fault(const dense_layer& l, const dense_layer& of_scale, numbers& next) {
  using op = elementwise<elementwise_config{.scale = true}>;
  const kernel<op, reference> plain;
  const kernel<op, simd<>> fast;
  tensor x(l, next), s(of_scale, next), dy(l, next), y(l), dx(l), ds(of_scale);
  plain(x.get(), s.get(), y.get());
  plain.backward_data(dy.get(), s.get(), dx.get());
  plain.backward_scale(dy.get(), x.get(), ds.get());
  const index_t repeats = l.elements() / of_scale.elements();
  std::vector<expected> sums(ds.v.size());
  for (std::size_t i = 0; i < y.v.size(); ++i) {
    const auto place = static_cast<index_t>(i), c = place % l.channels;
    const auto at = static_cast<std::size_t>(
        repeats == 1 ? place : place / l.channels / l.positions() % of_scale.samples * l.channels + c);
    if (!equal_bits(y.v[i], x.v[i] * s.v[at])) return "the reference is not the product";
    if (!equal_bits(dx.v[i], dy.v[i] * s.v[at])) return "the gradient of the reference is not the product";
    sums[at].add(static_cast<long double>(x.v[i]) * dy.v[i]);
  }
  for (std::size_t i = 0; i < ds.v.size(); ++i)
    if (!within_rounding(ds.v[i], sums[i], repeats, dot_chunk, 1)) return "the gradient of a scale is far from its sum";
  std::string wrong =
      compare("product", y, [&](const auto& run, tensor& to) { fast(run, x.get(), s.get(), to.get()); });
  if (wrong.empty())
    wrong = compare("gradient", dx,
                    [&](const auto& run, tensor& to) { fast.backward_data(run, dy.get(), s.get(), to.get()); });
  if (wrong.empty())
    wrong = compare("gradient of the scale", ds,
                    [&](const auto& run, tensor& to) { fast.backward_scale(run, dy.get(), x.get(), to.get()); });
  return wrong;
}

/// A slope per channel and position.
std::string prelu_fault(const dense_layer& l, numbers& next) {
  using op = elementwise<elementwise_config{.act = activation::prelu}>;
  const kernel<op, reference> plain;
  const kernel<op, simd<>> fast;
  const dense_layer of_slope = repeated(l, false, true);
  tensor x(l, next), s(of_slope, next), dy(l, next), y(l), dx(l), ds(of_slope);
  plain(x.get(), s.get(), y.get());
  plain.backward_data(dy.get(), x.get(), s.get(), dx.get());
  plain.backward_slope(dy.get(), x.get(), ds.get());
  std::vector<expected> sums(ds.v.size());
  for (std::size_t i = 0; i < y.v.size(); ++i) {
    const std::size_t at = i % s.v.size();
    const bool bent = !(x.v[i] > 0);
    if (!equal_bits(y.v[i], bent ? x.v[i] * s.v[at] : x.v[i])) return "the reference is no PReLU";
    if (!equal_bits(dx.v[i], bent ? dy.v[i] * s.v[at] : dy.v[i])) return "the gradient of the reference is no PReLU's";
    if (bent) sums[at].add(static_cast<long double>(x.v[i]) * dy.v[i]);
  }
  for (std::size_t i = 0; i < ds.v.size(); ++i)
    if (!within_rounding(ds.v[i], sums[i], l.samples, dot_chunk, 1))
      return "the gradient of a slope is far from its sum";
  std::string wrong = compare("values", y, [&](const auto& run, tensor& to) { fast(run, x.get(), s.get(), to.get()); });
  if (wrong.empty())
    wrong = compare("gradient", dx, [&](const auto& run, tensor& to) {
      fast.backward_data(run, dy.get(), x.get(), s.get(), to.get());
    });
  if (wrong.empty())
    wrong = compare("gradient of the slope", ds,
                    [&](const auto& run, tensor& to) { fast.backward_slope(run, dy.get(), x.get(), to.get()); });
  return wrong;
}

std::string dropout_fault(const dense_layer& l, numbers& next, unsigned seed) {
  using op = dropout<>;
  const kernel<op, reference> plain;
  const kernel<op, simd<>> fast;
  const drop_rate half{0.5};
  const random_site site{.seed = seed, .step = 3, .site = 5};
  tensor x(l, next), dy(l, next), y(l), dx(l);
  plain(x.get(), y.get(), half, site), plain.backward_data(dy.get(), dx.get(), half, site);
  for (std::size_t i = 0; i < y.v.size(); ++i) {
    const bool dropped = y.v[i] == 0 && x.v[i] != 0;
    if (!dropped && !equal_bits(y.v[i], 2 * x.v[i])) return "the reference neither keeps nor drops an element";
    if (!equal_bits(dx.v[i], dropped ? 0.0f : 2 * dy.v[i])) return "the gradient has another mask";
  }
  std::string wrong =
      compare("values", y, [&](const auto& run, tensor& to) { fast(run, x.get(), to.get(), half, site); });
  if (wrong.empty())
    wrong = compare("gradient", dx,
                    [&](const auto& run, tensor& to) { fast.backward_data(run, dy.get(), to.get(), half, site); });
  return wrong;
}

std::string sample_fault(const dense_layer& l, numbers& next, unsigned seed) {
  const kernel<normal_sample<>, reference> plain;
  const kernel<normal_sample<>, simd<>> fast;
  const random_site site{.seed = seed, .step = 3, .site = 6};
  tensor mean(l, next), spread(l, next), dy(l, next), y(l), dmean(l), dspread(l);
  plain(mean.get(), spread.get(), y.get(), site);
  plain.backward_data(dy.get(), spread.get(), dmean.get(), dspread.get(), site);
  if (!equal_bits(dmean, dy)) return "the gradient of the mean is not dy";
  // With s = exp(log_variance / 2) both hold the same z: y = mean + s z and dlog_variance = dy s z / 2.
  for (std::size_t i = 0; i < y.v.size(); ++i) {
    const double sz = static_cast<double>(y.v[i]) - mean.v[i], half = 0.5 * dy.v[i] * sz;
    if (!(std::fabs(dspread.v[i] - half) <= 0x1p-21 * (1 + std::fabs(sz)))) return "gradient and sample disagree";
  }
  std::string wrong =
      compare("values", y, [&](const auto& run, tensor& to) { fast(run, mean.get(), spread.get(), to.get(), site); });
  if (wrong.empty())
    wrong = compare("gradient", dspread, [&](const auto& run, tensor& to) {
      tensor of_mean(l);
      fast.backward_data(run, dy.get(), spread.get(), of_mean.get(), to.get(), site);
    });
  return wrong;
}

}  // namespace

std::string fault_of_map(const std::string& shape, unsigned seed) {
  const dense_layer l = dense_of(shape);
  numbers next(seed);
  return l.op == "add"             ? add_fault(l, next)
         : l.op == "channel_scale" ? scale_fault(l, repeated(l, true, false), next)
         : l.op == "mul"           ? scale_fault(l, l, next)
                                   : prelu_fault(l, next);
}

std::string fault_of_draw(const std::string& shape, unsigned seed) {
  const dense_layer l = dense_of(shape);
  numbers next(seed);
  return l.op == "dropout" ? dropout_fault(l, next, seed) : sample_fault(l, next, seed);
}

}  // namespace tern::test
