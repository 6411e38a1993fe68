// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/config_rules.hpp"
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
  static_assert(std::is_same_v<Acc, accumulator_t<T>>,
                "convolution: the accumulator must be tern::accumulator_t of the element type");

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const conv_config<Rank>& c = C) { return detail::broken_config(c); }
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
