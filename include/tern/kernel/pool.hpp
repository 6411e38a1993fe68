// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of pools: forward, with or without the indices of maxima, and the gradient, each callable alone.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/family/window/pooling.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/op/pool.hpp"

namespace tern::inline TERN_ISA {

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
    constexpr int given = impl::tensor_count<Args...>;
    constexpr bool right = (given == 2 || (given == 3 && K == pool_kind::max)) && impl::well_formed<Args...>,
                   adds = impl::has_option<accumulate_t, Args...>;
    static_assert(right, "pooling: the call takes (x, y), and of maxima (x, y) or (x, y, indices)");
    static_assert(!adds, "pooling: only gradients are accumulated: the call takes no tern::accumulate");
    if constexpr (right && !adds) forward(impl::state_of<pooling_kernel<Policy>>(args...), args...);
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
    constexpr bool right = impl::tensor_count<Args...> == (K == pool_kind::max ? 3 : 2) && impl::well_formed<Args...>;
    static_assert(right,
                  "pooling: backward_data takes (dy, dx) of averages, and of maxima (dy, indices, dx) or (dy, x, dx)");
    if constexpr (right) gradient(impl::state_of<pooling_kernel<Policy>>(args...), args...);
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
  /// Not the argument itself: clang before version 23 reads elements of its arrays in the wrong place
  /// (github.com/llvm/llvm-project/issues/146272).
  static constexpr pool_config<Rank> C = Config;
  static constexpr const char* op = Op::name;

  /// The sizes of a call on a tensor of x's shape, which is only planned.
  template <class X>
  static pool_shape shape_of(const X& x) {
    const auto v = as_view(x);
    impl::check_extents(op, "x", v);
    pool_shape s{.batch = v.extent(0), .channels = v.extent(1), .count_padding = C.count_padding};
    for (int r = 0; r < Rank; ++r) s.axis[3 - Rank + r] = axis_of("x", v, r, v.extent(2 + r));
    return s;
  }

  template <class State, class... Args>
  static void forward(State&& state, Args&... args) {
    constexpr bool has_indices = impl::tensor_count<Args...> == 3;
    const auto x = as_view(impl::nth_tensor<0>(args...));
    const auto y = as_view(impl::nth_tensor<1>(args...));
    pool_values<T, K, has_indices> q;
    q.x = impl::image_operand<const T, Rank>(op, "x", x);
    q.y = impl::image_operand<T, Rank>(op, "y", y);
    q.shape = check("x", x, "y", y);
    const impl::interval_set from = inputs(q.x, q.shape), to = results(q.y, q.shape);
    if constexpr (has_indices) {
      q.indices = index_operand<std::int32_t>(as_view(impl::nth_tensor<2>(args...)), "y", y);
      check_positions(q.shape);
      impl::check_output(op, results(q.indices, q.shape), from, to);
    }
    impl::check_output(op, to, from);
    pooling_kernel<Policy>::run(state, q);
  }

  template <class State, class... Args>
  static void gradient(State&& state, Args&... args) {
    constexpr bool add = impl::has_option<accumulate_t, Args...>;
    const auto dy = as_view(impl::nth_tensor<0>(args...));
    const auto dx = as_view(impl::nth_tensor < K == pool_kind::max ? 2 : 1 > (args...));
    if constexpr (K == pool_kind::average) {
      gradient<pool_shares::all, add>(state, dy, dy, dx);
    } else {
      const auto by = as_view(impl::nth_tensor<1>(args...));
      constexpr bool given = std::is_same_v<typename decltype(by)::value_type, std::int32_t>;
      gradient<given ? pool_shares::given : pool_shares::found, add>(state, dy, by, dx);
    }
  }
  /// \param by  what says who gets shares: indices or x
  template <pool_shares S, bool Add, class State, class Dy, class By, class Dx>
  static void gradient(State& state, const Dy& dy, const By& by, const Dx& dx) {
    pool_gradient<T, S, Add> q;
    q.dy = impl::image_operand<const T, Rank>(op, "dy", dy);
    q.dx = impl::image_operand<T, Rank>(op, "dx", dx);
    q.shape = check("dx", dx, "dy", dy);
    const impl::interval_set to = inputs(q.dx, q.shape);
    impl::check_output(op, to, results(q.dy, q.shape));
    if constexpr (S == pool_shares::given) {
      q.indices = index_operand<const std::int32_t>(by, "dy", dy);
      impl::check_output(op, to, results(q.indices, q.shape));
    } else if constexpr (S == pool_shares::found) {
      q.x = impl::image_operand<const T, Rank>(op, "x", by);
      impl::check_equal_shapes(op, "x", by, "dx", dx);
      impl::check_output(op, to, inputs(q.x, q.shape));
    }
    if constexpr (S != pool_shares::all) check_positions(q.shape);
    pooling_kernel<Policy>::run(state, q);
  }

