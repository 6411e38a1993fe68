// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of convolutions, and how a policy runs them. As with matmul, a case is a mathematical problem, and what
// must not change its bits is a way to run it. Sizes are run-time arguments of the family's kernels: one instantiation
// serves all cases.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/conv_problem.hpp"
#include "tests/support/pictures.hpp"
#include "tests/verify/inputs.hpp"
#include "tests/verify/recorder.hpp"

namespace tern::test::inline TERN_ISA {

/// The layout of the operands, and the number of calls for a result.
enum class conv_form {
  last,    ///< channels last
  gaps,    ///< channels of a larger tensor, with gaps and misaligned; weights as (output, input, taps)
  blocks,  ///< channels in blocks of 16
  packed,  ///< weights packed
  cut      ///< samples in several calls, weight gradients accumulated
};

struct conv_case {
  const char* conv;
  inputs kind = inputs::uniform;
};

/// Every kind of window, and sizes at which chunks, grains, panels of channels and phases of strides begin and end.
/// Some of each kind are worth a fork.
inline constexpr conv_case conv_cases[] = {
    {"conv1d 3x5x29 to 7, kernel 3, pad 1"},
    {"conv1d 2x64x40 to 33, kernel 2, dilation 8, padding causal"},
    {"conv1d 2x40x31 to 40, kernel 15, groups 40, padding same_torch"},
    {"conv1d 70x20x3 to 11, kernel 3"},
    {"conv2d 2x33x7x9 to 65, kernel 1x1"},
    {"conv2d 2x3x23x21 to 16, kernel 7x7, stride 2x2, pad 3x3"},
    {"conv2d 3x17x13x11 to 33, kernel 3x3, padding same_torch"},
    {"conv2d 2x16x14x9 to 16, kernel 4x3, stride 3x2, padding same_tf"},
    {"conv2d 2x8x15x14 to 9, kernel 3x3, dilation 2x3, pad 2x4 3x0"},
    {"conv2d 5x12x5x6 to 20, kernel 3x3, stride 2x2, groups 4, pad 1x1"},
    {"conv2d 3x37x14x15 to 37, kernel 5x5, stride 2x2, groups 37, padding same_tf"},
    {"conv2d 2x24x9x17 to 24, kernel 3x3, groups 24, padding same_torch"},
    {"conv2d 2x8x6x7 to 16, kernel 2x3, groups 8"},
    {"conv2d 2x171x4x5 to 5, kernel 2x2"},
    {"conv2d 1x600x3x4 to 19, kernel 1x2"},
    {"conv2d 1x3x3x3 to 4, kernel 3x3, pad 4x3"},
    {"conv3d 3x3x5x6x7 to 8, kernel 3x2x3, stride 1x2x1, pad 1x0x1 1x1x1"},
    {"conv3d 1x6x6x7x6 to 4, kernel 2x3x2, stride 2x1x1, dilation 1x2x3, groups 2"},
    {"conv_transpose1d 40x6x2 to 5, kernel 4, stride 4"},
    {"conv_transpose2d 2x16x5x7 to 9, kernel 2x2, stride 2x2"},
    {"conv_transpose2d 2x33x4x5 to 12, kernel 3x3, stride 2x2, crop 0x0 1x1"},
    {"conv_transpose2d 3x8x5x4 to 6, kernel 5x4, stride 3x1, dilation 1x2, groups 2, crop 2x3 1x3, output padding 2x0"},
    {"conv_transpose3d 1x5x3x2x3 to 4, kernel 2x3x3, stride 2x1x2, crop 0x1x1 0x1x0"},
    {"conv2d 2x17x8x9 to 19, kernel 3x3, stride 1x2, pad 1x1", inputs::wide},
    {"conv2d 2x20x7x8 to 20, kernel 3x3, groups 20, pad 1x1", inputs::wide},
    {"conv2d 2x16x7x8 to 33, kernel 3x3, pad 1x1", inputs::special},
    {"conv2d 2x33x8x8 to 33, kernel 3x3, stride 2x2, groups 33, pad 1x1", inputs::special},
    {"conv_transpose2d 2x16x5x5 to 9, kernel 3x3, stride 2x2, crop 1x1", inputs::special}};

/// One case under one policy, in one way. `Make` gives the run-time state for the shape of a call.
template <class Policy, class T, class Make>
class conv_way {
  using family = convolution_kernel<Policy>;

