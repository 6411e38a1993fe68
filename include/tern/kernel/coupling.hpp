// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of couplings: forward, the inverse, and streams made of real numbers and back.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/family/map/coupling.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/coupling.hpp"

namespace tern::inline TERN_ISA {

template <coupling_config Config, class T, class Op, class Policy>
struct operations<coupling<Config, T>, Op, Policy> {
  static_assert(
      requires { sizeof(mapping_kernel<Policy>); },
      "coupling: there is no kernel under this policy here: include the header of its model, such as tern/simd.hpp");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "coupling: the element type must be float or double: there are no kernels for others yet");

  using value_type = T;

  /// y = x + f, f in whole steps of the stream.
  ///
  ///     k([state,] x, f, y)
  ///
  /// \param x  the stream: (n, channels, spatial...), in any layout, as to_stream or a coupling made it
  /// \param f  shape of x: real numbers, of which those with a large magnitude are cut off and NaN is 0
  ///           (docs/numerics.md)
  /// \param y  shape of x; may be an input itself, and shares no other element with one
  /// Throws std::invalid_argument, before anything is written, where shapes disagree, a view is null, y shares elements
  /// with an input, or tiles are too small. Accuracy: f is rounded to the nearest step; the sum is exact, but for one
  /// rounding where the stream drifts. On a grid it is NaN where it leaves the range, now and ever after. Cost: every
  /// element is read and written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool right = well_formed<3, Args...>;
    static_assert(right, "coupling: the call takes (x, f, y)");
    if constexpr (right) start<tile::coupling_map<C.stream, bits, false>>({"x", "f", "y"}, args...);
  }

  /// x = y - f: all bits of the x that the forward pass made y of with the same f. On a grid as long as no sum has left
  /// the range; where a stream drifts, nearly.
  ///
  ///     k.inverse([state,] y, f, x)
  ///
  /// \param x  shape of y; may be an input itself, and shares no other element with one
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void inverse(Args&&... args) const {
    constexpr bool right = well_formed<3, Args...>;
    static_assert(right, "coupling: inverse takes (y, f, x)");
    if constexpr (right) start<tile::coupling_map<C.stream, bits, true>>({"y", "f", "x"}, args...);
  }

  /// s = the stream nearest to real numbers x: in fixed point cut off at the largest, on a grid NaN outside of the
  /// range.
  ///
  ///     k.to_stream([state,] x, s)
  ///
  /// \param s  shape of x; may be x itself, and shares no other element with it
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void to_stream(Args&&... args) const {
    constexpr bool right = well_formed<2, Args...>;
    static_assert(right, "coupling: to_stream takes (x, s)");
    if constexpr (right) start<tile::stream_map<C.stream, bits, false>>({"x", "s"}, args...);
  }

  /// y = the real numbers that a stream stands for. Those of a fixed-point stream are rounded, as an integer has more
  /// bits than a fraction.
  ///
  ///     k.from_stream([state,] s, y)
  ///
  /// \param y  shape of s; may be s itself, and shares no other element with it
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void from_stream(Args&&... args) const {
    constexpr bool right = well_formed<2, Args...>;
    static_assert(right, "coupling: from_stream takes (s, y)");
    if constexpr (right) start<tile::stream_map<C.stream, bits, true>>({"s", "y"}, args...);
  }

  /// How a coupling of tensors of x's shape will run, in either direction: the bytes it reads and writes, operations,
  /// and under mimd tiles, memory and cycles. Elements of x are not looked at. `how` is what the model takes besides:
  /// the concurrency of the executor under simd, tiles under mimd.
  template <class X, class... How>
  static tern::plan plan(const X& x, tern::pass which = tern::pass::forward, How... how) {
    if (which != tern::pass::forward)
      violation("%s: gradients pass straight through: the pass of a plan must be forward", op);
    const auto q = planned<sums>(as_view(x));
    tern::plan p = impl::plan_of_moves<mapping_kernel<Policy>, Policy, T>(op, which, 3 * q.elements(), q, how...);
    p.m = q.rows() * q.extent[2], p.n = q.channels, p.k = 1;
    p.flops = static_cast<double>(q.elements() * sums::operations);
    return p;
  }

  /// Run-time state with which calls on tensors of x's shape run: what a call takes as its first argument. Under mimd a
  /// tern::tile_machine with room for every call, which allocates; the default state under the other policies. Elements
  /// of x are not looked at. `how` is what the model's make_state takes besides: see docs/mimd.md.
  template <class X, class... How>
  static auto make_state(const X& x, How&&... how) {
    using family = mapping_kernel<Policy>;
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "coupling: make_state takes a tensor only under this policy");
      return typename family::context{};
    } else {
      const auto v = as_view(x);
      return family::make_state(std::tuple{planned<sums>(v), planned<tile::stream_map<C.stream, bits, false>>(v)},
                                how...);
    }
  }

 private:
  static constexpr coupling_config C = Config;
  static constexpr int bits = coupling<Config, T>::bits;
  static constexpr const char* op = Op::name;
  using sums = tile::coupling_map<C.stream, bits, false>;

  template <int Tensors, class... Args>
  static constexpr bool well_formed = impl::tensor_count<Args...> == Tensors && impl::option_count<Args...> == 0 &&
                                      impl::with_options<>::template well_formed<Args...>;

  template <class Call, class View>
  TERN_INLINE static void set_shape(Call& q, const char* name, const View& v) {
    static_assert(View::rank >= 2 && View::rank <= 5,
                  "coupling: tensors must have the rank (sample, channel, spatial...), with up to three axes");
    impl::check_extents(op, name, v);
    impl::set_sizes(q, v);
  }
  /// The call on tensors of v's shape, which is only planned.
  template <class F, class View>
  static mapping<T, F> planned(const View& v) {
    mapping<T, F> q;
    set_shape(q, "x", v);
    for (auto& i : q.in) i = impl::planned_image<T>(q);
    return q;
  }

  /// \param names  of the tensors: inputs, then the result; the first one gives the shape
  template <class F, class... Args>
  static void start(const char* const (&names)[F::inputs + 1], Args&... args) {
    decltype(auto) state = impl::state_of<mapping_kernel<Policy>>(args...);
    const auto first = as_view(impl::nth_tensor<0>(args...));
    mapping<T, F> q;
    set_shape(q, names[0], first);
    q.in[0] = impl::scattered_operand<const T, false>(op, names[0], first);
    if constexpr (F::inputs == 2)
      q.in[1] = whole<const T>(names[1], as_view(impl::nth_tensor<1>(args...)), names[0], first);
    q.out[0] = whole<T>(names[F::inputs], as_view(impl::nth_tensor<F::inputs>(args...)), names[0], first);
    check_output(q, names[F::inputs]);
    mapping_kernel<Policy>::run(state, q);
  }
  /// A tensor of the shape of the first one.
  template <class U, class View, class First>
  TERN_INLINE static scattered_image<U> whole(const char* name, const View& v, const char* first_name,
                                              const First& first) {
    constexpr bool of_rank = View::rank == First::rank;
    static_assert(of_rank, "coupling: tensors of a call must have one rank");
    if constexpr (of_rank) impl::check_equal_shapes(op, name, v, first_name, first);
    return impl::scattered_operand<U, false>(op, name, v);
  }
  template <class F>
  TERN_INLINE static void check_output(const mapping<T, F>& q, const char* name) {
    const impl::image_shape s{q.batch, q.channels, {q.extent[0], q.extent[1], q.extent[2]}};
    const impl::interval_set to = impl::intervals_of(q.out[0], s);
    for (const scattered_image<const T>& from : q.in)
      if (!impl::same_place(from, q.out[0]) && impl::intervals_of(from, impl::distinct_elements(from, s)).meets(to))
        violation("%s: %s shares elements with an input, and is not that input itself", op, name);
    if (!to.nested()) violation("%s: the strides of %s give two results one element", op, name);
  }
};

}  // namespace tern::inline TERN_ISA
