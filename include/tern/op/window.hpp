// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows that slide over a signal, an image or a volume, for convolutions and pooling.
#pragma once

#include <concepts>
#include <initializer_list>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/extents.hpp"

namespace tern {

namespace detail {
/// Not constexpr: if a config's list has another length, the compiler's error shows this name.
TERN_FN void list_must_have_one_number_per_axis() {
#if !defined(__CUDA_ARCH__)
  violation("per_axis: a list must have one number per axis");
#endif
}
}  // namespace detail

/// A number per spatial axis, in the order of the tensor's indices: {height, width} for images. A single number stands
/// for every axis, as in PyTorch and Keras; a list must have one per axis.
///
///     tern::conv2d_config{.kernel = 3, .stride = {2, 1}, .pad = 1}
template <int Rank>
struct per_axis {
  index_t of[Rank];

  TERN_FN constexpr per_axis() : of{} {}
  template <std::integral Number>
  TERN_FN constexpr per_axis(Number every_axis) : of{} {  // NOLINT: .pad = 1
    for (index_t& x : of) x = static_cast<index_t>(every_axis);
  }
  TERN_FN constexpr per_axis(std::initializer_list<index_t> each) : of{} {
    if (each.size() != Rank) detail::list_must_have_one_number_per_axis();
    for (int r = 0; r < Rank && r < static_cast<int>(each.size()); ++r) of[r] = each.begin()[r];
  }

  TERN_FN constexpr index_t operator[](int r) const { return of[r]; }
  TERN_FN constexpr bool all_at_least(index_t least) const {
    for (index_t x : of)
      if (x < least) return false;
    return true;
  }
  TERN_FN constexpr bool all_at_most(index_t most) const {
    for (index_t x : of)
      if (x > most) return false;
    return true;
  }
  /// True if every number is at least `least`, or equals `or_equal`.
  TERN_FN constexpr bool all(index_t least, index_t or_equal) const {
    for (index_t x : of)
      if (x < least && x != or_equal) return false;
    return true;
  }
  TERN_FN constexpr bool all_less(const per_axis& other) const {
    for (int r = 0; r < Rank; ++r)
      if (of[r] >= other.of[r]) return false;
    return true;
  }
  /// The product, in floating point as an integer might overflow.
  TERN_FN constexpr double product() const {
    double p = 1;
    for (index_t x : of) p *= static_cast<double>(x);
    return p;
  }
  friend TERN_FN constexpr bool operator==(const per_axis&, const per_axis&) = default;
};

/// The largest stride or factor, and the largest kernel, dilation or padding. Within them no computed size of an
/// addressable tensor (declare::validate) overflows.
inline constexpr index_t largest_step = 1 << 15, largest_window = 1 << 30;

/// The shape of weights: the first, the middle and the last extent of a kernel, and channels.
template <int Rank, index_t First, index_t Middle, index_t Last, index_t From, index_t To>
using kernel_extents = std::conditional_t<
    Rank == 1, extents<First, From, To>,
    std::conditional_t<Rank == 2, extents<First, Last, From, To>, extents<First, Middle, Last, From, To>>>;

/// Sizes of one call of an op on windows; `dynamic` if in the config.
template <int Rank>
struct conv_sizes {
  index_t batch = dynamic;
  per_axis<Rank> extent = dynamic;  ///< of x
};

/// The padding of a window's input.
enum class padding : index_t {  // an index_t so that configs have no padding hole: see real_constant
  given,                        ///< `.pad` before and `.pad_end` after
  valid,                        ///< no padding
  same_tf,                      ///< TensorFlow's SAME: ceil(extent / stride) results; an odd element goes after
  same_torch,  ///< PyTorch's padding='same', for stride 1: as many results as inputs; an odd element goes after
  causal       ///< all before, so that no result sees later inputs
};

/// The name of the rule, for messages and reports.
TERN_FN constexpr const char* name(padding p) {
  const char* names[] = {"given", "valid", "same_tf", "same_torch", "causal"};
  return names[static_cast<int>(p)];
}

/// One axis of a call with known sizes: tap t of result o reads input o * stride - pad + t * dilation, or padding if
/// that is not in [0, in).
struct window_axis {
  index_t in = 1, out = 1;
  index_t kernel = 1, stride = 1, dilation = 1;
  index_t pad = 0, pad_end = 0;  ///< before and after

