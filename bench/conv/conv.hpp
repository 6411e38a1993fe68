// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of convolutions as variants: any workload of the list, policy, pass and kind of weights. Channels and windows
// are in the type, as in a program of a user; extents and batch are not.
//
// A call goes through a function that is not inlined and finds its views in memory, so that every timed call checks its
// arguments and computes its addresses anew.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "bench/harness/variant.hpp"
#include "bench/support/names.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tests/support/variants.hpp"

namespace tern::bench::inline TERN_ISA {

/// The op of workload I.
template <int I, class T>
constexpr auto op_of_workload() {
  constexpr const variants::conv_workload& w = variants::conv_workloads[I];
  if constexpr (w.kind == w.transposed)
    return std::type_identity<transposed_convolution<w.rank, variants::conv_transpose_config_of<w.rank>(w), T>>{};
  else
    return std::type_identity<convolution<w.rank, variants::conv_config_of<w.rank>(w), T>>{};
}

namespace impl {

/// x or y, dense and channels last.
template <int Rank, class T>
auto tensor(T* p, index_t batch, index_t channels, const window_axis (&axis)[3], bool wide) {
  using shape = dims<Rank + 2>;
  return [&]<std::size_t... R>(std::index_sequence<R...>) {
    return view<T, shape, layout_channels_last>(
        p, shape(batch, channels, (wide ? axis[3 - Rank + R].in : axis[3 - Rank + R].out)...));
  }(std::make_index_sequence<Rank>{});
}
template <int Rank, class T>
auto weights(T* p, const conv_shape& s) {
  using shape = dims<Rank + 2>;
  return [&]<std::size_t... R>(std::index_sequence<R...>) {
    return view<T, shape>(p, shape(s.axis[3 - Rank + R].kernel..., s.in, s.groups * s.out));
  }(std::make_index_sequence<Rank>{});
}

template <class K, class State, class Left, class Right, class Out>
struct conv_call {
  K k;
  pass direction;
  std::shared_ptr<State> state;
  Left left;
  Right right;
  Out out;
};

template <pass Direction, class Call>
__attribute__((noinline)) void call_conv_once(const Call& c) {
  if constexpr (Direction == pass::forward)
    c.k(*c.state, c.left, c.right, c.out);
  else if constexpr (Direction == pass::backward_data)
    c.k.backward_data(*c.state, c.left, c.right, c.out);
  else
    c.k.backward_weights(*c.state, c.left, c.right, c.out);
}

template <int I, class P, class T, pass Direction, bool Packed, class State>
prepared prepare_conv(const problem& p, const operands& x, const setting& s, std::shared_ptr<State> state) {
  using op = typename decltype(op_of_workload<I, T>())::type;
  using K = tern::kernel<op, P>;
  constexpr int rank = op::rank;
  const convolution_of& c = *p.conv;
  const conv_shape& shape = c.shape;
  const auto x_tensor = [&](auto* data) {
    return tensor<rank>(data, shape.batch, op::config.in, shape.axis, !c.transposed);
  };
  const auto y_tensor = [&](auto* data) {
    return tensor<rank>(data, shape.batch, op::config.out, shape.axis, c.transposed);
  };
  const auto make = [&](auto left, auto right, auto out) {
    using C = conv_call<K, State, decltype(left), decltype(right), decltype(out)>;
    std::shared_ptr<const C> call(new C{K{}, Direction, state, left, std::move(right), out});
    const auto repeat = [call](long n) {
      for (; n > 0; --n) call_conv_once<Direction>(*call);
    };
    if (!s.within) return prepared{repeat, 0};
    return prepared{[repeat, within = s.within](long n) { within([&] { repeat(n); }); }, 0};
  };
  const auto w = weights<rank>(x.right<T>(), shape);
  if constexpr (Direction == pass::backward_weights)
    return make(x_tensor(x.left<T>()), y_tensor(x.right<T>()), weights<rank>(x.out<T>(), shape));
  else if constexpr (Direction == pass::backward_data && Packed)
    return make(y_tensor(x.left<T>()), K{}.pack(w), x_tensor(x.out<T>()));
  else if constexpr (Direction == pass::backward_data)
    return make(y_tensor(x.left<T>()), w, x_tensor(x.out<T>()));
  else if constexpr (Packed)
    return make(x_tensor(x.left<T>()), K{}.pack(w), y_tensor(x.out<T>()));
  else
    return make(x_tensor(x.left<T>()), w, y_tensor(x.out<T>()));
}

}  // namespace impl

/// Adds the variant that computes a pass of workload I under the policy P, which is simd or mimd on tiles of the host.
template <int I, class P, class T, pass Direction, bool Packed>
void add_conv() {
  variant v;
  v.weights = Packed ? "packed" : "plain";
  v.policy = policy_name<P>();
  v.exact = std::is_same_v<typename P::numerics_type, numerics::exact>;
  v.judged = std::is_same_v<P, simd<>>;
  v.takes = [](const problem& p, const setting&) {
    if (!p.conv || p.f64 != std::is_same_v<T, double> || p.direction != Direction) return false;
    problem mine = problem_of(variants::conv_workloads[I], p.conv->shape.batch);
    mine.direction = Direction;
    return mine == p;
  };
  v.prepare = [](const problem& p, const operands& x, const setting& s) {
    if constexpr (P::execution == model::mimd) {
      using family = convolution_kernel<P>;
      static serial caller;
      const tile_resources have{s.threads, 0};
      using state = decltype(family::template make_state<T>(p.conv->shape));
      std::shared_ptr<state> machine;
      if (s.executor)
        machine.reset(new state(family::template make_state<T>(p.conv->shape, have, *s.executor)));
      else
        machine.reset(new state(family::template make_state<T>(p.conv->shape, have, caller)));
      return impl::prepare_conv<I, P, T, Direction, Packed>(p, x, s, machine);
    } else {
      if (s.executor)
        return impl::prepare_conv<I, P, T, Direction, Packed>(
            p, x, s, std::shared_ptr<any_executor>(s.executor, [](any_executor*) {}));
      return impl::prepare_conv<I, P, T, Direction, Packed>(p, x, s, std::make_shared<serial>());
    }
  };
  variants_of_all().push_back(v);
}

}  // namespace tern::bench::inline TERN_ISA
