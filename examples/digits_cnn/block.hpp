// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CNN for CIFAR-10 of the examples of Keras 2 (cifar10_cnn.py), of one channel instead of three, as a type.
#pragma once

#include "model.hpp"
#include "tern/op/block.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/pool.hpp"

namespace digits_cnn::inline TERN_ISA {

using tern::activation, tern::padding;

template <index_t In, index_t Out, padding Rule>
using conv3x3 = tern::conv2d<tern::conv2d_config{
    .in = In, .out = Out, .kernel = 3, .rule = Rule, .bias = true, .act = activation::relu}>;
using halve = tern::max_pool2d<tern::pool2d_config{.kernel = 2}>;

struct cnn
    : tern::sequence<conv3x3<1, 32, padding::same_tf>, conv3x3<32, 32, padding::valid>, halve, tern::drop<25>,
                     conv3x3<32, 64, padding::same_tf>, conv3x3<64, 64, padding::valid>, halve, tern::drop<25>,
                     tern::flatten, tern::matmul<tern::matmul_config{.n = 512, .bias = true, .act = activation::relu}>,
                     tern::drop<50>, tern::matmul<tern::matmul_config{.n = classes, .bias = true}>> {};

}  // namespace digits_cnn::inline TERN_ISA
