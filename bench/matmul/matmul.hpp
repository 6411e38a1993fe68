// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of matmul as variants: any config, policy, pass and kind of weights.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "bench/harness/call.hpp"
#include "tern/core/view.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/matmul.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/policy/simd.hpp"

namespace tern::bench::inline TERN_ISA {

/// True if a policy is made for speed on this machine; it then takes part in every row.
template <class P>
constexpr bool is_fast() {
  if constexpr (P::execution == model::simd)
    return true;
  else if constexpr (P::execution == model::mimd)
    return P::machine.shares_host_memory;
  else
    return false;
}
/// Multiply-adds up to which other policies take part.
inline constexpr double patience = 300'000;

/// The properties of a call that are known while compiling. Dynamic sizes of the config come from the problem.
struct call_kind {
  matmul_config op{};
  pass direction = pass::forward;
  bool packed = false;
  bool transposed_b = false;
  bool prepared = false;  ///< through what `prepare` of the kernel returns; forward, without an epilogue

  constexpr bool is_static() const { return op.m != dynamic; }
};

namespace impl {

/// The run-time state of a call: none, an executor, or a tile machine.
struct no_state {};

template <class P, class T>
auto make_state(const problem& p, const setting& s) {
  using K = contraction_kernel<P>;
  if constexpr (requires { K::template make_state<T>(0, 0, 0, 0); }) {
    using state = decltype(K::template make_state<T>(0, 0, 0, 0));
    const index_t tiles = is_fast<P>() ? s.threads : P::machine.units, bytes = P::machine.local_bytes;
    const auto [m, n, k, batch] = matmul_sizes{p.op.m, p.op.n, p.op.k, p.op.batch};
    static serial caller;
    if (!s.executor)
      return std::shared_ptr<state>(
          new state(K::template make_state<T>(m, n, k, batch, tile_resources{tiles, bytes}, caller)));
    return std::shared_ptr<state>(
        new state(K::template make_state<T>(m, n, k, batch, tile_resources{tiles, bytes}, *s.executor)));
  } else {
    return std::make_shared<no_state>();
  }
}

/// A dense matrix, or a batch of them, as far as the config knows the sizes.
template <matmul_config C, index_t Rows, index_t Columns, class T>
auto dense(T* data, index_t batch, index_t rows, index_t columns) {
  if constexpr (C.batch == 1)
    return view<T, extents<Rows, Columns>>(unchecked, data, extents<Rows, Columns>(rows, columns));
  else
    return view<T, extents<C.batch, Rows, Columns>>(unchecked, data,
                                                    extents<C.batch, Rows, Columns>(batch, rows, columns));
}

template <call_kind Kind, class T>
auto left_of(const problem& p, const T* data) {
  constexpr matmul_config c = Kind.op;
  if constexpr (Kind.direction == pass::backward_data)
    return dense<c, c.m, c.n>(data, p.op.batch, p.op.m, p.op.n);
  else
    return dense<c, c.m, c.k>(data, p.op.batch, p.op.m, p.op.k);
}
template <call_kind Kind, class T>
auto right_of(const problem& p, const T* data) {
  constexpr matmul_config c = Kind.op;
  if constexpr (Kind.direction == pass::backward_weights)
    return dense<c, c.m, c.n>(data, p.op.batch, p.op.m, p.op.n);
  else if constexpr (Kind.transposed_b)
    return transposed(dense<c, c.n, c.k>(data, p.op.batch, p.op.n, p.op.k));
  else
    return dense<c, c.k, c.n>(data, p.op.batch, p.op.k, p.op.n);
}
template <call_kind Kind, class T>
auto output_of(const problem& p, T* data) {
  constexpr matmul_config c = Kind.op;
  if constexpr (Kind.direction == pass::backward_data)
    return dense<c, c.m, c.k>(data, p.op.batch, p.op.m, p.op.k);
  else if constexpr (Kind.direction == pass::backward_weights)
    return dense<c, c.k, c.n>(data, p.op.batch, p.op.k, p.op.n);
  else
    return dense<c, c.m, c.n>(data, p.op.batch, p.op.m, p.op.n);
}

/// Workspace that the policy's plan asks for, in bytes.
template <class P, class T>
index_t workspace_of(const problem& p, const setting& s) {
  using K = contraction_kernel<P>;
  const product q = p.as_product();
  if constexpr (requires { K::template plan_for<T>(q.m, q.n, q.k, q.batch, index_t(s.threads)); } &&
                P::execution == model::simd)
    return K::template plan_for<T>(q.m, q.n, q.k, q.batch, s.threads).workspace_bytes;
  else if constexpr (requires { K::template plan_for<T>(q.m, q.n, q.k, q.batch); })
    return K::template plan_for<T>(q.m, q.n, q.k, q.batch).workspace_bytes;
  else
    return 0;
}

/// One prepared call: kernel, state, views, workspace.
template <class P, class T, call_kind Kind, class State, class Right>
struct call {
  tern::kernel<matmul<Kind.op, T>, P> k;
  std::shared_ptr<State> state;
  decltype(left_of<Kind>(std::declval<problem>(), static_cast<const T*>(nullptr))) left;
  Right right;  ///< a view, or packed weights
  decltype(output_of<Kind>(std::declval<problem>(), static_cast<T*>(nullptr))) out;
  view<const T, extents<Kind.op.n>> bias;
  decltype(output_of<Kind>(std::declval<problem>(), static_cast<const T*>(nullptr))) residual;
  buffer owned;
  workspace memory;

