// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row program on one core with vector units: some rows, step by step.
#pragma once

#include <limits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/each_constant.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/non_temporal.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_rows.hpp"
#include "tern/family/reduction/cpu/row_features.hpp"
#include "tern/family/reduction/cpu/row_types.hpp"
#include "tern/family/reduction/cpu/rows_across_lanes.hpp"
#include "tern/family/reduction/row_program.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
/// \tparam MemoryBytes  larger results get non-temporal stores
template <class V, class Call, index_t MemoryBytes = std::numeric_limits<index_t>::max()>
class row_core {
  using types = row_types<V, Call>;
  using base = feature_rows<V>;
  using T = typename V::value_type;
  using tensors = typename types::tensors;
  using row_at = typename types::row_at;

 public:
  /// Rows [first, last), counted over samples, depth, height and width.
  static void rows(const Call& q, index_t first, index_t last) {
    const bool dense =
        types::all_of(q, [&](const auto& image) { return image.channel == 1 && image.block >= q.shape.features; });
    const bool across = V::size > 1 && q.shape.extent[2] > 1 && !dense &&
                        types::all_of(q, [](const auto& image) { return image.axis[2] == 1; });
    const bool non_temporal = bypasses_caches(q);
    if (across)
      lines(q, first, last);
    else if (dense)
      blocks<true>(q, first, last, non_temporal);
    else
      blocks<false>(q, first, last, non_temporal);
    if (non_temporal) end_non_temporal_stores<V>();
  }

 private:
  static constexpr int count = types::count;
  static constexpr index_t rows_at_once = base::rows_at_once;
  /// Numbers of steps, for every row of a block.
  using numbers = T[count][rows_at_once];

  static bool bypasses_caches(const Call& q) {
    using y = typename types::result;
    if (!has_non_temporal_stores<V> || y::of_rows ||
        q.shape.rows() * q.shape.features <= MemoryBytes / index_t(sizeof(T)))
      return false;
    return !y::accumulates && tensors::apply([&](auto... x) {
      return ((x.is_result || static_cast<const void*>(x.of(q).p) != static_cast<const void*>(y::of(q).p)) && ...);
    });
  }

  static void lines(const Call& q, index_t first, index_t last) {
    typename types::cursor at(q, first, last - first > 1);
    for (index_t rows; first < last; first += rows) {
      rows = at.left_of_line() < last - first ? at.left_of_line() : last - first;
      each_vector<V>(rows, [&]<class N>(index_t, N valid) {
        rows_across_lanes<V, Call, N>(q, at.row(), valid).run();
        at.next(valid);
      });
    }
  }

  template <bool Dense>
  static void blocks(const Call& q, index_t first, index_t last, bool non_temporal) {
    const bool multiple_rows = last - first > 1;
    const index_t most = multiple_rows ? base::rows_in_cache(q.shape) : 1;  // divisions take as long as a short row
    typename types::cursor at(q, first, multiple_rows);
    row_at row[rows_at_once];
    while (first < last) {
      index_t rows = 0;
      for (; rows < most && first < last; ++first) {
        row[rows] = at.row();
        if (first + 1 < last) at.next();
        if (takes_part<Dense>(q, row[rows])) ++rows;
      }
      block<Dense>(q, row, rows, non_temporal);
    }
  }
  /// True if a row takes part; otherwise writes its result.
  template <bool Dense>
  TERN_INLINE static bool takes_part(const Call& q, const row_at& row) {
    if constexpr (types::has_index) {
      const index_t named = types::named_by(row);
      if (named < 0 || named >= q.shape.features) {
        long_row<V, Call, Dense> one(q);
        one.begin(row), one.leave_out();
        return false;
      }
    }
    return true;
  }
  template <bool Dense>
  static void block(const Call& q, const row_at* row, index_t rows, bool non_temporal) {
    constexpr bool masked =
        tensors::apply([](auto... x) { return ((!x.of_rows && !types::template has_elements<decltype(x)>) || ...); });
    if constexpr (Dense && !masked && step_at<count - 1>::kind != row::step_kind::argmax)
      if (base::sums::in_registers(q.shape.features, [&](auto n) { short_rows<n>(q, row, rows, non_temporal); }))
        return;
    numbers of;
    long_row<V, Call, Dense> one(q);
    steps_from<0>(one, row, rows, non_temporal, of);
  }
  template <int N>
  __attribute__((noinline)) static void short_rows(const Call& q, const row_at* row, index_t rows, bool non_temporal) {
    numbers of;
    short_row<V, Call, N> one(q);
    steps_from<0>(one, row, rows, non_temporal, of);
  }

  // --- Steps --------------------------------------------------------------------------------------------------------

  /// The environment of finishes and numbers for a row, or for N rows as lanes; and of one feature of a row.
  template <class U, class N>
  struct finished : row::environment<typename types::program, finished<U, N>, false> {
    const Call& call;
    const numbers& of;
    const row_at* rows;
    index_t row;
    N valid;
    index_t feature;

