// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the blocks of a launch.
//
// Lanes of a warp that are at the same instruction execute it together. Where a branch parts them, those at the lowest
// address run first, so that they meet again. Lanes that wait for others, at a barrier or in a shuffle, are taken up
// when those have arrived. What no order of threads may change can be run in several: see thread_order.
#pragma once

#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/simt/ptx/memory.hpp"
#include "tests/simt/ptx/operations.hpp"
#include "tests/simt/ptx/program.hpp"

namespace ptx {

/// An error of a kernel, in one sentence: block, thread, instruction and reason.
struct fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct dimensions {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// The order in which threads run between two barriers.
enum class thread_order : std::uint8_t {
  forward,  ///< warp by warp, all lanes of a warp together
  reverse,  ///< blocks, warps and quarters of warps from the last to the first
  random    ///< blocks and warps in random order, and the lanes of a warp in up to four random parts
};
/// The time at which asynchronous copies take effect.
enum class copy_time : std::uint8_t {
  early,  ///< at once
  late    ///< when they are waited for; before, their target holds NaN
};

/// Statistics of kernels. Instructions are counted for each thread, requests for each warp.
struct statistics {
  std::uint64_t launches = 0, blocks = 0, threads = 0, barriers = 0;
  std::uint64_t instructions[groups] = {};
  std::uint64_t global_read = 0, global_written = 0;      ///< bytes
  std::uint64_t global_requests = 0, global_sectors = 0;  ///< sectors: 32 bytes of memory that a request touches
  /// wavefronts: turns that a request takes because lanes want other words of one of the 32 banks.
  std::uint64_t shared_requests = 0, shared_wavefronts = 0, shared_least = 0;  ///< least: without conflicts

  std::uint64_t all_instructions() const {
    std::uint64_t n = 0;
    for (const std::uint64_t i : instructions) n += i;
    return n;
  }
  statistics& operator+=(const statistics& other);
};

/// One launch of a kernel.
struct grid {
  const kernel& k;
  dimensions blocks, threads;
  std::uint32_t dynamic_shared = 0;
  std::vector<std::uint8_t> params;
  thread_order order = thread_order::forward;
  copy_time copies = copy_time::late;
  std::uint32_t seed = 1;
  std::uint64_t most_steps = std::uint64_t{1} << 28;  ///< instructions of warps of a block between barriers
};

/// Runs all blocks. Throws a fault that says which thread of which block did what, and the line of the PTX.
statistics run(const grid& g, global_memory& memory);

}  // namespace ptx
