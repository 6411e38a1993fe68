// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans, and nothing that runs.
#include <tern/simd.hpp>

constexpr tern::conv2d_config config{.in = 64, .out = 64, .kernel = 3, .pad = 1};
constexpr tern::plan p = tern::kernel<tern::conv2d<config>, tern::simd<>>::plan({.batch = 4, .extent = {56, 56}});
static_assert(p.flops > 0);
