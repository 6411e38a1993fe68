// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contraction family on SIMT machines: from a contraction to a launch of contraction_block.
#pragma once

#include <climits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/dtype.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/host.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/simt/contraction_block.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simt.hpp"
#include "tern/tile/contraction.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct contraction_kernel<simt<D, Numerics, Tuning>> {
  static_assert(std::is_same_v<Numerics, numerics::exact> || std::is_same_v<Numerics, numerics::relaxed>,
                "simt: the contraction has exact (and relaxed) numerics, not numerics::instruction");

  /// Calls run in loops on the host unless a stream is given.
  using context = simt_host;

  template <class T, problem_size Size>
  static constexpr simt_tuning tuning = Tuning{}(D, sizeof(T), Size);

  /// Large tiles where they give every multiprocessor of the device a block, small ones otherwise.
  template <class T>
  static constexpr problem_size size_of(index_t m, index_t n, index_t batch) {
    constexpr simt_tuning t = tuning<T, problem_size::large>;
    return tiles(m, t.block_m) * tiles(n, t.block_n) * batch >= D.units ? problem_size::large : problem_size::small;
  }

  /// What a call will do. bytes_moved counts what blocks read and write, from whichever cache or memory holds it.
  template <class T>
  static constexpr plan plan_for(index_t m, index_t n, index_t k, index_t batch = 1) {
    return size_of<T>(m, n, batch) == problem_size::large ? plan_of<T, problem_size::large>(m, n, k, batch)
                                                          : plan_of<T, problem_size::small>(m, n, k, batch);
  }

  /// \param state  where to run: simt_host, simt_threads or simt_stream
  template <class State, class T, epilogue E, contraction_shape S>
  static void run(const State& state, const contraction<T, E, S>& q, workspace) {
    static_assert(is_simt_state<State>,
                  "simt: the first argument of the call must be tern::simt_host, tern::simt_threads or, with "
                  "tern/simt.cuh, tern::simt_stream");
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                  "simt: the contraction has kernels for float and double only");
    if (size_of<T>(q.m, q.n, q.batch) == problem_size::large)
      run_tiles<problem_size::large>(state, q);
    else
      run_tiles<problem_size::small>(state, q);
  }

  /// Weights are kept row by row, in memory of the host.
  template <class T>
  static constexpr index_t packed_size(index_t k, index_t n) {
    return packed_rows::size(k, n);
  }
  template <class T>
  static void pack(const operand<const T>& b, index_t k, index_t n, T* to) {
    packed_rows::pack(b, k, n, to);
  }

 private:
  static constexpr index_t tiles(index_t size, int block) { return (size + block - 1) / block; }

  template <problem_size Size, class State, class T, epilogue E, contraction_shape S>
  static void run_tiles(const State& state, const contraction<T, E, S>& q) {
    using block = impl::contraction_block<T, E, tuning<T, Size>>;
    static_assert(D.local_bytes == 0 || sizeof(typename block::shared) <= D.local_bytes,
                  "simt: the slabs of the tuning do not fit the shared memory of a block (device.local_bytes)");
    const operand<const T> b = q.right_by_rows();
    impl::slab_source<T> rows(q.a.p, q.a.row, q.a.column, q.a.batch), columns(b.p, b.column, b.row, b.batch);
    if constexpr (S.sums_b) rows = impl::slab_source<T>::ones();
    const impl::chunked_slabs slabs(q.k, q.chunk, tuning<T, Size>.block_k);
    const typename block::problem p{q.m, q.n, q.batch, slabs, rows, columns, q.c, q.bias, q.residual};
    if (slabs.count() > INT_MAX - tuning<T, Size>.stages)
      violation("simt: k is %td, which takes %td slabs of %d: at most %d are possible", q.k, slabs.count(),
                tuning<T, Size>.block_k, INT_MAX - tuning<T, Size>.stages);
    launch<block>(state, p.blocks(), p);
  }

  template <class T, problem_size Size>
  static constexpr plan plan_of(index_t m, index_t n, index_t k, index_t batch) {
    constexpr simt_tuning t = tuning<T, Size>;
    const index_t bytes = sizeof(T), blocks_m = tiles(m, t.block_m), blocks_n = tiles(n, t.block_n);
    plan p;
    p.op = "contraction";
    p.execution = model::simt;
    p.device = D.name;
    p.element = dtype<T>::name;
    p.numerics = Numerics::name;
    p.m = m, p.n = n, p.k = k, p.batch = batch;
    p.split_m = blocks_m, p.split_n = blocks_n;
    p.steps_k = tiles(k, t.block_k);
    p.tile_m = t.thread_m, p.tile_n = t.thread_n;
    p.block_m = t.block_m, p.block_n = t.block_n, p.block_k = t.block_k;
    p.units = blocks_m * blocks_n * batch;
    p.supersteps = p.steps_k + 1;
    p.packed_bytes = packed_size<T>(k, n) * bytes;
    p.bytes_per_unit = static_cast<index_t>(sizeof(typename impl::contraction_block<T, epilogue{}, t>::shared));
    p.bytes_moved = ((blocks_n * m + blocks_m * n) * k + m * n) * batch * bytes;
    p.flops = contraction_flops(m, n, k, batch);
    p.fits = D.local_bytes == 0 || p.bytes_per_unit <= D.local_bytes;
    return p;
  }
};

}  // namespace tern::inline TERN_ISA
