// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contraction family on tile machines. Tiles that access the caller's memory (the cores of the host) run one
// superstep of blocked multiplication. Tiles with private memory only (IPUs, modelled on the host) run a program of
// planned exchanges. docs/mimd.md describes both and their cycle model.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/order.hpp"
#include "tern/core/workspace.hpp"
#include "tern/device/catalog.hpp"
#include "tern/exec/cpu/arch.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/cpu/contraction_core.hpp"
#include "tern/family/contraction/mimd/planner.hpp"
#include "tern/family/contraction/mimd/shared_contraction.hpp"
#include "tern/family/contraction/mimd/spread_contraction.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::inline TERN_ISA {

/// A compile error that carries the two numbers: bytes per tile.
template <index_t BytesNeeded, index_t BytesAvailable>
struct does_not_fit {
  static_assert(BytesNeeded <= BytesAvailable,
                "mimd: the matmul does not fit the tiles of the device: see does_not_fit<bytes needed per tile, bytes "
                "available per tile> in this message");
};

/// The cost of exactness on a device: the predicted cycles of the best exact and the best free plan.
struct exactness_cost {
  double exact_cycles = 0;
  double free_cycles = 0;

  friend constexpr bool operator==(const exactness_cost&, const exactness_cost&) = default;
};

template <const device& D, class Numerics, class Tuning>
struct contraction_kernel<mimd<D, Numerics, Tuning>> : mimd_kernels<D, Numerics> {
  using common = mimd_kernels<D, Numerics>;
  static constexpr bool exact = common::exact;
  static constexpr tile_resources all = common::all;
  static constexpr const device& host = common::host;
  template <class T>
  static constexpr contraction_tuning registers = common::template registers<T>;
  template <class T>
  using core = tile::contraction_core<typename common::template vector<T>, host.vector_registers, registers<T>>;

  /// The partition of a problem over tiles and time. Constexpr.
  /// \param chunk  length of chains: tern::dot_chunk, or tern::sample_grain for weight gradients
  /// \param have   tiles and bytes per tile; by default those of the device, less its program
  template <class T>
  static constexpr tile_plan partition_for(index_t m, index_t n, index_t k, index_t batch = 1,
                                           index_t chunk = dot_chunk, epilogue after = {}, tile_resources have = all) {
    return partition<T>(m, n, k, batch, chunk, after, have, exact);
  }

  /// The same as a tern::plan.
  template <class T, epilogue After = epilogue{}, index_t Chunk = dot_chunk>
  static constexpr plan plan_for(index_t m, index_t n, index_t k, index_t batch = 1, tile_resources have = all) {
    return summary<T>(partition_for<T>(m, n, k, batch, Chunk, After, have));
  }
  template <class T, epilogue After = epilogue{}, index_t Chunk = dot_chunk>
  static constexpr plan plan_for(index_t m, index_t n, index_t k, index_t batch, index_t tiles) {
    return plan_for<T, After, Chunk>(m, n, k, batch, tile_resources{tiles, all.bytes_per_tile});
  }

  /// Predicted cycles with and without exact numerics, whatever this policy's are.
  template <class T>
  static constexpr exactness_cost exactness(index_t m, index_t n, index_t k, index_t batch = 1,
                                            index_t chunk = dot_chunk) {
    return {partition<T>(m, n, k, batch, chunk, {}, all, true).cycles(),
            partition<T>(m, n, k, batch, chunk, {}, all, false).cycles()};
  }

  /// A machine that runs every pass of a matmul of these sizes, with any epilogue.
  /// \param how  as for machine_for: nothing, resources and arguments of the machine, or an executor and checks
  template <class T, class... How>
  static tile_machine make_state(index_t m, index_t n, index_t k, index_t batch = 1, How&&... how) {
    return common::machine_for([&](tile_resources have) { return state_bytes<T>(m, n, k, batch, have); }, how...);
  }

  /// Cost: see partition_for. Throws, before anything is written, if the machine's tiles are too few or too small.
  template <class State, class T, epilogue E, contraction_shape S>
  static void run(State& machine, const contraction<T, E, S>& call, workspace = {}) {
    if constexpr (common::template runs_on<State>()) run_on(machine, call);
  }

  /// Throws if a machine's tiles are too small for a call that follows others.
  template <class T, epilogue E, contraction_shape S>
  static void check_fit(const tile_machine& machine, const contraction<T, E, S>& q) {
    if constexpr (!D.shares_host_memory)
      if (q.m > 0 && q.n > 0 && q.batch > 0) plan_of(machine, q);
  }

  /// Packed weights: panels for tiles that access the caller's memory, rows for tiles with private memory.
  template <class T>
  static constexpr index_t packed_size(index_t k, index_t n) {
    return D.shares_host_memory ? core<T>::packed_size(k, n) : packed_rows::size(k, n);
  }
  template <class T>
  static void pack(const operand<const T>& b, index_t k, index_t n, T* to) {
    if constexpr (D.shares_host_memory)
      core<T>::pack(b, k, n, to);
    else
      packed_rows::pack(b, k, n, to);
  }

