// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The batching tern chooses for matmuls and convolutions, device by device. Compiling this file is the test.
#include "tern/policy/training_batch_for.hpp"

#include "tern/device/catalog.hpp"

namespace tern::test {

using mm = matmul<matmul_config{}, float>;
using square = matmul<matmul_config{.n = 4096, .k = 4096}, float>;
struct named : square {};

// --- MIMD: as few steps as fit the tiles -----------------------------------------------------------------------------

// Four tiles and 64 x 64 weights, reckoned by hand. Stored per tile: (2 * 4096 + m * 256) * 4 / 4 = 8192 + 256 m bytes.
// The hungriest pass on 2 x 2 tiles: for m = 64 every one has 32 rows, 32 columns, 64 of depth: 64 * 64 * 4 of operands
// and 32 * 32 * 4 of sums, 20480 bytes; for m = 32, forward with 32 rows and 16 columns: 14336.
constexpr device four_tiles(index_t local_bytes) {
  return {.name = "four tiles", .execution = model::mimd, .units = 4, .local_bytes = local_bytes};
}
constexpr batch_choice on_four_tiles(index_t local_bytes, index_t batch) {
  return training_batch_for<mm>(four_tiles(local_bytes), batch, {.n = 64, .k = 64});
}
constexpr batch_choice whole(index_t batch, index_t bytes) {
  return {.batch = batch, .micro_batch = batch, .steps = batch > 0 ? 1 : 0, .bytes = bytes};
}
constexpr batch_choice cut(index_t batch, index_t steps, index_t micro, index_t bytes, bool keeps_bits = true) {
  return {.batch = batch,
          .micro_batch = micro,
          .steps = steps,
          .accumulates = true,
          .keeps_bits = keeps_bits,
          .bytes = bytes};
}
static_assert(on_four_tiles(45056, 64) == whole(64, 45056));
static_assert(on_four_tiles(45056, 128) == cut(128, 2, 64, 45056));
static_assert(on_four_tiles(45055, 64) == cut(64, 2, 32, 30720));  // one byte less: one grain less
static_assert(on_four_tiles(45056, 65) == cut(65, 2, 64, 45056));  // 33 and 32 would not be cut at a grain
static_assert(on_four_tiles(45056, 100).micro_batch == 64);        // the last step has 36
static_assert(on_four_tiles(45056, 0).fits && on_four_tiles(45056, 0).steps == 0);
// even steps: at most 96 samples fit, but 128 are two times 64 and not 96 and 32
static_assert(on_four_tiles(61440, 96) == whole(96, 61440));
static_assert(on_four_tiles(61440, 128) == cut(128, 2, 64, 45056));
// not even one grain fits: cut anywhere, and say so
static_assert(on_four_tiles(30719, 31) == whole(31, 30144));
static_assert(on_four_tiles(30719, 40).micro_batch == 20 && !on_four_tiles(30719, 40).keeps_bits);
// not one sample fits
static_assert(on_four_tiles(12864, 1).fits && on_four_tiles(12864, 1).steps == 1);
static_assert(on_four_tiles(12863, 7) == batch_choice{.batch = 7, .fits = false, .bytes = 12864});
// four products have a tile each: 4 * (2 * 4096 + 32 * 256) bytes stored, (32 + 64) * 64 * 4 + 32 * 64 * 4 at work
static_assert(training_batch_for<matmul<matmul_config{.batch = 4}>>(four_tiles(98304), 32, {.n = 64, .k = 64}) ==
              whole(32, 98304));
// a batch of any size stays within the compilers' limits
static_assert(on_four_tiles(45056, index_t{1} << 40).steps == index_t{1} << 34);
// the program takes its part of a tile's memory
constexpr device with_program = [] {
  device d = four_tiles(45056 + 1000);
  d.program_bytes = 1001;
  return d;
}();
static_assert(training_batch_for<mm>(with_program, 64, {.n = 64, .k = 64}).micro_batch == 32);

// The machines: more memory per tile, larger micro-batches; another clock, the same.
static_assert(training_batch_for<square>(devices::gc2, 4096).micro_batch == 64);
static_assert(training_batch_for<square>(devices::gc200, 4096).micro_batch == 832);  // 5 steps; up to 1024 would fit
static_assert(training_batch_for<square>(devices::bow, 4096) == training_batch_for<square>(devices::gc200, 4096));
static_assert(training_batch_for<square>(devices::gc200, 1000) ==
              whole(1000, training_batch_for<square>(devices::gc200, 1000).bytes));
static_assert(!training_batch_for<mm>(devices::gc200, 1, {.n = 65536, .k = 4096}).fits);  // weights of 1 GB

/// Whatever the batch: steps cover it, cuts lie at grains, a step fits, and one step fewer would not.
constexpr bool sound(const device& d) {
  const index_t batches[] = {1, 31, 32, 33, 64, 97, 500, 1024, 3000, 4096, 100000};
  for (index_t batch : batches) {
    const batch_choice b = training_batch_for<square>(d, batch);
    if (!b.fits || b.micro_batch * b.steps < batch || b.micro_batch * (b.steps - 1) >= batch) return false;
    if (b.steps > 1 && (!b.accumulates || !b.keeps_bits || b.micro_batch % sample_grain != 0)) return false;
    if (b.bytes > d.local_bytes) return false;
    const index_t larger = b.steps > 2 ? ((batch - 1) / (b.steps - 1) / sample_grain + 1) * sample_grain : batch;
    if (b.steps > 1 && training_batch_for<square>(d, larger).steps == 1) return false;
  }
  return true;
}
static_assert(sound(devices::gc2) && sound(devices::gc200) && sound(devices::bow));

// --- SIMT: the whole batch in one launch, as far as memory goes ------------------------------------------------------

static_assert(training_batch_for<square>(devices::h200, 100000) == whole(100000, 6'687'817'728));
static_assert(training_batch_for<square>(devices::t4, 100000) == whole(100000, 6'687'817'728));
static_assert(training_batch_for<square>(devices::t4, 300000).steps == 2 &&
              training_batch_for<square>(devices::h200, 300000).steps == 1);
static_assert(training_batch_for<square>(devices::t4, 300000).accumulates);

// --- SIMD: blocks of one call, by cache and cores --------------------------------------------------------------------

// Half of L2 over a chunk of 512 floats: 128 rows of 512 KiB, 256 of 1 MiB, all of them where k is short.
static_assert(training_batch_for<square>(devices::avx2, 4096).micro_batch == 128);
static_assert(training_batch_for<square>(devices::zen4, 4096).micro_batch == 256);
static_assert(training_batch_for<mm>(devices::zen4, 4096, {.n = 64, .k = 32}).micro_batch == 4096);
static_assert(training_batch_for<matmul<matmul_config{.n = 64, .k = 4096}, double>>(devices::zen4, 4096).micro_batch ==
              128);
static_assert(training_batch_for<square>(devices::avx2, 4096).steps == 32 &&
              !training_batch_for<square>(devices::avx2, 4096).accumulates);
static_assert(training_batch_for<square>(devices::avx2, 100).micro_batch == 100);
static_assert(training_batch_for<square>(devices::avx2, 130).micro_batch == 96);  // 96 and 34, not 128 and 2
static_assert(training_batch_for<square>(devices::avx2, 0) == batch_choice{.bytes = 2 * 4096 * 4096 * 4});
// cores: a share each, of whole grains
static_assert(training_batch_for<square>(devices::power8, 4096).parallel == 8);
static_assert(training_batch_for<square>(devices::power8, 512).micro_batch == 64);
static_assert(training_batch_for<square>(devices::power8, 100).micro_batch == 32 &&
              training_batch_for<square>(devices::power8, 100).parallel == 4);
// tiles that are cores block like cores: they need not hold what is stored
static_assert(training_batch_for<square>(devices::native_tiles, 4096) ==
              training_batch_for<square>(devices::native, 4096));

// --- the device decides ----------------------------------------------------------------------------------------------

static_assert(training_batch_for<square>(devices::gc2, 4096) != training_batch_for<square>(devices::gc200, 4096));
static_assert(training_batch_for<square>(devices::gc200, 4096) != training_batch_for<square>(devices::a100, 4096));
static_assert(training_batch_for<square>(devices::a100, 4096) != training_batch_for<square>(devices::zen4, 4096));
static_assert(training_batch_for<named>(devices::gc200, 4096) == training_batch_for<square>(devices::gc200, 4096));

// --- what is stored --------------------------------------------------------------------------------------------------

constexpr index_t stored(const batch_choice& b) { return b.bytes; }
// weights 3 x 5 and gradient; for 7 samples 3 in, 5 out, and gradients
static_assert(stored(training_batch_for<mm>(devices::h200, 7, {.n = 5, .k = 3})) == (2 * 15 + 7 * 2 * 8) * 4);
static_assert(stored(training_batch_for<matmul<matmul_config{.bias = true}, float>>(devices::h200, 7,
                                                                                    {.n = 5, .k = 3})) ==
              (2 * 20 + 7 * 2 * 8) * 4);
static_assert(stored(training_batch_for<matmul<matmul_config{.residual = true}, float>>(devices::h200, 7,
                                                                                        {.n = 5, .k = 3})) ==
              (2 * 15 + 7 * 21) * 4);
static_assert(stored(training_batch_for<matmul<matmul_config{.batch = 6}, double>>(devices::h200, 7,
                                                                                   {.n = 5, .k = 3})) ==
              6 * (2 * 15 + 7 * 2 * 8) * 8);
static_assert(stored(training_batch_for<matmul<matmul_config{.batch = dynamic}, float>>(
                  devices::h200, 7, {.n = 5, .k = 3, .batch = 6})) == 6 * (2 * 15 + 7 * 2 * 8) * 4);
// --- convolutions ----------------------------------------------------------------------------------------------------

using conv = conv2d<conv2d_config{.in = 8, .out = 8, .kernel = {3, 3}, .pad = {1, 1}}>;
using sized = conv2d<conv2d_config{.in = 8, .out = 8, .kernel = {3, 3}, .pad = {1, 1}, .extent = {8, 8}}>;
using transposed =
    conv_transpose2d<conv_transpose2d_config{.in = 8, .out = 8, .kernel = {3, 3}, .crop = {1, 1}, .extent = {8, 8}}>;
constexpr conv_sizes<2> eight{.extent = {8, 8}};

// One image of 8 x 8, weights 3 x 3 x 8 x 8 on four tiles, by hand. Stored per tile: (2 * 576 + 2 * 1024) * 4 / 4 =
// 3200. The hungriest pass: every tile has all pixels and two channels, (64 * 8 + 72 * 2) * 4 of operands, 64 * 2 * 4
// of sums.
static_assert(training_batch_for<conv>(four_tiles(6336), 1, eight) == whole(1, 6336));
static_assert(!training_batch_for<conv>(four_tiles(6335), 1, eight).fits &&
              training_batch_for<conv>(four_tiles(6335), 1, eight).bytes == 6336);
static_assert(training_batch_for<sized>(four_tiles(6336), 1) == whole(1, 6336));
static_assert(training_batch_for<transposed>(four_tiles(6336), 1) == whole(1, 6336));
// grains of one image where it has 32 positions, else of as many images as that takes
static_assert(training_batch_for<conv>(four_tiles(20000), 100, eight).keeps_bits);
static_assert(training_batch_for<conv>(devices::gc2, 1 << 20, {.extent = {2, 2}}).micro_batch % 8 == 0);
static_assert(training_batch_for<conv>(devices::gc2, 1 << 20, {.extent = {1, 1}}).micro_batch % 32 == 0);
static_assert(training_batch_for<conv>(devices::avx2, 100, {.extent = {1, 1}}).micro_batch == 100);

// the layer of ResNet-50 with the largest activations, and a volume
using large = conv2d<conv2d_config{.in = 64, .out = 256, .kernel = {1, 1}, .extent = {56, 56}}>;
using volume = conv3d<conv3d_config{.in = 8, .out = 8, .kernel = {3, 3, 3}, .pad = {1, 1, 1}, .extent = {25, 25, 25}}>;
static_assert(training_batch_for<large>(devices::gc2, 256).steps >
              training_batch_for<large>(devices::gc200, 256).steps);
static_assert(training_batch_for<large>(devices::gc200, 256).steps > 1 &&
              training_batch_for<large>(devices::h200, 256).steps == 1);
static_assert(training_batch_for<large>(devices::bow, 256) == training_batch_for<large>(devices::gc200, 256));
static_assert(training_batch_for<large>(devices::h200, 256) ==
              whole(256, (2 * 64 * 256 + 256 * 2 * 56 * 56 * 320) * index_t{4}));
static_assert(training_batch_for<volume>(devices::gc200, 16).fits &&
              training_batch_for<volume>(devices::gc200, 16).steps == 1);
// cores: images that stay in half of L2, at least one; one call
static_assert(training_batch_for<sized>(devices::avx2, 512).micro_batch == 64 &&
              !training_batch_for<sized>(devices::avx2, 512).accumulates);
static_assert(training_batch_for<sized>(devices::zen4, 512).micro_batch == 128);
static_assert(training_batch_for<large>(devices::zen4, 16).micro_batch == 1);

static_assert(training_batch_for<sized>(devices::gc2, 64, eight) == training_batch_for<sized>(devices::gc2, 64));

// sizes the op knows may be repeated
static_assert(training_batch_for<square>(devices::gc2, 64, {.n = 4096}) ==
              training_batch_for<square>(devices::gc2, 64));

}  // namespace tern::test
