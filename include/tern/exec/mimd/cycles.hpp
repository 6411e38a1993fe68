// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A first cycle model of tiles: the cycles of one tile's processor for a piece of work, and the cost of a superstep.
//
//     superstep = max over tiles(compute) + sync + set-up + max over tiles(bytes sent, bytes received) / rate
//
// Compute and exchange do not overlap and every tile waits for the slowest. Formulas and constants are those of the
// vertex estimators of PopLibs (github.com/graphcore/poplibs at 7eac0f26, lib/poplin/PerformanceEstimation.hpp and
// ConvReducePlan.cpp, read as facts): the matrix unit on a 1x1 convolution, which is a matmul. Sync and set-up are the
// planner constants of lib/popnn/CTCLossPlan.cpp. Accuracy: docs/mimd.md. All functions are constexpr.
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

namespace tern::inline TERN_ISA::tile_cycles {

constexpr index_t ceil_div(index_t a, index_t b) { return (a + b - 1) / b; }
constexpr double number(index_t x) { return static_cast<double>(x); }

/// True for devices charged as IPU tiles; others are charged by their multiply-adds per cycle.
constexpr bool has_matrix_unit(const device& d) { return d.input_grain > 1; }

/// Multiply-adds per cycle for elements of this size; 1 if the device has no number.
constexpr double fma_rate(const device& d, int element_bytes) {
  return d.fma_per_cycle > 0 ? d.fma_per_cycle * 4 / element_bytes : 1;
}

/// Input elements per step of one unit of the matrix unit: the input group of a layout.
constexpr index_t input_group(const device& d, int element_bytes) {
  return has_matrix_unit(d) ? 32 / element_bytes : 1;
}

/// Units of the matrix unit, each of which computes one output column: the output group of a layout. Half inputs feed
/// `output_grain` units, 4 elements a cycle; float inputs feed as many as the peak requires, 1 element a cycle. (A 2016
/// table of GC2 has 4 units and 2 elements; that and the 8 cycles per row of the estimator give half the peak.)
constexpr index_t output_group(const device& d, int element_bytes) {
  if (!has_matrix_unit(d)) return 1;
  return element_bytes < 4 ? d.output_grain : static_cast<index_t>(d.fma_per_cycle);
}

/// Cycles for m x k times k x n on one tile, from zero, float32 sums. The workers share the rows; the slowest counts.
constexpr double multiply(const device& d, int element_bytes, index_t m, index_t n, index_t k) {
  if (m <= 0 || n <= 0 || k <= 0) return 0;
  if (!has_matrix_unit(d)) return number(m) * number(n) * number(k) / fma_rate(d, element_bytes);
  const bool narrow = element_bytes < 4;
  const index_t workers = d.threads_per_unit, rows = ceil_div(m, workers), later_rows = rows > 3 ? rows - 3 : 0;
  const index_t units = output_group(d, element_bytes);
  const index_t in = ceil_div(k, input_group(d, element_bytes)), out = ceil_div(n, units);
  const index_t load = units * 32 / 8;  // weights, 64 bits a cycle
  index_t worker = 0, first = 0;        // cycles of a worker on an input group; on the first, which zeroes the sums
  if (narrow)
    first = worker = rows == 1 ? 26 : rows == 2 ? 35 : 31 + 4 * later_rows;
  else
    worker = 46 + 8 * later_rows, first = worker + 2 + units / 2 * rows;  // a single row: 47, left out to stay monotone
  return number(50 + (narrow ? workers * (7 + 3 * (in - 1)) : 0) +        //
                13 + (in - 1) * (15 + out * (19 + 6 + load + workers * worker)) +  //
                11 + out * (18 + 7 + load + workers * first));
}

/// Cycles for sums of `depth` vectors of n elements on one tile.
constexpr double reduce(const device& d, int element_bytes, index_t n, index_t depth) {
  if (n <= 0 || depth <= 0) return 0;
  if (!has_matrix_unit(d)) return number(n) * number(depth) / fma_rate(d, element_bytes);
  const index_t workers = d.threads_per_unit;
  return number(workers * (32 + ceil_div(ceil_div(n, 16 / element_bytes), workers) * (3 * depth + 7)));
}

/// Cycles for one cheap operation (an addition, relu) on each of n elements on one tile.
constexpr double elementwise(const device& d, int element_bytes, index_t n) {
  if (n <= 0) return 0;
  if (!has_matrix_unit(d)) return number(n) / fma_rate(d, element_bytes);
  const index_t workers = d.threads_per_unit;
  return number(15 + workers * (24 + ceil_div(n, 8 / element_bytes * workers)));
}

/// Cycles for rounding n float32 sums to narrower elements on one tile.
constexpr double round_sums(const device& d, index_t n) {
  if (n <= 0) return 0;
  if (!has_matrix_unit(d)) return number(n) / fma_rate(d, 4);
  const index_t workers = d.threads_per_unit;
  return number(workers * (ceil_div(ceil_div(n, workers), 2) + 26));
}

/// Cycles of an exchange phase in which the busiest tile sends or receives `bytes` bytes; 0 for none.
constexpr double exchange(const device& d, double bytes) {
  if (bytes <= 0) return 0;
  return d.exchange_setup_cycles + (d.exchange_bytes_per_cycle > 0 ? bytes / d.exchange_bytes_per_cycle : 0);
}

}  // namespace tern::inline TERN_ISA::tile_cycles
