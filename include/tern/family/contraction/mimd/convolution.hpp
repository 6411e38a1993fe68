// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions on tile machines. On tiles that access the caller's memory (the cores of the host) they are one
// superstep, in which every tile computes its part like a core under simd. On tiles with private memory only (IPUs,
// modelled on the host) they are a program of planned exchanges, including halos. docs/mimd.md.
#pragma once

#include <tuple>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/workspace.hpp"
#include "tern/device/catalog.hpp"
#include "tern/exec/cpu/arch.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/conv_parts.hpp"
#include "tern/family/contraction/mimd/conv_planner.hpp"
#include "tern/family/contraction/mimd/spread_gradient.hpp"
#include "tern/family/contraction/mimd/spread_sums.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA {

/// Under numerics::relaxed the plans are the exact ones.
template <const device& D, class Numerics, class Tuning>
struct convolution_kernel<mimd<D, Numerics, Tuning>> : mimd_kernels<D, Numerics> {
  using common = mimd_kernels<D, Numerics>;
  template <class T>
  using vector = typename common::template vector<T>;
  template <class T>
  using parts = tile::conv_parts<vector<T>, common::template registers<T>, common::host.l2_bytes>;
  /// The conv_parts of a call, with only the kernels that it needs.
  template <class T, class Call>
  using parts_of = tile::conv_parts<vector<T>, common::template registers<T>, common::host.l2_bytes, Call::paths>;

  /// The partition of a call over tiles and time, on tiles with private memory. Constexpr.
  template <class T>
  static constexpr conv_plan partition_for(conv_work work, const conv_shape& s, epilogue after = {},
                                           tile_resources have = common::all) {
    constexpr tile_tuning pinned = Tuning{}(D, sizeof(T));
    have.bytes_per_tile = static_cast<index_t>(static_cast<double>(have.bytes_per_tile) * pinned.memory_share);
    return plan_tiles({work, s, sizeof(T), after}, D, have);
  }

  /// The same as a tern::plan, for one tile of the host by default.
  template <class T>
  static constexpr plan plan_for(conv_work work, const conv_shape& s, epilogue after = {},
                                 tile_resources have = common::all) {
    plan r = conv_plan_of<T>(work, s, model::mimd, D.name, Numerics::name, packed_size<T>(s, packed_for(work)));
    r.tile_m = common::template registers<T>.rows, r.tile_n = parts<T>::core::width;
    if (D.shares_host_memory) {
      r.units = r.split_m = multiply_adds(s) < common::template registers<T>.fork_fmas ? 1 : have.tiles;
      r.cycles =
          tile_cycles::number(multiply_adds(s)) / tile_cycles::number(r.units) / tile_cycles::fma_rate(D, sizeof(T));
      return r;
    }
    const conv_plan p = partition_for<T>(work, s, after, have);
    const auto along = [](const conv_split& g, std::initializer_list<int> dimensions) {
      index_t parts_along = 1;
      for (int d : dimensions) parts_along *= g[d];
      return parts_along;
    };
    const std::initializer_list<int> rows{of_batch, of_z, of_y, of_x, of_tap, of_in}, columns{of_group, of_channel};
    r.split_m = along(p.tiles, rows), r.split_n = along(p.tiles, columns), r.split_k = p.tiles[of_depth];
    r.steps_m = along(p.steps, rows), r.steps_n = along(p.steps, columns), r.steps_k = p.steps[of_depth];
    r.block_n = p.largest(of_group) * p.largest(of_channel), r.block_m = r.block_n > 0 ? p.elements() / r.block_n : 0;
    r.block_k = p.largest(of_depth) * p.problem.chunk_length();
    r.units = p.tiles.count(), r.supersteps = p.supersteps, r.bytes_per_unit = p.bytes_per_tile;
    r.bytes_moved = p.bytes_moved, r.cycles = p.cycles(), r.fits = p.fits;
    return r;
  }
  template <class T>
  static constexpr plan plan_for(conv_work work, const conv_shape& s, epilogue after, index_t tiles) {
    return plan_for<T>(work, s, after, tile_resources{tiles, common::all.bytes_per_tile});
  }

  /// A machine that runs every pass of a convolution of this shape, with any epilogue.
  /// \param how  as for machine_for: nothing, resources and arguments of the machine, or an executor and checks
  template <class T, class... How>
  static tile_machine make_state(const conv_shape& s, How&&... how) {
    return make_state_with<T>(s, std::tuple<>{}, how...);
  }
  /// The same, and calls of another family, such as the sums of bias gradients.
  template <class T, class... Calls, class... How>
  static tile_machine make_state_with(const conv_shape& s, const std::tuple<Calls...>& calls, How&&... how) {
    const auto bytes = [&](tile_resources have) {
      index_t most = state_bytes<T>(s, have);
      const auto take = [&]<class Call>(const Call& call) {
        if (D.shares_host_memory) return;
        using kernels = typename Call::template kernel<mimd<D, Numerics, Tuning>>;
        const index_t needed = kernels::partition_for(call, have).bytes_per_tile;
        if (needed > most) most = needed;
      };
      std::apply([&](const auto&... call) { (take(call), ...); }, calls);
      return most;
    };
    return common::machine_for(bytes, how...);
  }

