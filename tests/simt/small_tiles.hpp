// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/policy/simt.hpp"

namespace tern::test {

/// Blocks of one or two warps, so that a thread per lane is bearable, with slabs of a few steps of k and other ratios
/// than the usual tunings have.
struct small_tiles {
  constexpr simt_tuning operator()(const device&, int, problem_size size) const {
    return size != problem_size::small ? simt_tuning{16, 16, 4, 2, 2, 3} : simt_tuning{8, 16, 8, 2, 2, 2};
  }
};

/// A machine that large tiles always fill, and one whose blocks have little memory.
inline constexpr device one_multiprocessor{
    .name = "one_multiprocessor", .execution = model::simt, .units = 1, .local_bytes = 64 * 1024};

}  // namespace tern::test
