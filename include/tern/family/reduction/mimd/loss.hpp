// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses on tile machines: on the cores of the host as under simd; on tiles with private memory only, samples are
// distributed (spread_rows.hpp).
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_rows.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/cpu/loss_core.hpp"
#include "tern/family/reduction/mimd/place_sums.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// element_sums as rows: a result per sample.
template <class V, class F>
struct rows_of_element_sums {
  using T = typename V::value_type;
  static constexpr int inputs = F::inputs, outputs = 1;
  static constexpr bool cuts_channels = false, accumulates = false;

  element_sums<T, F> q;

  constexpr row_tensor input(int) const {
    return {q.batch, {q.extent[0], q.extent[1], q.extent[2]}, q.channels, sizeof(T)};
  }
  constexpr row_tensor output(int) const { return {q.batch, {1, 1, 1}, 1, sizeof(T)}; }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    return scaled(rows, output(0).rows(), input(i).rows());
  }
  constexpr index_t operations() const { return q.part_work(); }

  template <class Do>
  void each_input(Do f) const {
    for (int i = 0; i < inputs; ++i) f(i, q.in[i]);
  }
  template <class Do>
  void each_output(Do f) const {
    f(0, scattered_image<T>{.p = q.y.p, .sample = q.y.row});
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range&, const Local& local) const {
    element_sums<T, F> one = q;
    for (index_t n = rows.first; n < rows.last; ++n) {
      one.batch = 1;
      for (int i = 0; i < inputs; ++i) {
        const image<const T> in = local.template input<T>(i);
        one.in[i] = scattered(in), one.in[i].p = in.at(n, 0, 0, 0, 0), one.in[i].skipped = 0;
      }
      one.y = {local.template output<T>(0).at(n, 0, 0, 0, 0), 1, 0, 0};
      tile::loss_core<V>::part(one, 0, 1);
    }
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct loss_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<loss_kernel<mimd<D, Numerics, Tuning>>, tile::loss_parts, D, Numerics> {
  using common = mimd_rows_kernels<loss_kernel, tile::loss_parts, D, Numerics>;
  static constexpr const char* name = "loss";

  template <class T>
  using vector = typename common::template vector<T>;

  template <class T, class F>
  static impl::rows_of_element_sums<vector<T>, F> rows_of(const element_sums<T, F>& q) {
    return {q};
  }
};

}  // namespace tern::inline TERN_ISA