 public:
  conv_way(recorder& to, const char* policy, const char* way, const conv_case& c, conv_form f, Make& make)
      : to_(to),
        policy_(policy),
        way_(way),
        conv_(conv_of(c.conv)),
        kind_(c.kind),
        shape_(conv_.shape()),
        form_(f),
        make_(make),
        x_(image_of(conv_.transposed, 1)),
        dy_(image_of(!conv_.transposed, 2)),
        w_(shape_, f == conv_form::gaps) {
    w_.fill(input_sequence<T>(3, kind_));
  }

  /// y = act(sum scale + bias + residual).
  template <epilogue E>
  void forward() {
    if (conv_.transposed)
      sums<conv_pass::data, E>("forward", x_);
    else
      sums<conv_pass::forward, E>("forward", x_);
  }
  void backward_data() {
    if (conv_.transposed)
      sums<conv_pass::forward, epilogue{}>("backward_data", dy_);
    else
      sums<conv_pass::data, epilogue{}>("backward_data", dy_);
  }

  template <bool Accumulating>
  void backward_weights() {
    const bool transposed = conv_.transposed;
    filter_bank<T> dw(shape_, form_ == conv_form::gaps);
    std::vector<T> dbias(static_cast<std::size_t>(conv_.out));
    input_sequence<T> next(4, kind_);
    if (Accumulating) {
      dw.fill(next);
      for (T& b : dbias) b = next();
    }
    const auto add_part = [&]<bool Add>(index_t first, index_t last) {
      conv_gradient<T, Add> q;
      q.shape = shape_, q.shape.batch = last - first;
      q.x = samples(transposed ? dy_ : x_, first), q.dy = samples(transposed ? x_ : dy_, first);
      q.dw = dw.get();
      run<family>(q, q.shape);
      const per_axis<3> y = conv_.y();
      run<place_sums_kernel<Policy>>(image_sums<Add>({last - first, {y[0], y[1], y[2]}}, conv_.out,
                                                     scattered(samples(dy_, first)), operand<T>{dbias.data(), 1, 0, 0}),
                                     q.shape);
    };
    parts([&](index_t first, index_t last) {
      if (Accumulating || first > 0)
        add_part.template operator()<true>(first, last);
      else
        add_part.template operator()<false>(first, last);
    });
    const char* detail = Accumulating ? " accumulate" : "";
    record("backward_weights", detail, [&](checksum& sum) { dw.each([&](auto... i) { sum.add(dw(i...)); }); });
    record("backward_bias", detail, [&](checksum& sum) {
      for (const T b : dbias) sum.add(b);
    });
  }

 private:
  /// The tensor that has an element for every position of the window, or the one that the window slides over.
  picture<T> image_of(bool narrow, std::uint64_t seed) const {
    const conv_shape& s = shape_;
    extents3 e{};
    for (int r = 0; r < 3; ++r) e[static_cast<std::size_t>(r)] = narrow ? s.axis[r].out : s.axis[r].in;
    using order = typename picture<T>::order;
    const order o = form_ == conv_form::gaps     ? order::padded
                    : form_ == conv_form::blocks ? order::blocks16
                                                 : order::last;
    picture<T> p(s.batch, s.groups * (narrow ? s.out : s.in), e, o, form_ == conv_form::gaps ? 1 : 0);
    if (seed > 0) p.fill(input_sequence<T>(seed * 0x10001 + static_cast<std::uint64_t>(s.positions()), kind_));
    return p;
  }

  /// An image from a sample on.
  static image<const T> samples(const picture<T>& p, index_t first) {
    image<const T> i = p;
    i.p += first * i.sample;
    return i;
  }

  /// f(first, last) for the samples of every call: all, or more and more grains.
  template <class F>
  void parts(F f) const {
    const per_axis<3> y = conv_.y();
    const index_t by_window = grain_samples(shape_.positions()), by_y = grain_samples(y[0] * y[1] * y[2]);
    const index_t grain = by_window > by_y ? by_window : by_y, all = shape_.batch;
    if (form_ != conv_form::cut) return f(0, all);
    for (index_t first = 0, size = grain; first < all; first += size, size += grain)
      f(first, first + size < all ? first + size : all);
  }

