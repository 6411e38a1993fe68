// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of pools: forward, with or without the indices of maxima, and the gradient, each callable alone.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>
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

/// What the passes of a pool share: windows slide over x, or dx, and have a position for every element of y, or dy.
template <int Rank, pool_kind K, pool_config<Rank> Config, class T>
struct pool_window {
  using value_type = T;
  using required = options<>;
  template <class Policy>
  using kernel = pooling_kernel<Policy>;
  /// Not the argument itself: clang before version 23 reads elements of its arrays in the wrong place
  /// (github.com/llvm/llvm-project/issues/146272).
  static constexpr pool_config<Rank> C = Config;

  template <class... Tensor>
  static constexpr declaration with_extents(const char* pass, const Tensor&... all) {
    return declaration(pass, Rank, Rank, all.with_adjacent_channels()...)
        .where("n", C.batch, ".batch")
        .where("channels", C.channels, ".channels");
  }
  static constexpr void judge_window(sentence& s, const char* op, const char* x_name, const fact& x, const char* y_name,
                                     const fact& y) {
    fact of_x = x, of_y = x;  // what they must be
    bool right = true;
    for (int r = 0; r < Rank; ++r) {
      const index_t in = x.extent[2 + r], out = y.extent[2 + r], size = C.extent[r] == dynamic ? in : C.extent[r];
      of_x.extent[2 + r] = of_y.extent[2 + r] = size;
      if (size == dynamic) continue;
      const window_axis a = C.axis(r, size);
      if (size > 0 && a.out < 1) {
        s << op << ": " << x_name << " is " << x << ": on axis " << r << " the window reaches over " << a.reach()
          << " elements, more than there are with padding";
        return;
      }
      of_y.extent[2 + r] = a.out;
      right = right && (in == dynamic || in == size) && (out == dynamic || out == a.out);
    }
    if (!right)
      s << op << ": " << x_name << " is " << x << " and " << y_name << " is " << y << ": " << x_name << " must be "
        << of_x << " and " << y_name << " " << of_y;
  }
  template <class X, class Y>
  TERN_INLINE static bool window_agrees(const X& x, const Y& y) {
    bool right = true;
    for (int r = 0; r < Rank; ++r) {
      const index_t size = x.extent(2 + r), out = C.axis(r, size).out;
      right &= y.extent(2 + r) == out && (out > 0 || size == 0) && (C.extent[r] == dynamic || C.extent[r] == size);
    }
    return right;
  }
  template <class X>
  TERN_INLINE static pool_shape shape_of(const X& x) {
    pool_shape s{.batch = C.batch == dynamic ? x.extent(0) : C.batch,
                 .channels = C.channels == dynamic ? x.extent(1) : C.channels,
                 .count_padding = C.count_padding};
    for (int r = 0; r < Rank; ++r)
      s.axis[3 - Rank + r] = C.axis(r, C.extent[r] == dynamic ? x.extent(2 + r) : C.extent[r]);
    return s;
  }
  TERN_INLINE static void check_positions(const char* op, const pool_shape& s) {
    const index_t positions = s.axis[0].in * s.axis[1].in * s.axis[2].in;
    constexpr index_t most = std::numeric_limits<std::int32_t>::max();
    if (positions > most)
      violation("%s: there are %td positions per channel, the index of a maximum is one of at most %td", op, positions,
                most);
  }
};

/// \tparam Indices  whether those of maxima are asked for
template <int Rank, pool_kind K, pool_config<Rank> Config, class T, bool Indices>
struct pool_pass : pool_window<Rank, K, Config, T> {
  using optional = options<>;
  static constexpr declaration declared =
      K == pool_kind::max
          ? pool_pass::with_extents(
                "", in("x", "n channels spatial..."), out("y", "n channels results..."),
                out("indices", "n channels results...").elements_are(element::int32).if_given(Indices))
          : pool_pass::with_extents("", in("x", "n channels spatial..."), out("y", "n channels results..."));

  static constexpr void judge(sentence& s, const char* op, const fact* t) {
    pool_pass::judge_window(s, op, "x", t[0], "y", t[1]);
  }
  template <class X, class Y, class... I>
  TERN_INLINE static bool agrees(const X& x, const Y& y, const I&...) {
    return pool_pass::window_agrees(x, y);
  }
  template <bool, class X, class Y, class... I>
  TERN_INLINE static pool_values<T, K, Indices> problem(const char* op, const X& x, const Y& y, const I&... indices) {
    pool_values<T, K, Indices> q{pool_pass::shape_of(x)};
    q.x = impl::image_of<const T>(x), q.y = impl::image_of<T>(y);
    ((q.indices = impl::image_of<std::int32_t>(indices)), ...);
    if constexpr (Indices) pool_pass::check_positions(op, q.shape);
    return q;
  }
};

/// \tparam S  what says who gets shares: indices, x, or nothing
template <int Rank, pool_kind K, pool_config<Rank> Config, class T, pool_shares S>
struct pool_gradient_pass : pool_window<Rank, K, Config, T> {
  using optional = options<accumulate_t>;
  static constexpr declaration declared =
      S == pool_shares::all ? pool_gradient_pass::with_extents("backward_data", in("dy", "n channels results..."),
                                                               out("dx", "n channels spatial..."))
      : S == pool_shares::given
          ? pool_gradient_pass::with_extents("backward_data", in("dy", "n channels results..."),
                                             in("indices", "n channels results...").elements_are(element::int32),
                                             out("dx", "n channels spatial..."))
          : pool_gradient_pass::with_extents("backward_data", in("dy", "n channels results..."),
                                             in("x", "n channels spatial...").or_else("indices"),
                                             out("dx", "n channels spatial..."));

