// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contraction family on SIMT machines: from a contraction to a launch of contraction_block.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/workspace.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/simt/contraction_block.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct contraction_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// The plan of a call. bytes_moved counts reads and writes of blocks, from any cache or memory.
  template <class T>
  static constexpr plan plan_for(index_t m, index_t n, index_t k, index_t batch = 1) {
    return common::template size_of<T>(m, n, batch) == problem_size::large
               ? plan_of<T, problem_size::large>(m, n, k, batch)
               : plan_of<T, problem_size::small>(m, n, k, batch);
  }

  /// \param state  simt_host, simt_threads or simt_stream
  template <class State, class T, epilogue E, contraction_shape S>
  static void run(const State& state, const contraction<T, E, S>& q, workspace = {}) {
    if constexpr (common::template runs_on<State, T>()) {
      if (common::template size_of<T>(q.m, q.n, q.batch) == problem_size::large)
        run_tiles<problem_size::large>(state, q);
      else
        run_tiles<problem_size::small>(state, q);
    }
  }

  /// Weights are stored row by row, in memory of the host.
  template <class T>
  static constexpr index_t packed_size(index_t k, index_t n) {
    return packed_rows::size(k, n);
  }
  template <class T>
  static void pack(const operand<const T>& b, index_t k, index_t n, T* to) {
    packed_rows::pack(b, k, n, to);
  }

 private:
  template <problem_size Size, class State, class T, epilogue E, contraction_shape S>
  static void run_tiles(const State& state, const contraction<T, E, S>& q) {
    constexpr simt_tuning t = common::template tuning<T, Size>;
    using block = impl::contraction_block<T, E, t>;
    const operand<const T> b = q.right_by_rows();
    impl::slab_source<T> rows(q.a.p, q.a.row, q.a.column, q.a.batch), columns(b.p, b.column, b.row, b.batch);
    if constexpr (S.sums_b) rows = impl::slab_source<T>::ones();
    const impl::chunked_slabs slabs(q.k, q.chunk, t.block_k);
    common::template start<block>(state, {q.m, q.n, q.batch, slabs, rows, columns, q.c, q.with});
  }

  template <class T, problem_size Size>
  static constexpr plan plan_of(index_t m, index_t n, index_t k, index_t batch) {
    constexpr simt_tuning t = common::template tuning<T, Size>;
    const index_t bytes = sizeof(T), blocks_m = common::tiles(m, t.block_m), blocks_n = common::tiles(n, t.block_n);
    plan p;
    p.op = "contraction";
    p.execution = model::simt;
    p.device = D.name;
    p.element = dtype<T>::name;
    p.numerics = Numerics::name;
    p.m = m, p.n = n, p.k = k, p.batch = batch;
    p.split_m = blocks_m, p.split_n = blocks_n;
    p.steps_k = common::tiles(k, t.block_k);
    p.tile_m = t.thread_m, p.tile_n = t.thread_n;
    p.block_m = t.block_m, p.block_n = t.block_n, p.block_k = t.block_k;
    p.units = blocks_m * blocks_n * batch;
    p.supersteps = p.steps_k + 1;
    p.packed_bytes = packed_size<T>(k, n) * bytes;
    p.bytes_per_unit = static_cast<index_t>(sizeof(typename impl::contraction_block<T, epilogue{}, t>::shared));
    p.bytes_moved = ((blocks_n * m + blocks_m * n) * k + m * n) * batch * bytes;
    p.flops = contraction_flops(m, n, k, batch);
    p.cycles = common::template cycles_for<T>(m, n, batch, k);
    p.fits = D.local_bytes == 0 || p.bytes_per_unit <= D.local_bytes;
    return p;
  }
};

}  // namespace tern::inline TERN_ISA
