// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions as contractions with a windowed left operand. There are always three spatial axes; missing ones come
// first and have size 1.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/order.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/op/window.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA {

/// Weights: element (tap, c, o) of a group, with c one of its input channels and o one of its output channels. One of
/// the two is cut into blocks, `block_stride` apart.
template <class T>
struct filters {
  T* p = nullptr;
  index_t tap[3] = {};
  index_t in = 0, out = 0;
  index_t group = 0;                    ///< distance between groups
  index_t block = 1, block_stride = 0;  ///< channels of a block, and the distance between blocks
  bool in_blocks = false;               ///< blocks are of input channels, not of output channels
  index_t skipped = 0;                  ///< elements of missing taps in front of p
  const T* transformed = nullptr;       ///< the same weights as packed by winograd_core, or null
  index_t transformed_size = 0;         ///< their number of elements

  TERN_FN T* at(index_t tz, index_t ty, index_t tx, index_t g, index_t c, index_t o) const {
    const index_t blocked = in_blocks ? c : o, in_block = blocked % block;
    return p + (g * group + tz * tap[0] + ty * tap[1] + tx * tap[2] + blocked / block * block_stride +
                (in_blocks ? in_block : c) * in + (in_blocks ? o : in_block) * out - skipped);
  }
};

/// Sizes of one call.
struct conv_shape {
  index_t batch = 0, groups = 1;
  index_t in = 1, out = 1;             ///< channels of one group
  window_axis axis[3] = {{}, {}, {}};  ///< not `= {}`: g++ 12 would use the elements of an object computed as a
                                       ///< constant as the default of all later ones

  TERN_FN constexpr index_t taps() const { return axis[0].kernel * axis[1].kernel * axis[2].kernel; }
  TERN_FN constexpr index_t positions() const { return axis[0].out * axis[1].out * axis[2].out; }
  friend TERN_FN constexpr bool operator==(const conv_shape&, const conv_shape&) = default;
};

/// The direction of a convolution. `forward` gathers inputs for every output. `data` gathers outputs for every input:
/// the gradient of a convolution, or the forward pass of a transposed one.
enum class conv_pass { forward, data };

/// The kind of a call: conv_sums in one of the two directions, or conv_gradient.
enum class conv_work { forward, data, weights };

/// The pass for which a call's weights are packed.
TERN_FN constexpr conv_pass packed_for(conv_work work) {
  return work == conv_work::data ? conv_pass::data : conv_pass::forward;
}

/// Multiply-adds of a call, including taps on padding.
TERN_FN constexpr index_t multiply_adds(const conv_shape& s) {
  return s.batch * s.positions() * s.groups * s.taps() * s.in * s.out;
}

/// The plan fields common to all models: a matmul of rows and columns of the result, and products of a sum.
template <class T>
TERN_FN constexpr plan conv_plan_of(conv_work work, const conv_shape& s, model execution, const char* device,
                                    const char* numerics, index_t packed_elements) {
  const bool sums = work != conv_work::weights, forward = work == conv_work::forward;
  index_t wide = 1;
  for (const window_axis& a : s.axis) wide *= a.in;
  constexpr index_t bytes = sizeof(T);
  plan p{
      .op = "convolution", .execution = execution, .device = device, .element = dtype<T>::name, .numerics = numerics};
  p.m = sums ? s.batch * (forward ? s.positions() : wide) : s.taps() * s.in;
  p.n = s.groups * (work == conv_work::data ? s.in : s.out);
  p.k = sums ? s.taps() * (forward ? s.in : s.out) : s.batch * s.positions();
  p.packed_bytes = packed_elements * bytes;
  p.bytes_moved = s.groups * bytes * (s.batch * (wide * s.in + s.positions() * s.out) + s.taps() * s.in * s.out);
  p.flops = 2 * static_cast<double>(multiply_adds(s));
  return p;
}