  /// \param s  of the convolution whose pass the call is, or a part of one
  template <class Family, class Call>
  void run(const Call& q, const conv_shape& s) const {
    auto&& state = make_(s);
    Family::run(state, q);
  }

  template <conv_pass P, epilogue E>
  void sums(const char* pass, const picture<T>& from) {
    constexpr bool narrow = P == conv_pass::forward;
    picture<T> to = image_of(narrow, E.accumulate ? 5 : 0);
    const picture<T> residual = image_of(narrow, 6), slopes = image_of(narrow, 8);
    const auto channels = static_cast<std::size_t>(to.channels());
    std::vector<T> scale(channels), bias(channels);
    input_sequence<T> next(7, kind_);
    for (std::size_t c = 0; c < channels; ++c) scale[c] = next(), bias[c] = next();
    std::vector<T> packed(static_cast<std::size_t>(family::template packed_size<T>(shape_, P)));
    if (form_ == conv_form::packed) family::pack(shape_, static_cast<filters<const T>>(w_), packed.data(), P);
    parts([&](index_t first, index_t last) {
      conv_sums<T, P, E> q;
      q.shape = shape_, q.shape.batch = last - first;
      q.from = samples(from, first), q.residual = samples(residual, first);
      q.w = w_;
      if (form_ == conv_form::packed) q.w = family::packed(static_cast<const T*>(packed.data()), shape_, P);
      q.to = to.get(), q.to.p += first * q.to.sample;
      q.scale = {scale.data(), 1, 0, 0}, q.bias = {bias.data(), 1, 0, 0};
      q.slopes = slopes, q.slopes.sample = 0;
      run<family>(q, q.shape);
    });
    char detail[60];
    constexpr activation after = E.act;  // clang 16 and 19 read a member of E itself in the wrong place
    constexpr bool act = after != activation::none;
    std::snprintf(detail, sizeof detail, "%s%s%s%s%s%s", E.accumulate ? " accumulate" : "", E.scale ? " scale" : "",
                  E.bias ? " bias" : "", E.residual ? " residual" : "", act ? " " : "", act ? name(after) : "");
    record(pass, detail, [&](checksum& sum) { to.each([&](auto... i) { sum.add(to(i...)); }); });
  }

  /// The name of a case: operation, elements, pass and epilogue, then a colon and the problem.
  template <class Add>
  void record(const char* pass, const char* detail, Add add) const {
    checksum sum;
    add(sum);
    const char* kinds[] = {"", ", wide", ", special"};
    const std::string name = op_name(conv_) + " " + dtype<T>::name + " " + pass + detail + ": " + geometry(conv_) +
                             kinds[static_cast<int>(kind_)];
    to_.add(to_, policy_, way_, name.c_str(), sum.value());
  }

  recorder& to_;
  const char *policy_, *way_;
  conv_problem conv_;
  inputs kind_;
  conv_shape shape_;
  conv_form form_;
  Make& make_;
  picture<T> x_, dy_;
  filter_bank<T> w_;
};

/// Every case of elements T under one policy, in one way: all passes, and the epilogues of the forward pass.
/// \param make     gives the run-time state for a conv_shape
/// \param turning  true if the form changes from case to case: f, then the next
template <class Policy, class T, class Make>
void all_convs(recorder& to, const char* policy, const char* way, conv_form f, Make make, bool turning = false) {
  int turn = 0;
  for (const conv_case& c : conv_cases) {
    const conv_form now = turning ? static_cast<conv_form>((static_cast<int>(f) + turn++) % 5) : f;
    conv_way<Policy, T, Make> w(to, policy, way, c, now, make);
    w.template forward<epilogue{}>();
    w.template forward<epilogue{.accumulate = true}>();
    w.template forward<epilogue{
        .bias = true, .residual = true, .act = activation::prelu, .scale = true, .slope_by_position = true}>();
    w.template forward<epilogue{.bias = true, .act = activation::gelu}>();
    w.backward_data();
    w.template backward_weights<false>();
    w.template backward_weights<true>();
  }
}

}  // namespace tern::test::inline TERN_ISA
