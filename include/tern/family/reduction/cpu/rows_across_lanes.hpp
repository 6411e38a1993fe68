// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a row program in vectors whose lanes are contiguous rows.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/each_constant.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_rows.hpp"
#include "tern/family/reduction/cpu/row_types.hpp"
#include "tern/family/reduction/row_program.hpp"

namespace tern::tile::inline TERN_ISA {

/// `valid` rows.
template <class V, class Call, class N>
struct rows_across_lanes {
  using types = row_types<V, Call>;
  using rows = feature_rows<V>;
  using T = typename V::value_type;
  using result = typename types::result;

  const Call& call;
  const typename types::row_at row;  ///< the first
  N valid;
  V number[types::count];  ///< of the steps so far

  /// For rows that name features: these, a mask of rows that take part, and the results of others.
  struct indices {
    index_t of[V::size];
    typename types::word named[V::size], takes_part[V::size];
    T without[V::size];
    bool all = true;
  };
  struct no_indices {};
  std::conditional_t<types::has_index, indices, no_indices> index;

  TERN_INLINE rows_across_lanes(const Call& q, const typename types::row_at& first, N n)
      : call(q), row(first), valid(n) {
    if constexpr (types::has_index) read_indices();
  }

  /// The environment of a program for a feature.
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
      if constexpr (Tensor::of_rows)
        return load_strided<V>(of.row.template of<Tensor>(), to_next, of.valid);
      else if constexpr (types::template has_elements<Tensor>)
        return load_lanes<V>(p, of.valid);
      else
        return types::mask_of(of.valid, [=](index_t k) { return p[k * to_next]; });
    }
    template <class Step>
    TERN_INLINE V reload(Step) const {
      return load(typename Step::kept_in());
    }
    TERN_INLINE V at(auto, V yes, V no) const { return types::where(of.index.named, i, yes, no); }
    TERN_INLINE void keep(V v) const { store_lanes(v, at<result>(), of.valid); }
    TERN_INLINE V active(V v) const { return v; }
  };

  /// The environment of a program for the features that rows name.
  struct named_features : row::environment<typename types::program, named_features, false> {
    const rows_across_lanes& of;
    const Call& call;

    TERN_INLINE explicit named_features(const rows_across_lanes& r) : of(r), call(r.call) {}
    template <int I>
    TERN_INLINE V number() const {
      return of.number[I];
    }
    template <class Tensor>
    TERN_INLINE V load(Tensor) const {
      const auto* const p = of.row.template of<Tensor>();
      T x[V::size] = {};
      for (index_t k = 0; k < of.valid; ++k)
        if (of.index.takes_part[k] != 0)
          x[k] = p[rows::offset(Tensor::of(call), of.index.of[k]) + k * Tensor::of(call).axis[2]];
      return V::load(x);
    }
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
        const V v = of_part(now::of(e));
        e.keep(result::accumulates ? e.load(result()) + v : v);
      }
    } else if constexpr (now::kind == row::step_kind::pick) {
      number[I] = now::of(named_features(*this));
    } else if constexpr (now::kind == row::step_kind::number) {
      number[I] = now::of(feature(*this, 0));
      if constexpr (now::writes)
        store_strided(of_part(number[I]), row.template of<result>(), result::of(call).axis[2], valid);
    } else if constexpr (now::kind == row::step_kind::argmax) {
      row::first_largest<V> of;
      for (index_t i = 0; i < features; ++i) of.take(now::of(feature(*this, i)), i);
      T place[V::size];
      of.place.store(place);
      auto* const to = row.template of<result>();
      for (index_t k = 0; k < valid; ++k)
        to[k * result::of(call).axis[2]] = static_cast<typename result::element>(math::bits(place[k]));
    } else if constexpr (now::kind == row::step_kind::max) {
      finish<I>(rows::largest_of_each(features, [&](index_t i) { return now::of(feature(*this, i)); }));
    } else {
      finish<I>(rows::sum_of_each(
          features, [&](index_t i, V lane) { return types::template added<now>(feature(*this, i), lane); }));
    }
  }

  TERN_INLINE void read_indices() {
    using tensor = typename types::index;
    const auto* const p = row.template of<tensor>();
    for (index_t k = 0; k < V::size; ++k) {
      index.of[k] = k < valid ? p[k * tensor::of(call).axis[2]] : 0;
      const bool takes_part = index.of[k] >= 0 && index.of[k] < call.shape.features;
      index.named[k] = static_cast<typename types::word>(index.of[k]), index.takes_part[k] = takes_part;
      index.without[k] = row::result_without<T>(index.of[k]);
      index.all = index.all && takes_part;
    }
  }
  /// v, with the results of rows that take no part.
  TERN_INLINE V of_part(V v) const {
    if constexpr (types::has_index)
      if (!index.all) return types::where(index.takes_part, 1, v, V::load(index.without));
    return v;
  }

  template <int I>
  TERN_INLINE void finish(V v) {
    number[I] = types::template step_at<I>::finish(feature(*this, 0), v);
  }
};

}  // namespace tern::tile::inline TERN_ISA