/// Elements of weights packed in panels for a pass: group by group, for every `width` result channels all (tap, summed
/// channel).
TERN_FN constexpr index_t packed_filters_size(const conv_shape& s, index_t width, conv_pass p = conv_pass::forward) {
  const bool forward = p == conv_pass::forward;
  return s.groups * s.taps() * (forward ? s.in : s.out) * (((forward ? s.out : s.in) + width - 1) / width * width);
}
template <class T>
TERN_FN constexpr filters<T> packed_filters(T* to, const conv_shape& s, index_t width,
                                            conv_pass p = conv_pass::forward) {
  const bool forward = p == conv_pass::forward;
  filters<T> f{.p = to};
  f.in = forward ? width : 1, f.out = forward ? 1 : width, f.in_blocks = !forward;
  f.tap[2] = (forward ? s.in : s.out) * width;
  f.tap[1] = f.tap[2] * s.axis[2].kernel, f.tap[0] = f.tap[1] * s.axis[1].kernel;
  f.block = width, f.block_stride = f.tap[0] * s.axis[0].kernel;
  f.group = f.block_stride * (((forward ? s.out : s.in) + width - 1) / width);
  return f;
}

/// Copies weights element by element.
template <class T>
void copy_filters(const conv_shape& s, const filters<const T>& from, const filters<T>& to) {
  for (index_t g = 0; g < s.groups; ++g)
    for (index_t z = 0; z < s.axis[0].kernel; ++z)
      for (index_t y = 0; y < s.axis[1].kernel; ++y)
        for (index_t x = 0; x < s.axis[2].kernel; ++x)
          for (index_t c = 0; c < s.in; ++c)
            for (index_t o = 0; o < s.out; ++o) *to.at(z, y, x, g, c, o) = *from.at(z, y, x, g, c, o);
}

/// The special kernels that the config of a convolution may need; others are not compiled.
struct conv_paths {
  bool depthwise = true;  ///< groups of one input and one output channel
  bool groups = true;     ///< vectors across several groups
  bool pixels = true;     ///< vectors across several pixels
  index_t results = 0;    ///< channels of a group's result as of `results_as`; 0: any number

  /// Numbers of channels that have the same kernels: each up to 16, a vector of AVX-512; multiples of 32, which fill
  /// every panel; others.
  static TERN_FN constexpr index_t results_as(index_t channels) {
    return channels <= 16 ? channels : channels % 32 == 0 ? 32 : 17;
  }
  friend TERN_FN constexpr bool operator==(const conv_paths&, const conv_paths&) = default;
};
/// Result channels up to which a vector may hold several pixels.
inline constexpr index_t most_channels_of_pixels = 8;
/// \param s  with known channels, groups and kernels
TERN_FN constexpr conv_paths paths_for(conv_work work, const conv_shape& s) {
  const bool forward = work == conv_work::forward, sums = work != conv_work::weights;
  const index_t summed = forward ? s.in : s.out, results = forward ? s.out : s.in;
  return {.depthwise = s.in == 1 && s.out == 1 && s.taps() <= dot_chunk,
          .groups = sums && s.groups > 1 && s.in == s.out && (s.in == 2 || s.in == 4 || s.in == 8),
          .pixels = sums && results <= most_channels_of_pixels && summed % 4 == 0 && summed <= dot_chunk,
          .results = sums ? conv_paths::results_as(results) : 0};
}
/// The kernels of the compiled part. Depthwise kernels are small and apply their epilogue between sums: they stay
/// inline.
inline constexpr conv_paths compiled_paths{.depthwise = false};
template <class Call>
inline constexpr bool is_compiled_apart = links_compiled_part && !Call::paths.depthwise;
/// A call restricted to these kernels.
template <class Call, conv_paths Paths>
struct on_paths : Call {
  static constexpr conv_paths paths = Paths;
};

/// to = act(scale * sum of w and from + bias + residual), where act may have a slope.
template <class T, conv_pass P, epilogue E>
struct conv_sums {
  using value_type = T;
  static constexpr conv_paths paths{};
  static constexpr conv_pass pass = P;
  static constexpr epilogue after = E;

