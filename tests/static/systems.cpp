// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Systems agree with what vendors publish about them. Compiling this file is the test.
#include "tern/device/system.hpp"

#include "tests/static/catalogue.hpp"

namespace tern::test {

constexpr bool complete() {
  for (const system* s : all_systems)
    if (s->chips < 2 || s->links_per_chip < 1 || s->link_bytes_per_second() <= 0 || s->source[0] == '\0') return false;
  return true;
}
static_assert(complete());

// Data sheets: 3.994 PFLOP/s for an IPU-POD64 and 22.31 for a Bow Pod256 in float32; 1.4 in half for a Bow-2000 of 4.
static_assert(near(systems::ipu_pod64.peak_flops(), 3.994e15, 2));
static_assert(near(systems::bow_pod256.peak_flops(), 22.31e15, 2));
static_assert(near(4 * systems::bow_pod16.chip.half_peak_flops(), 1.4e15, 2));
// Data sheet of the V100 for SXM2: 15.7 TFLOP/s in float32.
static_assert(near(systems::dgx1.peak_flops(), 8 * 15.7e12, 2));

// 320 GB/s, both directions, leave a chip of a Bow Pod; 300 GB/s a V100; 300 + 300 an A100.
static_assert(2 * systems::bow_pod16.links_per_chip * systems::bow_pod16.bytes_per_second_per_link == 320e9);
static_assert(2 * systems::dgx1.links_per_chip * systems::dgx1.bytes_per_second_per_link == 300e9);
static_assert(systems::dgx_a100.links_per_chip * systems::dgx_a100.bytes_per_second_per_link == 300e9);
// Measured in arXiv:1804.06826: 36.72 GB/s over two links of a P100.
static_assert(near(systems::minsky.link_bytes_per_second(), 36.72e9, 1));

// 15 ns there and back over 1 + chips / 4 hops: on a C2 card 15e-9 * 1.6e9 * 2 = 48 cycles, on 16 chips five hops.
static_assert(systems::c2.sync_cycles() == 48);
static_assert(systems::ipu_pod16.sync_cycles() == 199);  // ceil(15e-9 * 1.325e9 * 5 * 2 = 198.75)
static_assert(systems::bow_pod16.sync_cycles() == 278);  // ceil(277.5)
static_assert(system{.chip = devices::gc200}.sync_cycles() == devices::gc200.sync_cycles);
static_assert(systems::dgx1.sync_cycles() == 0);

}  // namespace tern::test
