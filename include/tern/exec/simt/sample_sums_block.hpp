// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions, one or more per channel of an image (family/reduction/place_sums.hpp), and the
// weight gradients of convolutions with few channels per group.
//
// Canonical order: docs/numerics.md, "by grains". The warps of a block compute chunks in turn; their sums go through
// shared memory, and one warp adds them in order. Cost: per product, reading its elements from memory; neighbouring
// threads read neighbouring channels.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/chunks.hpp"

namespace tern::inline TERN_ISA::impl {

/// \tparam Terms  the summands: `value_type`, `results` of a channel and part, channels(), parts(), batch() and
///                positions() of a sample; begin(part, channel, totals), end(...) for the results; chunk(part, channel,
///                sample, position, count, sums) and join(totals, sums, before, count)
template <class Terms, int Threads>
struct sample_sums_block {
  using T = typename Terms::value_type;
  static constexpr int threads = Threads;
  static constexpr int warps = Threads / warp_threads;
  static constexpr int resident_blocks = 1;  // lets a thread use all registers it needs

  struct sums {
    T of[Terms::results];
  };
  struct shared {
    sums of[warps][warp_threads];
  };

  /// The problem in the form of blocks, which are numbered part by part.
  struct problem {
    Terms terms;
    sample_slabs slabs;  ///< the chunks

    explicit problem(const Terms& x) : terms(x), slabs(x.batch(), x.positions(), static_cast<int>(dot_chunk)) {}

    TERN_FN int parts_of_channels() const { return (terms.channels() + warp_threads - 1) / warp_threads; }
    index_t blocks() const { return terms.parts() * parts_of_channels(); }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared& s, const problem& p) {
    const index_t part = block.index() / p.parts_of_channels();
    const int channel0 = static_cast<int>(block.index() % p.parts_of_channels()) * warp_threads;
    const int chunks = static_cast<int>(p.slabs.count());
    const auto has_total = [&](int t) { return t < warp_threads && channel0 + t < p.terms.channels(); };

    typename Block::template per_thread<sums> total;
    typename Block::template per_thread<index_t> before;
    block.step([&](int t) {
      before[t] = p.terms.seen(), total[t] = {};
      if (has_total(t)) p.terms.begin(part, channel0 + t, total[t].of);
    });
    for (int chunk = 0; chunk < chunks; chunk += warps) {
      const int turns = chunks - chunk < warps ? chunks - chunk : warps;
      block.step([&](int t) {
        const int warp = t / warp_threads, lane = t % warp_threads;
        if (warp >= turns || channel0 + lane >= p.terms.channels()) return;
        const sample_slab r = p.slabs[chunk + warp];
        sums chain;
        p.terms.chunk(part, channel0 + lane, r.sample, r.position, r.steps, chain.of);
        s.of[warp][lane] = chain;
      });
      block.step([&](int t) {
        if (!has_total(t)) return;
        for (int warp = 0; warp < turns; ++warp) {
          const int count = p.slabs[chunk + warp].steps;
          p.terms.join(total[t].of, s.of[warp][t].of, before[t], count);
          before[t] += count;
        }
      });
    }
    block.step([&](int t) {
      if (has_total(t)) p.terms.end(part, channel0 + t, total[t].of);
    });
  }
};

}  // namespace tern::inline TERN_ISA::impl
