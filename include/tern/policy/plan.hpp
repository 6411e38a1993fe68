// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

namespace tern {

/// Floating-point operations of a contraction, two per multiply-add.
TERN_FN constexpr double contraction_flops(index_t m, index_t n, index_t k, index_t batch) {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) * static_cast<double>(batch);
}

/// The passes of a kernel with weights, each a call of its own.
enum class pass { forward, backward_data, backward_weights };

/// The plan of a call as a value: known beforehand, comparable, printable (`std::cout << plan`). Sizes in elements,
/// memory in bytes. Fields without meaning under a model keep their defaults.
struct plan {
  const char* op = "";
  pass of = pass::forward;  ///< the planned pass
  model execution = model::reference;
  const char* device = "";
  const char* element = "";
  const char* numerics = "";
  index_t m = 0, n = 0, k = 0, batch = 1;  ///< sizes of the problem

  index_t split_m = 1, split_n = 1, split_k = 1;  ///< concurrent parts: tasks, tiles, blocks
  index_t steps_m = 1, steps_n = 1, steps_k = 1;  ///< parts that one unit runs in turn
  index_t tile_m = 0, tile_n = 0;                 ///< the register tile, in elements
  index_t block_m = 0, block_n = 0,
          block_k = 0;     ///< working set near a unit: cache block, shard, shared memory
  index_t units = 1;       ///< active cores, tiles or blocks
  index_t supersteps = 1;  ///< number of barriers

  index_t workspace_bytes = 0;  ///< workspace with which the call is fastest
  index_t packed_bytes = 0;     ///< weights packed for this pass (`packed_size` counts elements)
  index_t bytes_per_unit = 0;   ///< peak memory of one unit
  index_t bytes_moved = 0;      ///< between units, or between the caller's memory and the units
  double flops = 0;             ///< two per multiply-add
  double cycles = 0;            ///< predicted; 0 without a model
  bool fits = true;             ///< true if bytes_per_unit is within the device's memory

  friend TERN_FN constexpr bool operator==(const plan&, const plan&) = default;

  /// Prints one field per line to any stream; needs no <ostream>.
  template <class Stream>
  friend TERN_INLINE Stream& operator<<(Stream& out, const plan& p) {
    const char* models[] = {"reference", "simd", "mimd", "simt"};
    const char* passes[] = {"", " backward_data", " backward_weights"};
    out << p.op << passes[static_cast<int>(p.of)] << ' ' << p.element << ' ' << p.m << 'x' << p.n << 'x' << p.k
        << " batch " << p.batch << " under " << models[static_cast<int>(p.execution)] << '<' << p.device << ", "
        << p.numerics << ">\n";
    out << "  split      " << p.split_m << 'x' << p.split_n << 'x' << p.split_k << " over " << p.units << " units\n";
    out << "  steps      " << p.steps_m << 'x' << p.steps_n << 'x' << p.steps_k << ", " << p.supersteps
        << " supersteps\n";
    out << "  tile       " << p.tile_m << 'x' << p.tile_n << ", block " << p.block_m << 'x' << p.block_n << 'x'
        << p.block_k << '\n';
    out << "  bytes      " << p.bytes_per_unit << " per unit" << (p.fits ? "" : " (does not fit)") << ", "
        << p.workspace_bytes << " workspace, " << p.packed_bytes << " packed, " << p.bytes_moved << " moved\n";
    out << "  work       " << p.flops << " flop, " << p.cycles << " cycles\n";
    return out;
  }
};

}  // namespace tern
