// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map on one core with vector units: a part of its elements, in the order of the result's memory.
#pragma once

#include <limits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/each_constant.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/cpu/non_temporal.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/map/mapping.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct map_core {
  using T = typename V::value_type;

  /// Part t of `tasks`.
  /// \param memory_bytes  results larger than half of it get non-temporal stores
  template <class F>
  static void run(const mapping<T, F>& q, index_t t, index_t tasks, index_t memory_bytes) {
    if (q.elements() == 0) return;
    const bool non_temporal = has_non_temporal_stores<V> && !F::accumulates &&
                              q.elements() * index_t(sizeof(T)) * F::outputs > memory_bytes / 2 && !in_place(q);
    for (index_t c = 0, size; c < q.channels; c += size) {  // channels at equal distances in all tensors
      size = q.channels - c;
      for (const auto& i : q.in) size = neighbours(i, c, size);
      for (const auto& o : q.out) size = neighbours(o, c, size);
      loops<F> l(q, c, size);
      l.run(q.f, t, tasks, non_temporal);
    }
    if (non_temporal) end_non_temporal_stores<V>();
  }

  /// Rows [first, last) of the result, counted over samples, depth and height.
  template <class F>
  static void rows(const mapping<T, F>& q, index_t first, index_t last) {
    mapping<T, F> one = q;
    one.batch = one.extent[0] = one.extent[1] = 1;
    row_cursor row(first, {q.extent[0], q.extent[1]});
    for (index_t r = first; r < last; ++r, row.next()) {
      const auto begin = [&](auto& part, const auto& whole) {
        part.p = whole.at(row.n, 0, row.z, row.y, 0), part.skipped = 0;
      };
      for (int i = 0; i < F::inputs; ++i) begin(one.in[i], q.in[i]);
      for (int i = 0; i < F::outputs; ++i) begin(one.out[i], q.out[i]);
      run(one, 0, 1, std::numeric_limits<index_t>::max());  // the memory of a tile is no cache
    }
  }

 private:
  template <class F>
  static bool in_place(const mapping<T, F>& q) {
    for (const auto& i : q.in)
      for (const auto& o : q.out)
        if (i.p == o.p) return true;
    return false;
  }

  /// The axes of a call as nested loops; axes are joined if all tensors step along them at one distance.
  template <class F>
  struct loops {
    static constexpr int tensors = F::inputs + F::outputs;
    struct loop {
      index_t count = 1;
      index_t step[tensors] = {};
    };
    loop axis[5];  ///< from the inside out
    int used = 0;
    const T* from[F::inputs];
    T* to[F::outputs];

    loops(const mapping<T, F>& q, index_t c, index_t channels) {
      for (int i = 0; i < F::inputs; ++i) from[i] = q.in[i].at(0, c, 0, 0, 0);
      for (int i = 0; i < F::outputs; ++i) to[i] = q.out[i].at(0, c, 0, 0, 0);
      add(channels, q, [](const auto& i) { return i.channel; });
      for (int r = 2; r >= 0; --r) add(q.extent[r], q, [r](const auto& i) { return i.axis[r]; });
      add(q.batch, q, [](const auto& i) { return i.sample; });
      join();
    }
    template <class Step>
    void add(index_t count, const mapping<T, F>& q, Step step) {
      if (count == 1) return;
      loop l{.count = count};
      for (int i = 0; i < F::inputs; ++i) l.step[i] = step(q.in[i]);
      for (int i = 0; i < F::outputs; ++i) l.step[F::inputs + i] = step(q.out[i]);
      int at = used++;  // sorts by the first result, so that it is written in memory order
      for (; at > 0 && axis[at - 1].step[F::inputs] > l.step[F::inputs]; --at) axis[at] = axis[at - 1];
      axis[at] = l;
    }
    void join() {
      int kept = 0;
      for (int r = 1; r < used; ++r) {
        bool joins = true;
        for (int i = 0; i < tensors; ++i) joins = joins && axis[r].step[i] == axis[kept].step[i] * axis[kept].count;
        if (joins)
          axis[kept].count *= axis[r].count;
        else
          axis[++kept] = axis[r];
      }
      used = kept + 1;
    }

    /// Elements of part t of `tasks`, in the order of the loops; whole lines of the first result if that is dense.
    void run(const F& f, index_t t, index_t tasks, bool non_temporal) const {
      constexpr index_t grain = line_bytes / index_t(sizeof(T));
      index_t all = 1;
      for (int r = 0; r < used; ++r) all *= axis[r].count;
      const auto bound = [&](index_t part) { return part == tasks ? all : all * part / tasks / grain * grain; };
      const index_t inner = axis[0].count;
      for (index_t e = bound(t), end = bound(t + 1), n; e < end; e += n) {
        const index_t first = e % inner;
        const T* in[F::inputs];
        T* out[F::outputs];
        for (int i = 0; i < F::inputs; ++i) in[i] = from[i] + first * axis[0].step[i];
        for (int i = 0; i < F::outputs; ++i) out[i] = to[i] + first * axis[0].step[F::inputs + i];
        index_t outside = e / inner;
        const index_t left = axis[1].count - outside % axis[1].count;  // of the second loop
        for (int r = 1; r < used; ++r) {
          const index_t at = outside % axis[r].count;
          outside /= axis[r].count;
          for (int i = 0; i < F::inputs; ++i) in[i] += at * axis[r].step[i];
          for (int i = 0; i < F::outputs; ++i) out[i] += at * axis[r].step[F::inputs + i];
        }
        n = inner - first < end - e ? inner - first : end - e;
        index_t pieces = 1;  // whole ones along the second loop are one call
        if (n == inner) pieces = (end - e) / inner < left ? (end - e) / inner : left;
        each_piece(f, in, out, axis[0].step, n, axis[1].step, pieces, non_temporal);
        n *= pieces;
      }
    }
  };

  /// Maps `pieces` pieces of n elements, at equal distances.
  template <class F, class Steps>
  static void each_piece(const F& f, const T* const (&in)[F::inputs], T* const (&out)[F::outputs], const Steps& step,
                         index_t n, const Steps& next, index_t pieces, bool non_temporal) {
    bool dense = true, same = false;
    for (int i = 0; i < F::inputs + F::outputs; ++i) {
      const bool repeats = i < F::inputs && step[i] == 0;
      dense = dense && (step[i] == 1 || repeats), same = same || repeats;
    }
    const auto each = [&](auto piece) __attribute__((always_inline)) {
      const T* from[F::inputs];
      T* to[F::outputs];
      for (index_t k = 0; k < pieces; ++k) {
        TERN_UNROLL
        for (int i = 0; i < F::inputs; ++i) from[i] = in[i] + k * next[i];
        TERN_UNROLL
        for (int i = 0; i < F::outputs; ++i) to[i] = out[i] + k * next[F::inputs + i];
        piece(from, to);
      }
    };
    if (V::size % n == 0 && is_line_of_pieces<F>(step, n, next))
      line_of_pieces(f, in, out, step, n, next, pieces, non_temporal);
    else if (dense && !same && !non_temporal && n <= short_piece && n % V::size == 0)
      whole_vectors(f, in, out, n, next, pieces);
    else if (!dense)
      each([&](auto& from, auto& to) { strided(f, from, to, step, n); });
    else if (!same)
      each([&](auto& from, auto& to) { vectors<true>(f, from, to, step, n, non_temporal); });
    else
      each([&](auto& from, auto& to) {
        T repeated[F::inputs][2 * V::size];
        for (int i = 0; i < F::inputs; ++i) {
          if (step[i] != 0) continue;
          V::broadcast(from[i]).store(repeated[i]), V::broadcast(from[i]).store(repeated[i] + V::size);
          from[i] = repeated[i];
        }
        vectors<false>(f, from, to, step, n, non_temporal);
      });
  }

  /// True if all pieces are contiguous, except inputs that every piece shares: few channels with their scales.
  template <class F, class Steps>
  TERN_INLINE static bool is_line_of_pieces(const Steps& step, index_t n, const Steps& next) {
    bool line = true;
    for (int i = 0; i < F::inputs + F::outputs; ++i)
      line = line && ((i < F::inputs && next[i] == 0) || (next[i] == n && (step[i] == 1 || n == 1)));
    return line;
  }
  /// Runs such pieces as one line, several to a vector.
  template <class F, class Steps>
  static void line_of_pieces(const F& f, const T* const (&in)[F::inputs], T* const (&out)[F::outputs],
                             const Steps& step, index_t n, const Steps& next, index_t pieces, bool non_temporal) {
    T repeated[F::inputs][2 * V::size];
    const T* from[F::inputs];
    T* to[F::outputs];
    index_t by[F::inputs];
    for (int i = 0; i < F::inputs; ++i) {
      from[i] = in[i], by[i] = 1;
      if (next[i] != 0) continue;
      for (index_t e = 0; e < 2 * V::size; ++e) repeated[i][e] = in[i][e % n * step[i]];
      from[i] = repeated[i], by[i] = 0;
    }
    for (int i = 0; i < F::outputs; ++i) to[i] = out[i];
    vectors<false>(f, from, to, by, n * pieces, non_temporal);
  }

  /// Pieces up to this length, mostly the channels of a pixel, are not aligned.
  static constexpr index_t short_piece = 4 * V::size;
  template <class F, class Steps>
  static void whole_vectors(const F& function, const T* const (&in)[F::inputs], T* const (&out)[F::outputs], index_t n,
                            const Steps& next, index_t pieces) {
    const F f = function;
    const T* from[F::inputs];
    T* to[F::outputs];
    index_t by[F::inputs + F::outputs];
    each_constant<F::inputs>([&](auto i) { from[i] = in[i], by[i] = next[i]; });
    each_constant<F::outputs>([&](auto i) { to[i] = out[i], by[F::inputs + i] = next[F::inputs + i]; });
    for (; pieces > 0; --pieces) {
      index_t e = 0;
      do {
        V x[F::inputs], y[F::outputs];
        each_constant<F::inputs>([&](auto i) __attribute__((always_inline)) { x[i] = V::load(from[i] + e); });
        if constexpr (F::accumulates)
          each_constant<F::outputs>([&](auto i) __attribute__((always_inline)) { y[i] = V::load(to[i] + e); });
        f(x, y);
        each_constant<F::outputs>([&](auto i) __attribute__((always_inline)) { y[i].store(to[i] + e); });
        e += V::size;
      } while (e < n);
      each_constant<F::inputs>([&](auto i) { from[i] += by[i]; });
      each_constant<F::outputs>([&](auto i) { to[i] += by[F::inputs + i]; });
    }
  }

  /// \tparam Dense  true if no input repeats. An input of step 0 has two vectors of elements, which repeat after one
  template <bool Dense, class F, class Steps>
  static void vectors(const F& function, const T* (&in)[F::inputs], T* (&out)[F::outputs], const Steps& step, index_t n,
                      bool non_temporal) {
    // Copies stay in registers: a store through a pointer might change the originals.
    const F f = function;
    const T* from[F::inputs];
    T* to[F::outputs];
    index_t by[F::inputs], k = 0;
    each_constant<F::inputs>([&](auto i) { from[i] = in[i], by[i] = Dense ? 1 : step[i]; });
    each_constant<F::outputs>([&](auto i) { to[i] = out[i]; });
    const auto apply = [&](auto lanes, auto store) __attribute__((always_inline)) {
      V x[F::inputs], y[F::outputs];
      each_constant<F::inputs>([&](auto i) __attribute__((always_inline)) {
        x[i] = load_lanes<V>(from[i] + (Dense ? k : k * by[i]), lanes);
      });
      if constexpr (F::accumulates)
        each_constant<F::outputs>([&](auto i)
                                      __attribute__((always_inline)) { y[i] = load_lanes<V>(to[i] + k, lanes); });
      f(x, y);
      each_constant<F::outputs>([&](auto i) __attribute__((always_inline)) { store(y[i], to[i] + k); });
      k += lanes;
    };
    const auto partial = [&](index_t lanes) __attribute__((always_inline)) {
      apply(lanes, [lanes](V y, T* p) __attribute__((always_inline)) { y.store(p, lanes); });
    };
    // If vectors are lines, stores are aligned to lines: stores across two lines take twice as long.
    if constexpr (V::has_masks && V::size * sizeof(T) == line_bytes)
      if (n >= (non_temporal ? 2 : 8) * V::size) {
        if (const index_t before = elements_before_line(to[0]); before > 0) {
          partial(before);
          if constexpr (!Dense) each_constant<F::inputs>([&](auto i) { from[i] += (1 - by[i]) * before; });
        }
        bool aligned = non_temporal;
        for (const T* o : to) aligned = aligned && begins_line(o + k);
        if (aligned)
          while (k + V::size <= n)
            apply(all_lanes<V>(), [](V y, T* p) __attribute__((always_inline)) { store_non_temporal(y, p); });
      }
    while (k + V::size <= n) apply(all_lanes<V>(), [](V y, T* p) __attribute__((always_inline)) { y.store(p); });
    if (k < n) partial(n - k);
  }

  template <class F, class Steps>
  __attribute__((noinline)) static void strided(const F& f, const T* (&in)[F::inputs], T* (&out)[F::outputs],
                                                const Steps& step, index_t n) {
    for (index_t e = 0; e < n; e += V::size) {
      const index_t lanes = n - e < V::size ? n - e : V::size;
      V x[F::inputs], y[F::outputs];
      for (int i = 0; i < F::inputs; ++i) x[i] = load_strided<V>(in[i] + e * step[i], step[i], lanes);
      if constexpr (F::accumulates)
        for (int i = 0; i < F::outputs; ++i)
          y[i] = load_strided<V>(static_cast<const T*>(out[i] + e * step[F::inputs + i]), step[F::inputs + i], lanes);
      f(x, y);
      for (int i = 0; i < F::outputs; ++i)
        store_strided(y[i], out[i] + e * step[F::inputs + i], step[F::inputs + i], lanes);
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
