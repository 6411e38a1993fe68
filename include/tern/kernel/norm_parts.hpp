// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch norms over a batch split between several calls or machines: statistics of a part, joining them, and both passes
// with known statistics.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/reduction/normalization.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/map_calls.hpp"
#include "tern/kernel/norm_calls.hpp"
#include "tern/op/norm.hpp"

namespace tern {

/// Option of a batch norm's calls on parts of a batch: the number of values per channel that statistics or totals
/// cover.
struct values_seen {
  index_t values = 0;
};

}  // namespace tern

namespace tern::inline TERN_ISA {

namespace declare {

template <>
inline constexpr const char* name_of_option<values_seen> = "a tern::values_seen";

template <norm_config C, class T>
using batch_norm_rules = norm_rules<norm_kind::batch, C, T>;

/// \tparam Join  true if statistics are joined to earlier ones
template <norm_config C, class T, bool Join>
struct norm_statistics_pass : batch_norm_rules<C, T> {
  using rules = batch_norm_rules<C, T>;
  using optional = options<values_seen>;
  template <class Policy>
  using kernel = place_sums_kernel<Policy>;
  static constexpr role written = Join ? role::changed : role::output;
  static constexpr declaration declared =
      rules::taking("statistics", rules::x, rules::statistic("mean", written), rules::statistic("squares", written));

  template <bool>
  static auto problem(const char* op, const values_seen& seen, const auto& x, const auto& mean, const auto& squares) {
    if (seen.values < 0) violation("%s: %td values were seen: the number must be at least 0", op, seen.values);
    return channel_statistics<T, Join>(rules::shape_of(op, x), impl::image_of<const T>(x), numbers_of<T>(mean),
                                       numbers_of<T>(squares), seen.values);
  }
};

/// Passes on numbers per channel alone.
template <class T>
struct norm_channel_pass {
  using value_type = T;
  using required = options<>;
  using optional = options<epsilon>;
  template <class>
  using kernel = on_calling_thread;
};

template <class T>
struct norm_join_pass : norm_channel_pass<T> {
  struct counts {
    index_t seen, more;
  };
  using required = options<counts>;
  using optional = options<>;
  static constexpr declaration declared =
      declaration("join", 0, 0, changed("mean", "channels"), changed("squares", "channels"),
                  in("other_mean", "channels"), in("other_squares", "channels"));

  template <bool>
  static auto problem(const char* op, const counts& values, const auto& mean, const auto& squares,
                      const auto& other_mean, const auto& other_squares) {
    if (values.seen < 0 || values.more < 0)
      violation("%s: %td and %td values are joined: both numbers must be at least 0", op, values.seen, values.more);
    return [=] {
      for (index_t c = 0; c < mean.extent(0) && values.more > 0; ++c) {
        const auto all = tile::join(tile::moments<T>{mean(c), squares(c)}, values.seen,
                                    tile::moments<T>{other_mean(c), other_squares(c)}, values.more);
        mean(c) = all.mean, squares(c) = all.squares;
      }
    };
  }
};

/// \tparam Variance  true if the call has one
template <norm_config C, class T, bool Variance>
struct norm_deviation_pass : norm_channel_pass<T> {
  using required = options<values_seen>;
  static constexpr declaration declared =
      declaration("deviation", 0, 0, in("squares", "channels"), out("rstd", "channels").may_be("squares"),
                  out("variance", "channels").may_be("squares").if_given(Variance));

  template <bool>
  static auto problem(const char* op, const values_seen& seen, const epsilon& given, const auto& squares,
                      const auto& rstd, const auto&... variance) {
    if (seen.values < 1) violation("%s: there are %td values: a deviation needs at least one", op, seen.values);
    return [=, eps = checked_epsilon<T>(op, given, C.epsilon)] {
      for (index_t c = 0; c < squares.extent(0); ++c) {
        const T v = squares(c) / static_cast<T>(seen.values);
        rstd(c) = tile::reciprocal_deviation(v, eps);
        ((variance(c) = v), ...);
      }
    };
  }
};

template <norm_config C, class T>
struct norm_fold_pass : norm_channel_pass<T> {
  using rules = batch_norm_rules<C, T>;
  static constexpr const char* inputs = "mean variance scale shift";
  static constexpr declaration declared =
      declaration("fold", 0, 0, in("mean", "channels"), in("variance", "channels"), rules::scale, rules::shift,
                  out("factor", "channels").may_be(inputs), out("offset", "channels").may_be(inputs));