  conv_shape shape;
  image<const T> from;
  filters<const T> w;
  image<T> to;
  image<const T> residual;
  operand<const T> scale, bias, slope;                            ///< row i is channel i of `to`
  image<const T> slopes;                                          ///< slopes by position; the same for all samples
  typename epilogue_operands<T>::store_function store = nullptr;  ///< for an open epilogue

  /// The same call without a compile-time epilogue.
  /// \param f  applies the epilogue
  conv_sums<T, P, E.opened()> opened(typename epilogue_operands<T>::store_function f) const {
    return {shape, from, w, to, residual, scale, bias, slope, slopes, f};
  }
  /// True if the epilogue has an operand: by its type, or, if open, by the operand itself.
  static TERN_FN constexpr bool has(bool said, const T* operand) { return E.open ? operand != nullptr : said; }

  /// Summed channels of one group, and its result channels.
  TERN_FN constexpr index_t summed() const { return P == conv_pass::forward ? shape.in : shape.out; }
  TERN_FN constexpr index_t results() const { return P == conv_pass::forward ? shape.out : shape.in; }
  /// Positions of the result along an axis.
  TERN_FN constexpr index_t extent(int r) const {
    return P == conv_pass::forward ? shape.axis[r].out : shape.axis[r].in;
  }
  /// The source of a tap for a position along an axis; -1 if there is none.
  TERN_FN constexpr index_t source(int r, index_t position, index_t tap) const {
    const window_axis& a = shape.axis[r];
    if constexpr (P == conv_pass::forward) {
      const index_t i = a.input(position, tap);
      return a.has(i) ? i : -1;
    } else {
      return a.result(position, tap);
    }
  }
  /// Along an axis, the positions of a phase are result_step apart, and their sources for one tap source_step: position
  /// phase + j * result_step has source + j * source_step.
  TERN_FN constexpr index_t result_step(int r) const { return P == conv_pass::forward ? 1 : shape.axis[r].stride; }
  TERN_FN constexpr index_t source_step(int r) const { return P == conv_pass::forward ? shape.axis[r].stride : 1; }
  /// The j of a phase for which a tap has a source, [first, last), and the source for j = 0.
  struct tap_range {
    index_t first, last, source;
  };
  TERN_FN constexpr tap_range range_of(int r, index_t phase, index_t tap) const {
    const window_axis& a = shape.axis[r];
    if constexpr (P == conv_pass::forward) {
      const window_axis::range results = a.results_with(tap);
      return {results.first, results.last, a.input(0, tap)};
    } else {
      const index_t distance = phase + a.pad - tap * a.dilation;
      if (distance % a.stride != 0) return {};
      const index_t source = distance / a.stride, count = pixels(r, phase);
      const index_t first = source < 0 ? -source : 0, last = a.out - source < count ? a.out - source : count;
      return first < last ? tap_range{first, last, source} : tap_range{};
    }
  }
  /// The number of positions of a phase, and the range of those with every tap that any of them has.
  TERN_FN constexpr index_t pixels(int r, index_t phase) const {
    return (extent(r) - phase + result_step(r) - 1) / result_step(r);
  }
  TERN_FN constexpr window_axis::range with_all_taps(int r, index_t phase) const {
    window_axis::range all{0, pixels(r, phase)};
    for (index_t t = 0; t < shape.axis[r].kernel; ++t) {
      const tap_range one = range_of(r, phase, t);
      if (one.first == one.last) continue;
      if (one.first > all.first) all.first = one.first;
      if (one.last < all.last) all.last = one.last;
    }
    return all;
  }

