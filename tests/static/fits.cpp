// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tern::fits at its boundaries. Compiling this file is the test.
#include "tern/policy/fits.hpp"

#include "tern/device/catalog.hpp"

namespace tern::test {

inline constexpr device ten_tiles{.name = "ten tiles", .execution = model::mimd, .units = 10, .local_bytes = 100};
static_assert(fits(ten_tiles, 0) && fits(ten_tiles, 1000) && !fits(ten_tiles, 1001));
// the largest share counts: 991 bytes are 100 on one tile
inline constexpr device uneven{.name = "uneven", .execution = model::mimd, .units = 10, .local_bytes = 99};
static_assert(fits(uneven, 990) && !fits(uneven, 991));

constexpr index_t tile_memory(const device& d) { return d.units * d.local_bytes; }
static_assert(fits(devices::gc2, tile_memory(devices::gc2)) && !fits(devices::gc2, tile_memory(devices::gc2) + 1));
static_assert(fits(devices::bow, tile_memory(devices::bow)) && !fits(devices::bow, tile_memory(devices::bow) + 1));
// streaming memory is not tile memory
static_assert(devices::bow.memory_bytes > tile_memory(devices::bow));

static_assert(fits(devices::t4, 16'000'000'000) && !fits(devices::t4, 16'000'000'001));
static_assert(fits(devices::h200, 141'000'000'000) && !fits(devices::h200, 141'000'000'001));

// memory of unknown size, and of the host, has room
static_assert(fits(devices::avx2, index_t{1} << 50) && fits(devices::native_tiles, index_t{1} << 50));

// the device decides: 500 MB fit the tiles of a GC200 and not those of a GC2
static_assert(fits(devices::gc200, 500'000'000) && !fits(devices::gc2, 500'000'000));

}  // namespace tern::test
