// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout on tile machines: on the cores of the host as under simd; on tiles that see their own memory only, rows of
// the result are dealt out (spread_rows.hpp).
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_rows.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/cpu/drawing_core.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// A call as rows.
template <class V, class F>
struct rows_of_drawing {
  using T = typename V::value_type;
  static constexpr int inputs = F::inputs, outputs = F::outputs;
  static constexpr bool cuts_channels = false, accumulates = F::accumulates;

  drawing<T, F> q;

  constexpr row_tensor input(int) const {
    return {q.batch, {q.extent[0], q.extent[1], q.extent[2]}, q.channels, sizeof(T)};
  }
  constexpr row_tensor output(int) const { return input(0); }
  constexpr tile_range sources(int, const tile_range& rows) const { return rows; }
  constexpr index_t operations() const { return 32; }

  template <class Do>
  void each_input(Do f) const {
    for (int i = 0; i < inputs; ++i) f(i, q.in[i]);
  }
  template <class Do>
  void each_output(Do f) const {
    for (int i = 0; i < outputs; ++i) f(i, q.out[i]);
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range&, const Local& local) const {
    auto part = q;
    for (int i = 0; i < inputs; ++i) part.in[i] = scattered(local.template input<T>(i));
    for (int i = 0; i < outputs; ++i) part.out[i] = scattered(local.template output<T>(i));
    tile::drawing_core<V>::rows(part, rows.first, rows.last);
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct drawing_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<drawing_kernel<mimd<D, Numerics, Tuning>>, D, Numerics> {
  using common = mimd_rows_kernels<drawing_kernel, D, Numerics>;

  template <class T, class F>
  static impl::rows_of_drawing<typename common::template vector<T>, F> rows_of(const drawing<T, F>& q) {
    return {q};
  }

  /// Throws where the machine's tiles are too small, before anything is written.
  template <class State, class T, class F>
  static void run(State& machine, const drawing<T, F>& q) {
    if constexpr (common::template runs_on<State>()) {
      if constexpr (D.shares_host_memory) {
        using core = tile::drawing_core<typename common::template vector<T>>;
        const index_t rows = q.rows();
        common::template run_shared<T>(machine, "draw", q.elements() * 16, [&](index_t t, index_t tiles) {
          core::rows(q, rows * t / tiles, rows * (t + 1) / tiles);
        });
      } else {
        common::run_rows(machine, q, "draw");
      }
    }
  }
};

}  // namespace tern::inline TERN_ISA
