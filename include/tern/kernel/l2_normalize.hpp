// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// L2 normalisation, a whole op in one file: config, row programs, references and calls.
#pragma once

#include "tern/core/dtype.hpp"
#include "tern/family/reduction/reference_loops.hpp"
#include "tern/family/reduction/row_program.hpp"
#include "tern/kernel/row_calls.hpp"
#include "tern/op/config_rules.hpp"

namespace tern {

/// Configuration of an l2_normalize.
struct l2_config {
  int axis = last;  ///< the axis to normalise, counted from 0, or from the end if negative; by default the last one

  static constexpr int last = -1000;  ///< the value of .axis that means: not given

  friend TERN_FN constexpr bool operator==(const l2_config&, const l2_config&) = default;
  TERN_FN constexpr int axis_of(int rank) const { return axis == last ? rank - 1 : axis < 0 ? axis + rank : axis; }
};

/// y = x / max(|x|, 2^-40) along one axis, |x| the Euclidean norm. x has two to five axes, in any layout.
template <l2_config C = l2_config{}, element T = float>
struct l2_normalize {
  using op_type = l2_normalize;
  using value_type = T;
  static constexpr l2_config config = C;
  static constexpr const char* name = "l2_normalize";

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const l2_config& c = C) { return detail::broken_config(c); }
};

namespace row::inline TERN_ISA {

/// 1 / max(|x|, 2^-40) from the sum of squares; a NaN stays one.
template <class V>
TERN_FN V inverse_norm(V squares) {
  const V norm = sqrt(squares), least(0x1p-40f);
  return V(1.0f) / select(least > norm, least, norm);
}
/// The factor of x in the gradient, from the sum of dy x; 0 if the norm is clamped.
template <class V>
TERN_FN V l2_share(V sum, V inverse) {
  return select(inverse == V(0x1p40f), V(0.0f), product(product(sum, inverse), inverse));
}

/// \tparam X  the tensor
template <class X>
struct l2_inverse : sum_step {
  static TERN_FN auto add(const auto& e, auto sum) { return fma(e[X()], e[X()], sum); }
  static TERN_FN auto finish(const auto&, auto sum) { return inverse_norm(sum); }
};

template <class T>
struct l2_rows : elements<T, 1> {
  using x = typename l2_rows::template in<0>;
  using inverse = l2_inverse<x>;
  struct y : map_step<typename l2_rows::out> {
    static TERN_FN auto of(const auto& e) { return product(e[x()], e[inverse()]); }
  };
  using steps = list<inverse, y>;
  static constexpr int operations = 4;

  static void reference(const call<l2_rows>& q) {
    impl::each_feature_row(q.shape, [&](index_t n, index_t z, index_t y, index_t x) {
      const auto in = [&](index_t i) { return *q.in[0].at(n, i, z, y, x); };
      const T r = inverse_norm(
          impl::sum_of_features<T>(q.shape.features, [&](index_t i, T lane) { return fma(in(i), in(i), lane); }));
      for (index_t i = 0; i < q.shape.features; ++i) *q.out.at(n, i, z, y, x) = product(in(i), r);
    });
  }
};

template <class T, bool Accumulate>
struct l2_gradient_rows : elements<T, 2, Accumulate> {
  using dy = typename l2_gradient_rows::template in<0>;
  using x = typename l2_gradient_rows::template in<1>;
  using inverse = l2_inverse<x>;
  struct share : sum_step {
    static TERN_FN auto add(const auto& e, auto sum) { return fma(e[dy()], e[x()], sum); }
    static TERN_FN auto finish(const auto& e, auto sum) { return l2_share(sum, e[inverse()]); }
  };
  struct dx : map_step<typename l2_gradient_rows::out> {
    static TERN_FN auto of(const auto& e) { return product(fma(-e[x()], e[share()], e[dy()]), e[inverse()]); }
  };
  using steps = list<inverse, share, dx>;
  static constexpr int operations = 8;

  static void reference(const call<l2_gradient_rows>& q) {
    impl::each_feature_row(q.shape, [&](index_t n, index_t z, index_t y, index_t x) {
      const auto in = [&](int t, index_t i) { return *q.in[t].at(n, i, z, y, x); };
      const auto sum = [&](int t) {
        return impl::sum_of_features<T>(q.shape.features,
                                        [&](index_t i, T lane) { return fma(in(t, i), in(1, i), lane); });
      };
      const T r = inverse_norm(sum(1)), share = l2_share(sum(0), r);
      for (index_t i = 0; i < q.shape.features; ++i) {
        T& to = *q.out.at(n, i, z, y, x);
        const T d = product(fma(-in(1, i), share, in(0, i)), r);
        to = Accumulate ? to + d : d;
      }
    });
  }
};

}  // namespace row::inline TERN_ISA

inline namespace TERN_ISA {

namespace declare {

template <l2_config C, class T>
struct l2_pass : row_pass<l2_pass<C, T>, C, row::l2_rows<T>> {
  static constexpr declaration declared{"", 2, 5, in("x", "axes..."), out("y", "axes...").may_be("x")};
};
template <l2_config C, class T>
struct l2_gradient_pass
    : row_pass<l2_gradient_pass<C, T>, C, row::l2_gradient_rows<T, false>, row::l2_gradient_rows<T, true>> {
  using optional = options<accumulate_t>;
  static constexpr declaration declared{
      "backward_data", 2, 5, in("dy", "axes..."), in("x", "axes..."), out("dx", "axes...").may_be("dy x")};
};

}  // namespace declare

template <l2_config C, class T, class Op, class Policy>
struct operations<l2_normalize<C, T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::l2_pass<C, T>, declare::l2_gradient_pass<C, T>> {
  /// y = x / max(|x|, 2^-40) along the axis.
  ///
  ///     k([state,] x, y)
  ///
  /// \param y  shape of x; may be x itself, and shares no other element with it
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, the axis has no elements, a view is
  /// null, y shares elements with x, or tiles are too small. Cost: x is read from memory once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::l2_pass<C, T>>(args...);
  }

  /// dx = (dy - y (y . dy)) / |x|, computed from x; dx = 2^40 dy if |x| is less than 2^-40.
  ///
  ///     k.backward_data([state,] dy, x, dx [, tern::accumulate])
  ///
  /// \param dx  shape of x; may be dy or x itself
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::l2_gradient_pass<C, T>>(args...);
  }
};

}  // namespace TERN_ISA

}  // namespace tern
