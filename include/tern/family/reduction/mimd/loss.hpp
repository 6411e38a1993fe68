// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses on tile machines: on the cores of the host as under simd; on tiles that see their own memory only, samples and
// rows are dealt out (spread_rows.hpp).
#pragma once

#include <cstdint>

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

/// A cross-entropy, or its gradient, as rows.
/// \tparam Call  cross_entropy_values or cross_entropy_gradient
template <class V, class Call>
struct rows_of_cross_entropy {
  using T = typename V::value_type;
  static constexpr bool backward = requires(Call q) { q.dx; };
  static constexpr bool each = [] {
    if constexpr (backward)
      return Call::each;
    else
      return false;
  }();
  static constexpr bool cuts_channels = false, accumulates = [] {
    if constexpr (backward)
      return Call::accumulate;
    else
      return false;
  }();
  static constexpr int inputs = 2 + each, outputs = 1;

  Call q;

  constexpr row_tensor rows_of(index_t channels, int element_bytes) const {
    const row_shape& s = q.shape;
    return {s.batch, {s.extent[0], s.extent[1], s.extent[2]}, channels, element_bytes};
  }
  constexpr row_tensor input(int i) const {
    return rows_of(i == 0 ? q.shape.features : 1, i == 1 ? sizeof(std::int32_t) : sizeof(T));
  }
  constexpr row_tensor output(int) const { return rows_of(backward ? q.shape.features : 1, sizeof(T)); }
  constexpr tile_range sources(int, const tile_range& rows) const { return rows; }
  constexpr index_t operations() const { return backward ? 24 : q.part_work(); }

  template <class Do>
  void each_input(Do f) const {
    f(0, q.x), f(1, q.target);
    if constexpr (each) f(2, q.dy);
  }
  template <class Do>
  void each_output(Do f) const {
    if constexpr (backward)
      f(0, q.dx);
    else
      f(0, q.y);
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range&, const Local& local) const {
    for (index_t row = rows.first; row < rows.last; ++row) {
      const row_cursor at(row, {q.shape.extent[0], q.shape.extent[1]});
      Call one = q;
      one.shape.batch = one.shape.extent[0] = one.shape.extent[1] = 1;
      const auto line = [&](const auto& image) {
        auto i = scattered(image);
        i.p = image.at(at.n, 0, at.z, at.y, 0), i.skipped = 0;
        return i;
      };
      one.x = line(local.template input<T>(0)), one.target = line(local.template input<std::int32_t>(1));
      if constexpr (each) one.dy = line(local.template input<T>(2));
      if constexpr (backward)
        one.dx = line(local.template output<T>(0));
      else
        one.y = line(local.template output<T>(0));
      tile::loss_core<V>::part(one, 0, one.shape.extent[2]);
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
  template <class T, bool Smooth>
  static impl::rows_of_cross_entropy<vector<T>, cross_entropy_values<T, Smooth>> rows_of(
      const cross_entropy_values<T, Smooth>& q) {
    return {q};
  }
  template <class T, bool Each, bool Accumulate>
  static impl::rows_of_cross_entropy<vector<T>, cross_entropy_gradient<T, Each, Accumulate>> rows_of(
      const cross_entropy_gradient<T, Each, Accumulate>& q) {
    return {q};
  }
};

}  // namespace tern::inline TERN_ISA
