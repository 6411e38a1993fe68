// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small kernels that use every part of a block context, correct and with a seeded mistake each. The same sources run in
// the tests of the host contexts, under the thread sanitizer and on a GPU.
#pragma once

#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/collectives.hpp"

namespace tern::test {

/// Lanes of a type tag for kernels that are correct or not.
enum class mistake { none, missing_barrier, wrong_slot, leaves_slot, misaligned };

/// out[t] = in[t + 1], around the end of each block. `missing_barrier` reads what others write in the same step.
template <mistake M = mistake::none>
struct rotate {
  static constexpr int threads = 64;
  struct shared {
    float x[threads];
  };
  template <class Block>
  static TERN_FN void run(Block& block, shared& s, const float* in, float* out) {
    const index_t first = block.index() * threads;
    const auto write = [&](int t) { s.x[t] = in[first + t]; };
    const auto read = [&](int t) { out[first + t] = s.x[(t + 1) % threads]; };
    if constexpr (M == mistake::missing_barrier) {
      block.step([&](int t) { write(t), read(t); });
    } else {
      block.step(write);
      block.step(read);
    }
  }
};

/// Four results per element: sum over the warp, over the block, maximum over the block, value of thread 5.
struct collect {
  static constexpr int threads = 128;
  struct shared {};
  template <class Block>
  static TERN_FN void run(Block& block, shared&, const float* in, float* out) {
    const index_t first = block.index() * threads;
    typename Block::template per_thread<float> warp, all, largest, fifth;
    block.step([&](int t) { warp[t] = all[t] = largest[t] = fifth[t] = in[first + t]; });
    warp_sum(block, warp);
    block_sum(block, all);
    block_max(block, largest);
    block.broadcast(fifth, 5);
    block.step([&](int t) {
      float* y = out + (first + t) * 4;
      y[0] = warp[t], y[1] = all[t], y[2] = largest[t], y[3] = fifth[t];
    });
  }
};

/// out[t] = the sum over i of in[i * 32 + (t + i) % 32]: every slab is read by other threads than those that copied it.
template <mistake M = mistake::none>
struct stream_sum {
  static constexpr int threads = 32;
  struct slab {
    alignas(16) float x[threads];
  };
  struct shared {
    slab ring[4];
  };
  template <class Block>
  static TERN_FN void run(Block& block, shared& s, const float* in, float* out, int n) {
    typename Block::template per_thread<float> sum;
    block.pipeline(
        s.ring, n,
        [&](int t, int i, slab& to, const auto& copy) {
          const int shift = M == mistake::leaves_slot ? threads : 0;
          if constexpr (M == mistake::misaligned) {
            if (t < threads / 4 - 1) copy.template run<4>(&to.x[t * 4 + 1], in + i * threads + t * 4, 4);
          } else {
            copy.template run<1>(&to.x[t] + shift, in + i * threads + t, 1);
          }
        },
        [&](int t) { sum[t] = 0; },
        [&](int t, int i, const slab& from) {
          const slab& used = M == mistake::wrong_slot ? s.ring[(i + 1) % 4] : from;
          sum[t] = sum[t] + used.x[(t + i) % threads];
        },
        [&](int t) { out[t] = sum[t]; });
  }
};

}  // namespace tern::test
