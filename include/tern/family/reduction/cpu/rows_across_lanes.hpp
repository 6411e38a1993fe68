// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a row program in vectors whose lanes are rows, which lie next to each other.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/each_constant.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_rows.hpp"
#include "tern/family/reduction/cpu/row_types.hpp"
#include "tern/family/reduction/row_program.hpp"

namespace tern::tile::inline TERN_ISA {

/// `some` rows.
template <class V, class Call, class N>
struct rows_across_lanes {
  using types = row_types<V, Call>;
  using rows = feature_rows<V>;
  using T = typename V::value_type;
  using result = typename types::result;

  const Call& call;
  const typename types::row_at row;  ///< the first
  N some;
  V number[types::count];  ///< of the steps so far

  TERN_INLINE rows_across_lanes(const Call& q, const typename types::row_at& first, N n)
      : call(q), row(first), some(n) {}

  /// What a program sees of a feature.
  struct feature : row::environment<typename types::program, feature, true> {
    const rows_across_lanes& of;
    const Call& call;
    index_t i;

    TERN_INLINE feature(const rows_across_lanes& r, index_t at) : of(r), call(r.call), i(at) {}
    template <int I>
    TERN_INLINE V number() const {
      return of.number[I];
    }
    template <class Tensor>
    TERN_INLINE auto* at() const {
      return of.row.template of<Tensor>() + rows::offset(Tensor::of(call), i);
    }
    template <class Tensor>
    TERN_INLINE auto load(Tensor) const {
      const auto* const p = at<Tensor>();
      const index_t to_next = Tensor::of(call).axis[2];
      if constexpr (types::template has_elements<Tensor>)
        return load_lanes<V>(p, of.some);
      else
        return types::mask_of(of.some, [=](index_t k) { return p[k * to_next]; });
    }
    template <class Step>
    TERN_INLINE V reload(Step) const {
      return load(typename Step::kept_in());
    }
    TERN_INLINE void keep(V v) const { store_lanes(v, at<result>(), of.some); }
    TERN_INLINE V active(V v) const { return v; }
  };

  TERN_INLINE void run() {
    each_constant<types::count>([&](auto i) __attribute__((always_inline)) { step<i>(); });
  }

 private:
  template <int I>
  TERN_INLINE void step() {
    using now = typename types::template step_at<I>;
    const index_t features = call.shape.features;
    if constexpr (now::kind == row::step_kind::map) {
      for (index_t i = 0; i < features; ++i) {
        const feature e(*this, i);
        const V v = now::of(e);
        e.keep(result::accumulates ? e.load(result()) + v : v);
      }
    } else if constexpr (now::kind == row::step_kind::argmax) {
      row::first_largest<V> of;
      for (index_t i = 0; i < features; ++i) of.take(now::of(feature(*this, i)), i);
      T place[V::size];
      of.place.store(place);
      auto* const to = row.template of<result>();
      for (index_t k = 0; k < some; ++k)
        to[k * result::of(call).axis[2]] = static_cast<typename result::element>(math::bits(place[k]));
    } else if constexpr (now::kind == row::step_kind::max) {
      finish<I>(rows::largest_of_each(features, [&](index_t i) { return now::of(feature(*this, i)); }));
    } else {
      finish<I>(rows::sum_of_each(
          features, [&](index_t i, V lane) { return types::template added<now>(feature(*this, i), lane); }));
    }
  }
  template <int I>
  TERN_INLINE void finish(V v) {
    number[I] = types::template step_at<I>::finish(feature(*this, 0), v);
  }
};

}  // namespace tern::tile::inline TERN_ISA
