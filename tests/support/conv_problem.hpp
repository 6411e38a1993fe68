// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions and transposed ones as rows of a table: what a config and the shape of x say, at run time, so that one
// instantiation of a kernel serves all rows.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tern/family/contraction/convolution.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"

namespace tern::test::inline TERN_ISA {

/// Axes that a problem lacks come first and have size 1.
struct conv_problem {
  int rank = 2;
  bool transposed = false;  ///< .pad and .pad_end are crops
  index_t batch = 1, in = 1, out = 1, groups = 1;
  padding rule = padding::given;
  per_axis<3> x = {1, 1, 1}, kernel = {1, 1, 1}, stride = {1, 1, 1}, dilation = {1, 1, 1};
  per_axis<3> pad = {0, 0, 0}, pad_end = {0, 0, 0}, output_padding = {0, 0, 0};

  /// The axis of the window, as the op finds it.
  window_axis axis(int r) const {
    if (transposed)
      return conv_transpose3d_config{.kernel = kernel,
                                     .stride = stride,
                                     .dilation = dilation,
                                     .crop = pad,
                                     .crop_end = pad_end,
                                     .output_padding = output_padding}
          .axis(r, x[r]);
    return conv3d_config{
        .kernel = kernel, .stride = stride, .dilation = dilation, .rule = rule, .pad = pad, .pad_end = pad_end}
        .axis(r, x[r]);
  }
  /// Extents of the result.
  per_axis<3> y() const {
    per_axis<3> e{};
    for (int r = 0; r < 3; ++r) e.of[r] = transposed ? axis(r).in : axis(r).out;
    return e;
  }
  /// The convolution of the call: of a transposed one, the one whose data gradient it is.
  conv_shape shape() const {
    const index_t wide = transposed ? out : in, narrow = transposed ? in : out;
    conv_shape s{.batch = batch, .groups = groups, .in = wide / groups, .out = narrow / groups};
    for (int r = 0; r < 3; ++r) s.axis[r] = axis(r);
    return s;
  }
};

inline std::string op_name(const conv_problem& p) {
  return (p.transposed ? "conv_transpose" : "conv") + std::to_string(p.rank) + "d";
}

/// "3x5" of the axes that a problem has.
inline std::string sizes(const conv_problem& p, const per_axis<3>& of) {
  std::string t;
  for (int r = 3 - p.rank; r < 3; ++r) t += (t.empty() ? "" : "x") + std::to_string(of[r]);
  return t;
}

/// "2x17x13x11 to 33, kernel 3x3, stride 2x2, pad 0x0 1x1": the shape of x, the channels of y, the window. What is
/// usual is left out.
inline std::string geometry(const conv_problem& p) {
  const per_axis<3> ones = 1, zeros = 0;
  std::string t = std::to_string(p.batch) + "x" + std::to_string(p.in) + "x" + sizes(p, p.x) + " to " +
                  std::to_string(p.out) + ", kernel " + sizes(p, p.kernel);
  if (p.stride != ones) t += ", stride " + sizes(p, p.stride);
  if (p.dilation != ones) t += ", dilation " + sizes(p, p.dilation);
  if (p.groups != 1) t += ", groups " + std::to_string(p.groups);
  if (p.rule != padding::given) t += std::string(", padding ") + name(p.rule);
  if (p.pad != zeros || p.pad_end != zeros) t += (p.transposed ? ", crop " : ", pad ") + sizes(p, p.pad);
  if (p.pad_end != p.pad) t += " " + sizes(p, p.pad_end);
  if (p.output_padding != zeros) t += ", output padding " + sizes(p, p.output_padding);
  return t;
}

inline std::string text(const conv_problem& p) { return op_name(p) + " " + geometry(p); }

/// The problem of a text. Ends the program where text(problem) is not the text again.
inline conv_problem conv_of(const std::string& wanted) {
  const char* t = wanted.c_str();
  const auto take = [&](const char* word) {
    const bool there = std::strncmp(t, word, std::strlen(word)) == 0;
    if (there) t += std::strlen(word);
    return there;
  };
  const auto number = [&] {
    char* end = nullptr;
    const index_t n = std::strtoll(t, &end, 10);
    t = end;
    return n;
  };
  conv_problem p;
  const auto axes = [&](per_axis<3>& to) {
    for (int r = 3 - p.rank; r < 3; ++r) to.of[r] = number(), take("x");
  };
  p.transposed = take("conv_transpose");
  take("conv"), p.rank = static_cast<int>(number()) % 4, take("d ");
  p.batch = number(), take("x"), p.in = number(), take("x"), axes(p.x);
  take(" to "), p.out = number(), take(", kernel "), axes(p.kernel);
  if (take(", stride ")) axes(p.stride);
  if (take(", dilation ")) axes(p.dilation);
  if (take(", groups ")) p.groups = number();
  if (take(", padding "))
    for (const padding rule : {padding::valid, padding::same_tf, padding::same_torch, padding::causal})
      if (take(name(rule))) p.rule = rule;
  if (take(", pad ") || take(", crop ")) {
    axes(p.pad), p.pad_end = p.pad;
    if (take(" ")) axes(p.pad_end);
  }
  if (take(", output padding ")) axes(p.output_padding);
  if (text(p) != wanted) {
    std::fprintf(stderr, "this is no convolution: %s\n", wanted.c_str());
    std::abort();
  }
  return p;
}

}  // namespace tern::test::inline TERN_ISA