  void operator()() const {
    if constexpr (std::is_same_v<State, no_state>)
      on();
    else
      on(*state);
  }

 private:
  template <class... S>
  void on(S&... s) const {
    constexpr matmul_config c = Kind.op;
    if constexpr (Kind.direction == pass::backward_data)
      k.backward_data(s..., left, right, out, memory);
    else if constexpr (Kind.direction == pass::backward_weights)
      k.backward_weights(s..., left, right, out, memory);
    else if constexpr (c.bias && c.residual)
      k(s..., left, right, bias, residual, out, memory);
    else if constexpr (c.bias)
      k(s..., left, right, bias, out, memory);
    else if constexpr (c.residual)
      k(s..., left, right, residual, out, memory);
    else
      k(s..., left, right, out, memory);
  }
};
template <class P, class T, call_kind Kind, class State, class Right>
  requires(Kind.prepared)
struct call<P, T, Kind, State, Right> : call<P, T, call_kind{.op = Kind.op, .packed = Kind.packed}, State, Right> {
  using plain = call<P, T, call_kind{.op = Kind.op, .packed = Kind.packed}, State, Right>;

  explicit call(plain&& c) : plain(std::move(c)), through(prepare_on(*this->state)) {}
  void operator()() const {
    if constexpr (std::is_same_v<State, no_state>)
      through(this->left, this->right, this->out);
    else
      through(*this->state, this->left, this->right, this->out);
  }

 private:
  template <class S>
  auto prepare_on(S& on) const {
    if constexpr (std::is_same_v<S, no_state>)
      return this->k.prepare(this->left, this->right, this->out);
    else
      return this->k.prepare(on, this->left, this->right, this->out);
  }
  tern::prepared<tern::kernel<matmul<Kind.op, T>, P>, pass::forward> through;
};

template <class P, class T, call_kind Kind, class State>
prepared prepare(const problem& p, const operands& x, const setting& s, std::shared_ptr<State> state) {
  const tern::kernel<matmul<Kind.op, T>, P> k;
  const index_t bytes = workspace_of<P, T>(p, s);
  buffer owned(bytes);
  const workspace memory{owned.as<char>(), bytes};
  const auto make = [&](auto right) {
    constexpr call_kind plain{Kind.op, Kind.direction, Kind.packed, Kind.transposed_b};
    return repeated_in(s,
                       call<P, T, Kind, State, decltype(right)>(call<P, T, plain, State, decltype(right)>{
                           k,
                           state,
                           left_of<Kind>(p, x.left<T>()),
                           std::move(right),
                           output_of<Kind>(p, x.out<T>()),
                           {unchecked, x.bias<T>(), extents<Kind.op.n>(p.op.n)},
                           output_of<Kind>(p, x.residual<T>()),
                           std::move(owned),
                           memory}),
                       bytes);
  };
  const auto right = right_of<Kind>(p, x.right<T>());
  if constexpr (Kind.packed)
    return make(k.pack(right));
  else
    return make(right);
}

}  // namespace impl

/// Adds the variant that computes problems of this kind under the policy P with elements T.
template <class P, class T, call_kind Kind>
void add_matmul(bool tuned = false) {
  variant v = variant_under<P>(std::string(Kind.packed ? "packed" : "plain") + (Kind.is_static() ? "-static" : "") +
                               (Kind.prepared ? "-prepared" : ""));
  v.tuned = tuned;
  v.takes = [](const problem& p, const setting& s) {
    constexpr matmul_config c = Kind.op;
    const auto same = [](index_t known, index_t given) { return known == dynamic || known == given; };
    if (p.kind() != problem_kind::matmul || p.f64 != std::is_same_v<T, double> || p.direction != Kind.direction ||
        p.transposed_b != Kind.transposed_b || p.op.bias != c.bias || p.op.residual != c.residual || p.op.act != c.act)
      return false;
    if (!same(c.m, p.op.m) || !same(c.n, p.op.n) || !same(c.k, p.op.k) || (c.batch == 1) != (p.op.batch == 1))
      return false;
    if (is_fast<P>()) return true;
    return p.fmas() <= patience && s.threads == 1;
  };
  add_variant(v, [](const problem& p, const auto& x, const setting& s) {
    if constexpr (P::execution == model::simd)
      if (s.executor)
        return impl::prepare<P, T, Kind>(p, x, s, std::shared_ptr<any_executor>(s.executor, [](any_executor*) {}));
    return impl::prepare<P, T, Kind>(p, x, s, impl::make_state<P, T>(p, s));
  });
}

/// The same with plain and with packed weights.
template <class P, class T, call_kind Kind>
void add_both(bool tuned = false) {
  constexpr call_kind packed{Kind.op, Kind.direction, true, Kind.transposed_b, Kind.prepared};
  add_matmul<P, T, Kind>(tuned);
  add_matmul<P, T, packed>(tuned);
}

}  // namespace tern::bench::inline TERN_ISA
