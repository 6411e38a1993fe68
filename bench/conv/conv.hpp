// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of convolutions as variants: any workload of the list, policy, pass and kind of weights. Channels and windows
// are in the type, as in a program of a user; extents and batch are not.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "bench/harness/call.hpp"
#include "bench/harness/images.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tests/support/variants.hpp"

namespace tern::bench::inline TERN_ISA {

namespace impl {

/// The tensors of a call, dense and channels last.
template <class Op>
struct conv_tensors {
  const convolution_of& c;

  template <class T>
  auto x(T* p) const {
    return image_of<Op::rank>(p, c.shape.batch, Op::config.in, c.shape.axis, !c.transposed);
  }
  template <class T>
  auto y(T* p) const {
    return image_of<Op::rank>(p, c.shape.batch, Op::config.out, c.shape.axis, c.transposed);
  }
  template <class T>
  auto weights(T* p) const {
    constexpr int rank = Op::rank;
    using shape = dims<rank + 2>;
    return [&]<std::size_t... R>(std::index_sequence<R...>) {
      const conv_shape& s = c.shape;
      return view<T, shape>(unchecked, p, shape(s.axis[3 - rank + R].kernel..., s.in, s.groups * s.out));
    }(std::make_index_sequence<rank>{});
  }
};

/// Calls `make` with a workspace as large as the kernel asks for, and repeats the call that it returns.
template <class Op, class K, class Make>
prepared lent_workspace(const problem& p, const setting& s, Make make) {
  conv_sizes<Op::rank> sizes{.batch = p.conv->shape.batch, .extent = {}};
  for (int r = 0; r < Op::rank; ++r) sizes.extent.of[r] = p.conv->shape.axis[3 - Op::rank + r].in;
  const index_t bytes = K::workspace_bytes(sizes, static_cast<index_t>(s.threads));
  const auto memory = std::make_shared<buffer>(bytes);
  return repeated_in(s, [memory, call = make(workspace{memory->template as<char>(), bytes})] { call(); }, bytes);
}

template <int I, class P, class T, pass Direction, bool Packed, class State>
prepared prepare_conv(const problem& p, const operands& x, const setting& s, std::shared_ptr<State> state) {
  using op = variants::op_of_workload<I, T>;
  using K = tern::kernel<op, P>;
  const conv_tensors<op> of{*p.conv};
  const auto make = [&](auto left, auto right, auto out) {
    return repeated_in(s, [k = K{}, state, left, right = std::move(right), out] {
      if constexpr (Direction == pass::forward)
        k(*state, left, right, out);
      else if constexpr (Direction == pass::backward_data)
        k.backward_data(*state, left, right, out);
      else
        k.backward_weights(*state, left, right, out);
    });
  };
  const auto w = of.weights(x.right<T>());
  if constexpr (Direction == pass::backward_weights)
    return make(of.x(x.left<T>()), of.y(x.right<T>()), of.weights(x.out<T>()));
  else if constexpr (Direction == pass::backward_data && Packed)
    return make(of.y(x.left<T>()), K{}.template pack<Direction>(w), of.x(x.out<T>()));
  else if constexpr (Direction == pass::backward_data)
    return make(of.y(x.left<T>()), w, of.x(x.out<T>()));
  else if constexpr (Packed && std::is_same_v<typename P::numerics_type, numerics::relaxed>)
    return lent_workspace<op, K>(p, s, [&](workspace memory) {
      return [k = K{}, state, memory, from = of.x(x.left<T>()), w = K{}.pack(w), to = of.y(x.out<T>())] {
        k(*state, from, w, to, memory);
      };
    });
  else if constexpr (Packed)
    return make(of.x(x.left<T>()), K{}.pack(w), of.y(x.out<T>()));
  else
    return make(of.x(x.left<T>()), w, of.y(x.out<T>()));
}

template <int I, class P, class T, class State>
prepared prepare_construction(const problem& p, const operands& x, const setting& s, std::shared_ptr<State> state) {
  using op = variants::op_of_workload<I, T>;
  using K = tern::kernel<op, P>;
  struct made {
    K k;
    typename K::packed_type w;
  };
  const conv_tensors<op> of{*p.conv};
  const auto last = std::make_shared<std::optional<made>>();
  prepared r = repeated_in(s, [last, w = of.weights(x.right<T>())] {
    const K k;
    last->emplace(made{k, k.pack(w)});
  });
  r.finish = [last, state, from = of.x(x.left<T>()), to = of.y(x.out<T>())] {
    (*last)->k(*state, from, (*last)->w, to);
  };
  return r;
}

}  // namespace impl

/// True if Winograd's algorithm applies to the workload.
constexpr bool has_fewer_products(const variants::conv_workload& w) {
  return w.rank == 2 && w.kind != w.transposed && w.kernel == 3 && w.stride == 1 && w.dilation == 1 && w.groups == 1 &&
         w.in % 16 == 0 && w.out % 16 == 0;
}

/// Adds the variant that computes a pass of workload I under the policy P, which is simd or mimd on tiles of the host.
template <int I, class P, class T, pass Direction, bool Packed>
void add_conv(bool tuned = false) {
  variant v = variant_under<P>(Packed ? "packed" : "plain");
  v.tuned = tuned;
  v.takes = [](const problem& p, const setting&) {
    if (!p.conv || p.f64 != std::is_same_v<T, double> || p.direction != Direction) return false;
    problem mine = problem_of(variants::conv_workloads[I], p.conv->shape.batch);
    mine.direction = Direction;
    return mine == p;
  };
  add_variant(v, [](const problem& p, const auto& x, const setting& s) {
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
      return on_executor(
          s, [&](auto state) { return impl::prepare_conv<I, P, T, Direction, Packed>(p, x, s, std::move(state)); });
    }
  });
}

/// Adds the variant that makes the kernel of workload I under P = simd<...> and packs its weights.
template <int I, class P, class T>
void add_construction() {
  variant v = variant_under<P>("packed");
  v.takes = [](const problem& p, const setting&) {
    if (!p.constructs) return false;
    problem mine = problem_of(variants::conv_workloads[I], p.conv->shape.batch);
    mine.constructs = true;
    return mine == p;
  };
  add_variant(v, [](const problem& p, const auto& x, const setting& s) {
    return on_executor(s, [&](auto state) { return impl::prepare_construction<I, P, T>(p, x, s, std::move(state)); });
  });
}

}  // namespace tern::bench::inline TERN_ISA
