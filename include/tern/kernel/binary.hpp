// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of functions of two tensors: forward, and the gradients of both.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/map_calls.hpp"
#include "tern/op/binary.hpp"

namespace tern::tile::inline TERN_ISA {

/// Maps a and b to y.
template <binary_kind K>
struct binary_map {
  static constexpr int inputs = 2, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = 1;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::select;
    const V a = in[0], b = in[1];
    if constexpr (K == binary_kind::subtract)
      out[0] = a - b;
    else if constexpr (K == binary_kind::divide)
      out[0] = a / b;
    else
      out[0] = select(b == b, K == binary_kind::maximum ? math::at_least(b, a) : math::at_most(b, a), b);
  }
};
/// Maps dy, and a and b unless they are subtracted, to da and db.
template <binary_kind K, bool Accumulate>
struct binary_gradient_map {
  static constexpr int inputs = K == binary_kind::subtract ? 1 : 3, outputs = 2;
  static constexpr bool accumulates = Accumulate;
  static constexpr index_t operations = (K == binary_kind::subtract ? 1
                                         : K == binary_kind::divide ? 4
                                                                    : 7) +
                                        2 * Accumulate;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::product;
    using math::select;
    const V dy = in[0];
    if constexpr (K == binary_kind::subtract) {
      add(dy, -dy, out);
    } else if constexpr (K == binary_kind::divide) {
      const V a = in[1], b = in[2], da = dy / b;
      add(da, -product(da, a / b), out);
    } else {
      const V zero(0.0f), a = in[1], b = in[2], share = select(a == b, product(dy, V(0.5f)), dy);
      const V unless_less = select(a < b, zero, share), unless_larger = select(b < a, zero, share);
      if constexpr (K == binary_kind::maximum)
        add(unless_less, unless_larger, out);
      else
        add(unless_larger, unless_less, out);
    }
  }

 private:
  template <class V>
  TERN_FN static void add(V da, V db, V* out) {
    out[0] = Accumulate ? out[0] + da : da;
    out[1] = Accumulate ? out[1] + db : db;
  }
};

}  // namespace tern::tile::inline TERN_ISA

namespace tern::inline TERN_ISA {

namespace declare {

inline constexpr const char* binary_shape = "n channels spatial...";

template <binary_config C, class T>
struct binary_pass : mapped<T, tile::binary_map<C.kind>> {
  static constexpr declaration declared{
      "", 0, 3, in("a", binary_shape), in("b", binary_shape), out("y", binary_shape).may_be("a b")};
};
template <binary_config C, class T>
struct binary_gradient_pass : mapped<T, tile::binary_gradient_map<C.kind, false>> {
  using optional = options<accumulate_t>;
  static constexpr bool reads = C.kind != binary_kind::subtract;
  static constexpr declaration declared{"backward_data",
                                        0,
                                        3,
                                        in("dy", binary_shape),
                                        in("a", binary_shape).when(reads, ".kind", "divide, maximum or minimum"),
                                        in("b", binary_shape).when(reads, ".kind", "divide, maximum or minimum"),
                                        out("da", binary_shape).may_be("dy a b"),
                                        out("db", binary_shape).may_be("dy a b")};
  static constexpr cost cost_of(const auto& q) { return cost_at_places(q); }

  template <bool Add, class... View>
  TERN_INLINE static auto problem(const char*, const View&... view) {
    return at_places<mapping<T, tile::binary_gradient_map<C.kind, Add>>>(view...);
  }
};

}  // namespace declare

template <binary_config Config, class T, class Op, class Policy>
struct operations<binary<Config, T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::binary_pass<Config, T>,
                                   declare::binary_gradient_pass<Config, T>> {
  /// y = a - b, a / b, max(a, b) or min(a, b).
  ///
  ///     k([state,] a, b, y)
  ///
  /// \param a  (n, channels, spatial...), in any layout
  /// \param b  shape of a
  /// \param y  shape of a; may be an input itself, and shares no other element with one
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, a view is null, y shares elements
  /// with an input, or tiles are too small. Accuracy: one rounding; a maximum or minimum is exact. Cost: every element
  /// is read and written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::binary_pass<Config, T>>(args...);
  }

  /// The gradients of a and b. That of a maximum or minimum goes in halves to both where they are equal.
  ///
  ///     k.backward_data([state,] dy [, a, b], da, db [, tern::accumulate])
  ///
  /// \param a, b    those of the forward pass; not given if they are subtracted
  /// \param da, db  shape of dy; may be inputs themselves
  /// Errors and cost are those of the forward pass. Accuracy: da one rounding, db of a quotient three.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::binary_gradient_pass<Config, T>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
