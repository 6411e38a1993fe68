// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/config_rules.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/window.hpp"

namespace tern {

/// Configuration of a transposed convolution. `crop` is known as padding, but has its own name because it removes
/// elements: the full result has (extent - 1) * stride + dilation * (kernel - 1) + 1 elements along an axis. PyTorch's
/// padding p is `.crop = p`. TensorFlow's SAME crops the excess over extent * stride, the odd element from the end:
/// .crop = {0} and .crop_end = {1} for a kernel of 3 and a stride of 2. If the full result is too short,
/// `.output_padding` adds the rest.
template <int Rank>
struct conv_transpose_config {
  index_t in = 0;      ///< channels of x; a network infers them
  index_t out = 0;     ///< channels of y
  index_t groups = 1;  ///< parts of in and out
  per_axis<Rank> kernel = 1;
  per_axis<Rank> stride = 1;
  per_axis<Rank> dilation = 1;
  per_axis<Rank> crop = 0;            ///< removed from the beginning of the full result
  per_axis<Rank> crop_end = as_crop;  ///< removed from its end
  per_axis<Rank> output_padding = 0;  ///< added to its end; less than the stride
  per_axis<Rank> extent = dynamic;    ///< of x
  index_t batch = dynamic;
  bool scale = false;                 ///< every output channel is multiplied by its own number
  bool bias = false;                  ///< a number per output channel is added
  bool residual = false;              ///< a tensor of y's shape is added
  activation act = activation::none;  ///< applied last; prelu takes slopes, per channel or per channel and position

  static constexpr int rank = Rank;
  static constexpr index_t as_crop = -1;  ///< the value of crop_end that means: same as crop

  friend TERN_FN constexpr bool operator==(const conv_transpose_config&, const conv_transpose_config&) = default;

  /// Axis r of the underlying convolution, whose data gradient this is, in a call in which x has `size` elements there:
  /// its output is x, its input y.
  TERN_FN constexpr window_axis axis(int r, index_t size) const {
    window_axis a{.out = size, .kernel = kernel[r], .stride = stride[r], .dilation = dilation[r], .pad = crop[r]};
    const index_t end = crop_end[r] == as_crop ? crop[r] : crop_end[r];
    a.in = size == 0 ? 0 : (size - 1) * a.stride + a.reach() - crop[r] - end + output_padding[r];
    return a;
  }
};
/// Configurations of transposed convolutions over 1, 2 and 3 spatial axes.
using conv_transpose1d_config = conv_transpose_config<1>;
using conv_transpose2d_config = conv_transpose_config<2>;
using conv_transpose3d_config = conv_transpose_config<3>;

/// y = act(sum scale + bias + residual), where every element of x spreads over a window of y: bit for bit the data
/// gradient of a convolution with the same window.
///
/// x is (n, in, spatial...), y (n, out, spatial...); w is (kernel..., out / groups, in), the weights of that
/// convolution.
///
/// \tparam C    channels, window and epilogue
/// \tparam T    elements of every tensor
/// \tparam Acc  type of the accumulators
template <int Rank, conv_transpose_config<Rank> C, element T = float, element Acc = accumulator_t<T>>
struct transposed_convolution {
  using op_type = transposed_convolution;
  using value_type = T;
  using accumulator_type = Acc;
  static constexpr conv_transpose_config<Rank> config = C;
  static constexpr int rank = Rank;
  using weights_extents = kernel_extents<Rank, config.kernel[0], config.kernel[Rank / 2], config.kernel[Rank - 1],
                                         C.out / (C.groups < 1 ? 1 : C.groups), C.in>;
  static constexpr const char* name = Rank == 1   ? "conv_transpose1d"
                                      : Rank == 2 ? "conv_transpose2d"
                                                  : "conv_transpose3d";

  static_assert(Rank >= 1 && Rank <= 3, "conv_transpose: there are one, two or three spatial axes");
  static_assert(std::is_same_v<Acc, accumulator_t<T>>,
                "conv_transpose: the accumulator must be tern::accumulator_t of the element type");

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const conv_transpose_config<Rank>& c = C) {
    return detail::broken_config(c);
  }
};

/// Transposed convolutions over signals (n, c, time), images (n, c, y, x) and volumes (n, c, z, y, x).
template <conv_transpose1d_config C, element T = float, element Acc = accumulator_t<T>>
struct conv_transpose1d : transposed_convolution<1, C, T, Acc> {};
template <conv_transpose2d_config C, element T = float, element Acc = accumulator_t<T>>
struct conv_transpose2d : transposed_convolution<2, C, T, Acc> {};
template <conv_transpose3d_config C, element T = float, element Acc = accumulator_t<T>>
struct conv_transpose3d : transposed_convolution<3, C, T, Acc> {};

}  // namespace tern
