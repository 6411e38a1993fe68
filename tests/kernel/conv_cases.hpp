// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random convolutions, and their expected results: sums in higher precision, computed the other way round than in
// kernels (every input is spread over the outputs it reaches).
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tern/family/contraction/convolution.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/pictures.hpp"

namespace tern::test {

/// An epilogue with every step.
inline constexpr epilogue everything{.accumulate = true,
                                     .bias = true,
                                     .residual = true,
                                     .act = activation::prelu,
                                     .scale = true,
                                     .slope_by_position = true};

inline std::string text(const conv_shape& s) {
  std::string t = "batch " + std::to_string(s.batch) + " groups " + std::to_string(s.groups) + " of " +
                  std::to_string(s.in) + " -> " + std::to_string(s.out);
  for (const window_axis& a : s.axis)
    t += ", " + std::to_string(a.in) + " -> " + std::to_string(a.out) + " kernel " + std::to_string(a.kernel) +
         " stride " + std::to_string(a.stride) + " dilation " + std::to_string(a.dilation) + " pad " +
         std::to_string(a.pad);
  return t;
}

/// A convolution of one to three axes with at most about `most` products.
inline conv_shape random_conv(std::mt19937& engine, double most = 2e5) {
  const auto below = [&](index_t n) { return static_cast<index_t>(engine() % static_cast<unsigned>(n)); };
  const auto one_of = [&](std::initializer_list<index_t> v) {
    return v.begin()[below(static_cast<index_t>(v.size()))];
  };
  for (;;) {
    conv_shape s;
    s.batch = one_of({0, 1, 1, 1, 2, 3, 5});
    s.groups = one_of({1, 1, 1, 1, 2, 3, 4, 16, 33});
    s.in = one_of({1, 1, 2, 3, 4, 8, 16, 17, 64});
    s.out = one_of({1, 1, 2, 3, 4, 5, 8, 16, 31, 32, 33, 64});
    const index_t kind = below(16);
    if (kind > 13) s.in = s.out = one_of({2, 4, 8}), s.groups = one_of({2, 3, 4, 7, 16, 33});  // small groups
    if (kind == 0) s.in = one_of({171, 256, 300, 512, 513, 1100}), s.groups = 1;               // where chunks are cut
    if (kind == 1) s.out = one_of({171, 256, 512, 513, 1100}), s.groups = 1;
    if (kind < 5 && kind > 1) s.in = s.out = 1, s.groups = one_of({1, 3, 8, 16, 17, 40, 128, 150});  // depthwise
    const bool few = kind == 5;  // channels: a vector holds several pixels
    if (few) s.groups = one_of({1, 1, 1, 3}), s.in = one_of({4, 8, 12, 64, 3}), s.out = one_of({1, 2, 3, 4, 7, 8, 12});
    const index_t rank = 1 + below(3);
    for (index_t r = 3 - rank; r < 3; ++r) {
      window_axis& a = s.axis[r];
      a.kernel = one_of({1, 1, 2, 3, 3, 3, 4, 5, 7});
      a.stride = one_of({1, 1, 1, 2, 2, 3});
      a.dilation = one_of({1, 1, 1, 2, 3});
      a.in = one_of({1, 2, 3, 5, 7, 8, 11, 13, 14, 16, 28, 31});
      if (few && r == 2 && below(4) > 0) a.in = 15 + below(80);  // several tiles
      const index_t pad = below(4) == 0 ? below(2 * a.kernel) : below(a.kernel), end = below(a.kernel);
      a = window_over(a.in, a.kernel, a.stride, a.dilation, padding::given, pad, end);
    }
    double products = static_cast<double>(s.batch * s.groups * s.in * s.out * s.positions() * s.taps());
    bool possible = products <= most;
    for (const window_axis& a : s.axis) possible = possible && a.out >= 1;
    if (possible) return s;
  }
}

/// The extents of the tensor that windows slide over, and of the one with an element for each of their positions.
inline extents3 wide(const conv_shape& s) { return {s.axis[0].in, s.axis[1].in, s.axis[2].in}; }
inline extents3 narrow(const conv_shape& s) { return {s.axis[0].out, s.axis[1].out, s.axis[2].out}; }

/// f(n, g, c, o, wide position, tap, narrow position) for every product of a convolution.
template <class F>
void every_product(const conv_shape& s, F f) {
  for (index_t n = 0; n < s.batch; ++n)
    for (index_t z = 0; z < s.axis[0].in; ++z)
      for (index_t y = 0; y < s.axis[1].in; ++y)
        for (index_t x = 0; x < s.axis[2].in; ++x)
          for (index_t tz = 0; tz < s.axis[0].kernel; ++tz)
            for (index_t ty = 0; ty < s.axis[1].kernel; ++ty)
              for (index_t tx = 0; tx < s.axis[2].kernel; ++tx) {
                const index_t from[] = {z, y, x}, tap[] = {tz, ty, tx};
                extents3 at{};
                bool there = true;
                for (std::size_t r = 0; r < 3; ++r) {
                  const window_axis& a = s.axis[r];
                  const index_t distance = from[r] + a.pad - tap[r] * a.dilation;
                  there = there && distance >= 0 && distance % a.stride == 0 && distance / a.stride < a.out;
                  at[r] = distance / a.stride;
                }
                if (!there) continue;
                for (index_t g = 0; g < s.groups; ++g)
                  for (index_t c = 0; c < s.in; ++c)
                    for (index_t o = 0; o < s.out; ++o) f(n, g, c, o, extents3{z, y, x}, extents3{tz, ty, tx}, at);
              }
}

/// The expected elements of a picture.
class expected_picture {
 public:
  expected_picture(index_t samples, index_t channels, extents3 e)
      : channels_(channels), e_(e), v_(static_cast<std::size_t>(samples * channels * e[0] * e[1] * e[2])) {}
  expected& operator()(index_t n, index_t c, index_t z, index_t y, index_t x) {
    return v_[static_cast<std::size_t>((((n * e_[0] + z) * e_[1] + y) * e_[2] + x) * channels_ + c)];
  }

 private:
  index_t channels_;
  extents3 e_;
  std::vector<expected> v_;
};

/// The expected result of a convolution of x and w; pass data: of the data gradient of dy.
template <class T>
expected_picture expected_sums(const conv_shape& s, conv_pass pass, const picture<T>& from, const filter_bank<T>& w) {
  const bool forward = pass == conv_pass::forward;
  expected_picture e(s.batch, s.groups * (forward ? s.out : s.in), forward ? narrow(s) : wide(s));
  every_product(s, [&](index_t n, index_t g, index_t c, index_t o, extents3 i, extents3 t, extents3 p) {
    const long double weight = w(t[0], t[1], t[2], c, g * s.out + o);
    if (forward)
      e(n, g * s.out + o, p[0], p[1], p[2]).add(weight * from(n, g * s.in + c, i[0], i[1], i[2]));
    else
      e(n, g * s.in + c, i[0], i[1], i[2]).add(weight * from(n, g * s.out + o, p[0], p[1], p[2]));
  });
  return e;
}

}  // namespace tern::test
