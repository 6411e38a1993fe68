// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base of the kernels of every family under simd.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/sentence.hpp"
#include "tern/core/workspace.hpp"
#include "tern/exec/cpu/arch.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/policy/call_plans.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct simd_kernels {
  /// The reason why this file has no kernels for the device; empty if it has.
  static constexpr const char* refusal =
      std::is_void_v<arch_of<D>>
          ? "simd: this file is not compiled for the instructions of the device: raise -march, choose "
            "another device, or build it per ISA with tern_add_isas"
      : std::is_same_v<Numerics, numerics::exact> && !has_fma(D.instructions)
          ? "simd: exact numerics need fma, which this device lacks: compile with -march=x86-64-v3, use "
            "tern::numerics::relaxed, or build per ISA with tern_add_isas"
          : "";
  /// The reason why calls do not run on an Executor; empty if they do.
  template <class Executor>
  static constexpr const char* refusal_of =
      executor<Executor> ? ""
                         : "simd: the first argument of the call must be an executor: "
                           "tern::serial, tern::team, or tern::with_concurrency around a "
                           "function of yours";

  /// Calls run on the calling thread unless an executor is given.
  using context = serial;

  template <class T>
  static constexpr contraction_tuning tuning = Tuning{}(D, sizeof(T));

 protected:
  /// True if calls run on an Executor; otherwise one compile error.
  template <class Executor>
  static constexpr bool runs_on() {
    return declare::no_error<declare::text(refusal_of<Executor>)>();
  }

  /// The number of tasks that pays off for a call of this many multiply-adds: waking other threads takes time.
  template <class T, class Executor>
  TERN_INLINE static index_t tasks_for(Executor& run, index_t fmas) {
    if constexpr (std::is_same_v<std::remove_cvref_t<Executor>, serial>)
      return 1;
    else
      return run.concurrency() > 1 && fmas >= tuning<T>.fork_fmas ? run.concurrency() : 1;
  }

  /// A task's share of the caller's workspace, cut at cache lines.
  static workspace share(workspace memory, index_t task, index_t tasks) {
    const index_t bytes = memory.bytes / tasks / 64 * 64;
    return {static_cast<char*>(memory.data) + task * bytes, bytes};
  }
  /// Throws if a workspace is misaligned for elements T, or a task has less than `least` bytes of it.
  template <class T>
  TERN_INLINE static void check_workspace(workspace memory, index_t tasks, index_t least) {
    if (memory.data == nullptr || reinterpret_cast<std::uintptr_t>(memory.data) % alignof(T) != 0 ||
        share(memory, 0, tasks).bytes < least)
      workspace_violation(memory, alignof(T), tasks, least);
  }

 private:
  TERN_COLD static void workspace_violation(workspace memory, std::uintptr_t alignment, index_t tasks, index_t least) {
    if (memory.data == nullptr) violation("simd: the workspace of %td bytes is at a null pointer", memory.bytes);
    if (reinterpret_cast<std::uintptr_t>(memory.data) % alignment != 0)
      violation("simd: the workspace must begin at a multiple of %td bytes, as its elements do",
                static_cast<index_t>(alignment));
    violation("simd: the workspace has %td bytes: it must have at least %td, or workspace_bytes() for full speed",
              memory.bytes, least * tasks);
  }
};

/// Prepared calls keep the function for their sizes, if kernels have one.
template <const device& D, class Numerics, class Tuning>
struct call_plans<simd<D, Numerics, Tuning>> {
  template <class Kernels, class Executor, class Call>
  void find(Executor& run, const Call& call) {
    if constexpr (requires { Kernels::function_for(run, call); }) function_ = Kernels::function_for(run, call);
  }
  template <class Kernels, class Executor, class Problem, class... Memory>
  TERN_INLINE void run(Executor& run, const Problem& problem, const Memory&... memory) const {
    if constexpr (sizeof...(Memory) == 0 && requires { Kernels::function_for(run, problem()); })
      if (function_ != nullptr) return Kernels::run_function(function_, problem());
    Kernels::run(run, problem(), memory...);
  }

 private:
  void (*function_)() = nullptr;  ///< of a type known to the kernels
};

/// Kernels of calls that are cut into parts of about the same size.
/// \tparam Parts  Parts<T, Arch, MemoryBytes>; results of more bytes get non-temporal stores:
///                   work(call)           cost in multiply-adds of a matmul
///                   run(call, t, tasks)  part t of `tasks`
template <template <class, class, index_t> class Parts, const device& D, class Numerics, class Tuning>
struct simd_parts_kernels : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;
  template <class T>
  using parts = Parts<T, arch_of<D>, common::template tuning<T>.memory_bytes>;

  /// \param concurrency  number of concurrent tasks
  template <class Call>
  static void describe(const Call& call, plan& p, index_t concurrency = 1) {
    using T = typename Call::value_type;
    if (parts<T>::work(call) >= common::template tuning<T>.fork_fmas) p.split_m = p.units = concurrency;
  }

  /// \param run  runs the tasks of the call
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call) {
    if constexpr (common::template runs_on<Executor>()) {
      using T = typename Call::value_type;
      const index_t tasks = common::template tasks_for<T>(run, parts<T>::work(call));
      const auto task = [&](index_t t) { parts<T>::run(call, t, tasks); };
      run(tasks, task);
    }
  }
};

}  // namespace tern::inline TERN_ISA
