// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/window.hpp"

namespace tern {

/// Configuration of a convolution. Channels, kernel, stride and dilation are static; each spatial extent and the batch
/// is static or `dynamic`.
template <int Rank>
struct conv_config {
  index_t in = 0;      ///< channels of x; a network infers them
  index_t out = 0;     ///< channels of y
  index_t groups = 1;  ///< parts of in and out; groups = in is a depthwise convolution
  per_axis<Rank> kernel = 1;
  per_axis<Rank> stride = 1;
  per_axis<Rank> dilation = 1;
  padding rule = padding::given;
  per_axis<Rank> pad = 0;           ///< zeros before, under padding::given
  per_axis<Rank> pad_end = as_pad;  ///< zeros after
  per_axis<Rank> extent = dynamic;  ///< of x
  index_t batch = dynamic;
  bool scale = false;                 ///< every output channel is multiplied by its own number
  bool bias = false;                  ///< a number per output channel is added
  bool residual = false;              ///< a tensor of y's shape is added
  activation act = activation::none;  ///< applied last; prelu takes slopes, per channel or per channel and position

  static constexpr int rank = Rank;
  static constexpr index_t as_pad = -1;  ///< the value of pad_end that means: same as pad

  friend TERN_FN constexpr bool operator==(const conv_config&, const conv_config&) = default;

  /// Floating-point, as an integer might overflow.
  TERN_FN constexpr double weights() const {
    return kernel.product() * static_cast<double>(in) * static_cast<double>(out) /
           static_cast<double>(groups < 1 ? 1 : groups);
  }
  TERN_FN constexpr bool is_possible() const {
    return kernel.all_at_most(largest_window) && dilation.all_at_most(largest_window) &&
           pad.all_at_most(largest_window) && pad_end.all_at_most(largest_window);
  }
  /// Axis r of a call in which x has `size` elements there.
  TERN_FN constexpr window_axis axis(int r, index_t size) const {
    return window_over(size, kernel[r], stride[r], dilation[r], rule, pad[r],
                       pad_end[r] == as_pad ? pad[r] : pad_end[r]);
  }
};
/// Configurations of convolutions over 1, 2 and 3 spatial axes.
using conv1d_config = conv_config<1>;
using conv2d_config = conv_config<2>;
using conv3d_config = conv_config<3>;

/// y = act(conv(x, w) scale + bias + residual): every result is the sum over taps and input channels of its group of
/// w(tap, c, o) x(n, c, position * stride - pad + tap * dilation), with zeros outside x. (In mathematics this is a
/// cross-correlation.)
///
/// A window larger than the padded x has no result: the call throws an error with the numbers, unlike TensorFlow's
/// VALID, which gives an empty result. An empty x gives an empty y.
///
/// x is (n, in, spatial...), y (n, out, spatial...), channels last or channel-blocked; w is (kernel..., in / groups,
/// out), in the layout of its view.
///
/// \tparam C    channels, window and epilogue
/// \tparam T    elements of every tensor
/// \tparam Acc  type of the accumulators
template <int Rank, conv_config<Rank> C, element T = float, element Acc = accumulator_t<T>>
struct convolution {
  using op_type = convolution;
  using value_type = T;
  using accumulator_type = Acc;
  static constexpr conv_config<Rank> config = C;
  static constexpr int rank = Rank;
  using weights_extents = kernel_extents<Rank, config.kernel[0], config.kernel[Rank / 2], config.kernel[Rank - 1],
                                         C.in / (C.groups < 1 ? 1 : C.groups), C.out>;
  static constexpr const char* name = Rank == 1 ? "conv1d" : Rank == 2 ? "conv2d" : "conv3d";

  static_assert(Rank >= 1 && Rank <= 3, "convolution: there are one, two or three spatial axes");
  static_assert(C.in >= 0, "convolution: .in must be at least 1, or 0 in a network, which infers it");
  static_assert(C.out >= 1, "convolution: .out must be at least 1");
  static_assert(C.groups >= 1, "convolution: .groups must be at least 1");
  static_assert(C.groups < 1 || C.in % C.groups == 0, "convolution: .groups must divide .in");
  static_assert(C.groups < 1 || C.out % C.groups == 0, "convolution: .groups must divide .out");
  static_assert(C.kernel.all_at_least(1), "convolution: every .kernel must be at least 1");
  static_assert(C.stride.all_at_least(1), "convolution: every .stride must be at least 1");
  static_assert(C.dilation.all_at_least(1), "convolution: every .dilation must be at least 1");
  static_assert(C.pad.all_at_least(0), "convolution: every .pad must be at least 0");
  static_assert(C.pad_end.all_at_least(-1), "convolution: every .pad_end must be at least 0");
  static_assert(C.extent.all(0, dynamic), "convolution: every .extent must be at least 0 or tern::dynamic");
  static_assert(C.stride.all_at_most(largest_step), "convolution: every .stride must be at most 32768");
  static_assert(C.is_possible(), "convolution: every .kernel, .dilation, .pad and .pad_end must be at most 2^30");
  static_assert(C.rule == padding::given || (C.pad == 0 && C.pad_end == C.as_pad),
                "convolution: .pad and .pad_end go with padding::given only");
  static_assert(C.rule != padding::same_torch || C.stride == 1,
                "convolution: padding::same_torch needs .stride = 1 on every axis");
  static_assert(C.weights() <= 0x1p45, "convolution: there must be at most 2^45 weights");
  static_assert(C.batch >= 0 || C.batch == dynamic, "convolution: .batch must be at least 0 or tern::dynamic");
  static_assert(C.act.slope_is_valid(), "convolution: the slope of .act must be at least 0 and finite");
  static_assert(std::is_same_v<Acc, accumulator_t<T>>,
                "convolution: the accumulator must be tern::accumulator_t of the element type");
};

/// Convolutions over signals (n, c, time), images (n, c, y, x) and volumes (n, c, z, y, x). Derive from one to give an
/// op a short name in errors and reports: `struct stem : tern::conv2d<cfg, float> {};`
template <conv1d_config C, element T = float, element Acc = accumulator_t<T>>
struct conv1d : convolution<1, C, T, Acc> {};
template <conv2d_config C, element T = float, element Acc = accumulator_t<T>>
struct conv2d : convolution<2, C, T, Acc> {};
template <conv3d_config C, element T = float, element Acc = accumulator_t<T>>
struct conv3d : convolution<3, C, T, Acc> {};

}  // namespace tern