  /// The sizes of a call. The shapes of both tensors agree with each other and the config.
  template <class X, class Y>
  TERN_INLINE static pool_shape check(const char* x_name, const X& x, const char* y_name, const Y& y) {
    using in = typename X::extents_type;
    using out = typename Y::extents_type;
    // By name, so that compilers say the sentence and not the expression.
    constexpr auto agree = [](index_t a, index_t b, index_t wanted) {
      return impl::may_agree(a, b) && impl::may_agree(a, wanted) && impl::may_agree(b, wanted);
    };
    constexpr bool channels_agree = agree(in::static_extent(1), out::static_extent(1), C.channels),
                   batch_agrees = agree(in::static_extent(0), out::static_extent(0), C.batch),
                   extents_agree = impl::extents_may_agree<in, out>(C, &window_axis::out);
    static_assert(channels_agree,
                  "pooling: extent 1 of x and y, the channels, must be equal, and .channels where that is set");
    static_assert(batch_agrees, "pooling: extent 0 of x and y, the batch, must be equal, and .batch where that is set");
    static_assert(extents_agree,
                  "pooling: the spatial extents of x must be .extent where that is set, and those of y what the window "
                  "makes of them");
    pool_shape s{.batch = C.batch == dynamic ? x.extent(0) : C.batch,
                 .channels = C.channels == dynamic ? x.extent(1) : C.channels,
                 .count_padding = C.count_padding};
    bool right =
        x.extent(0) == s.batch && y.extent(0) == s.batch && x.extent(1) == s.channels && y.extent(1) == s.channels;
    for (int r = 0; r < Rank; ++r) {
      window_axis& a = s.axis[3 - Rank + r];
      const index_t size = C.extent[r] == dynamic ? x.extent(2 + r) : C.extent[r];
      a = axis_of(x_name, x, r, size);
      right = right && x.extent(2 + r) == size && y.extent(2 + r) == a.out;
    }
    if (!right) shapes_violation(x_name, x, y_name, y, s);
    return s;
  }
  /// \param wanted  what the shapes had to be
  template <class X, class Y>
  TERN_COLD static void shapes_violation(const char* x_name, const X& x, const char* y_name, const Y& y,
                                         const pool_shape& wanted) {
    impl::shape_text of_x{}, of_y{};
    for (impl::shape_text* t : {&of_x, &of_y}) append(*t, wanted.batch), append(*t, wanted.channels);
    for (int r = 3 - Rank; r < 3; ++r) append(of_x, wanted.axis[r].in), append(of_y, wanted.axis[r].out);
    violation("%s: %s is %s and %s is %s: %s must be %s and %s %s", op, x_name, impl::text_of(x).text, y_name,
              impl::text_of(y).text, x_name, of_x.text, y_name, of_y.text);
  }
  template <class X>
  TERN_INLINE static window_axis axis_of(const char* name, const X& x, int r, index_t size) {
    const window_axis a = C.axis(r, size);
    if (size > 0 && a.out < 1)
      violation("%s: %s is %s: on axis %d the window reaches over %td elements, more than there are with padding", op,
                name, impl::text_of(x).text, r, a.reach());
    return a;
  }
  TERN_INLINE static void check_positions(const pool_shape& s) {
    const index_t positions = s.axis[0].in * s.axis[1].in * s.axis[2].in;
    constexpr index_t most = std::numeric_limits<std::int32_t>::max();
    if (positions > most)
      violation("%s: there are %td positions per channel, the index of a maximum is one of at most %td", op, positions,
                most);
  }

  template <class I, class View, class Y>
  TERN_INLINE static image<I> index_operand(const View& v, const char* y_name, const Y& y) {
    constexpr bool right = std::is_same_v<typename View::value_type, std::int32_t>;
    static_assert(right, "pooling: indices must be std::int32_t");
    if constexpr (right) {
      const image<I> i = impl::image_operand<I, Rank>(op, "indices", v);
      impl::check_equal_shapes(op, "indices", v, y_name, y);
      return i;
    } else {
      return {};
    }
  }

  template <class U>
  TERN_INLINE static impl::interval_set inputs(const image<U>& i, const pool_shape& s) {
    return impl::intervals_of(i, s.batch, s.channels, {s.axis[0].in, s.axis[1].in, s.axis[2].in});
  }
  template <class U>
  TERN_INLINE static impl::interval_set results(const image<U>& i, const pool_shape& s) {
    return impl::intervals_of(i, s.batch, s.channels, {s.axis[0].out, s.axis[1].out, s.axis[2].out});
  }
};

}  // namespace tern::inline TERN_ISA
