// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed inference of a batch in parts. A part goes through the whole network while its tensors are in cache. With
// enough samples, threads compute parts of their own, without a barrier between layers.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>

#include "tern/block/memory.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/exec/cpu/any_executor.hpp"
#include "tern/exec/cpu/executor.hpp"

namespace tern::inline TERN_ISA::impl {

/// The partition of a batch for packed inference.
struct inference_parts {
  index_t least = 1;  ///< samples from which reading the weights costs no more than writing and reading the activations
  index_t most = std::numeric_limits<index_t>::max();  ///< largest number of samples of a part
  memory_need memory = {};
  index_t workspace = 0;  ///< elements per thread

  /// \param weights, activations  elements of weights read per call, of activations written and read per sample
  /// \param cached                samples whose memory stays in a cache
  static constexpr inference_parts of(index_t weights, index_t activations, index_t cached, const memory_need& memory,
                                      index_t workspace) {
    const index_t least = std::max<index_t>(1, (weights + activations - 1) / std::max<index_t>(activations, 1));
    return {least, std::max(least, cached), memory, workspace};
  }

  constexpr index_t elements(index_t batch, index_t threads) const {
    if (batch < 0) violation("network: memory to infer %td samples: there must be at least 0", batch);
    if (threads < 1) violation("network: memory for %td threads: there must be at least 1", threads);
    if (threads < 2 || batch / threads < least)
      return memory.elements(std::min(batch, most)) + std::max<index_t>(threads, 1) * workspace;
    return threads * elements_of(std::min(batch / threads, most));
  }
  /// Samples of the parts that threads compute alone, or 0 if all threads share every layer.
  constexpr index_t samples_per_thread(index_t batch, index_t threads, index_t elements) const {
    if (threads < 2) return 0;
    const index_t held = (elements / threads - elements_of(0)) / std::max<index_t>(memory.per_sample, 1);
    const index_t samples = std::min({batch / threads, held, most});
    return samples < least ? 0 : samples;
  }
  /// Calls f(executor, first, samples, begin, end) for all parts of a batch; begin and end delimit the part's memory.
  template <class State, class F>
  void run(State& state, index_t batch, index_t elements, const F& f) const {
    if constexpr (std::is_same_v<std::remove_cv_t<State>, serial>) {
      share(state, 0, batch, elements, f);
    } else {
      const any_executor all(state);
      const index_t threads = all.concurrency(), samples = samples_per_thread(batch, threads, elements);
      index_t done = 0;
      if (samples > 0) {
        const index_t parts = batch / (samples * threads) * threads;
        done = parts * samples;
        all.claim(parts, threads, [&](index_t thread, index_t p) {
          const any_executor one;
          f(one, p * samples, samples, thread * elements_of(samples), (thread + 1) * elements_of(samples));
        });
      }
      share(all, done, batch, elements, f);
    }
  }

 private:
  template <class State, class F>
  void share(State& state, index_t first, index_t batch, index_t elements, const F& f) const {
    for (index_t n; first < batch; first += n) f(state, first, n = std::min(batch - first, most), 0, elements);
  }
  /// Elements for a thread that computes samples alone.
  constexpr index_t elements_of(index_t samples) const { return memory.elements(samples) + workspace; }
};

}  // namespace tern::inline TERN_ISA::impl
