// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The families of operations: one kernel each under every policy, defined in family/<family>/<model>/.
#pragma once

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA {

/// The implementation of a family under a policy; specialised in family/contraction/<model>/contraction.hpp.
template <class Policy>
struct contraction_kernel;
/// The same family where the left operand is a window view; specialised in family/contraction/<model>/convolution.hpp.
template <class Policy>
struct convolution_kernel;
/// Tensors made of the elements of another one; specialised in family/index/<model>/rearrangement.hpp.
template <class Policy>
struct rearrangement_kernel;
/// Maxima and averages of windows, and their gradients; specialised in family/window/<model>/pooling.hpp.
template <class Policy>
struct pooling_kernel;

/// Functions of the elements at one place; specialised in family/map/<model>/mapping.hpp.
template <class Policy>
struct mapping_kernel;
/// Sums over samples and positions of functions of the elements at one place; specialised in
/// family/reduction/<model>/place_sums.hpp.
template <class Policy>
struct place_sums_kernel;
/// Norms; specialised in family/reduction/<model>/normalization.hpp.
template <class Policy>
struct normalization_kernel;
/// Row programs; specialised in family/reduction/<model>/row_program.hpp.
template <class Policy>
struct row_kernel;
/// Functions of the elements at one place and a random number; specialised in family/map/<model>/drawing.hpp.
template <class Policy>
struct drawing_kernel;
/// Losses of samples and rows, and their totals; specialised in family/reduction/<model>/loss.hpp.
template <class Policy>
struct loss_kernel;

namespace impl {

/// What stands for the state of a call where none is given and the kernels have no default, or need none.
struct no_state {};

/// Throws where a call that others come before would not run: these must not have written then. The first call of all
/// checks itself.
template <class Family, class State, class Call>
void check_fit(const State& state, const Call& call) {
  if constexpr (requires { Family::check_fit(state, call); }) Family::check_fit(state, call);
}

}  // namespace impl

}  // namespace tern::inline TERN_ISA