  static constexpr void judge(sentence& s, const char* op, const fact* t) {
    pool_gradient_pass::judge_window(s, op, "dx", t[S == pool_shares::all ? 1 : 2], "dy", t[0]);
  }
  template <class Dy, class... More>
  TERN_INLINE static bool agrees(const Dy& dy, const More&... more) {
    return pool_gradient_pass::window_agrees((more, ...), dy);
  }
  template <bool Add, class Dy, class... More>
  TERN_INLINE static pool_gradient<T, S, Add> problem(const char* op, const Dy& dy, const More&... more) {
    const auto& dx = (more, ...);
    pool_gradient<T, S, Add> q{pool_gradient_pass::shape_of(dx)};
    q.dy = impl::image_of<const T>(dy), q.dx = impl::image_of<T>(dx);
    if constexpr (S != pool_shares::all) {
      const auto& by = std::get<0>(std::tie(more...));
      if constexpr (S == pool_shares::given)
        q.indices = impl::image_of<const std::int32_t>(by);
      else
        q.x = impl::image_of<const T>(by);
      pool_gradient_pass::check_positions(op, q.shape);
    }
    return q;
  }
};

}  // namespace declare

template <int Rank, pool_kind K, pool_config<Rank> Config, class T, class Op, class Policy>
struct operations<pooling<Rank, K, Config, T>, Op, Policy> {
  static_assert(
      requires { sizeof(pooling_kernel<Policy>); },
      "pooling: there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "pooling: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;

  /// y = the maxima or averages of the windows of x, and where the maxima are.
  ///
  ///     k([state,] x, y [, indices])
  ///
  /// \param x        (n, channels, spatial...)
  /// \param y        (n, channels, spatial...); may share no element with x
  /// \param indices  of maxima, on demand: std::int32_t of y's shape, the position of the maximum counted over the
  ///                 spatial axes of x, the last one fastest; -1 where a window has no tap on x
  /// A window without a tap on x gives -infinity or 0. Throws std::invalid_argument, before anything is written, where
  /// shapes disagree, channels are not next to each other, a view is null, an output shares elements with another
  /// tensor, positions exceed what indices hold, or tiles are too small. Cost: a comparison or an addition per tap.
  /// Canonical order: docs/numerics.md.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool indices = K == pool_kind::max && impl::tensor_count<Args...> == 3;
    declare::run<Op, Policy, declare::pool_pass<Rank, K, Config, T, indices>>(args...);
  }

  /// dx = the gradient of the loss with respect to x: an average hands every input on which it has a tap its share, a
  /// maximum everything to the input that won.
  ///
  ///     k.backward_data([state,] dy, dx [, tern::accumulate])             of averages
  ///     k.backward_data([state,] dy, indices, dx [, tern::accumulate])    of maxima
  ///     k.backward_data([state,] dy, x, dx [, tern::accumulate])          of maxima, which are found again: same bits
  ///
  /// \param dy  shape of y
  /// \param dx  shape of x
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::pool_gradient_pass<Rank, K, Config, T, shares_of<Args...>()>>(args...);
  }

  /// How a call on a tensor of x's shape will run: the bytes of x and y, which it reads or writes, operations, one per
  /// tap, and under mimd tiles, memory and cycles. Elements of x are not looked at. `how` is what the model takes
  /// besides: the concurrency of the executor under simd, tiles under mimd.
  ///
  ///     std::cout << decltype(k)::plan(x);
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    impl::require_pass_of_elements(op, which);
    const pool_shape s = shape_of(x);
    const auto describe = [&](const auto& call) {
      index_t inputs = 1;
      for (const window_axis& a : s.axis) inputs *= a.in;
      const index_t elements = s.batch * s.channels * (inputs + s.positions());
      tern::plan p = impl::plan_of_moves<pooling_kernel<Policy>, Policy, T>(op, which, elements, call, how...);
      p.m = s.batch * s.positions(), p.n = s.channels, p.k = s.taps();
      p.flops = contraction_flops(p.m, p.n, p.k, 1) / 2;
      return p;
    };
    constexpr pool_shares shares = K == pool_kind::average ? pool_shares::all : pool_shares::found;
    return which == tern::pass::forward ? describe(pool_values<T, K, false>{s})
                                        : describe(pool_gradient<T, shares, false>{s});
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for every pass, which allocates; the default state under the other policies. Elements
  /// of x are not looked at. `how` is what the model's make_state takes besides: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using family = pooling_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "pooling: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      const pool_shape s = shape_of(x);
      const pool_values<T, K, K == pool_kind::max> forward{s};
      if constexpr (K == pool_kind::average)
        return family::make_state(std::tuple{forward, pool_gradient<T, pool_shares::all, true>{s}}, how...);
      else
        return family::make_state(std::tuple{forward, pool_gradient<T, pool_shares::given, true>{s},
                                             pool_gradient<T, pool_shares::found, true>{s}},
                                  how...);
    }
  }

 private:
  static constexpr const char* op = Op::name;

  /// Who gets shares, as the second tensor of a gradient says.
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
  /// The sizes of a call on a tensor of x's shape, which is only planned.
  template <class X>
  static pool_shape shape_of(const X& x) {
    using window = declare::pool_window<Rank, K, Config, T>;
    const auto v = as_view(x);
    declare::fact f = declare::fact_of<T>(v), y = f;
    impl::check_extents(op, "x", v);
    for (int r = 0; r < Rank; ++r) y.extent[2 + r] = dynamic;
    declare::sentence s;
    window::judge_window(s, op, "x", f, "y", y);
    if (s.size() > 0) violation("%s", s.text());
    return window::shape_of(v);
  }
};

}  // namespace tern::inline TERN_ISA
