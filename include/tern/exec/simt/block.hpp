// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block contexts: the interface that SIMT kernels are written against. docs/simt.md explains the model on one page.
//
// A kernel is a class with `threads`, `shared` (the shared memory of the block) and `template <class Block> static
// TERN_FN void run(Block&, shared&, arguments...)`. Threads act only in steps, collectives and pipelines of the block;
// the code between them is uniform control flow without side effects. So a barrier can never diverge, and one source
// runs on a GPU (cuda_block.cuh), as loops (loop_block.hpp) and as one thread per lane (thread_block.hpp).
//
//     template <class Block>
//     static TERN_FN void run(Block& block, shared& s, const float* x, float* y) {
//       typename Block::template per_thread<float> sum;
//       block.step([&](int t) { sum[t] = x[block.index() * threads + t]; });
//       warp_sum(block, sum);
//       block.step([&](int t) { if (t % 32 == 0) s.of_warp[t / 32] = sum[t]; });
//       ...
//
// Every context has:
//   threads                     of a block, a multiple of 32
//   index()                     of this block in the grid
//   step(f)                     f(t) for every thread t, then a barrier
//   per_thread<T>, x[t]         a variable per thread that persists between steps: registers of a GPU
//   fold<Width>(x, op)          see collectives.hpp
//   broadcast(x, from)          every thread's x becomes that of thread `from`
//   pipeline(ring, n, produce, init, consume, finish)
//
// `pipeline` streams n slabs of data through `ring`, an array of S slots in shared memory, copying ahead of the work:
//   produce(t, i, slot, copy)   thread t's copies of slab i. It may write elements of `slot` only, by
//                               copy.template run<Count>(to, from, valid): Count elements, zeros from `valid` on
//                               (4, 8 or 16 bytes in total, both addresses aligned to that), or
//                               copy.fill(to, value). They arrive when slab i is consumed, not earlier.
//   init(t)                     before the first slab: initialises accumulators
//   consume(t, i, slot)         thread t's work on slab i, in ascending order; it may read `slot` only, not write it
//   finish(t)                   after the last slab
// A pipeline ends with a barrier. Within it threads may communicate only through the data that `produce` copied.
// Accumulators are initialised and written back inside the pipeline, in the consumer's role: an implementation with
// separate copying warps must not keep the accumulators' registers alive in those.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"

namespace tern {

/// Threads that a GPU runs in lockstep.
inline constexpr int warp_threads = 32;

/// True for the run-time states of SIMT kernels: simt_host, simt_threads and simt_stream. launch<Kernel>(state, blocks,
/// arguments...) runs every block of a grid.
template <class State>
inline constexpr bool is_simt_state = false;
/// True for the states whose calls use memory that the host cannot read: simt_stream.
template <class State>
inline constexpr bool is_on_device = false;

}  // namespace tern
