// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base of the kernels of every family under mimd.
#pragma once

#include <tuple>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/sentence.hpp"
#include "tern/device/catalog.hpp"
#include "tern/exec/cpu/arch.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/mimd/program_plans.hpp"
#include "tern/exec/mimd/spread_rows.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/policy/call_plans.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics>
struct mimd_kernels {
  // No `context`: calls need a machine, and its owner is the caller.

  /// The machine with the vector unit for the arithmetic: the host's lanes compute for IPU tiles.
  static constexpr device host = D.shares_host_memory ? D : devices::native;
  using arch = arch_for_t<host.instructions, host.vector_bytes>;
  /// The reason why this file has no kernels for the device; empty if it has.
  static constexpr const char* refusal =
      std::is_void_v<arch>
          ? "mimd: this file is not compiled for the instructions of the device: raise -march or choose another device"
          : "";
  /// The reason why calls do not run on a State; empty if they do.
  template <class State>
  static constexpr const char* refusal_of =
      !std::is_same_v<State, tile_machine> ? "mimd: the first argument of the call must be a tern::tile_machine"
      : std::is_same_v<Numerics, numerics::exact> && !has_fma(host.instructions)
          ? "mimd: exact numerics need fma, which this file is not compiled for: compile with -march=x86-64-v3, use "
            "tern::numerics::relaxed, or build per ISA with tern_add_isas"
          : "";

  template <class T>
  using vector = lanes<T, arch>;
  template <class T>
  static constexpr contraction_tuning registers = tuning::automatic{}(host, sizeof(T));

  /// The resources of the device for a program. The number of host tiles is the machine's; 1 by default.
  static constexpr tile_resources all{D.units > 0 ? D.units : 1,
                                      D.local_bytes > D.program_bytes ? D.local_bytes - D.program_bytes : 0};

  static constexpr bool exact = !std::is_same_v<Numerics, numerics::relaxed>;

  /// A machine smaller than the device limits the program; a larger one does not extend the device. The number of tiles
  /// that share the caller's memory is the machine's.
  static tile_resources resources_of(const tile_machine& machine) {
    tile_resources have{machine.tiles(), machine.bytes_per_tile()};
    if (!D.shares_host_memory && all.tiles < have.tiles) have.tiles = all.tiles;
    if (!D.shares_host_memory && all.bytes_per_tile < have.bytes_per_tile) have.bytes_per_tile = all.bytes_per_tile;
    return have;
  }

  /// A machine for all calls: every tile has all of its memory.
  /// \param how  as for machine_for
  template <class... How>
  static tile_machine machine(How&&... how) {
    return machine_for([](tile_resources have) { return have.bytes_per_tile; }, how...);
  }

 protected:
  /// True if calls run on a State; otherwise one compile error.
  template <class State>
  static constexpr bool runs_on() {
    return declare::no_error<declare::text(refusal_of<State>)>();
  }

  /// A machine with bytes(resources) bytes per tile, or the device's if less: calls that need more throw.
  ///     machine_for(bytes)                   all tiles of the device, on the calling thread
  ///     machine_for(bytes, resources, ...)   these resources; further arguments go to the machine
  ///     machine_for(bytes, executor, ...)    for tiles that are cores: one per thread of the executor
  template <class Bytes>
  static tile_machine machine_for(Bytes bytes) {
    return machine_for(bytes, all);
  }
  template <class Bytes, class... Arguments>
  static tile_machine machine_for(Bytes bytes, tile_resources have, Arguments&&... arguments) {
    const index_t needed = bytes(have);
    return tile_machine(have.tiles, needed < have.bytes_per_tile ? needed : have.bytes_per_tile, arguments...);
  }
  template <class Bytes, executor E, class... Checks>
  static tile_machine machine_for(Bytes bytes, E& run, Checks... checks) {
    const index_t tiles = D.shares_host_memory ? static_cast<index_t>(run.concurrency()) : all.tiles;
    return machine_for(bytes, tile_resources{tiles, all.bytes_per_tile}, run, checks...);
  }

  /// One superstep on tiles that access the caller's memory: part(t, tiles) on every tile, or on one tile if the call
  /// has too few operations for more.
  template <class T, class Part>
  static void run_shared(tile_machine& machine, const char* name, index_t operations, Part part) {
    const index_t tiles = operations < registers<T>.fork_fmas ? 1 : machine.tiles();
    machine.start(D, tiles);
    machine.superstep(name, [&](index_t t, arena&) {
      part(t, tiles);
      return tile_cycles::number(operations) / tile_cycles::number(tiles) / tile_cycles::fma_rate(D, sizeof(T));
    });
  }
};

/// Prepared calls keep the plans of their programs.
template <const device& D, class Numerics, class Tuning>
struct call_plans<mimd<D, Numerics, Tuning>> {
  template <class Kernels, class State, class Call>
  void find(State& state, const Call& call) {
    if constexpr (std::is_same_v<State, tile_machine>) state.find_plans(plans_, [&] { Kernels::run(state, call); });
  }
  template <class Kernels, class State, class Problem, class... Memory>
  void run(State& state, const Problem& problem, const Memory&... memory) const {
    const auto call = [&] { Kernels::run(state, problem(), memory...); };
    if constexpr (std::is_same_v<State, tile_machine>)
      state.run_with(plans_, call);
    else
      call();  // on the calling thread
  }

