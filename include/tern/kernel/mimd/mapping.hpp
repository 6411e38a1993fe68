// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps on tile machines: on the cores of the host as under simd; on tiles that see their own memory only, rows and
// channels of the result are cut (spread_rows.hpp).
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/mimd/kernels.hpp"
#include "tern/kernel/mimd/spread_rows.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/tile/map_core.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// A map as rows. Tensors that are the same for all samples or along an axis are spread once.
template <class V, class F>
struct rows_of_mapping {
  using T = typename V::value_type;
  static constexpr int inputs = F::inputs, outputs = F::outputs;
  static constexpr bool cuts_channels = true, accumulates = F::accumulates;

  mapping<T, F> q;

  constexpr row_tensor input(int i) const {
    const auto& x = q.in[i];
    const auto size = [](index_t stride, index_t extent) { return stride == 0 && extent > 0 ? index_t(1) : extent; };
    return {size(x.sample, q.batch),
            {size(x.axis[0], q.extent[0]), size(x.axis[1], q.extent[1]), size(x.axis[2], q.extent[2])},
            q.channels,
            sizeof(T)};
  }
  constexpr row_tensor output(int) const {
    return {q.batch, {q.extent[0], q.extent[1], q.extent[2]}, q.channels, sizeof(T)};
  }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    tile_range range{};
    const row_tensor x = input(i);
    if (x.rows() == q.rows()) return rows;
    for (index_t row = rows.first; row < rows.last; ++row) {
      const row_cursor at(row, {q.extent[0], q.extent[1]});
      take_in(range, x, x.batch > 1 ? at.n : 0, x.extent[0] > 1 ? at.z : 0, x.extent[1] > 1 ? at.y : 0);
    }
    return range;
  }
  constexpr index_t operations() const { return F::operations > 0 ? F::operations : 1; }

  template <class Do>
  void each_input(Do f) const {
    for (int i = 0; i < inputs; ++i) f(i, q.in[i]);
  }
  template <class Do>
  void each_output(Do f) const {
    for (int i = 0; i < outputs; ++i) f(i, q.out[i]);
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range& channels, const Local& local) const {
    auto part = q;
    part.channels = channels.size();
    for (int i = 0; i < inputs; ++i) {
      part.in[i] = scattered(local.template input<T>(i));
      if (q.in[i].sample == 0) part.in[i].sample = 0;
      for (int r = 0; r < 3; ++r)
        if (q.in[i].axis[r] == 0) part.in[i].axis[r] = 0;
    }
    for (int i = 0; i < outputs; ++i) part.out[i] = scattered(local.template output<T>(i));
    tile::map_core<V, 0>::rows(part, rows.first, rows.last);
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct mapping_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<mapping_kernel<mimd<D, Numerics, Tuning>>, D, Numerics> {
  using common = mimd_rows_kernels<mapping_kernel, D, Numerics>;

  template <class T, class F>
  static impl::rows_of_mapping<typename common::template vector<T>, F> rows_of(const mapping<T, F>& q) {
    return {q};
  }

  /// Throws where the machine's tiles are too small, before anything is written.
  template <class State, class T, class F>
  static void run(State& machine, const mapping<T, F>& q) {
    if constexpr (common::template runs_on<State>()) {
      if constexpr (D.shares_host_memory) {
        using core = tile::map_core<typename common::template vector<T>, common::template registers<T>.memory_bytes>;
        common::template run_shared<T>(machine, "map", q.elements() * rows_of(q).operations(),
                                       [&](index_t t, index_t tiles) { core::run(q, t, tiles); });
      } else {
        common::run_rows(machine, q, "map");
      }
    }
  }
};

}  // namespace tern::inline TERN_ISA
