// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA {

/// The plans that a prepared call (kernel/prepared.hpp) keeps under a policy beside its shapes; none by default.
/// Specialised in exec/ for the models whose calls are planned.
template <class Policy>
struct call_plans {
  /// Computes the plans of a call. The call does not run.
  template <class Kernels, class State, class Call>
  void find(State&, const Call&) {}
  /// Runs problem(), a call of the same sizes.
  template <class Kernels, class State, class Problem, class... Memory>
  TERN_INLINE void run(State& state, const Problem& problem, const Memory&... memory) const {
    Kernels::run(state, problem(), memory...);
  }
};

}  // namespace tern::inline TERN_ISA
