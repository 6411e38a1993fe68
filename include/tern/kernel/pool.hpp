// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of pools: forward, with or without the indices of maxima, and the gradient, each callable alone.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/family/window/pooling.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/op/pool.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

/// The tensors of a pool's passes: windows slide over x, or dx, with one position per element of y, or dy.
template <int Rank, pool_kind K, pool_config<Rank> Config, class T>
struct pool_window {
  using value_type = T;
  using required = options<>;
  template <class Policy>
  using kernel = pooling_kernel<Policy>;
  /// A copy of the argument: clang before version 23 reads elements of a template argument's arrays in the wrong place
  /// (github.com/llvm/llvm-project/issues/146272).
  static constexpr pool_config<Rank> C = Config;

  template <class... Tensor>
  static constexpr declaration taking(const char* pass, const Tensor&... all) {
    declaration d = declaration(pass, Rank, Rank, all.with_adjacent_channels()...)
                        .where("n", C.batch, ".batch")
                        .where("channels", C.channels, ".channels");
    for (int r = 0; r < Rank; ++r) d = d.where("spatial...", C.extent[r], ".extent", r);
    return d;
  }
  /// Replaces extents by the results'.
  static constexpr bool made(index_t* extent, int) {
    for (int r = 0; r < Rank; ++r) {
      index_t& size = extent[2 + r];
      if (C.extent[r] != dynamic) size = C.extent[r];
      if (size == dynamic) continue;
      if (size > largest_extent) return false;
      const index_t results = C.axis(r, size).out;
      if (size > 0 && results < 1) return false;
      size = results;
    }
    return true;
  }
  static constexpr void demand(sentence& s, const fact& x) {
    for (int r = 0; r < Rank; ++r) {
      const index_t size = C.extent[r] == dynamic ? x.extent[2 + r] : C.extent[r];
      if (size < 1) continue;
      if (const window_axis a = C.axis(r, size); a.out < 1) {
        a.add_no_result(s << "on axis " << r << " ");
        return;
      }
    }
  }
  template <class X>
  TERN_INLINE static pool_shape shape_of(const X& x) {
    pool_shape s{.batch = C.batch == dynamic ? x.extent(0) : C.batch,
                 .channels = C.channels == dynamic ? x.extent(1) : C.channels,
                 .count_padding = C.count_padding,
                 .fixed_divisor = C.divisor};
    for (int r = 0; r < Rank; ++r)
      s.axis[3 - Rank + r] = C.axis(r, C.extent[r] == dynamic ? x.extent(2 + r) : C.extent[r]);
    return s;
  }
  /// One operation per tap.
  static constexpr cost cost_of(const auto& q) {
    const pool_shape& s = q.shape;
    index_t inputs = 1;
    for (const window_axis& a : s.axis) inputs *= a.in;
    const index_t rows = s.batch * s.positions();
    return {s.batch * s.channels * (inputs + s.positions()), rows, s.channels,
            contraction_flops(rows, s.channels, s.taps(), 1) / 2, s.taps()};
  }
  TERN_INLINE static void check_positions(const char* op, const pool_shape& s) {
    const index_t positions = s.axis[0].in * s.axis[1].in * s.axis[2].in;
    constexpr index_t most = std::numeric_limits<std::int32_t>::max();
    if (positions > most)
      violation("%s: there are %td positions per channel, the index of a maximum is one of at most %td", op, positions,
                most);
  }
};

/// \tparam Indices  true if the call has indices of maxima
template <int Rank, pool_kind K, pool_config<Rank> Config, class T, bool Indices>
struct pool_pass : pool_window<Rank, K, Config, T> {
  using optional = options<>;
  static constexpr tensor x = in("x", "n channels spatial..."), y = out("y", "n channels results...").made_of("x"),
                          indices = out("indices", "n channels results...").made_of("x").elements_are(element::int32);
  static constexpr declaration declared =
      K == pool_kind::max ? pool_pass::taking("", x, y, indices.if_given(Indices)) : pool_pass::taking("", x, y);

  template <bool, class X, class Y, class... I>
  TERN_INLINE static pool_values<T, K, Indices> problem(const char* op, const X& from, const Y& to, const I&... where) {
    pool_values<T, K, Indices> q{pool_pass::shape_of(from)};
    q.x = impl::image_of<const T>(from), q.y = impl::image_of<T>(to);
    ((q.indices = impl::image_of<std::int32_t>(where)), ...);
    if constexpr (Indices) pool_pass::check_positions(op, q.shape);
    return q;
  }
};