  /// The epilogue operands for channels from c on, by columns; the caller sets the images.
  TERN_FN constexpr epilogue_operands<T> with_channels(index_t c) const {
    epilogue_operands<T> with;
    with.store = store;
    if (has(E.scale, scale.p)) with.scale = {scale.at(c, 0), 0, scale.row, 0};
    if (has(E.bias, bias.p)) with.bias = {bias.at(c, 0), 0, bias.row, 0};
    if (has(E.channel_slope(), slope.p)) with.slope = {slope.at(c, 0), 0, slope.row, 0};
    return with;
  }
  /// The same with images: rows are pixels x, x + step and so on.
  TERN_FN constexpr epilogue_operands<T> with_pixels(index_t n, index_t c, index_t z, index_t y, index_t x,
                                                     index_t step) const {
    epilogue_operands<T> with = with_channels(c);
    if (has(E.residual, residual.p)) with.residual = {residual.at(n, c, z, y, x), step * residual.axis[2], 1, 0};
    if (has(E.position_slope(), slopes.p)) with.slope = {slopes.at(n, c, z, y, x), step * slopes.axis[2], 1, 0};
    return with;
  }
  /// The number of channels from c on, at most `most`, that are contiguous in all images of the epilogue.
  TERN_FN constexpr index_t neighbours_of_results(index_t c, index_t most) const {
    most = neighbours(to, c, most);
    if (has(E.residual, residual.p)) most = neighbours(residual, c, most);
    if (has(E.position_slope(), slopes.p)) most = neighbours(slopes, c, most);
    return most;
  }

  /// Distance between summed channels, and between result channels within a block.
  TERN_FN constexpr index_t summed_step() const { return P == conv_pass::forward ? w.in : w.out; }
  TERN_FN constexpr index_t result_channel_step() const { return P == conv_pass::forward ? w.out : w.in; }
  /// The numbers of channels of either kind with this distance.
  TERN_FN constexpr index_t summed_block() const { return blocks_results() ? summed() : w.block; }
  TERN_FN constexpr index_t results_block() const { return blocks_results() ? w.block : results(); }
  TERN_FN constexpr bool blocks_results() const { return w.in_blocks == (P == conv_pass::data); }
  /// The weight of summed channel s and result channel r, both counted within group g.
  TERN_FN const T* weight(index_t tz, index_t ty, index_t tx, index_t g, index_t s, index_t r) const {
    return P == conv_pass::forward ? w.at(tz, ty, tx, g, s, r) : w.at(tz, ty, tx, g, r, s);
  }
};

/// Pixels of a row of a result: sample, depth, height, and every result_step-th pixel from the phase on.
struct result_row {
  index_t n, z, y, phase;
};
/// Calls f(result_row) for every phase of rows [first, last) of a result, counted over samples, depth and height.
template <class Sums, class F>
void each_result_row(const Sums& q, index_t first, index_t last, F f) {
  const index_t height = q.extent(1), depth = q.extent(0), step = q.result_step(2);
  const index_t phases = step < q.extent(2) ? step : q.extent(2);
  for (index_t row = first; row < last; ++row)
    for (index_t phase = 0; phase < phases; ++phase)
      f(result_row{row / height / depth, row / height % depth, row % height, phase});
}

/// dw = sums of x and dy over samples and positions of dy.
template <class T, bool Accumulate>
struct conv_gradient {
  using value_type = T;
  static constexpr bool accumulate = Accumulate;
  static constexpr conv_paths paths{};

  conv_shape shape;
  image<const T> x, dy;
  filters<T> dw;
};

/// The cuts of chains (docs/numerics.md): chunks of whole taps, or of channels within a tap.
struct conv_chunks {
  index_t taps = 1;      ///< of a chunk
  index_t channels = 1;  ///< of a chunk; less than all only if taps is 1

  friend constexpr bool operator==(const conv_chunks&, const conv_chunks&) = default;
};
/// A range of a sum's chunks, in the order of their addition; by default all.
struct chunk_range {
  index_t first = 0, last = PTRDIFF_MAX;
};
/// \param channels  summed channels of one group
TERN_FN constexpr conv_chunks chunks_of(index_t channels) {
  return channels > dot_chunk ? conv_chunks{1, dot_chunk} : conv_chunks{dot_chunk / channels, channels};
}

}  // namespace tern::inline TERN_ISA
