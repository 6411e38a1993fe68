// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch norms over a batch that several calls or machines see parts of: statistics of a part, joining them, and both
// passes with statistics that are known.
#pragma once

#include <tuple>
#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/reduction/normalization.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/operands.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/norm.hpp"

namespace tern {

/// Option of a batch norm's calls on parts of a batch: how many values of a channel statistics or totals are of.
struct values_seen {
  index_t values = 0;
};

}  // namespace tern

namespace tern::inline TERN_ISA::impl {

/// eps in the element type, in which it must be positive and finite, too.
template <class T>
T checked_epsilon(const char* op, const epsilon& eps) {
  const T value = static_cast<T>(eps.value);
  if (!(eps.value > 0)) violation("%s: eps is %g: it must be positive", op, eps.value);
  if (value - value != T(0) || value == T(0))
    violation("%s: eps is %g, which is %g in %s: it must be positive and finite", op, eps.value,
              static_cast<double>(value), dtype<T>::name);
  return value;
}

/// Other norms have no parts: their statistics are those of a sample.
template <norm_kind K, norm_config C, class T, class Op, class Policy>
struct norm_parts {};

template <norm_config Config, class T, class Op, class Policy>
struct norm_parts<norm_kind::batch, Config, T, Op, Policy> {
  /// Mean and sum of squared deviations of every channel of x, joined to those of earlier parts.
  ///
  ///     k.statistics([state,] x, mean, squares [, tern::values_seen{n}])
  ///
  /// \param mean, squares  channels elements; with tern::values_seen they hold those of n values of every channel,
  /// joined
  ///                       before, else what they hold does not matter
  /// Parts that are cut at grains (docs/numerics.md) and joined in order give the bits of the whole batch. Throws
  /// std::invalid_argument, before anything is written, where sizes disagree, x has no elements, a view is null,
  /// outputs share elements, or tiles are too small. Cost: x is read from memory once.
  template <class... Args>
  void statistics(Args&&... args) const {
    constexpr bool right = well_formed<3, Args...> && option_count<Args...> == 0;
    static_assert(right, "norm: statistics takes (x, mean, squares) and a tern::values_seen");
    if constexpr (right) join_part<count_of<values_seen, Args...> == 1>(state_of<family>(args...), args...);
  }

  /// Joins statistics of other values, such as those of another machine. On the calling thread.
  ///
  ///     k.join(mean, squares, tern::values_seen{n}, other_mean, other_squares, m)
  ///
  /// mean and squares, of n values, become those of n + m (Chan, Golub and LeVeque 1979): any order of joining is
  /// right, and its bits are its own.
  template <class Mean, class Squares, class OtherMean, class OtherSquares>
  static void join(Mean&& mean, Squares&& squares, values_seen before, const OtherMean& other_mean,
                   const OtherSquares& other_squares, index_t more) {
    const auto first = as_view(mean);
    const index_t channels = first.size();
    const operand<T> m = column<T>("mean", first, channels), q = column<T>("squares", as_view(squares), channels);
    const operand<const T> m2 = column<const T>("other_mean", as_view(other_mean), channels),
                           q2 = column<const T>("other_squares", as_view(other_squares), channels);
    if (before.values < 0 || more < 0)
      violation("%s: %td and %td values are joined: both numbers must be at least 0", op, before.values, more);
    for (index_t c = 0; c < channels && more > 0; ++c) {
      const auto all = tile::join(tile::moments<T>{*m.at(c, 0), *q.at(c, 0)}, before.values,
                                  tile::moments<T>{*m2.at(c, 0), *q2.at(c, 0)}, more);
      *m.at(c, 0) = all.mean, *q.at(c, 0) = all.squares;
    }
  }

  /// 1 / sqrt(variance + eps), and on demand the biased variance, from sums of squared deviations. On the calling
  /// thread.
  ///
  ///     k.deviation(squares, rstd [, variance], tern::values_seen{n} [, tern::epsilon{1e-5}])
  template <class... Args>
  static void deviation(Args&&... args) {
    constexpr int given = tensor_count<Args...>;
    constexpr bool right = (given == 2 || given == 3) && count_of<values_seen, Args...> == 1 && !has_state<Args...>;
    static_assert(right, "norm: deviation takes (squares, rstd, variance), a tern::values_seen and a tern::epsilon");
    if constexpr (right) {
      const auto first = as_view(nth_tensor<0>(args...));
      const operand<const T> squares = column<const T>("squares", first, first.size());
      const operand<T> rstd = column<T>("rstd", as_view(nth_tensor<1>(args...)), first.size());
      operand<T> variance;
      if constexpr (given == 3) variance = column<T>("variance", as_view(nth_tensor<2>(args...)), first.size());
      const index_t values = find_argument<values_seen>(args...).values;
      if (values < 1) violation("%s: there are %td values: a deviation needs at least one", op, values);
      const T eps = checked_epsilon<T>(op, find_argument<epsilon>(args...));
      for (index_t c = 0; c < first.size(); ++c) {
        const T v = *squares.at(c, 0) / static_cast<T>(values);
        *rstd.at(c, 0) = tile::reciprocal_deviation(v, eps);
        if constexpr (given == 3) *variance.at(c, 0) = v;
      }
    }
  }

