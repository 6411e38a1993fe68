// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue agrees with itself and with what vendors publish. Compiling this file is the test.
#include "tern/device/catalog.hpp"

#include "tests/static/catalogue.hpp"

namespace tern::test {

constexpr bool empty(const char* s) { return s[0] == '\0'; }
constexpr bool same(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

/// Peaks follow from multiply-adds, clock and units, within 2 % of what is published.
constexpr bool peaks_agree() {
  for (const published& p : machines)
    if (!near(p.d.peak_flops() / 1e12, p.float32, 2) || !near(p.d.half_peak_flops() / 1e12, p.half, 2)) return false;
  return true;
}
static_assert(peaks_agree());

/// Every device has a name of its own, a source, and the numbers its execution model needs.
constexpr bool complete(const device& d) {
  if (empty(d.name) || empty(d.source) || d.vector_bytes <= 0) return false;
  if (d.execution == model::simd) return d.l1_bytes > 0 && d.l2_bytes >= d.l1_bytes;
  if (d.execution == model::mimd)
    return d.units > 1 && d.local_bytes > d.program_bytes && d.exchange_bytes_per_cycle > 0 && d.sync_cycles > 0 &&
           d.input_grain > 1 && d.output_grain > 1;
  return d.units > 1 && d.l2_bytes > 0 && d.local_bytes > 0 && d.memory_bytes > 0 && d.memory_bytes_per_second > 0;
}
constexpr bool all_complete() {
  for (const published& p : instruction_sets)
    if (!complete(p.d)) return false;
  for (const published& p : machines)
    if (!complete(p.d) || p.d.clock_hz <= 0) return false;
  return true;
}
static_assert(all_complete());

constexpr bool names_differ() {
  for (const published& a : machines) {
    int found = 0;
    for (const published& b : machines) found += same(a.d.name, b.d.name);
    for (const published& b : instruction_sets) found += same(a.d.name, b.d.name);
    if (found != 1) return false;
  }
  return true;
}
static_assert(names_differ());

// Sizes that other numbers lean on.
static_assert(devices::gc2.units * devices::gc2.local_bytes == index_t{304} << 20);      // the published 304 MiB
static_assert(devices::gc200.units * devices::gc200.local_bytes == index_t{897} << 20);  // the published 897 MB
static_assert(near(devices::gc200.units * devices::gc200.exchange_bytes_per_cycle * devices::gc200.clock_hz, 7.8e12,
                   2));
static_assert(near(devices::bow.clock_hz / devices::gc200.clock_hz, 350.0 / 250.0, 2));  // one design, two clocks

// The tiles of the host are cores: they take the arch of this translation unit and its registers.
static_assert(devices::native_tiles.execution == model::mimd && devices::native_tiles.shares_host_memory);
static_assert(devices::native_tiles.instructions == devices::native.instructions);
static_assert(devices::native_tiles.vector_bytes == devices::native.vector_bytes);
static_assert(devices::native_tiles.local_bytes <= devices::native.l2_bytes);

// What is not known adds nothing.
static_assert(device{}.peak_flops() == 0 && devices::native.peak_flops() == 0 && devices::gc2.half_peak_flops() > 0);

}  // namespace tern::test
