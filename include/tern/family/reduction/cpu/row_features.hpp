// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of a row program in vectors whose lanes are features. Every step reads a long row again. A short row stays in
// registers from the first read to the last write.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_rows.hpp"
#include "tern/family/reduction/cpu/row_types.hpp"
#include "tern/family/reduction/row_program.hpp"

namespace tern::tile::inline TERN_ISA {

/// A row of any length.
/// \tparam Dense  true if features are contiguous
template <class V, class Call, bool Dense>
struct long_row {
  using types = row_types<V, Call>;
  using rows = feature_rows<V>;
  using T = typename V::value_type;
  using result = typename types::result;
  static constexpr bool fetches = Dense;
  /// True if all rows of a block complete a step before the next one.
  template <class Step>
  static constexpr bool waits = Step::apart || row::keeps<Step>;

  const Call& call;
  typename types::row_at row;
  index_t named;           ///< the feature, if a row names one
  V number[types::count];  ///< of the steps so far

  TERN_INLINE explicit long_row(const Call& q) : call(q) {}
  TERN_INLINE void begin(const typename types::row_at& at) { row = at, named = types::named_by(at); }

  /// The environment of a program for `valid` features from i on.
  /// \tparam Named  true if i is the feature that the row names
  template <class N, bool Named = false>
  struct features : row::environment<typename types::program, features<N, Named>, true> {
    const long_row& of;
    const Call& call;
    index_t i;
    N valid;

    TERN_INLINE features(const long_row& r, index_t at, N n) : of(r), call(r.call), i(at), valid(n) {}
    template <int I>
    TERN_INLINE V number() const {
      return of.number[I];
    }
    template <class Tensor>
    TERN_INLINE auto load(Tensor) const {
      const auto& image = Tensor::of(call);
      const auto* const p = of.row.template of<Tensor>();
      if constexpr (Tensor::of_rows)
        return V(*p);
      else if constexpr (types::template has_elements<Tensor>)
        return rows::template load<Dense>(image, p, i, valid);
      else
        return types::mask_of(valid, [&](index_t k) { return p[rows::offset(image, i + k)]; });
    }
    template <class Step>
    TERN_INLINE V reload(Step) const {
      return load(typename Step::kept_in());
    }
    TERN_INLINE V at(auto, V yes, V no) const { return Named ? yes : no; }
    TERN_INLINE void keep(V v) const {
      rows::template store<Dense>(v, result::of(call), of.row.template of<result>(), i, valid);
    }
    TERN_INLINE V active(V v) const { return first_lanes(v, valid); }
  };

  template <class Step>
  TERN_INLINE T fold() const {
    const index_t all = call.shape.features;
    const auto add = [&]<class N>(V lane, index_t i, N valid) __attribute__((always_inline)) {
      return types::template added<Step>(features<N>(*this, i, valid), lane);
    };
    if constexpr (Step::kind == row::step_kind::max)
      return rows::largest(all, [&]<class N>(index_t i, N valid)
                                    __attribute__((always_inline)) { return Step::of(features<N>(*this, i, valid)); });
    else if constexpr (Dense)
      return rows::sums::of(all, add);
    else
      return rows::sums::of_costly(all, add);
  }
  template <class Step>
  TERN_INLINE void find_largest() const {
    *row.template of<result>() = static_cast<typename result::element>(rows::first_largest(
        call.shape.features, [&]<class N>(index_t i, N valid)
                                 __attribute__((always_inline)) { return Step::of(features<N>(*this, i, valid)); }));
  }
  /// Computes the result of the named feature first, and writes it after the others: a comparison for every feature
  /// would take longer.
  template <class Step>
  TERN_INLINE void map(bool non_temporal) const {
    const auto value = [](const auto& e) __attribute__((always_inline)) {
      const V v = Step::of(e);
      return result::accumulates ? e.load(result()) + v : v;
    };
    if constexpr (types::has_index) {
      const features<index_t, true> one(*this, named, 1);
      const V v = value(one);
      write(non_temporal, value);
      one.keep(v);
    } else {
      write(non_temporal, value);
    }
  }
  /// The result of a row that takes no part.
  void leave_out() const {
    const T v = row::result_without<T>(*row.template of<typename types::index>());
    if constexpr (result::of_rows)
      *row.template of<result>() = v;
    else
      write(false, [=](const auto& e) { return result::accumulates ? e.load(result()) + V(v) : V(v); });
  }