  /// The forward pass with known statistics, which gives the bits of a call that finds them.
  ///
  ///     k.apply([state,] x, mean, rstd [, scale] [, shift] [, residual], y)
  ///
  /// \param mean, rstd, scale, shift  channels elements
  /// \param residual, y               shape of x; y may be x or residual itself
  /// Errors are those of a call. Cost: x and residual are read and y is written once. On tiles a machine that runs
  /// tern::elementwise with .scale, .bias and .residual on x has room for it.
  template <class... Args>
  void apply(Args&&... args) const {
    constexpr bool right = well_formed<4 + C.scale + C.shift + C.residual, Args...> && option_count<Args...> == 0 &&
                           count_of<values_seen, Args...> == 0;
    static_assert(
        right,
        "norm: apply takes (x, mean, rstd, scale, shift, residual, y), of which scale, shift and residual are "
        "given exactly where .scale, .shift and .residual are set");
    if constexpr (right) normalise(state_of<mapping_kernel<Policy>>(args...), args...);
  }

  /// dx = the gradient of the loss with respect to the x of a part, from totals over all parts.
  ///
  ///     k.backward_part([state,] dy, x, mean, rstd, dscale, dshift [, scale], dx, tern::values_seen{n}
  ///                     [, tern::accumulate])
  ///
  /// \param mean, rstd      of all parts
  /// \param dscale, dshift  what backward_weights gives with these, accumulated over all parts
  /// \param dx              shape of x; may be dy itself
  /// n counts the values of a channel in all parts. Errors are those of backward_data. Cost: dy and x are read and dx
  /// is written once.
  template <class... Args>
  void backward_part(Args&&... args) const {
    constexpr bool right = well_formed<7 + C.scale, Args...> && count_of<values_seen, Args...> == 1;
    static_assert(right,
                  "norm: backward_part takes (dy, x, mean, rstd, dscale, dshift, scale, dx), of which scale is given "
                  "exactly where .scale is set, and a tern::values_seen");
    if constexpr (right) gradient_of_part(state_of<mapping_kernel<Policy>>(args...), args...);
  }

 private:
  static constexpr norm_config C = Config;
  static constexpr const char* op = Op::name;
  using family = place_sums_kernel<Policy>;
  static constexpr norm_steps steps{true, C.scale, C.shift, C.residual, C.act, true};

  template <int Tensors, class... Args>
  static constexpr bool well_formed =
      tensor_count<Args...> == Tensors && with_options<values_seen>::template well_formed<Args...>;

  /// A number per channel.
  template <class U, class View>
  static operand<U> column(const char* name, const View& v, index_t channels) {
    constexpr bool of_type = std::is_same_v<std::remove_const_t<typename View::element_type>, T>,
                   writable = std::is_const_v<U> || !std::is_const_v<typename View::element_type>;
    static_assert(View::rank == 1, "norm: numbers of channels must have rank 1");
    static_assert(of_type, "norm: every tensor must have the element type of the op");
    static_assert(writable, "norm: the output must be a view of elements that are not const");
    if (v.size() != channels)
      violation("%s: %s has %td elements and there are %td channels", op, name, v.size(), channels);
    if (v.data() == nullptr && v.size() > 0) null_violation(op, name, v);
    if constexpr (of_type && writable)
      return {v.data(), v.stride(0), 0, 0};
    else
      return {};
  }
  template <bool Join, class State, class... Args>
  static void join_part(State&& state, Args&... args) {
    const auto x = as_view(nth_tensor<0>(args...));
    static_assert(decltype(x)::rank >= 2 && decltype(x)::rank <= 5,
                  "norm: x must have the rank (sample, channel, spatial...), with up to three axes");
    const image<const T> of_x = image_operand<const T, decltype(x)::rank - 2>(op, "x", x);
    const image_shape sizes = shape_of(x);
    norm_shape s{.batch = sizes.batch, .channels = sizes.channels, .groups = sizes.channels};
    for (int r = 0; r < 3; ++r) s.extent[r] = sizes.extent[r];
    if (x.size() == 0) violation("%s: x is %s: there are no elements to normalise", op, text_of(x).text);
    const operand<T> mean = column<T>("mean", as_view(nth_tensor<1>(args...)), s.channels),
                     squares = column<T>("squares", as_view(nth_tensor<2>(args...)), s.channels);
    index_t seen = 0;
    if constexpr (Join) {
      seen = find_argument<values_seen>(args...).values;
      if (seen < 0) violation("%s: %td values were seen: the number must be at least 0", op, seen);
    }
    const interval_set in = intervals_of(of_x, s.batch, s.channels, s.extent);
    const interval_set means = intervals_of(mean, s.channels), deviations = intervals_of(squares, s.channels);
    check_output(op, means, in, deviations), check_output(op, deviations, in);
    family::run(state, channel_statistics<T, Join>(s, of_x, mean, squares, seen));
  }

