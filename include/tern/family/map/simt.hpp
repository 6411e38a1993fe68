// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps on SIMT machines.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/simt/row_block.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/drawing.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct mapping_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// \param state  simt_host, simt_threads or simt_stream
  template <class State, class T, class F>
  static void run(const State& state, const mapping<T, F>& q) {
    if constexpr (common::template runs_on<State, T>()) {
      using block = impl::row_block<impl::rows_of_places<mapping<T, F>>, common::template threads<T>>;
      common::template start<block>(state, typename block::problem({q}));
    }
  }
};

template <const device& D, class Numerics, class Tuning>
struct drawing_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// \param state  simt_host, simt_threads or simt_stream
  template <class State, class T, class F>
  static void run(const State& state, const drawing<T, F>& q) {
    if constexpr (common::template runs_on<State, T>()) {
      using rows = impl::rows_of_places<drawing<T, F>>;
      using block = impl::row_block<rows, common::template threads<T>>;
      common::template start<block>(state, typename block::problem({q}));
    }
  }
};

}  // namespace tern::inline TERN_ISA
