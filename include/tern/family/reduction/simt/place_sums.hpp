// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions on SIMT machines.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/exec/simt/sample_sums_block.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/family/reduction/simt/place_terms.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct place_sums_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// Throws if the sums exceed the counters of blocks: family/contraction/simt/conv_window.hpp.
  template <class State, class T, class F>
  static void check_fit(const State&, const place_sums<T, F>& q) {
    if (q.channels > impl::most_per_axis || q.summed.positions() > impl::most_positions)
      violation("simt: a sum has %td channels and %td positions: at most %td and %td are possible", q.channels,
                q.summed.positions(), impl::most_per_axis, impl::most_positions);
  }

  /// \param state  simt_host, simt_threads or simt_stream
  template <class State, class T, class F>
  static void run(const State& state, const place_sums<T, F>& q) {
    if constexpr (common::template runs_on<State, T>()) {
      using block = impl::sample_sums_block<impl::place_terms<T, F>, common::template threads<T>>;
      check_fit(state, q);
      common::template start<block>(state, typename block::problem(impl::place_terms<T, F>(q)));
    }
  }
};

}  // namespace tern::inline TERN_ISA
