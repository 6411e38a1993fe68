// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything in the catalogue: the checks of every device and the table in docs/devices.md go through these lists.
#pragma once

#include "tern/device/catalog.hpp"
#include "tern/device/system.hpp"

namespace tern::test {

/// A device and its published peaks, in TFLOP/s; 0 if nothing is published.
struct published {
  const device& d;
  double float32;
  double half = 0;
};

inline constexpr published instruction_sets[] = {
    {devices::scalar, 0}, {devices::sse2, 0},        {devices::avx2, 0},        {devices::avx512, 0},
    {devices::neon, 0},   {devices::emulated128, 0}, {devices::emulated256, 0}, {devices::emulated512, 0},
};
// zen4 and zen5: measured, one core; power8: 8 float32 operations per cycle on each of 8 cores at 3 GHz.
inline constexpr published machines[] = {
    {devices::zen4, 0.118},           {devices::zen5, 0.230},      {devices::power8, 0.192},
    {devices::gc2, 31.1, 124.5},      {devices::gc200, 62.5, 250}, {devices::bow, 87, 350},
    {devices::p100, 10.6, 21},        {devices::v100, 15.7, 125},  {devices::t4, 8.141, 65.13},
    {devices::rtx6000, 16.31, 130.5}, {devices::a100, 19.5, 312},  {devices::h100, 66.9, 989.4},
    {devices::h200, 66.91, 989.4},
};
inline constexpr const system* all_systems[] = {
    &systems::c2,         &systems::ipu_pod16, &systems::ipu_pod64, &systems::bow_pod16, &systems::bow_pod64,
    &systems::bow_pod256, &systems::dgx1,      &systems::dgx_a100,  &systems::minsky,
};

/// True if a number is within some percent of another.
constexpr bool near(double is, double should, double percent) {
  const double difference = is < should ? should - is : is - should;
  return difference * 100 <= should * percent;
}

}  // namespace tern::test
