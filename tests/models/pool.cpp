// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/models/check.hpp"
#include "tests/models/layers.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/pictures.hpp"

namespace tern::test {
namespace {

/// A pool of images as layers.txt has it: "maxpool 112x112x64 to 56x56x64, kernel 3x3, stride 2x2, pad 0x0 1x1".
struct pool_layer {
  bool average = false;
  pool_shape shape;
  bool as_stated = false;  ///< whether the window makes of x what the source says
};

[[noreturn]] void unknown(const std::string& text) {
  std::fprintf(stderr, "this is no pool: %s\n", text.c_str());
  std::exit(2);
}

pool_layer pool_of(const std::string& text) {
  const auto behind = [&](const char* word) -> const char* {
    const std::size_t at = text.find(word);
    return at == std::string::npos ? nullptr : text.c_str() + at + std::string(word).size();
  };
  const bool global = text.rfind("global_", 0) == 0;
  pool_layer l;
  l.average = text.find("avgpool") != std::string::npos;
  long h = 0, w = 0, c = 0, kernel[2] = {1, 1}, stride[2] = {1, 1}, pad[4] = {}, out[2] = {1, 1};
  if (std::sscanf(behind(" "), "%ldx%ldx%ld", &h, &w, &c) != 3) unknown(text);
  if (!global && std::sscanf(behind(" to "), "%ldx%ld", &out[0], &out[1]) != 2) unknown(text);
  if (global) {
    kernel[0] = h, kernel[1] = w;
  } else {
    if (!behind("kernel ") || std::sscanf(behind("kernel "), "%ldx%ld", &kernel[0], &kernel[1]) != 2) unknown(text);
    if (behind("stride ")) std::sscanf(behind("stride "), "%ldx%ld", &stride[0], &stride[1]);
    if (behind("pad ") && std::sscanf(behind("pad "), "%ldx%ld %ldx%ld", &pad[0], &pad[1], &pad[2], &pad[3]) == 2)
      pad[2] = pad[0], pad[3] = pad[1];
  }
  l.shape.batch = 1, l.shape.channels = c;
  l.shape.axis[1] = window_over(h, kernel[0], stride[0], 1, padding::given, pad[0], pad[2]);
  l.shape.axis[2] = window_over(w, kernel[1], stride[1], 1, padding::given, pad[1], pad[3]);
  l.as_stated = l.shape.axis[1].out == out[0] && l.shape.axis[2].out == out[1];
  return l;
}

index_t taps_of(const pool_shape& s) { return s.batch * s.channels * s.positions() * s.taps(); }

/// The same window and channels over fewer positions.
pool_shape scaled(pool_shape s) {
  for (int r = 1; r < 3; ++r) {
    window_axis& a = s.axis[r];
    while (taps_of(s) > most_products && a.out > 4) a.in -= (a.out - a.out / 2) * a.stride, a.out /= 2;
  }
  while (s.batch < 3 && taps_of(s) / s.batch * (s.batch + 1) <= most_products) ++s.batch;
  return s;
}

/// The same for gradients, in which the reference goes over a whole window for every input.
pool_shape scaled_for_gradients(pool_shape s) {
  const auto work = [&] { return s.batch * s.channels * s.axis[1].in * s.axis[2].in * s.taps(); };
  for (int r = 1; r < 3; ++r) {
    window_axis& a = s.axis[r];
    while (work() > 10 * most_products && a.out == 1 && a.in > 7) a.in = a.kernel = a.stride = (a.in + 1) / 2;
    while (work() > 10 * most_products && a.out > 4) a.in -= (a.out - a.out / 2) * a.stride, a.out /= 2;
  }
  return s;
}

extents3 inputs_of(const pool_shape& s) { return {s.axis[0].in, s.axis[1].in, s.axis[2].in}; }
extents3 results_of(const pool_shape& s) { return {s.axis[0].out, s.axis[1].out, s.axis[2].out}; }

/// A result as the definition of the op says it, gone through from the inputs.
std::string compare_with_definition(bool average, const pool_shape& s, const picture<float>& x, const picture<float>& y,
                                    std::mt19937& engine) {
  const auto below = [&](index_t n) { return static_cast<index_t>(engine() % static_cast<unsigned long>(n)); };
  for (int i = 0; i < samples; ++i) {
    const index_t n = below(s.batch), c = below(s.channels), oy = below(s.axis[1].out), ox = below(s.axis[2].out);
    expected sum;
    index_t count = 0;
    float most = 0;
    for (index_t iy = 0; iy < s.axis[1].in; ++iy)
      for (index_t ix = 0; ix < s.axis[2].in; ++ix) {
        const index_t ty = iy + s.axis[1].pad - oy * s.axis[1].stride, tx = ix + s.axis[2].pad - ox * s.axis[2].stride;
        if (ty < 0 || ty >= s.axis[1].kernel || tx < 0 || tx >= s.axis[2].kernel) continue;
        const float v = x(n, c, 0, iy, ix);
        most = count == 0 || v > most ? v : most;
        sum.add(v), ++count;
      }
    if (!average && !equal_bits(y(n, c, 0, oy, ox), most)) return "the reference is not the largest input";
    if (!average) continue;
    expected mean;
    mean.value = sum.value / static_cast<long double>(count),
    mean.magnitude = sum.magnitude / static_cast<long double>(count);
    if (!within_rounding(y(n, c, 0, oy, ox), mean, count, dot_chunk, static_cast<int>(count / dot_chunk) + 2))
      return "the reference is far from the mean";
  }
  return "";
}

template <pool_shares S>
std::string gradient_fault(const pool_shape& s, const picture<float>& x, const picture<std::int32_t>& at,
                           const picture<float>& dy, const char* name) {
  const picture<float> wanted(s.batch, s.channels, inputs_of(s));
  // The reference looks for the largest input of a window once per tap: who that was is known already.
  constexpr pool_shares known = S == pool_shares::found ? pool_shares::given : S;
  pooling_kernel<reference>::run({}, pool_gradient<float, known, false>{s, dy, at, x, wanted.get()});
  for (const any_executor& run : executors) {
    const picture<float> got(s.batch, s.channels, inputs_of(s), picture<float>::order::blocks16);
    pooling_kernel<simd<>>::run(run, pool_gradient<float, S, false>{s, dy, at, x, got.get()});
    if (!equal_bits(wanted, got)) return std::string(name) + ": simd has other bits, " + run.name;
  }
  return "";
}

template <pool_kind K>
std::string gradient_faults(const pool_shape& s, numbers& next) {
  picture<float> x(s.batch, s.channels, inputs_of(s)),
      dy(s.batch, s.channels, results_of(s), picture<float>::order::padded);
  x.fill(next), dy.fill(next);
  const picture<float> y(s.batch, s.channels, results_of(s));
  const picture<std::int32_t> at(s.batch, s.channels, results_of(s));
  if constexpr (K == pool_kind::average) return gradient_fault<pool_shares::all>(s, x, at, dy, "gradient");
  pooling_kernel<reference>::run({}, pool_values<float, pool_kind::max, true>{s, x, y.get(), at.get()});
  const std::string wrong = gradient_fault<pool_shares::given>(s, x, at, dy, "gradient from indices");
  return wrong.empty() ? gradient_fault<pool_shares::found>(s, x, at, dy, "gradient from inputs") : wrong;
}

template <pool_kind K>
std::string value_faults(const pool_shape& s, numbers& next, std::mt19937& engine) {
  using order = picture<float>::order;
  picture<float> x(s.batch, s.channels, inputs_of(s));
  x.fill(next);
  const picture<float> wanted(s.batch, s.channels, results_of(s));
  pooling_kernel<reference>::run({}, pool_values<float, K, false>{s, x, wanted.get(), {}});
  if (const std::string wrong = compare_with_definition(K == pool_kind::average, s, x, wanted, engine); !wrong.empty())
    return wrong;
  for (const any_executor& run : executors) {
    const picture<float> got(s.batch, s.channels, results_of(s), order::padded);
    pooling_kernel<simd<>>::run(run, pool_values<float, K, false>{s, x, got.get(), {}});
    if (!equal_bits(wanted, got)) return std::string("values: simd has other bits, ") + run.name;
  }
  return "";
}

template <pool_kind K>
std::string fault(const pool_shape& s, unsigned seed) {
  numbers next(seed);
  std::mt19937 engine(seed);
  const std::string wrong = value_faults<K>(scaled(s), next, engine);
  return wrong.empty() ? gradient_faults<K>(scaled_for_gradients(scaled(s)), next) : wrong;
}

}  // namespace

std::string fault_of_pool(const std::string& shape, unsigned seed) {
  const pool_layer l = pool_of(shape);
  if (!l.as_stated) return "the result has other extents";
  return l.average ? fault<pool_kind::average>(l.shape, seed) : fault<pool_kind::max>(l.shape, seed);
}

}  // namespace tern::test
