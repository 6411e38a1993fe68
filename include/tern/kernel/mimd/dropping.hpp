// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout on tile machines: on the cores of the host as under simd; on tiles that see their own memory only, rows of
// the result are dealt out (spread_rows.hpp).
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/mimd/kernels.hpp"
#include "tern/kernel/mimd/spread_rows.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/tile/dropping_core.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// Dropout as rows.
template <class V, bool Whole, bool Accumulate>
struct rows_of_dropping {
  using T = typename V::value_type;
  static constexpr int inputs = 1, outputs = 1;
  static constexpr bool cuts_channels = false, accumulates = Accumulate;

  dropping<T, Whole, Accumulate> q;

  constexpr row_tensor input(int) const {
    return {q.batch, {q.extent[0], q.extent[1], q.extent[2]}, q.channels, sizeof(T)};
  }
  constexpr row_tensor output(int) const { return input(0); }
  constexpr tile_range sources(int, const tile_range& rows) const { return rows; }
  constexpr index_t operations() const { return 32; }

  template <class F>
  void each_input(F f) const {
    f(0, q.x);
  }
  template <class F>
  void each_output(F f) const {
    f(0, q.y);
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range&, const Local& local) const {
    auto part = q;
    part.x = scattered(local.template input<T>(0)), part.y = scattered(local.template output<T>(0));
    tile::dropping_core<V>::rows(part, rows.first, rows.last);
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct dropping_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<dropping_kernel<mimd<D, Numerics, Tuning>>, D, Numerics> {
  using common = mimd_rows_kernels<dropping_kernel, D, Numerics>;

  template <class T, bool Whole, bool Accumulate>
  static impl::rows_of_dropping<typename common::template vector<T>, Whole, Accumulate> rows_of(
      const dropping<T, Whole, Accumulate>& q) {
    return {q};
  }

  /// Throws where the machine's tiles are too small, before anything is written.
  template <class State, class T, bool Whole, bool Accumulate>
  static void run(State& machine, const dropping<T, Whole, Accumulate>& q) {
    if constexpr (common::template runs_on<State>()) {
      if constexpr (D.shares_host_memory) {
        using core = tile::dropping_core<typename common::template vector<T>>;
        const index_t rows = q.rows();
        common::template run_shared<T>(machine, "drop", q.elements() * 16, [&](index_t t, index_t tiles) {
          core::rows(q, rows * t / tiles, rows * (t + 1) / tiles);
        });
      } else {
        common::run_rows(machine, q, "drop");
      }
    }
  }
};

}  // namespace tern::inline TERN_ISA