 private:
  /// Writes value(features) for all features.
  template <class F>
  TERN_INLINE void write(bool non_temporal, F value) const {
    T* const to = row.template of<result>();
    // If terms were kept, the lines of the result are already in cache.
    constexpr bool kept = types::steps::apply([](auto... step) { return (row::keeps<decltype(step)> || ...); });
    with_non_temporal(Dense && !kept && non_temporal && begins_line(to), [&](auto nt) __attribute__((always_inline)) {
      each_vector_of<V>(to, call.shape.features, [&]<class N>(index_t i, N valid) __attribute__((always_inline)) {
        const features<N> e(*this, i, valid);
        const V v = value(e);
        if constexpr (Dense)
          store_lanes(nt, v, to + i, valid);
        else
          e.keep(v);
      });
    });
  }
};

/// A row of N vectors, with contiguous features.
template <class V, class Call, int N>
struct short_row {
  using types = row_types<V, Call>;
  using rows = feature_rows<V>;
  using sums = typename rows::sums;
  using T = typename V::value_type;
  using result = typename types::result;
  static constexpr bool fetches = true;
  template <class Step>
  static constexpr bool waits = Step::apart;

  template <class Tensor>
  struct vectors {
    V v[N];
  };
  template <class... Tensors>
  struct all_vectors : vectors<Tensors>... {};

  const Call& call;
  index_t last;                        ///< features in the last vector
  decltype(sums::first_of(0)) in_row;  ///< their mask
  typename types::row_at row;
  index_t named;  ///< the feature, if a row names one
  typename types::tensors::template in<all_vectors> x;
  V kept[N], number[types::count];

  TERN_INLINE explicit short_row(const Call& q)
      : call(q), last(q.shape.features - (N - 1) * V::size), in_row(sums::first_of(last)) {}
  TERN_INLINE void begin(const typename types::row_at& at) {
    row = at, named = types::named_by(at);
    types::tensors::apply([&](auto... tensor) __attribute__((always_inline)) { (read(tensor), ...); });
  }
  template <class Tensor>
  TERN_INLINE void read(Tensor) {
    if constexpr (!Tensor::is_result && !Tensor::of_rows)
      sums::load_row(row.template of<Tensor>(), last, static_cast<vectors<Tensor>&>(x).v);
  }

  /// The environment of a program for a vector.
  struct features : row::environment<typename types::program, features, true> {
    short_row& of;
    const Call& call;
    int i;

    TERN_INLINE features(short_row& r, int at) : of(r), call(r.call), i(at) {}
    template <int S>
    TERN_INLINE V number() const {
      return of.number[S];
    }
    template <class Tensor>
    TERN_INLINE V load(Tensor) const {
      if constexpr (Tensor::of_rows) return V(*of.row.template of<Tensor>());
      return static_cast<vectors<Tensor>&>(of.x).v[i];
    }
    template <class Step>
    TERN_INLINE V reload(Step) const {
      return of.kept[i];
    }
    TERN_INLINE V at(auto, V yes, V no) const { return types::at_lane(of.named - i * V::size, yes, no); }
    TERN_INLINE void keep(V v) const { of.kept[i] = v; }
    TERN_INLINE V active(V v, V after = V(T(0))) const { return i == N - 1 ? select(of.in_row, v, after) : v; }
  };

  template <class Step>
  TERN_INLINE T fold() {
    if constexpr (Step::kind == row::step_kind::max) {
      V most[2] = {minus_infinity<V>(), minus_infinity<V>()};
      TERN_UNROLL
      for (int i = 0; i < N; ++i) {
        const features e(*this, i);
        most[i % 2] = larger(e.active(Step::of(e), most[i % 2]), most[i % 2]);
      }
      return sums::fold(larger(most[0], most[1]), [](auto a, auto b) { return rows::larger_of(a, b); });
    } else {
      V lane[N];
      TERN_UNROLL
      for (int i = 0; i < N; ++i) lane[i] = types::template added<Step>(features(*this, i), V(T(0)));
      return sums::of_row(lane);
    }
  }
  template <class Step>
  TERN_INLINE void map(bool non_temporal) {
    sums::template store_row<N, result::accumulates>(
        row.template of<result>(), last, non_temporal,
        [&](int i) __attribute__((always_inline)) { return Step::of(features(*this, i)); });
  }
};

}  // namespace tern::tile::inline TERN_ISA