  /// Inputs from the first tap to the last.
  TERN_FN constexpr index_t reach() const { return dilation * (kernel - 1) + 1; }
  TERN_FN constexpr index_t input(index_t o, index_t t) const { return o * stride - pad + t * dilation; }
  /// True if input i exists; otherwise it is padding.
  TERN_FN constexpr bool has(index_t i) const { return i >= 0 && i < in; }

  /// [first, last). No defaults: without optimisation they would emit a function shared by all translation units.
  struct range {
    index_t first, last;
    friend TERN_FN constexpr bool operator==(const range&, const range&) = default;
  };
  /// The results whose tap t reads an input.
  TERN_FN constexpr range results_with(index_t t) const {
    const index_t at = input(0, t);
    const index_t first = at >= 0 ? 0 : (-at + stride - 1) / stride,
                  end = at >= in ? 0 : (in - at + stride - 1) / stride;
    const index_t last = end < out ? end : out;
    return first < last ? range{first, last} : range{};
  }
  /// The results with all taps on inputs.
  TERN_FN constexpr range results_inside() const {
    const index_t first = (pad + stride - 1) / stride, room = in + pad - reach();
    const index_t end = room < 0 ? 0 : room / stride + 1, last = end < out ? end : out;
    return first < last ? range{first, last} : range{};
  }
  /// True if every input has exactly one window.
  TERN_FN constexpr bool covers_once() const {
    return (dilation == 1 || kernel == 1) && kernel == stride && out * stride - pad >= in;
  }
  /// The results whose windows begin before input `last` and end at input `first` or later.
  TERN_FN constexpr range results_over(index_t first, index_t last) const {
    const index_t before = first + pad - reach() + 1, end = (last - 1 + pad) / stride + 1;
    return {before <= 0 ? 0 : (before + stride - 1) / stride, end < out ? end : out};
  }
  /// The result whose tap t reads input i; -1 if there is none.
  TERN_FN constexpr index_t result(index_t i, index_t t) const {
    const index_t distance = i + pad - t * dilation;
    return distance >= 0 && distance % stride == 0 && distance / stride < out ? distance / stride : -1;
  }
  /// The taps of result o that read inputs.
  TERN_FN constexpr range taps_inside(index_t o) const {
    const index_t at = input(o, 0);
    const index_t first = at >= 0 ? 0 : (-at + dilation - 1) / dilation, last = taps_before(o, in);
    return first < last ? range{first, last} : range{};
  }
  /// The number of result o's taps before input `end`, including those on the padding before the inputs.
  TERN_FN constexpr index_t taps_before(index_t o, index_t end) const {
    const index_t at = input(o, 0);
    if (at + reach() <= end) return kernel;
    return at >= end ? 0 : (end - at + dilation - 1) / dilation;
  }

  /// Explains why there is no result. TensorFlow's VALID would give an empty one.
  template <class Sentence>
  constexpr void add_no_result(Sentence& to) const {
    to << "the window reaches over " << reach() << " elements, more than the " << in + pad + pad_end
       << " there are with padding: there would be no result";
  }

  friend TERN_FN constexpr bool operator==(const window_axis&, const window_axis&) = default;
};

/// The axis of a window over `in` inputs. `out` is 0 or less if the window is larger than the padded input.
/// \param ceil  true if the last window may extend beyond the padding, if it begins before it: PyTorch's ceil_mode
TERN_FN constexpr window_axis window_over(index_t in, index_t kernel, index_t stride, index_t dilation, padding rule,
                                          index_t pad, index_t pad_end, bool ceil = false) {
  window_axis a{.in = in, .kernel = kernel, .stride = stride, .dilation = dilation};
  index_t before = 0, after = 0;
  switch (rule) {
    case padding::given: before = pad, after = pad_end; break;
    case padding::valid: break;
    case padding::causal: before = a.reach() - 1; break;
    case padding::same_tf:
    case padding::same_torch: {
      const index_t results = (in + stride - 1) / stride, all = (results - 1) * stride + a.reach() - in;
      before = all > 0 ? all / 2 : 0;
      after = all > 0 ? all - before : 0;
      break;
    }
  }
  a.pad = before, a.pad_end = after;
  const index_t free = in + before + after - a.reach() + (ceil ? stride - 1 : 0);  // positions after the first
  a.out = free < 0 ? 0 : free / stride + 1;
  if (ceil && (a.out - 1) * stride >= in + before) --a.out;
  return a;
}

}  // namespace tern
