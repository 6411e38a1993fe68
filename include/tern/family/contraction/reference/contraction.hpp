// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contraction family as plain loops in the canonical order: the executable form of docs/numerics.md, rules 1, 2
// and 4. Every other implementation is compared with this one bit by bit.
#pragma once

#include "tern/core/workspace.hpp"
#include "tern/core/activate.hpp"
#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/reference.hpp"

namespace tern::inline TERN_ISA {

template <>
struct contraction_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  /// Cost: one scalar fma per product.
  template <class T, epilogue E, contraction_shape S>
  static void run(const context&, const contraction<T, E, S>& q, workspace) {
    if (q.n == 0) return;  // however many rows there are
    const operand<const T> right = q.right_by_rows();
    for (index_t item = 0; item < q.batch; ++item) {
      const auto a = q.a.item(item), b = right.item(item);
      const auto c = q.c.item(item);
      const auto with = q.with.item(item);
      for (index_t i = 0; i < q.m; ++i)
        for (index_t j = 0; j < q.n; ++j) {
          T total = E.accumulate ? *c.at(i, j) : T(0);
          for (index_t k0 = 0; k0 < q.k; k0 += q.chunk) {
            T sum = 0;
            for (index_t k = k0; k < q.k && k < k0 + q.chunk; ++k) sum = math::fma(*a.at(i, k), *b.at(k, j), sum);
            total = total + sum;
          }
          if constexpr (E.bias) total = total + *with.bias.at(i, j);
          if constexpr (E.residual) total = total + *with.residual.at(i, j);
          if constexpr (E.act.takes_slope())
            *c.at(i, j) = tile::sloped(total, *with.slope.at(i, j));
          else
            *c.at(i, j) = tile::activate<E.act>(total);
        }
    }
  }

  /// What a call of these sizes will do.
  template <class T>
  static constexpr plan plan_for(index_t m, index_t n, index_t k, index_t batch = 1) {
    plan p{.op = "contraction",
           .element = dtype<T>::name,
           .numerics = numerics::exact::name,
           .m = m,
           .n = n,
           .k = k,
           .batch = batch};
    p.packed_bytes = packed_size<T>(k, n) * static_cast<index_t>(sizeof(T));
    p.bytes_moved = batch * (m * k + k * n + m * n) * static_cast<index_t>(sizeof(T));
    p.flops = contraction_flops(m, n, k, batch);
    return p;
  }

  /// Weights are kept row by row.
  template <class T>
  static constexpr index_t packed_size(index_t k, index_t n) {
    return packed_rows::size(k, n);
  }
  template <class T>
  static void pack(const operand<const T>& b, index_t k, index_t n, T* to) {
    packed_rows::pack(b, k, n, to);
  }
};

}  // namespace tern::inline TERN_ISA