 private:
  program_plans plans_;
};

namespace impl {

/// The kernels that run a call under a policy: its own, or else `Kernels`.
template <class Kernels, class Call>
struct kernels_of {
  using type = Kernels;
};
template <template <class> class Kernels, class Policy, class Call>
  requires requires { typename Call::template kernel<Policy>; }
struct kernels_of<Kernels<Policy>, Call> {
  using type = typename Call::template kernel<Policy>;
};

}  // namespace impl

/// Kernels of calls that are cut by rows on tiles with private memory.
/// \tparam Parts    the code for cores of the host: see exec/cpu/simd_kernels.hpp
/// \tparam Kernels  derives from this, has `name`, the word for its calls, and has rows_of(call), the call in the form
///                  of row_plan.hpp or a tuple of stages, or with_rows(call, f), which passes f one of several such
///                  forms
template <class Kernels, template <class, class, index_t> class Parts, const device& D, class Numerics>
struct mimd_rows_kernels : mimd_kernels<D, Numerics> {
  using common = mimd_kernels<D, Numerics>;

  /// Runs on cores of the host as under simd. Throws, before anything is written, if the machine's tiles are too small.
  template <class State, class Call>
  static void run(State& machine, const Call& call) {
    if constexpr (common::template runs_on<State>()) {
      if constexpr (D.shares_host_memory) {
        using T = typename Call::value_type;
        using parts = Parts<T, typename common::arch, common::template registers<T>.memory_bytes>;
        common::template run_shared<T>(machine, Kernels::name, parts::work(call),
                                       [&](index_t t, index_t tiles) { parts::run(call, t, tiles); });
      } else {
        run_rows(machine, call);
      }
    }
  }
  /// Throws if a machine's tiles are too small for a call that follows others.
  template <class Call>
  static void check_fit(const tile_machine& machine, const Call& call) {
    if constexpr (!D.shares_host_memory)
      with_rows_of(call, [&](const row_program& stages) {
        if (stages.stage[stages.stages - 1]->result.elements() > 0) checked_plan(machine, stages);
      });
  }

  /// The partition of a call, perhaps of another family, over tiles and time, on tiles with private memory.
  template <class Call>
  static rows_plan partition_for(const Call& call, tile_resources have = common::all) {
    using kernels = typename impl::kernels_of<Kernels, Call>::type;
    if constexpr (!std::is_same_v<kernels, Kernels>)
      return kernels::partition_for(call, have);
    else
      return with_rows_of(call, [&](const row_program& stages) { return plan_program(stages, D, have).all; });
  }

  template <class Call>
  static void describe(const Call& call, plan& p, tile_resources have = common::all) {
    if constexpr (!D.shares_host_memory) describe_rows(p, partition_for(call, have));
  }

  /// A machine that runs each of these calls.
  /// \param how  as for machine_for, after the calls
  template <class... Calls, class... How>
  static tile_machine make_state(const std::tuple<Calls...>& calls, How&&... how) {
    const auto bytes = [&](tile_resources have) {
      index_t most = 0;
      if (D.shares_host_memory) return most;
      const auto take = [&](const auto& call) {
        const index_t needed = Kernels::partition_for(call, have).bytes_per_tile;
        if (needed > most) most = needed;
      };
      std::apply([&](const auto&... call) { (take(call), ...); }, calls);
      return most;
    };
    return common::machine_for(bytes, how...);
  }

 private:
  template <class Call>
  static void run_rows(tile_machine& machine, const Call& q) {
    with_rows_of(q, [&](const row_program& stages) {
      if (stages.stage[stages.stages - 1]->result.elements() == 0) return;
      run_program(stages, checked_plan(machine, stages), machine, D, Kernels::name);
    });
  }
  /// The plan of a program; a violation if it does not fit.
  static row_program_plan checked_plan(const tile_machine& machine, const row_program& stages) {
    const tile_resources have = common::resources_of(machine);
    const auto p = machine.plan_of<row_program_plan>([&] { return plan_program(stages, D, have); });
    const row_tensor& y = stages.stage[stages.stages - 1]->result;
    if (!p.all.fits)
      violation("%s: batch %td, %td channels, %tdx%tdx%td positions need %td bytes per tile on %s, %td are available",
                Kernels::name, y.batch, y.channels, y.extent[0], y.extent[1], y.extent[2], p.all.bytes_per_tile, D.name,
                have.bytes_per_tile);
    return p;
  }
  /// Calls f(program) for a call.
  template <class Call, class F>
  static auto with_rows_of(const Call& call, F f) {
    const auto as_stages = [&](const auto& rows) { return with_stages(rows, f); };
    if constexpr (requires { Kernels::with_rows(call, as_stages); })
      return Kernels::with_rows(call, as_stages);
    else
      return as_stages(Kernels::rows_of(call));
  }
};

}  // namespace tern::inline TERN_ISA
