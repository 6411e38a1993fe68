// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile sizes of the contraction family on a SIMT machine: they change speed and never bits. Large ones were
// measured on an H200 (docs/results/2026-11-27-gpu-h200.md).
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

namespace tern {

/// One instance of the kernel. A block computes block_m x block_n results from slabs of block_k steps of k; a thread
/// computes thread_m x thread_n of them, in two sets of registers: the chain of the chunk, and the total.
struct simt_tuning {
  int block_m = 128;
  int block_n = 128;
  int block_k = 16;
  int thread_m = 8;
  int thread_n = 8;
  int stages = 4;  ///< slabs in shared memory: one is in use while the others load

  constexpr int threads() const { return (block_m / thread_m) * (block_n / thread_n); }
  friend TERN_FN constexpr bool operator==(const simt_tuning&, const simt_tuning&) = default;
};

/// Every kernel exists in sizes. `small` serves problems that would leave most of the machine idle, `large` matmuls and
/// weight gradients. `convolution` serves large convolutions, whose wider tiles share more addresses.
enum class problem_size { large, small, convolution };

namespace tuning {

/// A thread of a large tile has 8x8 float32 results; float64 results take two registers each, so half as many. In a
/// whole float32 slab (sm_90, ptxas 13.0) 71 to 90 % of the instructions are fmas, depending on its copies; addresses,
/// copies and branches are the rest. Matmuls of 64x128 reach 0.72 to 0.74 of cuBLAS on an H200, of 128x128 0.60 to
/// 0.71.
struct simt_automatic {
  constexpr simt_tuning operator()(const device& d, int element_bytes, problem_size size) const {
    const bool wide = element_bytes > 4;
    simt_tuning t;
    if (size == problem_size::large)
      t = wide ? simt_tuning{64, 64, 16, 8, 4, 3} : simt_tuning{64, 128, 16, 8, 8};
    else if (size == problem_size::convolution)
      t = wide ? simt_tuning{128, 64, 16, 8, 4} : simt_tuning{128, 128, 16, 8, 8};
    else
      t = wide ? simt_tuning{32, 32, 16, 2, 2} : simt_tuning{64, 64, 16, 4, 4};
    const auto fits = [&] {
      const int stage_bytes = (t.block_m + t.block_n + 2 * (16 / element_bytes)) * t.block_k * element_bytes;
      return d.local_bytes == 0 || t.stages * stage_bytes <= d.local_bytes;
    };
    while (t.stages > 2 && !fits()) --t.stages;
    while (t.block_k > 4 && !fits()) t.block_k /= 2;
    return t;
  }
};

}  // namespace tuning

}  // namespace tern
