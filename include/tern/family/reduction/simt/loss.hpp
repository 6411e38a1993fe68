// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses on SIMT machines: a block per sample, whose threads are the lanes of sums.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/collectives.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/simt/feature_lanes.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// One sample.
template <class Call, int Threads>
struct loss_block {
  using T = typename Call::value_type;
  static constexpr int threads = Threads;
  static constexpr int resident_blocks = 1;  // lets a thread use all registers it needs

  struct shared {};
  struct problem {
    Call q;
    index_t blocks() const { return q.parts(); }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared&, const problem& p) {
    part(block, p.q, block.index());
  }

 private:
  template <class Block>
  using number = typename Block::template per_thread<T>;

  template <class Block, class F>
  static TERN_FN void part(Block& block, const element_sums<T, F>& q, index_t n) {
    number<Block> total;
    sum_of_features(block, q.of_sample(), total, [&](int, index_t e, T lane) {
      T in[F::inputs];
      TERN_UNROLL
      for (int i = 0; i < F::inputs; ++i) in[i] = *q.at(i, n, e);
      return q.f(in, lane);
    });
    block.step([&](int t) {
      if (t == 0) *q.y.at(n, 0) = total[t];
    });
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct loss_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// \param state  simt_host, simt_threads or simt_stream
  /// \param call   element_sums
  template <class State, class Call>
  static void run(const State& state, const Call& call) {
    using T = typename Call::value_type;
    if constexpr (common::template runs_on<State, T>()) {
      using block = impl::loss_block<Call, impl::threads_for_lanes(common::template threads<T>)>;
      common::template start<block>(state, typename block::problem{call});
    }
  }
};

}  // namespace tern::inline TERN_ISA
