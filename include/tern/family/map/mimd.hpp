// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps on tile machines: on the cores of the host as under simd. On tiles with private memory only, rows of the result
// are cut, and channels, except for functions that draw random numbers (exec/mimd/spread_rows.hpp).
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_rows.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/cpu/map_parts.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// A map as rows. Tensors that are the same for all samples or along an axis are spread once.
template <class V, class F>
struct rows_of_mapping {
  using T = typename V::value_type;
  static constexpr int inputs = F::inputs, outputs = F::outputs;
  static constexpr bool cuts_channels = true, accumulates = F::accumulates;

  mapping<T, F> q;

  constexpr row_tensor input(int i) const { return repeated(q.in[i], output(0)); }
  constexpr row_tensor output(int) const {
    return {q.batch, {q.extent[0], q.extent[1], q.extent[2]}, q.channels, sizeof(T)};
  }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    return repeated_sources(input(i), output(0), rows);
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
    for (int i = 0; i < inputs; ++i) part.in[i] = repeated_image(scattered(local.template input<T>(i)), q.in[i]);
    for (int i = 0; i < outputs; ++i) part.out[i] = scattered(local.template output<T>(i));
    tile::map_core<V>::rows(part, rows.first, rows.last);
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct mapping_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<mapping_kernel<mimd<D, Numerics, Tuning>>, tile::map_parts, D, Numerics> {
  using common = mimd_rows_kernels<mapping_kernel, tile::map_parts, D, Numerics>;
  static constexpr const char* name = "map";

  template <class T, class F>
  static impl::rows_of_mapping<typename common::template vector<T>, F> rows_of(const mapping<T, F>& q) {
    return {q};
  }
};

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
    : mimd_rows_kernels<drawing_kernel<mimd<D, Numerics, Tuning>>, tile::map_parts, D, Numerics> {
  using common = mimd_rows_kernels<drawing_kernel, tile::map_parts, D, Numerics>;
  static constexpr const char* name = "draw";

  template <class T, class F>
  static impl::rows_of_drawing<typename common::template vector<T>, F> rows_of(const drawing<T, F>& q) {
    return {q};
  }
};

}  // namespace tern::inline TERN_ISA
