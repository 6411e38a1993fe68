// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of the contraction under simt are compile-time values, and change with the device.
#include <sstream>

#include "tern/simt.hpp"
#include "tests/simt/small_tiles.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

inline constexpr device few_multiprocessors{
    .name = "few_multiprocessors", .execution = model::simt, .units = 40, .local_bytes = 64 * 1024};

using on_h200 = contraction_kernel<simt<devices::h200>>;
using on_few = contraction_kernel<simt<few_multiprocessors>>;

constexpr plan large = on_h200::plan_for<float>(4096, 4096, 4096);
static_assert(large.block_m == 64 && large.block_n == 128 && large.tile_m == 8 && large.tile_n == 8);
static_assert(large.split_m == 64 && large.split_n == 32 && large.units == 2048 && large.steps_k == 256);
static_assert(large.bytes_per_unit == 4 * 16 * (68 + 132) * 4 && large.fits);
static_assert(large.bytes_per_unit <= devices::h200.local_bytes);
static_assert(large.flops == 2.0 * 4096 * 4096 * 4096 && large.workspace_bytes == 0);
static_assert(large.bytes_moved == ((32 + 64) * 4096LL * 4096 + 4096 * 4096) * 4);
static_assert(on_h200::plan_for<float>(4096, 4096, 4096) == large);

// 32 large blocks would leave most of an H200 idle, and nearly fill a smaller chip.
static_assert(on_h200::plan_for<float>(512, 512, 512).block_n == 64);
static_assert(on_h200::plan_for<float>(512, 512, 512).units == 64);
static_assert(on_few::plan_for<float>(512, 512, 512).block_n == 128);
static_assert(on_h200::plan_for<float>(512, 512, 512, 4).block_n == 128);  // a batch fills it
// Less shared memory holds fewer slabs.
constexpr simt_tuning wide_slabs = tuning::simt_automatic{}(few_multiprocessors, 4, problem_size::convolution);
static_assert(wide_slabs.stages == 3 && wide_slabs.block_k == 16);
static_assert(on_few::plan_for<float>(1024, 1024, 1024).fits);
// float64 results take twice the registers.
static_assert(on_h200::plan_for<double>(4096, 4096, 4096).tile_n == 4);
// Where two slabs of the usual depth are too much they are flatter: float64 on a P100.
constexpr simt_tuning flat = tuning::simt_automatic{}(devices::p100, 8, problem_size::convolution);
static_assert(flat.stages == 2 && flat.block_k == 8);
static_assert(contraction_kernel<simt<devices::p100>>::plan_for<double>(4096, 4096, 4096).fits);
// A convolution is cut as the matmul of its positions; weight gradients are one product per group and tap.
using layer = kernel<conv2d<conv2d_config{.in = 64, .out = 64, .kernel = {3, 3}, .pad = {1, 1}}>, simt<devices::h200>>;
static_assert(layer::plan({.batch = 4, .extent = {56, 56}}).units == 4 * 56 * 56 / 64);
static_assert(layer::plan({.batch = 4, .extent = {56, 56}}, pass::backward_weights).units == 9);
// A tuning of the user's.
static_assert(contraction_kernel<simt<devices::h200, numerics::exact, small_tiles>>::plan_for<float>(9, 9, 9).units ==
              2);
// Nothing to do.
static_assert(on_h200::plan_for<float>(0, 5, 7).units == 0 && on_h200::plan_for<float>(5, 5, 0).steps_k == 0);

TEST_CASE("a plan under simt prints", "[simt]") {
  std::ostringstream out;
  out << large;
  CHECK(out.str().find("contraction float32 4096x4096x4096 batch 1 under simt<h200, exact>") == 0);
  CHECK(out.str().find("tile       8x8, block 64x128x16") != std::string::npos);
}

}  // namespace tern::test
