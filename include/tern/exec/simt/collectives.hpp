// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: communication between the threads of a block without shared memory, called between steps. Each has one
// definition of its result in all contexts, so it has the same bits everywhere.
//
// The tree of fold<Width> has groups of Width threads, a power of two. For m = Width / 2, Width / 4, ..., 1 every thread
// i combines its value with that of thread i xor m, the lower thread's first. All threads of a group end with the same
// value.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/simt/block.hpp"

namespace tern::inline TERN_ISA {

/// a + b.
struct fold_sum {
  template <class T>
  TERN_FN T operator()(T a, T b) const {
    return a + b;
  }
};

/// The larger one; NaN if either is NaN. Of two zeros the second one, whatever its sign.
struct fold_max {
  template <class T>
  TERN_FN T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};

/// The smaller one of two integers.
struct fold_min {
  template <class T>
  TERN_FN T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};

/// Every thread's x becomes the sum, or the maximum, over its warp or its block.
template <class Block, class X>
TERN_FN void warp_sum(Block& block, X& x) {
  block.template fold<warp_threads>(x, fold_sum{});
}
template <class Block, class X>
TERN_FN void block_sum(Block& block, X& x) {
  block.template fold<Block::threads>(x, fold_sum{});
}
template <class Block, class X>
TERN_FN void warp_max(Block& block, X& x) {
  block.template fold<warp_threads>(x, fold_max{});
}
template <class Block, class X>
TERN_FN void block_max(Block& block, X& x) {
  block.template fold<Block::threads>(x, fold_max{});
}

}  // namespace tern::inline TERN_ISA
