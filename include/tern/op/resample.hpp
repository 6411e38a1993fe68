// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of an output along one axis, and their weights, for upsampling and padding.
#pragma once

#include "tern/core/config.hpp"

namespace tern {

/// Interpolation modes. Output o of an axis with n inputs and n f outputs lies at s(o), in units of inputs. If s lies
/// before the first input or after the last, the output is that input.
enum class interpolation {
  nearest,              ///< input floor(o / f)
  linear,               ///< between the two inputs around s(o) = (o + 1/2) / f - 1/2: PyTorch's align_corners=False
  linear_align_corners  ///< between the two inputs around s(o) = o (n - 1) / (n f - 1): the ends coincide
};

/// The name of the mode, for messages and reports.
TERN_FN constexpr const char* name(interpolation i) {
  const char* names[] = {"nearest", "linear", "linear_align_corners"};
  return names[static_cast<int>(i)];
}

/// The values beyond the ends of an axis, for input a b c d.
enum class border {
  constant,   ///< 0 0 a b c d 0 0, or another number
  reflect,    ///< c b a b c d c b: repeated as needed
  replicate,  ///< a a a b c d d d: PyTorch's name; NumPy's and ONNX's is edge
  circular    ///< c d a b c d a b: repeated as needed; also known as wrap
};

/// The name of the mode, for messages and reports.
TERN_FN constexpr const char* name(border b) {
  const char* names[] = {"constant", "reflect", "replicate", "circular"};
  return names[static_cast<int>(b)];
}

/// The inputs of one output along an axis: none, one with weight 1, or two neighbours with the weights (weight_of -
/// second) / weight_of and second / weight_of.
struct axis_sources {
  index_t first = -1;  ///< -1: none
  index_t second = 0, weight_of = 1;

  TERN_FN constexpr int count() const { return first < 0 ? 0 : second > 0 ? 2 : 1; }
};

/// Outputs that may have a given input among their sources: [0, head), [first, last) and [tail, end), ascending.
struct axis_results {
  index_t head = 0, first = 0, last = 0, tail = 0, end = 0;

  TERN_FN constexpr index_t count() const { return head + (last - first) + (end - tail); }
  TERN_FN constexpr index_t operator[](index_t i) const {
    if (i < head) return i;
    i += first - head;
    return i < last ? i : i - last + tail;
  }
};

/// One axis of an upsampling.
struct upsample_axis {
  index_t in = 1, factor = 1;
  interpolation mode = interpolation::nearest;

  TERN_FN constexpr index_t out() const { return in * factor; }
  TERN_FN constexpr axis_sources sources(index_t o) const {
    if (mode == interpolation::nearest) return {o / factor};
    const bool corners = mode == interpolation::linear_align_corners;
    // s(o) = n / d
    const index_t d = !corners ? 2 * factor : out() > 1 ? out() - 1 : 1;
    const index_t n = !corners ? 2 * o + 1 - factor : o * (in - 1);
    if (n <= 0) return {0};
    return n / d >= in - 1 ? axis_sources{in - 1} : axis_sources{n / d, n % d, d};
  }
  /// The only outputs that may have input i among their sources.
  TERN_FN constexpr axis_results results(index_t i) const {
    index_t first = i * factor, last = first + factor;
    if (mode == interpolation::linear) first -= factor, last += factor;
    if (mode == interpolation::linear_align_corners) {
      // |o (in - 1) / (out - 1) - i| < 1
      first = in > 1 ? (i - 1) * (out() - 1) / (in - 1) : 0;
      last = in > 1 ? (i + 1) * (out() - 1) / (in - 1) + 1 : out();
    }
    if (first < 0) first = 0;
    if (last > out()) last = out();
    return {.first = first, .last = last};
  }
};

/// One axis of a padding.
struct pad_axis {
  index_t in = 1, before = 0, after = 0;
  border mode = border::constant;

  TERN_FN constexpr index_t out() const { return before + in + after; }
  TERN_FN constexpr axis_sources sources(index_t o) const {
    const index_t i = o - before;
    if (i >= 0 && i < in) return {i};
    switch (mode) {
      case border::constant: return {};
      case border::replicate: return {i < 0 ? 0 : in - 1};
      case border::circular: return {remainder(i, in)};
      case border::reflect: {
        const index_t r = remainder(i, 2 * (in - 1));
        return {r < in ? r : 2 * (in - 1) - r};
      }
    }
    return {};
  }
  /// The only outputs that may have input i among their sources. Borders are short, so all of a border counts unless it
  /// is constant.
  TERN_FN constexpr axis_results results(index_t i) const {
    const index_t at = before + i;
    if (mode == border::constant) return {.first = at, .last = at + 1};
    return {.head = before, .first = at, .last = at + 1, .tail = before + in, .end = out()};
  }

 private:
  TERN_FN static constexpr index_t remainder(index_t a, index_t b) { return (a % b + b) % b; }
};

}  // namespace tern
