// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the families. Each policy specialises them in family/<family>/<model>.hpp, or, where a model has a
// folder, in family/<family>/<model>/, in a file with the problem's name.
#pragma once

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA {

/// The contraction family under a policy: the problems of family/contraction/contraction.hpp.
template <class Policy>
struct contraction_kernel;
/// The same family with a windowed left operand: the problems of family/contraction/convolution.hpp.
template <class Policy>
struct convolution_kernel;
/// Rearranged tensors: the problems of family/index/rearrangement.hpp.
template <class Policy>
struct rearrangement_kernel;
/// Maxima and averages of windows, and their gradients: the problems of family/window/pooling.hpp.
template <class Policy>
struct pooling_kernel;

/// Functions of the elements at a place: the problems of family/map/mapping.hpp.
template <class Policy>
struct mapping_kernel;
/// Sums over samples and positions of functions of the elements at a place: the problems of
/// family/reduction/place_sums.hpp.
template <class Policy>
struct place_sums_kernel;
/// Norms: the problems of family/reduction/normalization.hpp.
template <class Policy>
struct normalization_kernel;
/// Row programs: the problems of family/reduction/row_program.hpp.
template <class Policy>
struct row_kernel;
/// Functions of the elements at a place and a random number: the problems of family/map/drawing.hpp.
template <class Policy>
struct drawing_kernel;
/// Losses of samples and rows, and their totals: the problems of family/reduction/loss.hpp.
template <class Policy>
struct loss_kernel;

namespace impl {

/// The state of calls that pass none, for kernels without a default, or without need of one.
struct no_state {};

/// Throws if a later call of a sequence would not run, before earlier ones write. The first call checks itself.
template <class Family, class State, class Call>
void check_fit(const State& state, const Call& call) {
  if constexpr (requires { Family::check_fit(state, call); }) Family::check_fit(state, call);
}

}  // namespace impl

}  // namespace tern::inline TERN_ISA
