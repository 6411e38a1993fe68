// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of ops that move elements: reorder, channel_shuffle, space_to_depth, depth_to_space, upsample, pad.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/image.hpp"
#include "tern/family/index/rearrangement.hpp"
#include "tern/family/index/resampling.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/rearrange_rules.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/channel_shuffle.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/reorder.hpp"
#include "tern/op/space_to_depth.hpp"
#include "tern/op/upsample.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

template <>
inline constexpr const char* name_of_option<padding_value> = "a tern::padding_value";

/// Both passes of an op that moves elements. OpType is the underlying op.
template <class OpType, bool Backward>
struct moving_pass {
  using T = typename OpType::value_type;
  using value_type = T;
  static constexpr bool of_any_type = true;
  using rule = impl::moving_rule<OpType>;
  static constexpr bool sums = Backward ? rule::sums_gradients : rule::interpolates;
  using required = options<>;
  using optional =
      std::conditional_t<Backward ? std::is_arithmetic_v<T> && !std::is_same_v<T, bool> : rule::takes_value,
                         options<std::conditional_t<Backward, accumulate_t, padding_value>>, options<>>;
  template <class Policy>
  using kernel = rearrangement_kernel<Policy>;

  static constexpr declaration taking(const char* pass, tensor first, tensor second) {
    first.adjacent = second.adjacent = rule::adjacent;
    return {pass, rule::rank < 0 ? 0 : rule::rank, rule::rank < 0 ? 3 : rule::rank, first, second};
  }
  static constexpr declaration declared =
      Backward
          ? taking("backward_data", in("dy", "n features results...").made_of("dx"), out("dx", "n channels spatial..."))
          : taking("", in("x", "n channels spatial..."), out("y", "n features results...").made_of("x"));
  /// Replaces extents of x by those of y.
  static constexpr bool made(index_t* extent, int rank) {
    for (int r = 1; r < rank; ++r) {
      if (extent[r] == dynamic) continue;
      if (extent[r] >> 47 != 0) return false;  // beyond any address space
      const index_t result = rule::result(r, extent[r]);
      if (result < 0) return false;
      extent[r] = result;
    }
    return true;
  }
  static constexpr void demand(sentence& s, const fact&) { s << rule::demand; }
  static constexpr void validate(sentence& s, const char* op, const fact*) {
    if (sums && !std::is_floating_point_v<T>)
      s << op << (Backward ? ": gradients that are sums are" : ": linear interpolation is") << " for float and double";
  }

  template <bool Add, class From, class To>
  static auto problem(const char*, const From& from, const To& to) {
    const impl::image_shape source = impl::shape_of(from), result = impl::shape_of(to);
    const impl::image_shape &x = Backward ? result : source, &y = Backward ? source : result;
    if constexpr (sums) {
      resampling<T, Backward ? resample_pass::data : resample_pass::forward, typename rule::axis_type, Add> q;
      q.batch = x.batch, q.channels = x.channels;
      for (int r = 0; r < 3; ++r) q.axis[r] = rule::axis(r, x.extent[r]);
      q.from = impl::image_of<const T>(from), q.to = impl::image_of<T>(to);
      return q;
    } else {
      const auto map = rule::template map<Backward>(x, y);
      rearrangement<T, std::remove_const_t<decltype(map)>, Add> q;
      q.batch = result.batch, q.channels = result.channels, q.from_channels = source.channels;
      for (int r = 0; r < 3; ++r) q.extent[r] = result.extent[r], q.from_extent[r] = source.extent[r];
      q.from = impl::places_of<const T>(from), q.to = impl::places_of<T>(to), q.map = map;
      return q;
    }
  }
  template <bool Add, class From, class To>
  static auto problem(const char* op, const padding_value& border, const From& from, const To& to) {
    auto q = problem<Add>(op, from, to);
    if constexpr (std::is_same_v<T, bfloat16> || std::is_same_v<T, half>)
      q.value = T(static_cast<float>(border.value));
    else
      q.value = static_cast<T>(border.value);
    return q;
  }
  /// The cost of reads and writes; positions and channels are those of y.
  static constexpr cost cost_of(const auto& q) {
    index_t from = q.batch, to = q.batch, from_channels = q.channels;
    for (int r = 0; r < 3; ++r)
      if constexpr (sums)
        from *= q.from_extent(r), to *= q.extent(r);
      else
        from *= q.from_extent[r], to *= q.extent[r];
    if constexpr (!sums) from_channels = q.from_channels;
    return {from * from_channels + to * q.channels, Backward ? from : to, Backward ? from_channels : q.channels};
  }
};

/// Sums are for float and double: other types have no such gradient.
template <class OpType>
using moving_gradient_pass =
    std::conditional_t<moving_pass<OpType, true>::sums && !std::is_floating_point_v<typename OpType::value_type>, void,
                       moving_pass<OpType, true>>;

}  // namespace declare

/// Ops that move elements or add weighted ones: reorder, channel_shuffle, upsample, pad and the like.
template <class OpType>
concept moves_elements = requires { impl::moving_rule<OpType>::rank; };

template <moves_elements OpType, class Op, class Policy>
struct operations<OpType, Op, Policy> : declare::declared_operations<Op, Policy, declare::moving_pass<OpType, false>,
                                                                     declare::moving_gradient_pass<OpType>> {
  /// y = the elements of x, rearranged; linear upsampling gives weighted sums of them (docs/numerics.md).
  ///
  ///     k([state,] x, y)            under border::constant also k([state,] x, y, tern::padding_value{-1})
  ///
  /// \param x  (n, c, spatial...), channels contiguous; of reorder in any layout
  /// \param y  the shape that follows from the op; may share no element with x
  /// Throws std::invalid_argument, before anything is written, if shapes disagree with the op, a view is null, or y
  /// shares elements with x. Copies keep all bits. Cost: every element is read and written once; linear upsampling
  /// reads two per axis.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::moving_pass<OpType, false>>(args...);
  }

  /// dx = the gradient of the loss with respect to x: every element of dy returns to its source.
  ///
  ///     k.backward_data([state,] dy, dx [, tern::accumulate])
  ///
  /// \param dy  shape of y
  /// \param dx  shape of x
  /// Upsample and pad, which add elements of one source, take float and double only. tern::accumulate needs a built-in
  /// numeric type: not bool, tern::half or tern::bfloat16. Errors are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::moving_pass<OpType, true>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
