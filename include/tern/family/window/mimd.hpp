// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools on tile machines: on the cores of the host as under simd. On tiles with private memory only, rows of the result
// and channels are cut, and tiles gather the rows under the windows, including the halo (spread_rows.hpp).
#pragma once

#include <cstdint>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_rows.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/exec/mimd/window_rows.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/window/cpu/pool_parts.hpp"
#include "tern/family/window/pooling.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

template <class T>
constexpr row_tensor inputs_of(const pool_shape& s) {
  return {s.batch, {s.axis[0].in, s.axis[1].in, s.axis[2].in}, s.channels, sizeof(T)};
}
template <class T>
constexpr row_tensor results_of(const pool_shape& s) {
  return {s.batch, {s.axis[0].out, s.axis[1].out, s.axis[2].out}, s.channels, sizeof(T)};
}

/// pool_values as rows.
template <class V, pool_kind K, bool Indices>
struct pool_rows {
  using T = typename V::value_type;
  static constexpr int inputs = 1, outputs = Indices ? 2 : 1;
  static constexpr bool cuts_channels = true, accumulates = false;

  pool_values<T, K, Indices> q;

  constexpr row_tensor input(int) const { return inputs_of<T>(q.shape); }
  constexpr row_tensor output(int i) const {
    return i == 0 ? results_of<T>(q.shape) : results_of<std::int32_t>(q.shape);
  }
  constexpr tile_range sources(int, const tile_range& rows) const { return rows_reached(q.shape.axis, rows); }
  constexpr index_t operations() const { return q.shape.taps(); }

  template <class F>
  void each_input(F f) const {
    f(0, q.x);
  }
  template <class F>
  void each_output(F f) const {
    f(0, q.y);
    if constexpr (Indices) f(1, q.indices);
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range& channels, const Local& local) const {
    auto part = q;
    part.shape.channels = channels.size();
    part.x = local.template input<T>(0), part.y = local.template output<T>(0);
    if constexpr (Indices) part.indices = local.template output<std::int32_t>(1);
    tile::pool_core<V>::rows(part, false, false, rows.first, rows.last, 0, channels.size());
  }
};

/// pool_gradient as rows.
template <class V, pool_shares S, bool Accumulate>
struct rows_of_gradient {
  using T = typename V::value_type;
  static constexpr int inputs = S == pool_shares::all ? 1 : 2, outputs = 1;
  static constexpr bool cuts_channels = true, accumulates = Accumulate;

  pool_gradient<T, S, Accumulate> q;

  constexpr row_tensor input(int i) const {
    if (i == 0) return results_of<T>(q.shape);
    return S == pool_shares::given ? results_of<std::int32_t>(q.shape) : inputs_of<T>(q.shape);
  }
  constexpr row_tensor output(int) const { return inputs_of<T>(q.shape); }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    const tile_range windows = rows_over(q.shape.axis, rows);
    return i == 1 && S == pool_shares::found ? rows_reached(q.shape.axis, windows) : windows;
  }
  constexpr index_t operations() const { return (S == pool_shares::found ? 2 : 1) * q.shape.taps(); }

  template <class F>
  void each_input(F f) const {
    f(0, q.dy);
    if constexpr (S == pool_shares::given) f(1, q.indices);
    if constexpr (S == pool_shares::found) f(1, q.x);
  }
  template <class F>
  void each_output(F f) const {
    f(0, q.dx);
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range& channels, const Local& local) const {
    auto part = q;
    part.shape.channels = channels.size();
    part.dy = local.template input<T>(0), part.dx = local.template output<T>(0);
    if constexpr (S == pool_shares::given) part.indices = local.template input<std::int32_t>(1);
    if constexpr (S == pool_shares::found) part.x = local.template input<T>(1);
    tile::pool_shares_core<V>::rows(part, false, false, rows.first, rows.last, 0, channels.size());
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct pooling_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<pooling_kernel<mimd<D, Numerics, Tuning>>, tile::pool_parts, D, Numerics> {
  using common = mimd_rows_kernels<pooling_kernel, tile::pool_parts, D, Numerics>;
  static constexpr const char* name = "pool";

  template <class T>
  using vector = typename common::template vector<T>;

  template <class T, pool_kind K, bool Indices>
  static impl::pool_rows<vector<T>, K, Indices> rows_of(const pool_values<T, K, Indices>& q) {
    return {turned(q)};
  }
  template <class T, pool_shares S, bool Accumulate>
  static impl::rows_of_gradient<vector<T>, S, Accumulate> rows_of(const pool_gradient<T, S, Accumulate>& q) {
    return {turned(q)};
  }

 private:
  /// Turns a signal into an image of one column, because calls are cut along rows.
  template <class Call>
  static Call turned(Call q) {
    constexpr window_axis none{};
    if (!(q.shape.axis[0] == none && q.shape.axis[1] == none)) return q;
    std::swap(q.shape.axis[1], q.shape.axis[2]);
    const auto turn = [](auto&... images) { (std::swap(images.axis[1], images.axis[2]), ...); };
    if constexpr (requires { q.dx; })
      turn(q.dy, q.indices, q.x, q.dx);
    else
      turn(q.x, q.y, q.indices);
    return q;
  }
};

}  // namespace tern::inline TERN_ISA
