// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: simd: exact numerics need fma, which this device lacks: compile with -march=x86-64-v3, use
// error: tern::numerics::relaxed, or build per ISA with tern_add_isas
// flags: -march=x86-64
// mistake: a network under simd without -march
#include "tern/blocks.hpp"
#include "tern/simd.hpp"

using namespace tern;
using net = network<sequence<conv2d<conv2d_config{.out = 8, .kernel = 3}>, flatten, matmul<matmul_config{.n = 10}>>,
                    sample_shape::image(1, 8, 8), simd<>>;
void run(std::span<const float> parameters, std::span<const float> x, std::span<float> y, std::span<float> memory) {
  auto state = net::make_state();
  net::infer(state, parameters, parameters, x, y, memory);
}
