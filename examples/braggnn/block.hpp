// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BraggNN (Liu et al. 2020, arXiv 2008.08198; github.com/lzhengchun/BraggNN) as a type: where in a crop of 11 x 11
// pixels is the peak?
#pragma once

#include "tern/op/block.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/matmul.hpp"

namespace braggnn::inline TERN_ISA {

using tern::activation, tern::conv2d, tern::conv2d_config, tern::elementwise, tern::elementwise_config, tern::flatten,
    tern::matmul, tern::matmul_config, tern::non_local, tern::residual, tern::sequence;

constexpr activation leaky = activation::leaky_relu;
using look = conv2d<conv2d_config{.in = 64, .out = 32, .bias = true}>;
struct block
    : sequence<
          conv2d<conv2d_config{.in = 1, .out = 64, .kernel = 3, .bias = true}>,
          residual<sequence<non_local<look, look, look>, conv2d<conv2d_config{.in = 32, .out = 64, .bias = true}>>>,
          elementwise<elementwise_config{.act = leaky}>,
          conv2d<conv2d_config{.in = 64, .out = 32, .kernel = 3, .bias = true, .act = leaky}>,
          conv2d<conv2d_config{.in = 32, .out = 8, .kernel = 3, .bias = true, .act = leaky}>, flatten,
          matmul<matmul_config{.n = 16, .bias = true, .act = leaky}>,
          matmul<matmul_config{.n = 8, .bias = true, .act = leaky}>,
          matmul<matmul_config{.n = 4, .bias = true, .act = leaky}>,
          matmul<matmul_config{.n = 2, .bias = true, .act = leaky}>, matmul<matmul_config{.n = 2, .bias = true}>> {};

}  // namespace braggnn::inline TERN_ISA
