// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: mimd: the matmul does not fit the tiles of the device: see does_not_fit<bytes needed per tile, bytes
// error: available per tile> in this message
// also: does_not_fit<[0-9]{6},\s*252344>
// flags: -DTERN_SCALAR=1
// lines: 24, as sizes are those of a problem deep in the call
#include "tern/mimd.hpp"

// 3 x 256 MiB of float32 on 304 MiB of tiles.
using big = tern::matmul<tern::matmul_config{.m = 8192, .n = 8192, .k = 8192}>;

void call(tern::tile_machine& machine, const float* a, const float* b, float* c) {
  const tern::extents<8192, 8192> e;
  tern::kernel<big, tern::mimd<tern::devices::gc2>>{}(
      machine, tern::view(tern::unchecked, a, e), tern::view(tern::unchecked, b, e), tern::view(tern::unchecked, c, e));
}
