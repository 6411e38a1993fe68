// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a training step of m samples, op by op: the basis of training_batch_for.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/order.hpp"
#include "tern/device/device.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/window.hpp"

namespace tern::detail {

namespace batching {

TERN_INLINE constexpr index_t ceil_div(index_t a, index_t b) { return (a + b - 1) / b; }
TERN_INLINE constexpr index_t at_least(index_t a, index_t b) { return a < b ? b : a; }
TERN_INLINE constexpr index_t at_most(index_t a, index_t b) { return a > b ? b : a; }

/// The least multiple of the grain that is at least m.
TERN_INLINE constexpr index_t in_grains(index_t m, index_t grain) { return ceil_div(m, grain) * grain; }

/// The largest m in [1, last] with holds(m), or 0; holds is true up to some m and false above it.
template <class F>
TERN_INLINE constexpr index_t largest(index_t last, F holds) {
  index_t yes = 0;
  for (index_t no = last + 1; no - yes > 1;) {
    const index_t middle = yes + (no - yes) / 2;
    (holds(middle) ? yes : no) = middle;
  }
  return yes;
}

/// Bytes per tile of `tiles` tiles that share rows x columns sums of `depth` products: operands of one chunk and the
/// sums, at the best split into rows and columns.
TERN_INLINE constexpr index_t pass_bytes(index_t tiles, index_t rows, index_t columns, index_t depth,
                                         index_t element_bytes, index_t sum_bytes) {
  index_t least = 0;
  for (index_t split = 1; split <= tiles; split *= 2) {
    const index_t r = ceil_div(rows, split), c = ceil_div(columns, tiles / split);
    const index_t bytes = (r + c) * at_most(depth, dot_chunk) * element_bytes + r * c * sum_bytes;
    if (split == 1 || bytes < least) least = bytes;
  }
  return least;
}

}  // namespace batching

/// The memory of a training step of m samples; specialised for every op that training_batch_for takes.
template <class OpType>
struct batch_rule;

template <matmul_config C, class T, class Acc>
struct batch_rule<matmul<C, T, Acc>> {
  using sizes_type = matmul_config;
  static constexpr index_t element_bytes = sizeof(T), sum_bytes = sizeof(Acc);

  index_t n, k, products;  ///< products: the number of independent ones, each with its own weights

  /// Sizes from the op if it has them, else from `sizes`.
  TERN_INLINE static constexpr batch_rule from(const matmul_config& sizes) {
    return {size(C.n, sizes.n, ".n"), size(C.k, sizes.k, ".k"),
            size(C.batch, C.batch == dynamic ? sizes.batch : dynamic, ".batch")};
  }
  TERN_INLINE static constexpr index_t size(index_t known, index_t given, const char* field) {
    if (known == dynamic && given < 0)
      violation(
          "training_batch_for: the matmul's %s is dynamic: give it as in training_batch_for<Op>(device, batch, {%s = "
          "64})",
          field, field);
    if (known != dynamic && given != dynamic && given != known)
      violation("training_batch_for: %s is given as %td where the matmul says %td", field, given, known);
    return known == dynamic ? given : known;
  }

  /// Samples between cuts that keep the bits.
  TERN_INLINE static constexpr index_t grain() { return sample_grain; }

  /// Bytes of the tensors that a later pass may read: weights, input, output, and the gradients of all three.
  TERN_INLINE constexpr index_t stored_bytes(index_t m) const {
    const index_t weights = 2 * (k * n + (C.bias ? n : 0) + (C.act.takes_slope() ? n : 0));
    const index_t samples = m * (2 * k + 2 * n + (C.residual ? n : 0));
    return products * (weights + samples) * element_bytes;
  }

  /// Bytes on a tile of a MIMD machine during the largest pass: its share of the stored tensors, the program, and its
  /// part of the pass.
  ///
  /// Compared with 48 ungrouped BERT layers (half precision, GC2 and GC200) in graphcore/poplibs @ 8dcde1ec,
  /// tests/benchmark_results.csv: 0.74 to 1.70 times the published total memory, 1.09 in geometric mean. Layers with
  /// less than about 1 MB of weights are greatly overestimated, but their batch is not limited by memory.
  TERN_INLINE constexpr index_t tile_bytes(const device& d, index_t m) const {
    using batching::at_least, batching::pass_bytes;
    const index_t units = at_least(d.units, 1), tiles = at_least(units / at_least(products, 1), 1);
    const index_t forward = pass_bytes(tiles, m, n, k, element_bytes, sum_bytes);
    const index_t data = pass_bytes(tiles, m, k, n, element_bytes, sum_bytes);
    const index_t weights = pass_bytes(tiles, k, n, m, element_bytes, sum_bytes);
    return batching::ceil_div(stored_bytes(m), units) + d.program_bytes + at_least(at_least(forward, data), weights);
  }