  /// The mapping of a call on x; names[0] is x, and so is the shape of what has no other.
  template <class F, class X>
  static mapping<T, F> mapping_on(const char* name, const X& x) {
    static_assert(X::rank >= 2 && X::rank <= 5,
                  "norm: x must have the rank (sample, channel, spatial...), with up to three axes");
    check_extents(op, name, x);
    mapping<T, F> q;
    set_sizes(q, x);
    q.in[0] = scattered_operand<const T, false>(op, name, x);
    return q;
  }
  template <class U, class View, class X>
  static scattered_image<U> whole(const char* name, const View& v, const char* x_name, const X& x) {
    static_assert(View::rank == X::rank, "norm: residual, y and gradients of x must have the rank of x");
    check_equal_shapes(op, name, v, x_name, x);
    return scattered_operand<U, false>(op, name, v);
  }
  template <class State, class F, class X>
  static void run(State&& state, const mapping<T, F>& q, const X& x) {
    const image_shape s = shape_of(x);
    const interval_set to = intervals_of(q.out[0], s);
    check_output(op, to);
    for (const auto& in : q.in)
      if (!same_place(in, q.out[0])) check_output(op, to, intervals_of(in, distinct_elements(in, s)));
    mapping_kernel<Policy>::run(state, q);
  }

  template <class State, class... Args>
  static void normalise(State&& state, Args&... args) {
    const auto x = as_view(nth_tensor<0>(args...));
    auto q = mapping_on<tile::norm_map<steps>>("x", x);
    const auto number = [&](const char* name, const auto& v) {
      return image_of_channels(column<const T>(name, v, q.channels), q.channels);
    };
    q.in[1] = number("mean", as_view(nth_tensor<1>(args...)));
    q.in[2] = number("rstd", as_view(nth_tensor<2>(args...)));
    if constexpr (C.scale) q.in[3] = number("scale", as_view(nth_tensor<3>(args...)));
    if constexpr (C.shift) q.in[3 + C.scale] = number("shift", as_view(nth_tensor<3 + C.scale>(args...)));
    constexpr int last = 3 + C.scale + C.shift;
    if constexpr (C.residual) q.in[last] = whole<const T>("residual", as_view(nth_tensor<last>(args...)), "x", x);
    q.out[0] = whole<T>("y", as_view(nth_tensor<last + C.residual>(args...)), "x", x);
    run(state, q, x);
  }

  template <class State, class... Args>
  static void gradient_of_part(State&& state, Args&... args) {
    const auto dy = as_view(nth_tensor<0>(args...));
    auto q = mapping_on<tile::norm_gradient_map<steps.of_gradient(), T, has_option<accumulate_t, Args...>>>("dy", dy);
    q.in[1] = whole<const T>("x", as_view(nth_tensor<1>(args...)), "dy", dy);
    const auto number = [&](const char* name, const auto& v) {
      return image_of_channels(column<const T>(name, v, q.channels), q.channels);
    };
    q.in[2] = number("mean", as_view(nth_tensor<2>(args...)));
    q.in[3] = number("rstd", as_view(nth_tensor<3>(args...)));
    q.in[4] = number("dscale", as_view(nth_tensor<4>(args...)));
    q.in[5] = number("dshift", as_view(nth_tensor<5>(args...)));
    if constexpr (C.scale) q.in[6] = number("scale", as_view(nth_tensor<6>(args...)));
    q.out[0] = whole<T>("dx", as_view(nth_tensor<6 + C.scale>(args...)), "dy", dy);
    const index_t values = find_argument<values_seen>(args...).values;
    if (values < 1) violation("%s: totals are of %td values: the number must be at least 1", op, values);
    q.f.values = static_cast<T>(values);
    run(state, q, dy);
  }
};

}  // namespace tern::inline TERN_ISA::impl
