// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random pools, and numbers that often tie.
#pragma once

#include <cmath>
#include <random>
#include <string>

#include "tern/family/window/pooling.hpp"
#include "tests/support/pictures.hpp"

namespace tern::test {

inline std::string text(const pool_shape& s) {
  std::string t = "batch " + std::to_string(s.batch) + " channels " + std::to_string(s.channels);
  for (const window_axis& a : s.axis)
    t += ", " + std::to_string(a.in) + " -> " + std::to_string(a.out) + " kernel " + std::to_string(a.kernel) +
         " stride " + std::to_string(a.stride) + " dilation " + std::to_string(a.dilation) + " pad " +
         std::to_string(a.pad) + " and " + std::to_string(a.pad_end);
  return t + (s.count_padding ? ", padding counts" : "");
}

/// A pool of one to three axes with at most about `most` taps. Some windows are all of an axis, and some have more than
/// 512 taps, or none on an input.
inline pool_shape random_pool(std::mt19937& engine, double most = 1e5) {
  const auto below = [&](index_t n) { return static_cast<index_t>(engine() % static_cast<unsigned>(n)); };
  const auto one_of = [&](std::initializer_list<index_t> v) {
    return v.begin()[below(static_cast<index_t>(v.size()))];
  };
  for (;;) {
    pool_shape s;
    s.batch = one_of({0, 1, 1, 1, 2, 3, 5});
    s.channels = one_of({1, 1, 3, 7, 8, 15, 16, 17, 31, 33, 64, 67, 150, 1029});
    s.count_padding = below(2) == 0;
    s.fixed_divisor = below(4) == 0 ? 1 + below(9) : 0;
    const index_t rank = 1 + below(3);
    for (index_t r = 3 - rank; r < 3; ++r) {
      const index_t size = one_of({0, 1, 2, 3, 5, 7, 8, 11, 13, 14, 16, 28, 31});
      if (const index_t kind = below(12); kind == 0) {
        s.axis[r] = {.in = size, .kernel = size};
      } else {
        const index_t kernel = one_of({1, 2, 2, 2, 3, 3, 3, 4, 5, 7, kind == 1 ? 29 : 2});
        const index_t stride = one_of({kernel, kernel, 1, 1, 2, 3}), dilation = one_of({1, 1, 1, 2, 3});
        const index_t pad = below(8) == 0 ? below(2 * kernel) : below(kernel), end = below(kernel);
        s.axis[r] = window_over(size, kernel, stride, dilation, padding::given, pad, end, below(2) == 0);
      }
    }
    if (below(16) == 0) {  // several chunks
      const index_t stride = one_of({20, 50}), dilation = one_of({1, 2}), pad = below(90);
      s.batch = 1, s.channels = one_of({1, 3, 17, 33, 150});
      s.axis[0] = s.axis[1] = {};
      s.axis[2] = window_over(dilation * 700, 600, stride, dilation, padding::given, pad, below(90), below(2) == 0);
    }
    bool possible = static_cast<double>(s.batch * s.channels * s.positions() * s.taps()) <= most;
    for (const window_axis& a : s.axis) possible = possible && (a.out >= 1 || a.in == 0);
    if (possible) return s;
  }
}

inline extents3 inputs(const pool_shape& s) { return {s.axis[0].in, s.axis[1].in, s.axis[2].in}; }
inline extents3 results(const pool_shape& s) { return {s.axis[0].out, s.axis[1].out, s.axis[2].out}; }

/// Few different numbers, now and then a NaN or an infinity.
class ties {
 public:
  explicit ties(unsigned seed) : engine_(seed) {}
  double operator()() {
    const auto pick = static_cast<int>(engine_() % 32u);
    if (pick == 0) return NAN;
    if (pick < 4) return pick == 1 ? INFINITY : -INFINITY;
    return pick % 2 ? -0.0 : pick % 5 - 3;
  }

 private:
  std::mt19937 engine_;
};

/// Fills a picture with numbers of some kind.
template <class T>
void fill_somehow(picture<T>& p, std::mt19937& engine) {
  const auto seed = static_cast<unsigned>(engine());
  switch (engine() % 4) {
    case 0: return p.fill(numbers(seed, numbers::kind::uniform));
    case 1: return p.fill(numbers(seed, numbers::kind::extremes));
    case 2: return p.fill(numbers(seed, numbers::kind::special));
    default: return p.fill(ties(seed));
  }
}

}  // namespace tern::test
