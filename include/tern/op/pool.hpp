// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/config_rules.hpp"
#include "tern/op/window.hpp"

namespace tern {

/// A `.kernel` of a pool that spans the whole axis, whatever its extent.
inline constexpr index_t whole_axis = -1;

/// Configuration of a pool. Kernel, stride and dilation are static; channels, each spatial extent and the batch are
/// static or `dynamic`.
template <int Rank>
struct pool_config {
  index_t channels = dynamic;         ///< of x and y
  per_axis<Rank> kernel = 1;          ///< or whole_axis
  per_axis<Rank> stride = as_kernel;  ///< defaults to the kernel: windows side by side
  per_axis<Rank> dilation = 1;
  padding rule = padding::given;
  per_axis<Rank> pad = 0;           ///< padding before, under padding::given
  per_axis<Rank> pad_end = as_pad;  ///< padding after
  per_axis<Rank> extent = dynamic;  ///< of x
  index_t batch = dynamic;
  bool ceil_mode = false;      ///< the last window may extend beyond the padding, if it begins before it
  bool count_padding = false;  ///< of averages: counts taps on padding as zeros
  index_t divisor = 0;         ///< of averages: divides all sums, in place of tap counts; 1 for sums

  static constexpr int rank = Rank;
  static constexpr index_t as_kernel = -1;  ///< the value of stride that means: same as kernel
  static constexpr index_t as_pad = -1;     ///< the value of pad_end that means: same as pad

  friend TERN_FN constexpr bool operator==(const pool_config&, const pool_config&) = default;

  /// Axis r of a call in which x has `size` elements there.
  TERN_FN constexpr window_axis axis(int r, index_t size) const {
    if (kernel[r] == whole_axis) return {.in = size, .kernel = size};
    return window_over(size, kernel[r], stride[r] == as_kernel ? kernel[r] : stride[r], dilation[r], rule, pad[r],
                       pad_end[r] == as_pad ? pad[r] : pad_end[r], ceil_mode);
  }
  /// True if an axis with whole_axis has fields that only other windows have.
  TERN_FN constexpr bool moves_whole_axis() const {
    for (int r = 0; r < Rank; ++r)
      if (kernel[r] == whole_axis &&
          (stride[r] != as_kernel || dilation[r] != 1 || pad[r] != 0 || (pad_end[r] != as_pad && pad_end[r] != 0)))
        return true;
    return false;
  }
};
/// Configurations of pools over 1, 2 and 3 spatial axes.
using pool1d_config = pool_config<1>;
using pool2d_config = pool_config<2>;
using pool3d_config = pool_config<3>;

/// The function of a window.
enum class pool_kind { max, average };

/// y(n, c, position) = the maximum, or the average, of the window x(n, c, position * stride - pad + tap * dilation).
/// Padding never wins a maximum; NaN does. An average divides by the number of taps on x; with `.count_padding` taps on
/// padding count, too, but none beyond it (docs/numerics.md). `.divisor` overrides both.
///
/// x is (n, channels, spatial...), y (n, channels, spatial...), channels last or channel-blocked.
///
/// A window larger than the padded x has no result, which is an error: see convolution.
///
/// Agrees with PyTorch, TensorFlow and ONNX. `.count_padding` is off as in the latter two; PyTorch's count_include_pad
/// is on. A maximum's index is the position within the sample's channel, as in PyTorch.
template <int Rank, pool_kind K, pool_config<Rank> C, element T = float>
struct pooling {
  using op_type = pooling;
  using value_type = T;
  using accumulator_type = accumulator_t<T>;
  static constexpr pool_kind kind = K;
  static constexpr pool_config<Rank> config = C;
  static constexpr int rank = Rank;
  static constexpr const char* name = K == pool_kind::max ? (Rank == 1   ? "max_pool1d"
                                                             : Rank == 2 ? "max_pool2d"
                                                                         : "max_pool3d")
                                                          : (Rank == 1   ? "avg_pool1d"
                                                             : Rank == 2 ? "avg_pool2d"
                                                                         : "avg_pool3d");

  static_assert(Rank >= 1 && Rank <= 3, "pooling: there are one, two or three spatial axes");

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const pool_config<Rank>& c = C) {
    if (const char* const why = detail::broken_config(c)) return why;
    if (K == pool_kind::max && c.count_padding) return ".count_padding goes with averages only";
    if (K == pool_kind::max && c.divisor != 0) return ".divisor goes with averages only";
    return nullptr;
  }
};

/// Pools over signals (n, c, time), images (n, c, y, x) and volumes (n, c, z, y, x). Derive from one to give an op a
/// short name in errors and reports: `struct halve : tern::max_pool2d<cfg, float> {};`
template <pool1d_config C, element T = float>
struct max_pool1d : pooling<1, pool_kind::max, C, T> {};
template <pool2d_config C, element T = float>
struct max_pool2d : pooling<2, pool_kind::max, C, T> {};
template <pool3d_config C, element T = float>
struct max_pool3d : pooling<3, pool_kind::max, C, T> {};
template <pool1d_config C, element T = float>
struct avg_pool1d : pooling<1, pool_kind::average, C, T> {};
template <pool2d_config C, element T = float>
struct avg_pool2d : pooling<2, pool_kind::average, C, T> {};
template <pool3d_config C, element T = float>
struct avg_pool3d : pooling<3, pool_kind::average, C, T> {};

/// Global pools: the window is the whole input, and y has one position.
template <element T = float>
struct global_max_pool1d : max_pool1d<pool1d_config{.kernel = whole_axis}, T> {};
template <element T = float>
struct global_max_pool2d : max_pool2d<pool2d_config{.kernel = whole_axis}, T> {};
template <element T = float>
struct global_max_pool3d : max_pool3d<pool3d_config{.kernel = whole_axis}, T> {};
template <element T = float>
struct global_avg_pool1d : avg_pool1d<pool1d_config{.kernel = whole_axis}, T> {};
template <element T = float>
struct global_avg_pool2d : avg_pool2d<pool2d_config{.kernel = whole_axis}, T> {};
template <element T = float>
struct global_avg_pool3d : avg_pool3d<pool3d_config{.kernel = whole_axis}, T> {};

}  // namespace tern