/// \tparam S  the source of the shares: indices, x, or nothing
template <int Rank, pool_kind K, pool_config<Rank> Config, class T, pool_shares S>
struct pool_gradient_pass : pool_window<Rank, K, Config, T> {
  using optional = options<accumulate_t>;
  static constexpr tensor dy = in("dy", "n channels results...").made_of("dx"), dx = out("dx", "n channels spatial..."),
                          x = in("x", "n channels spatial..."),
                          indices = in("indices", "n channels results...").made_of("dx").elements_are(element::int32);
  static constexpr declaration declared =
      S == pool_shares::all     ? pool_gradient_pass::taking("backward_data", dy, dx)
      : S == pool_shares::given ? pool_gradient_pass::taking("backward_data", dy, indices, dx)
                                : pool_gradient_pass::taking("backward_data", dy, x.or_else("indices"), dx);

  template <bool Add, class Dy, class... More>
  TERN_INLINE static pool_gradient<T, S, Add> problem(const char* op, const Dy& from, const More&... more) {
    const auto& to = impl::nth_tensor<sizeof...(More) - 1>(more...);
    pool_gradient<T, S, Add> q{pool_gradient_pass::shape_of(to)};
    q.dy = impl::image_of<const T>(from), q.dx = impl::image_of<T>(to);
    if constexpr (S != pool_shares::all) {
      const auto& by = impl::nth_tensor<0>(more...);
      if constexpr (S == pool_shares::given)
        q.indices = impl::image_of<const std::int32_t>(by);
      else
        q.x = impl::image_of<const T>(by);
      pool_gradient_pass::check_positions(op, q.shape);
    }
    return q;
  }
};

/// The operations of max pools: with and without indices.
template <int Rank, pool_kind K, pool_config<Rank> Config, class T, class Op, class Policy>
struct pool_operations {
  using type = declared_operations<
      Op, Policy, pool_pass<Rank, K, Config, T, false>, pool_gradient_pass<Rank, K, Config, T, pool_shares::found>,
      pool_pass<Rank, K, Config, T, true>, pool_gradient_pass<Rank, K, Config, T, pool_shares::given>>;
};
template <int Rank, pool_config<Rank> Config, class T, class Op, class Policy>
struct pool_operations<Rank, pool_kind::average, Config, T, Op, Policy> {
  using type = declared_operations<Op, Policy, pool_pass<Rank, pool_kind::average, Config, T, false>,
                                   pool_gradient_pass<Rank, pool_kind::average, Config, T, pool_shares::all>>;
};

}  // namespace declare

template <int Rank, pool_kind K, pool_config<Rank> Config, class T, class Op, class Policy>
struct operations<pooling<Rank, K, Config, T>, Op, Policy>
    : declare::pool_operations<Rank, K, Config, T, Op, Policy>::type {
  /// y = the maxima or averages of the windows of x; on demand the indices of the maxima.
  ///
  ///     k([state,] x, y [, indices])
  ///
  /// \param x        (n, channels, spatial...)
  /// \param y        (n, channels, spatial...); may share no element with x
  /// \param indices  of maxima, on demand: std::int32_t of y's shape, the position of the maximum counted over the
  ///                 spatial axes of x, the last one fastest; -1 where a window has no tap on x
  /// A window without a tap on x gives -infinity or 0. Throws std::invalid_argument, before anything is written, if
  /// shapes disagree, channels are not contiguous, a view is null, an output shares elements with another tensor,
  /// positions exceed the range of indices, or tiles are too small. Cost: a comparison or an addition per tap.
  /// Canonical order: docs/numerics.md.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool indices = K == pool_kind::max && impl::tensor_count<Args...> == 3;
    declare::run<Op, Policy, declare::pool_pass<Rank, K, Config, T, indices>>(args...);
  }

  /// dx = the gradient of the loss with respect to x. An average distributes dy equally over the inputs under its taps;
  /// a maximum gives all of it to the winning input.
  ///
  ///     k.backward_data([state,] dy, dx [, tern::accumulate])             of averages
  ///     k.backward_data([state,] dy, indices, dx [, tern::accumulate])    of maxima
  ///     k.backward_data([state,] dy, x, dx [, tern::accumulate])          of maxima, which are recomputed: same bits
  ///
  /// \param dy  shape of y
  /// \param dx  shape of x
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::pool_gradient_pass<Rank, K, Config, T, shares_of<Args...>()>>(args...);
  }

 private:
  /// The source of the shares, from the type of a gradient's second tensor.
  template <class... Args>
  static constexpr pool_shares shares_of() {
    if constexpr (K == pool_kind::average) {
      return pool_shares::all;
    } else if constexpr (impl::tensor_count<Args...> > 1) {
      using by = decltype(as_view(impl::nth_tensor<1>(std::declval<Args&>()...)));
      return std::is_same_v<typename by::value_type, std::int32_t> ? pool_shares::given : pool_shares::found;
    } else {
      return pool_shares::found;
    }
  }
};

}  // namespace tern::inline TERN_ISA