  /// Throws if a machine's tiles are too few or too small for a call that follows others.
  template <class T, conv_pass P, epilogue E>
  static void check_fit(const tile_machine& machine, const conv_sums<T, P, E>& q) {
    if constexpr (!D.shares_host_memory)
      if (q.shape.batch * q.extent(0) * q.extent(1) * q.extent(2) > 0)
        plan_of<T>(machine, P == conv_pass::forward ? conv_work::forward : conv_work::data, q.shape, E);
  }
  template <class T, bool Accumulate>
  static void check_fit(const tile_machine& machine, const conv_gradient<T, Accumulate>& q) {
    if constexpr (!D.shares_host_memory) plan_of<T>(machine, conv_work::weights, q.shape, {});
  }

  /// Cost: see conv_planner.hpp. Throws, before anything is written, if the machine's tiles are too few or too small.
  template <class State, class Call>
  static void run(State& machine, const Call& q, workspace = {}) {
    if constexpr (common::template runs_on<State>()) {
      if constexpr (D.shares_host_memory)
        run_cores(machine, q);
      else
        run_spread(machine, q);
    }
  }

  /// Packed weights: panels for tiles that access the caller's memory. For tiles with private memory: (group, tap,
  /// input channel, output channel), for every pass.
  template <class T>
  static constexpr index_t packed_size(const conv_shape& s, conv_pass p = conv_pass::forward) {
    return D.shares_host_memory ? parts<T>::packed_size(s, p) : packed_filters_size(s, s.out);
  }
  template <class T>
  static filters<const T> packed(const T* from, const conv_shape& s, conv_pass p = conv_pass::forward) {
    return D.shares_host_memory ? parts<T>::packed(from, s, p) : packed_filters(from, s, s.out);
  }
  template <class T>
  static void pack(const conv_shape& s, const filters<const T>& w, T* to,
                   [[maybe_unused]] conv_pass p = conv_pass::forward) {
    if constexpr (D.shares_host_memory)
      parts<T>::pack(s, w, to, p);
    else
      copy_filters(s, w, packed_filters(to, s, s.out));
  }

 private:
  template <class Call>
  static void run_cores(tile_machine& machine, const Call& q) {
    using T = typename Call::value_type;
    common::template run_shared<T>(machine, "convolve", multiply_adds(q.shape),
                                   [&](index_t t, index_t tiles) { parts_of<T, Call>::run(q, t, tiles); });
  }

  template <class T, conv_pass P, epilogue E>
  static void run_spread(tile_machine& machine, const conv_sums<T, P, E>& q) {
    if (q.shape.batch * q.extent(0) * q.extent(1) * q.extent(2) == 0) return;
    const conv_plan p = plan_of<T>(machine, P == conv_pass::forward ? conv_work::forward : conv_work::data, q.shape, E);
    spread_sums<typename parts<T>::core, vector<T>, T, P, E>(q, p).run(machine, D);
  }
  template <class T, bool Accumulate>
  static void run_spread(tile_machine& machine, const conv_gradient<T, Accumulate>& q) {
    const conv_plan p = plan_of<T>(machine, conv_work::weights, q.shape, {});
    spread_gradient<typename parts<T>::gradient_core, T, Accumulate>(q, p).run(machine, D);
  }

  /// The plan for a call on a machine; a violation if there is none.
  template <class T>
  static conv_plan plan_of(const tile_machine& machine, conv_work work, const conv_shape& s, epilogue after) {
    const tile_resources have = common::resources_of(machine);
    const auto p = machine.plan_of<conv_plan>([&] { return partition_for<T>(work, s, after, have); });
    if (!p.fits)
      violation(
          "convolution: batch %td, %td x %td channels, %tdx%tdx%td positions need %td bytes per tile on %s, %td "
          "are available",
          s.batch, s.groups * s.in, s.groups * s.out, s.axis[0].out, s.axis[1].out, s.axis[2].out, p.bytes_per_tile,
          D.name, have.bytes_per_tile);
    return p;
  }

  template <class T>
  static index_t state_bytes(const conv_shape& s, tile_resources have) {
    if (D.shares_host_memory) return 0;
    const epilogue any{.accumulate = true,
                       .bias = true,
                       .residual = true,
                       .act = activation::prelu,
                       .scale = true,
                       .slope_by_position = true};
    index_t bytes = 0;
    for (const index_t needed : {partition_for<T>(conv_work::forward, s, any, have).bytes_per_tile,
                                 partition_for<T>(conv_work::data, s, any, have).bytes_per_tile,
                                 partition_for<T>(conv_work::weights, s, {}, have).bytes_per_tile})
      if (needed > bytes) bytes = needed;
    return bytes;
  }
};

}  // namespace tern::inline TERN_ISA