  /// Rows of the left operand, one chunk of k wide, that stay in half of a core's L2 while the panels stream through.
  TERN_INLINE constexpr index_t cached_samples(const device& d) const {
    const index_t l2 = d.l2_bytes > 0 ? d.l2_bytes : 256 * 1024;
    return l2 / 2 / (batching::at_least(batching::at_most(k, dot_chunk), 1) * element_bytes);
  }
};

/// The windows of a convolution, or of a transposed one's underlying convolution. They slide over the wide tensor and
/// have one position per element of the narrow one.
struct batched_windows {
  window_axis axis[3];
  index_t groups = 1, wide = 1, narrow = 1;  ///< channels of one group

  TERN_INLINE constexpr index_t taps() const { return axis[0].kernel * axis[1].kernel * axis[2].kernel; }
  TERN_INLINE constexpr index_t positions() const { return axis[0].out * axis[1].out * axis[2].out; }
  TERN_INLINE constexpr index_t wide_elements() const { return axis[0].in * axis[1].in * axis[2].in * groups * wide; }
  TERN_INLINE constexpr index_t narrow_elements() const { return positions() * groups * narrow; }

  /// Bytes per tile of `tiles` tiles that share the sums of m samples: the image under their windows, the weights of
  /// one chunk, and the sums, at the best split into pixels and channels.
  /// \param forward  true if the sums are narrow elements, else wide ones
  TERN_INLINE constexpr index_t sums_bytes(index_t tiles, index_t m, bool forward, index_t element_bytes,
                                           index_t sum_bytes) const {
    using namespace batching;
    const index_t from = forward ? wide : narrow, to = forward ? narrow : wide;
    const index_t own_groups = ceil_div(groups, at_most(groups, tiles));
    tiles = at_least(tiles / groups, 1);
    index_t least = 0;
    for (index_t split = 1; split <= tiles; split *= 2) {
      index_t left = split, pixels = ceil_div(m, at_most(at_least(m, 1), left)), image = pixels;
      left = at_least(left / at_least(m, 1), 1);
      for (const window_axis& a : axis) {
        const index_t size = forward ? a.out : a.in, parts = at_most(at_least(size, 1), left);
        const index_t part = ceil_div(size, parts);
        pixels *= part, left /= parts;
        image *= forward ? at_most((part - 1) * a.stride + a.reach(), a.in)
                         : at_most((part + a.reach() - 2) / a.stride + 1, a.out);
      }
      const index_t channels = ceil_div(to, tiles / split);
      const index_t operands = image * from + at_most(taps() * from, dot_chunk) * channels;
      const index_t bytes = own_groups * (operands * element_bytes + pixels * channels * sum_bytes);
      if (split == 1 || bytes < least) least = bytes;
    }
    return least;
  }

  /// Bytes per tile for the weight gradient: the images under one chunk of positions, and sums for taps and channels.
  TERN_INLINE constexpr index_t gradient_bytes(index_t tiles, index_t m, index_t element_bytes,
                                               index_t sum_bytes) const {
    using namespace batching;
    const window_axis &z = axis[0], &y = axis[1], &x = axis[2];
    const index_t chunk = at_most(m * positions(), dot_chunk), rows = ceil_div(chunk, at_least(x.out, 1)) + 1;
    const index_t planes = z.in > 1 ? rows / at_least(y.out, 1) + z.reach() : 1;
    const index_t reached =
        at_most(planes * at_most((rows - 1) * y.stride + y.reach(), y.in) * x.in, m * z.in * y.in * x.in);
    const index_t own_groups = ceil_div(groups, at_most(groups, tiles));
    tiles = at_least(tiles / groups, 1);
    index_t least = 0;
    for (index_t split = 1; split <= tiles; split *= 2) {
      const index_t in = ceil_div(wide, split), out = ceil_div(narrow, tiles / split);
      const index_t bytes = own_groups * ((reached * in + chunk * out) * element_bytes + taps() * in * out * sum_bytes);
      if (split == 1 || bytes < least) least = bytes;
    }
    return least;
  }
};

/// Convolutions and transposed convolutions.
template <class OpType, bool Transposed>
struct convolution_batch_rule {
  using sizes_type = conv_sizes<OpType::rank>;
  static constexpr auto C = OpType::config;
  static constexpr index_t element_bytes = sizeof(typename OpType::value_type),
                           sum_bytes = sizeof(typename OpType::accumulator_type);

