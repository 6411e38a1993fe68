// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over features (docs/numerics.md, rule 5) by the threads of a block.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/collectives.hpp"

namespace tern::inline TERN_ISA::impl {

/// Threads of a block that sums over features, at most `all`.
constexpr int threads_for_lanes(int all) { return all < feature_lanes ? all : static_cast<int>(feature_lanes); }

/// total = the sum, in every thread: lane = f(t, feature, lane).
template <class Block, class Total, class F>
TERN_FN void sum_of_features(Block& block, index_t features, Total& total, F f) {
  using T = decltype(f(0, index_t{0}, {}));
  constexpr int threads = Block::threads, of_thread = static_cast<int>(feature_lanes) / threads;
  static_assert(of_thread * threads == feature_lanes, "simt: sums over features need a part of 128 threads");
  block.step([&](int t) { total[t] = T(0); });
  for (index_t first = 0; first < features; first += feature_block) {
    const index_t end = features - first < feature_block ? features : first + feature_block;
    typename Block::template per_thread<T> lane;
    block.step([&](int t) {
      T a[of_thread];
      TERN_UNROLL
      for (int j = 0; j < of_thread; ++j) {
        a[j] = T(0);
        for (index_t i = first + t + j * threads; i < end; i += feature_lanes) a[j] = f(t, i, a[j]);
      }
      TERN_UNROLL
      for (int w = of_thread / 2; w > 0; w /= 2) {
        TERN_UNROLL
        for (int j = 0; j < w; ++j) a[j] = a[j] + a[j + w];
      }
      lane[t] = a[0];
    });
    block_sum(block, lane);
    block.step([&](int t) { total[t] = total[t] + lane[t]; });
  }
}

}  // namespace tern::inline TERN_ISA::impl
