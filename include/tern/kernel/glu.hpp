// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of gated linear units: forward, and the gradients of gate and x.
#pragma once

#include <type_traits>

#include "tern/core/activate.hpp"
#include "tern/core/config.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/map_calls.hpp"
#include "tern/op/glu.hpp"

namespace tern::tile::inline TERN_ISA {

/// Inputs: gate and x.
template <activation A>
struct glu_map {
  static constexpr int inputs = 2, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 2;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::product;
    out[0] = product(activate<A>(in[0]), in[1]);
  }
};
/// Inputs: dy, gate and x; outputs: dgate and dx.
template <activation A, bool Accumulate>
struct glu_gradient_map {
  static constexpr int inputs = 3, outputs = 2;
  static constexpr bool accumulates = Accumulate;
  static constexpr index_t operations = 5 + 2 * Accumulate;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::product;
    const V gated = activate<A>(in[1]);
    const V d[] = {activation_gradient<A>(product(in[0], in[2]), derivative_from_result(A) ? gated : in[1]),
                   product(in[0], gated)};
    for (int i = 0; i < 2; ++i) out[i] = Accumulate ? out[i] + d[i] : d[i];
  }
};

}  // namespace tern::tile::inline TERN_ISA

namespace tern::inline TERN_ISA {

namespace declare {

inline constexpr const char* glu_shape = "n channels spatial...";

template <glu_config C, class T>
struct glu_pass : mapped<T, tile::glu_map<C.act>> {
  static constexpr declaration declared{
      "", 0, 3, in("gate", glu_shape), in("x", glu_shape), out("y", glu_shape).may_be("gate x")};
};
template <glu_config C, class T>
struct glu_gradient_pass : mapped<T, tile::glu_gradient_map<C.act, false>> {
  using optional = options<accumulate_t>;
  static constexpr declaration declared{"backward_data",
                                        0,
                                        3,
                                        in("dy", glu_shape),
                                        in("gate", glu_shape),
                                        in("x", glu_shape),
                                        out("dgate", glu_shape).may_be("dy gate x"),
                                        out("dx", glu_shape).may_be("dy gate x")};
  static constexpr cost cost_of(const auto& q) { return cost_at_places(q); }

  template <bool Add, class... View>
  TERN_INLINE static auto problem(const char*, const View&... view) {
    return at_places<mapping<T, tile::glu_gradient_map<C.act, Add>>>(view...);
  }
};

}  // namespace declare

template <glu_config Config, class T, class Op, class Policy>
struct operations<glu<Config, T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::glu_pass<Config, T>, declare::glu_gradient_pass<Config, T>> {
  /// y = act(gate) x.
  ///
  ///     k([state,] gate, x, y)
  ///
  /// \param gate  (n, channels, spatial...), in any layout
  /// \param x     shape of gate
  /// \param y     shape of gate; may be an input itself, and shares no other element with one
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, a view is null, y shares elements
  /// with an input, or tiles are too small. Accuracy: that of the activation, and one rounding. Cost: every element is
  /// read and written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::glu_pass<Config, T>>(args...);
  }

  /// dgate = act'(gate) (dy x) and dx = dy act(gate). Nothing is stored between the passes.
  ///
  ///     k.backward_data([state,] dy, gate, x, dgate, dx [, tern::accumulate])
  ///
  /// \param dgate, dx  shape of gate; may be inputs themselves
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::glu_gradient_pass<Config, T>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