  batched_windows windows;

  /// Extents from the op if it has them, else from `sizes`.
  TERN_INLINE static constexpr convolution_batch_rule from(const sizes_type& sizes) {
    convolution_batch_rule r;
    r.windows.groups = C.groups;
    r.windows.wide = (Transposed ? C.out : C.in) / C.groups, r.windows.narrow = (Transposed ? C.in : C.out) / C.groups;
    for (int i = 0; i < OpType::rank; ++i) {
      const index_t known = C.extent[i], given = sizes.extent[i], size = known == dynamic ? given : known;
      if (size < 0)
        violation(
            "training_batch_for: .extent of axis %d is dynamic: give it as in training_batch_for<Op>(device, batch, "
            "{.extent = {56, 56}})",
            i);
      if (known != dynamic && given != dynamic && given != known)
        violation("training_batch_for: .extent of axis %d is given as %td where the op says %td", i, given, known);
      window_axis& a = r.windows.axis[3 - OpType::rank + i];
      a = C.axis(i, size);
      if (a.out <= 0 || a.in <= 0)
        violation("training_batch_for: axis %d of .extent %td has no results: the window reaches over %td elements", i,
                  size, a.reach());
    }
    return r;
  }

  /// Samples between cuts that keep the bits.
  TERN_INLINE constexpr index_t grain() const { return grain_samples(windows.positions()); }

  /// Bytes of the tensors that a later pass may read: weights, input, output, and the gradients of all three.
  TERN_INLINE constexpr index_t stored_bytes(index_t m) const {
    const index_t weights = windows.groups * windows.taps() * windows.wide * windows.narrow;
    const index_t of_channels = 2 * C.out * (C.bias + C.scale);
    const index_t y = Transposed ? windows.wide_elements() : windows.narrow_elements();
    const index_t both = windows.wide_elements() + windows.narrow_elements();
    const index_t slopes = C.act.takes_slope() ? 2 * y : 0;  // upper bound: slopes per position
    return (2 * weights + of_channels + slopes + m * (2 * both + (C.residual ? y : 0))) * element_bytes;
  }

  /// Bytes on a tile of a MIMD machine during the largest pass: its share of the stored tensors, the program, and its
  /// part of the pass. tests/mimd/batches.cpp compares it with plans.
  TERN_INLINE constexpr index_t tile_bytes(const device& d, index_t m) const {
    using batching::at_least;
    const index_t units = at_least(d.units, 1);
    const index_t narrow = windows.sums_bytes(units, m, true, element_bytes, sum_bytes),
                  wide = windows.sums_bytes(units, m, false, element_bytes, sum_bytes),
                  weights = windows.gradient_bytes(units, m, element_bytes, sum_bytes);
    return batching::ceil_div(stored_bytes(m), units) + d.program_bytes + at_least(at_least(narrow, wide), weights);
  }

  /// Images whose input and output stay in half of a core's L2.
  TERN_INLINE constexpr index_t cached_samples(const device& d) const {
    const index_t l2 = d.l2_bytes > 0 ? d.l2_bytes : 256 * 1024;
    return l2 / 2 / ((windows.wide_elements() + windows.narrow_elements()) * element_bytes);
  }
};

template <int Rank, conv_config<Rank> C, class T, class Acc>
struct batch_rule<convolution<Rank, C, T, Acc>> : convolution_batch_rule<convolution<Rank, C, T, Acc>, false> {};
template <int Rank, conv_transpose_config<Rank> C, class T, class Acc>
struct batch_rule<transposed_convolution<Rank, C, T, Acc>>
    : convolution_batch_rule<transposed_convolution<Rank, C, T, Acc>, true> {};

/// The type of training_batch_for's sizes; for ops without a rule, which it refuses with its own sentence, any type.
template <class OpType>
struct batch_sizes {
  using type = decltype(OpType::config);
};
template <class OpType>
  requires requires { typename batch_rule<OpType>::sizes_type; }
struct batch_sizes<OpType> {
  using type = typename batch_rule<OpType>::sizes_type;
};

}  // namespace tern::detail