  template <bool>
  static auto problem(const char* op, const epsilon& given, const auto& mean, const auto& variance,
                      const auto&... more) {
    for (index_t c = 0; c < variance.extent(0); ++c)
      if (variance(c) < T(0))
        violation("%s: the variance of channel %td is %g: it must not be negative; the mean comes before it", op, c,
                  static_cast<double>(variance(c)));
    return [=, eps = checked_epsilon<T>(op, given, C.epsilon)] {
      for (index_t c = 0; c < mean.extent(0); ++c) {
        T factor = tile::reciprocal_deviation(variance(c), eps), shift = 0;
        if constexpr (C.scale) factor = math::product(impl::nth_tensor<0>(more...)(c), factor);
        if constexpr (C.shift) shift = impl::nth_tensor<C.scale>(more...)(c);
        const T offset = math::fma(-mean(c), factor, shift);
        impl::nth_tensor<C.scale + C.shift>(more...)(c) = factor;
        impl::nth_tensor<C.scale + C.shift + 1>(more...)(c) = offset;
      }
    };
  }
};

template <norm_config C, class T>
struct norm_apply_pass : mapped<T, tile::norm_map<batch_norm_rules<C, T>::template steps<>>> {
  using rules = batch_norm_rules<C, T>;
  static constexpr declaration declared =
      declaration("apply", 0, 3, rules::x, rules::statistic("mean"), rules::statistic("rstd"), rules::scale,
                  rules::shift, rules::residual, out("y", rules::of_x).may_be("x residual"));
};

template <norm_config C, class T>
struct norm_part_pass
    : mapped<T, tile::norm_gradient_map<batch_norm_rules<C, T>::template steps<>.of_gradient(), T, false>> {
  using rules = batch_norm_rules<C, T>;
  using required = options<values_seen>;
  using optional = options<accumulate_t>;
  static constexpr declaration declared = declaration(
      "backward_part", 0, 3, rules::dy, rules::x, rules::statistic("mean"), rules::statistic("rstd"),
      in("dscale", "channels"), in("dshift", "channels"), rules::scale, out("dx", rules::of_x).may_be("dy x"));

  template <bool Add>
  static auto problem(const char* op, const values_seen& seen, const auto&... view) {
    if (seen.values < 1) violation("%s: totals are of %td values: the number must be at least 1", op, seen.values);
    auto q = at_places<mapping<T, tile::norm_gradient_map<rules::template steps<>.of_gradient(), T, Add>>>(view...);
    q.f.values = static_cast<T>(seen.values);
    return q;
  }
};

}  // namespace declare

namespace impl {

/// Other norms have no parts: their statistics are those of a sample.
template <norm_kind K, norm_config C, class T, class Op, class Policy>
struct norm_parts {};

template <norm_config C, class T, class Op, class Policy>
struct norm_parts<norm_kind::batch, C, T, Op, Policy> {
  /// Mean and sum of squared deviations of every channel of x, joined to those of earlier parts.
  ///
  ///     k.statistics([state,] x, mean, squares [, tern::values_seen{n}])
  ///
  /// \param mean, squares  channels elements; with tern::values_seen they hold the statistics of n values of every
  ///                       channel, joined before, else their old values are ignored
  /// Joining parts that are cut at grains (docs/numerics.md) in order gives the bits of the whole batch. Throws
  /// std::invalid_argument, before anything is written, if sizes disagree, x has no elements, a view is null, outputs
  /// share elements, or tiles are too small. Cost: x is read from memory once.
  template <class... Args>
  void statistics(Args&&... args) const {
    declare::run<Op, Policy, declare::norm_statistics_pass<C, T, has_option<values_seen, Args...>>>(args...);
  }

  /// Joins statistics of other values, such as those of another machine. On the calling thread.
  ///
  ///     k.join(mean, squares, tern::values_seen{n}, other_mean, other_squares, m)
  ///
  /// mean and squares, of n values, become those of n + m (Chan, Golub and LeVeque 1979). Any order of joining is
  /// valid, and has its own bits.
  template <class Mean, class Squares, class OtherMean, class OtherSquares>
  static void join(Mean&& mean, Squares&& squares, values_seen before, const OtherMean& other_mean,
                   const OtherSquares& other_squares, index_t more) {
    using pass = declare::norm_join_pass<T>;
    const typename pass::counts values{before.values, more};
    declare::run<Op, Policy, pass>(mean, squares, other_mean, other_squares, values);
  }

  /// 1 / sqrt(variance + eps), and on demand the biased variance, from sums of squared deviations. On the calling
  /// thread.
  ///
  ///     k.deviation(squares, rstd [, variance], tern::values_seen{n} [, tern::epsilon{1e-3}])
  ///
  /// \param rstd, variance  channels elements; may be squares itself
  template <class... Args>
  static void deviation(Args&&... args) {
    declare::run<Op, Policy, declare::norm_deviation_pass<C, T, tensor_count<Args...> == 3>>(args...);
  }

  /// The forward pass with known statistics: the bits of a call that computes them.
  ///
  ///     k.apply([state,] x, mean, rstd [, scale] [, shift] [, residual], y)
  ///
  /// \param mean, rstd, scale, shift  channels elements
  /// \param residual, y               shape of x; y may be x or residual itself
  /// Errors are those of a call. Cost: x and residual are read and y is written once. Under mimd a machine for
  /// tern::elementwise with .scale, .bias and .residual on x has room for it.
  template <class... Args>
  void apply(Args&&... args) const {
    declare::run<Op, Policy, declare::norm_apply_pass<C, T>>(args...);
  }

  /// dx = the gradient of the loss with respect to the x of a part, from totals over all parts.
  ///
  ///     k.backward_part([state,] dy, x, mean, rstd, dscale, dshift [, scale], dx, tern::values_seen{n}
  ///                     [, tern::accumulate])
  ///
  /// \param mean, rstd      of all parts
  /// \param dscale, dshift  results of backward_weights with these, accumulated over all parts
  /// \param dx              shape of x; may be dy or x itself
  /// n counts the values of a channel in all parts. Errors are those of backward_data. Cost: dy and x are read and dx
  /// is written once.
  template <class... Args>
  void backward_part(Args&&... args) const {
    declare::run<Op, Policy, declare::norm_part_pass<C, T>>(args...);
  }
};

}  // namespace impl

}  // namespace tern::inline TERN_ISA