    TERN_INLINE finished(const Call& q, const numbers& all, const row_at* places, index_t r, N n, index_t i = 0)
        : call(q), of(all), rows(places), row(r), valid(n), feature(i) {}
    template <int I>
    TERN_INLINE U number() const {
      if constexpr (std::is_same_v<U, T>)
        return of[I][row];
      else
        return load_lanes<V>(of[I] + row, valid);
    }
    template <class Tensor>
    TERN_INLINE auto load(Tensor) const {
      if constexpr (std::is_same_v<U, V> && V::size > 1) {
        T x[V::size] = {};
        for (index_t k = 0; k < valid; ++k) x[k] = *rows[row + k].template of<Tensor>();
        return V::load(x);
      } else {
        const auto& element =
            rows[row].template of<Tensor>()[Tensor::of_rows ? 0 : base::offset(Tensor::of(call), feature)];
        if constexpr (types::template has_elements<Tensor>)
          return U(element);
        else
          return element != 0;
      }
    }
  };
  template <int I>
  using step_at = typename types::template step_at<I>;
  /// True if a sum is finished, or a number computed, for all rows at a time.
  template <class Row, class Step>
  static constexpr bool finishes_together =
      Row::template waits<Step> && (Step::kind == row::step_kind::sum || Step::kind == row::step_kind::number);

  /// The first step from First on at which rows synchronise, or the end.
  template <class Row, int First>
  static constexpr int wait_behind() {
    if constexpr (First + 1 < count && !Row::template waits<step_at<First>>)
      return wait_behind<Row, First + 1>();
    else
      return First + 1;
  }
  /// Runs the steps from First on.
  template <int First, class Row>
  TERN_INLINE static void steps_from(Row& one, const row_at* row, index_t rows, bool non_temporal, numbers& of) {
    const Call& q = one.call;
    constexpr int end = wait_behind<Row, First>();
    constexpr bool second = First > 0 && First == wait_behind<Row, 0>();
    const index_t to_next = Row::fetches && second ? elements_to_next_rows(q, row, rows) : 0;
    for (index_t r = 0; r < rows; ++r) {
      one.begin(row[r]);
      each_constant<First>([&](auto i) __attribute__((always_inline)) { one.number[i] = V(of[i][r]); });
      if (to_next != 0) base::fetch(row[r].template of<first_tensor>() + to_next, q.shape.features);
      each_constant<end - First>(
          [&](auto i) __attribute__((always_inline)) { step<First + i>(one, row, r, non_temporal, of); });
    }
    if constexpr (finishes_together<Row, step_at<end - 1>>)
      each_vector<V>(rows, [&]<class N>(index_t r, N valid) __attribute__((always_inline)) {
        using now = step_at<end - 1>;
        T* const to = of[end - 1] + r;
        const finished<V, N> e(q, of, row, r, valid);
        if constexpr (now::kind == row::step_kind::sum) {
          store_lanes(V(now::finish(e, load_lanes<V>(to, valid))), to, valid);
        } else {
          store_lanes(V(now::of(e)), to, valid);
          for (index_t k = 0; k < valid; ++k) *row[r + k].template of<typename now::output>() = to[k];
        }
      });
    if constexpr (end < count) steps_from<end>(one, row, rows, non_temporal, of);
  }
  /// Runs step I of row r.
  template <int I, class Row>
  TERN_INLINE static void step(Row& one, const row_at* row, index_t r, bool non_temporal, numbers& of) {
    using now = step_at<I>;
    if constexpr (now::kind == row::step_kind::map) {
      one.template map<now>(non_temporal);
    } else if constexpr (now::kind == row::step_kind::argmax) {
      one.template find_largest<now>();
    } else if constexpr (now::kind == row::step_kind::pick) {
      of[I][r] = now::of(finished<T, int>(one.call, of, row, r, 1, one.named));
      one.number[I] = V(of[I][r]);
    } else if constexpr (now::kind == row::step_kind::number) {
      if constexpr (!finishes_together<Row, now>) {
        of[I][r] = now::of(finished<T, int>(one.call, of, row, r, 1));
        one.number[I] = V(of[I][r]);
      }
    } else {
      of[I][r] = one.template fold<now>();
      if constexpr (!finishes_together<Row, now>) {
        of[I][r] = now::finish(finished<T, int>(one.call, of, row, r, 1), of[I][r]);
        one.number[I] = V(of[I][r]);
      }
    }
  }

  using first_tensor = typename tensors::template at<0>;
  /// Distance in elements to the next rows, to prefetch them; 0 if they are in cache. A step with much work per row
  /// hides the latency of memory.
  TERN_INLINE static index_t elements_to_next_rows(const Call& q, const row_at* row, index_t rows) {
    if (rows < 2 || !base::are_far(q.shape)) return 0;
    return rows * (row[1].template of<first_tensor>() - row[0].template of<first_tensor>());
  }
};

/// A core's part of a call: some rows.
template <class T, class Arch, index_t MemoryBytes>
struct row_parts {
  template <class Call>
  static constexpr index_t work(const Call& q) {
    return q.shape.rows() * q.shape.features * row::program<Call>::operations;
  }
  template <class Call>
  static void run(const Call& q, index_t t, index_t tasks);
};
// Outside of the class, so that it is not inline: files that link the compiled part only declare it.
template <class T, class Arch, index_t MemoryBytes>
template <class Call>
void row_parts<T, Arch, MemoryBytes>::run(const Call& q, index_t t, index_t tasks) {
  const index_t rows = q.shape.rows();
  using V = lanes<T, Arch>;
  constexpr index_t most = std::numeric_limits<index_t>::max();  // if nothing depends on it: compiled once
  row_core<V, Call, has_non_temporal_stores<V> ? MemoryBytes : most>::rows(q, rows * t / tasks, rows * (t + 1) / tasks);
}

}  // namespace tern::tile::inline TERN_ISA
