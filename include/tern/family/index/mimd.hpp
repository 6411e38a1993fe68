// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rearrangements and resamplings on tile machines: on the cores of the host as under simd; on tiles with private memory
// only, rows of the result are cut, for resamplings channels too (spread_rows.hpp).
#pragma once

#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_rows.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/index/cpu/index_parts.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// A rearrangement as rows.
template <class T, class Arch, class Map, bool Accumulate>
struct rows_of_moves {
  static constexpr int inputs = 1, outputs = 1;
  static constexpr bool cuts_channels = false, accumulates = Accumulate;

  rearrangement<T, Map, Accumulate> q;

  constexpr row_tensor input(int) const {
    return {q.batch, {q.from_extent[0], q.from_extent[1], q.from_extent[2]}, q.from_channels, sizeof(T)};
  }
  constexpr row_tensor output(int) const {
    return {q.batch, {q.extent[0], q.extent[1], q.extent[2]}, q.channels, sizeof(T)};
  }
  constexpr tile_range sources(int, const tile_range& rows) const {
    tile_range range{};
    const row_tensor x = input(0);
    if (x.elements() == 0) return range;
    for (index_t row = rows.first; row < rows.last; ++row) {
      const row_cursor at(row, {q.extent[0], q.extent[1]});
      for (index_t i = 0, parts = q.map.parts(at.z, at.y); i < parts; ++i)
        if (const row_part part = q.map.part(at.z, at.y, i); part.z >= 0) extend(range, x, at.n, part.z, part.y);
    }
    return range;
  }
  constexpr index_t operations() const { return 1; }

  template <class F>
  void each_input(F f) const {
    f(0, q.from);
  }
  template <class F>
  void each_output(F f) const {
    f(0, q.to);
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range&, const Local& local) const {
    auto part = q;
    part.from = scattered(local.template input<T>(0)), part.to = scattered(local.template output<T>(0));
    tile::copy_core<T, Arch, Accumulate>::rows(part, rows.first, rows.last);
  }
};

/// A resampling as rows.
template <class V, resample_pass P, class Axis, bool Accumulate>
struct rows_of_resampling {
  using T = typename V::value_type;
  static constexpr int inputs = 1, outputs = 1;
  static constexpr bool cuts_channels = true, accumulates = Accumulate;

  resampling<T, P, Axis, Accumulate> q;

  constexpr row_tensor input(int) const {
    return {q.batch, {q.from_extent(0), q.from_extent(1), q.from_extent(2)}, q.channels, sizeof(T)};
  }
  constexpr row_tensor output(int) const {
    return {q.batch, {q.extent(0), q.extent(1), q.extent(2)}, q.channels, sizeof(T)};
  }
  constexpr tile_range sources(int, const tile_range& rows) const {
    tile_range range{};
    const row_tensor x = input(0);
    for (index_t row = rows.first; row < rows.last; ++row) {
      const row_cursor at(row, {q.extent(0), q.extent(1)});
      const index_t depth = q.candidates(0, at.z), height = q.candidates(1, at.y);
      if (depth == 0 || height == 0) continue;
      for (const index_t z : {q.candidate_at(0, at.z, 0), q.candidate_at(0, at.z, depth - 1)})
        for (const index_t y : {q.candidate_at(1, at.y, 0), q.candidate_at(1, at.y, height - 1)})
          extend(range, x, at.n, z, y);
    }
    return range;
  }
  constexpr index_t operations() const {
    index_t n = 1;
    for (int r = 0; r < 3; ++r) {
      index_t most = 1;
      for (index_t i = 0; i < q.extent(r); ++i) most = q.candidates(r, i) > most ? q.candidates(r, i) : most;
      n *= most;
    }
    return n;
  }

  template <class F>
  void each_input(F f) const {
    f(0, q.from);
  }
  template <class F>
  void each_output(F f) const {
    f(0, q.to);
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range& channels, const Local& local) const {
    auto part = q;
    part.channels = channels.size();
    part.from = local.template input<T>(0), part.to = local.template output<T>(0);
    tile::resample_core<V>::rows(part, rows.first, rows.last);
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct rearrangement_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<rearrangement_kernel<mimd<D, Numerics, Tuning>>, tile::index_parts, D, Numerics> {
  using common = mimd_rows_kernels<rearrangement_kernel, tile::index_parts, D, Numerics>;
  static constexpr const char* name = "rearrange";

  template <class T, class Map, bool Accumulate>
  static impl::rows_of_moves<T, typename common::arch, Map, Accumulate> rows_of(
      const rearrangement<T, Map, Accumulate>& q) {
    return {q};
  }
  /// Turns a signal into an image of one column, because calls are cut along rows.
  template <class T, resample_pass P, class Axis, bool Accumulate>
  static impl::rows_of_resampling<typename common::template vector<T>, P, Axis, Accumulate> rows_of(
      resampling<T, P, Axis, Accumulate> q) {
    if (q.axis[0].out() == 1 && q.axis[1].out() == 1 && q.axis[0].in == 1 && q.axis[1].in == 1)
      std::swap(q.axis[1], q.axis[2]), std::swap(q.from.axis[1], q.from.axis[2]), std::swap(q.to.axis[1], q.to.axis[2]);
    return {q};
  }
};

}  // namespace tern::inline TERN_ISA
