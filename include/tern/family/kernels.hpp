// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The families of operations: one kernel each under every policy, defined in family/<family>/<model>/.
#pragma once

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA {

/// The contraction family under a policy; specialised in family/contraction/<model>/contraction.hpp.
template <class Policy>
struct contraction_kernel;
/// The same family with a windowed left operand; specialised in family/contraction/<model>/convolution.hpp.
template <class Policy>
struct convolution_kernel;
/// Rearranged tensors; specialised in family/index/<model>/rearrangement.hpp.
template <class Policy>
struct rearrangement_kernel;
/// Maxima and averages of windows, and their gradients; specialised in family/window/<model>/pooling.hpp.
template <class Policy>
struct pooling_kernel;

/// Functions of the elements at a place; specialised in family/map/<model>/mapping.hpp.
template <class Policy>
struct mapping_kernel;
/// Sums over samples and positions of functions of the elements at a place; specialised in
/// family/reduction/<model>/place_sums.hpp.
template <class Policy>
struct place_sums_kernel;
/// Norms; specialised in family/reduction/<model>/normalization.hpp.
template <class Policy>
struct normalization_kernel;
/// Row programs; specialised in family/reduction/<model>/row_program.hpp.
template <class Policy>
struct row_kernel;
/// Functions of the elements at a place and a random number; specialised in family/map/<model>/drawing.hpp.
template <class Policy>
struct drawing_kernel;
/// Losses of samples and rows, and their totals; specialised in family/reduction/<model>/loss.hpp.
template <class Policy>
struct loss_kernel;

namespace impl {

/// The state of a call without one, if the kernels have no default or need none.
struct no_state {};

/// Throws if a later call of a sequence would not run, before earlier ones write. The first call checks itself.
template <class Family, class State, class Call>
void check_fit(const State& state, const Call& call) {
  if constexpr (requires { Family::check_fit(state, call); }) Family::check_fit(state, call);
}

}  // namespace impl

}  // namespace tern::inline TERN_ISA