 private:
  template <class T, epilogue E, contraction_shape S>
  static void run_on(tile_machine& machine, const contraction<T, E, S>& q) {
    check_fit<T, E, S>();
    if (q.m == 0 || q.n == 0 || q.batch == 0) return;
    if constexpr (D.shares_host_memory) {
      if (q.k == 0) return core<T>::without_sum(q);
      if constexpr (tile::is_small(S)) {
        const tile_plan p = plan_of(machine, q);
        if (p.tiles.m * p.tiles.n == 1) return shared_contraction<core<T>, T, E, S>(q, p).run(machine, D);
      }
      if constexpr (S.b == weights::strided)
        if (q.c.column != 1 && q.c.row == 1) return run_shared(machine, q.transposed());
      run_shared(machine, q.erased());
    } else {
      constexpr contraction_shape strided{.chunk = S.chunk};
      const contraction<T, E, strided> x{q.m, q.n, q.k, q.batch, q.a, q.right_by_rows(), nullptr, q.c, q.with};
      const tile_plan p = plan_of(machine, x);
      spread_contraction<core<T>, T, E, strided>(x, p).run(machine, D);
    }
  }

  template <class T, epilogue E, contraction_shape S>
  static void run_shared(tile_machine& machine, const contraction<T, E, S>& q) {
    const tile_plan p = plan_of(machine, q);
    shared_contraction<core<T>, T, E, S>(q, p).run(machine, D);
  }

  /// The plan for a call on a machine; a violation if there is none.
  template <class T, epilogue E, contraction_shape S>
  static tile_plan plan_of(const tile_machine& machine, const contraction<T, E, S>& q) {
    const tile_resources have = common::resources_of(machine);
    const auto p =
        machine.plan_of<tile_plan>([&] { return partition_for<T>(q.m, q.n, q.k, q.batch, q.chunk, E, have); });
    if (!p.fits)
      violation("matmul: m=%td n=%td k=%td batch=%td needs %td bytes per tile on %s, %td are available", q.m, q.n, q.k,
                q.batch, p.bytes_per_tile, D.name, have.bytes_per_tile);
    return p;
  }

  /// Fails to compile if a problem of static sizes does not fit.
  template <class T, epilogue E, contraction_shape S>
  static constexpr void check_fit() {
    if constexpr (!D.shares_host_memory && S.m != dynamic && S.n != dynamic && S.k != dynamic && S.batch != dynamic) {
      constexpr tile_plan p = partition_for<T>(S.m, S.n, S.k, S.batch, S.chunk, E);
      static_cast<void>(does_not_fit<p.fits ? 0 : p.bytes_per_tile, all.bytes_per_tile>{});
    }
  }

  template <class T>
  static constexpr tile_plan partition(index_t m, index_t n, index_t k, index_t batch, index_t chunk, epilogue after,
                                       tile_resources have, bool at_chunks) {
    const tile_problem q{m, n, k, batch, chunk, sizeof(T), sizeof(accumulator_t<T>), after};
    constexpr tile_tuning pinned = Tuning{}(D, sizeof(T));
    if constexpr (D.shares_host_memory)
      return plan_shared<core<T>>(q, D, have, registers<T>.fork_fmas);
    else
      return plan_tiles(q, D, have, at_chunks, pinned);
  }

  template <class T>
  static constexpr index_t state_bytes(index_t m, index_t n, index_t k, index_t batch, tile_resources have) {
    const epilogue any{.accumulate = true, .bias = true, .residual = true, .act = activation::prelu};
    const tile_plan passes[] = {
        partition_for<T>(m, n, k, batch, dot_chunk, any, have), partition_for<T>(m, k, n, batch, dot_chunk, {}, have),
        partition_for<T>(k, n, m, batch, sample_grain, {}, have), partition_for<T>(1, n, m, 1, sample_grain, {}, have)};
    index_t bytes = 0;
    for (const tile_plan& p : passes)
      if (p.bytes_per_tile > bytes) bytes = p.bytes_per_tile;
    return bytes;
  }

  template <class T>
  static constexpr plan summary(const tile_plan& p) {
    const tile_problem& q = p.problem;
    plan s;
    s.op = "matmul", s.execution = model::mimd, s.device = D.name, s.element = dtype<T>::name;
    s.numerics = Numerics::name;
    s.m = q.m, s.n = q.n, s.k = q.k, s.batch = q.batch;
    s.split_m = p.tiles.m, s.split_n = p.tiles.n, s.split_k = p.tiles.k;
    s.steps_m = p.steps.m, s.steps_n = p.steps.n, s.steps_k = p.steps.k;
    s.tile_m = registers<T>.rows, s.tile_n = core<T>::macro_kernel::panel_columns;
    s.block_m = p.rows(), s.block_n = p.columns(), s.block_k = p.depth();
    s.units = p.tiles.count(), s.supersteps = p.supersteps;
    s.packed_bytes = packed_size<T>(q.k, q.n) * static_cast<index_t>(sizeof(T));
    s.bytes_per_unit = p.bytes_per_tile, s.bytes_moved = p.bytes_moved;
    s.flops = contraction_flops(q.m, q.n, q.k, q.batch);
    s.cycles = p.cycles(), s.fits = p.fits;
    return s;
  }
};

}  // namespace tern::inline TERN_ISA
