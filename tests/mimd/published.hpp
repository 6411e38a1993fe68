// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cycles that Graphcore's regression suite expected of matmuls in March 2021, from its IPU model simulator: half
// inputs, float32 sums, forward pass. Source: github.com/graphcore/poplibs, benchmark results in the repository's
// history.
#pragma once

namespace tern::test {

struct published_matmul {
  int m, k, n;
  double gc2_cycles, gc200_cycles;
};

inline constexpr published_matmul published_matmuls[] = {
    {200, 64, 10000, 11690, 10128},     {200, 64, 20000, 18753, 16810},     {200, 64, 30000, 25060, 22142},
    {200, 256, 10000, 36346, 31355},    {200, 256, 20000, 59035, 50820},    {200, 256, 30000, 78310, 69554},
    {200, 512, 10000, 62001, 51094},    {200, 512, 20000, 106118, 88869},   {200, 512, 30000, 164152, 123952},
    {1000, 64, 10000, 34947, 29172},    {1000, 64, 20000, 63031, 53924},    {1000, 64, 30000, 91397, 76353},
    {1000, 256, 10000, 114311, 93032},  {1000, 256, 20000, 254923, 170108}, {1000, 256, 30000, 494187, 238742},
    {1000, 512, 10000, 273226, 178134}, {1000, 512, 20000, 682097, 324972}, {1000, 512, 30000, 940609, 506247}};

}  // namespace tern::test
