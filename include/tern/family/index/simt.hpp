// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rearrangements and resamplings on SIMT machines: a thread per result. Cost: bound by memory if neighbours stay
// neighbours; if channels become an axis, reads go through the first cache.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/simt/row_block.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/index/rearrangement.hpp"
#include "tern/family/index/resampling.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

template <class T, class Map, bool Accumulate>
struct rows_of_copy {
  rearrangement<T, Map, Accumulate> q;

  index_t rows() const { return q.rows(); }
  index_t row_elements() const { return q.row_elements(); }

  TERN_FN void elements(index_t row, index_t first, index_t step) const {
    q.each_part(row, row + 1, [&](index_t n, index_t z, index_t y, const row_part& part) {
      const walk &x = part.x, &c = part.channels;
      for (index_t e = first; e < x.count * c.count; e += step) {
        const index_t i = e / c.count, j = e % c.count;
        T* to = q.to.at(n, c.to + j * c.to_step, z, y, x.to + i * x.to_step);
        if (part.z < 0) {
          *to = q.value;
          continue;
        }
        const T* from = q.from.at(n, c.from + j * c.from_step, part.z, part.y, x.from + i * x.from_step);
        if constexpr (Accumulate)
          *to = *to + *from;
        else
          *to = *from;
      }
    });
  }
};

template <class T, resample_pass P, class Axis, bool Accumulate>
struct rows_of_sums {
  resampling<T, P, Axis, Accumulate> q;

  index_t rows() const { return q.rows(); }
  index_t row_elements() const { return q.row_elements(); }

  /// Canonical order: docs/numerics.md.
  TERN_FN void elements(index_t row, index_t first, index_t step) const {
    const row_cursor at(row, {q.extent(0), q.extent(1)});
    for (index_t e = first; e < q.row_elements(); e += step) {
      const index_t x = e / q.channels, c = e % q.channels;
      T* to = q.to.at(at.n, c, at.z, at.y, x);
      T total = Accumulate ? *to : T(0), chain = 0;
      int in_chunk = 0;
      q.each_term(at.z, at.y, x, [&](index_t fz, index_t fy, index_t fx, T weight) {
        chain = math::fma(weight, *q.from.at(at.n, c, fz, fy, fx), chain);
        if (++in_chunk == dot_chunk) total = total + chain, chain = 0, in_chunk = 0;
      });
      *to = in_chunk > 0 ? total + chain : total;
    }
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct rearrangement_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// \param state  where to run: simt_host, simt_threads or simt_stream
  template <class State, class T, class Map, bool Accumulate>
  static void run(const State& state, const rearrangement<T, Map, Accumulate>& q) {
    if constexpr (common::template runs_on<State>()) start<T>(state, impl::rows_of_copy<T, Map, Accumulate>{q});
  }
  template <class State, class T, resample_pass P, class Axis, bool Accumulate>
  static void run(const State& state, const resampling<T, P, Axis, Accumulate>& q) {
    if constexpr (common::template runs_on<State, T>()) start<T>(state, impl::rows_of_sums<T, P, Axis, Accumulate>{q});
  }

 private:
  template <class T, class State, class Rows>
  static void start(const State& state, const Rows& rows) {
    using block = impl::row_block<Rows, common::template threads<T>>;
    common::template start<block>(state, typename block::problem(rows));
  }
};

}  // namespace tern::inline TERN_ISA
