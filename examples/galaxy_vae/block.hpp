// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variational autoencoder of galaxies of Arcelin et al. 2021, arXiv 2106.02465 (BastienArcelin/IPU-GPU,
// BSD-3-Clause), as types.
#pragma once

#include <ratio>

#include "model.hpp"
#include "tern/op/block.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/norm.hpp"

namespace galaxy_vae::inline TERN_ISA {

using tern::activation, tern::padding, tern::sample_shape;

/// A slope for every number of a sample.
using prelu = tern::per_element<tern::elementwise<tern::elementwise_config{.act = activation::prelu}>>;

template <index_t In, index_t Out, index_t Stride>
using conv = tern::sequence<
    tern::conv2d<tern::conv2d_config{
        .in = In, .out = Out, .kernel = 3, .stride = {Stride, Stride}, .rule = padding::same_tf, .bias = true}>,
    prelu>;
template <index_t In, index_t Out>
using widen = tern::sequence<tern::conv_transpose2d<tern::conv_transpose2d_config{
                                 .in = In, .out = Out, .kernel = 3, .stride = 2, .crop_end = 1, .bias = true}>,
                             prelu>;

template <index_t Colours>
using encoder_of =
    tern::sequence<tern::batch_norm<>, conv<Colours, 32, 1>, conv<32, 32, 2>, conv<32, 64, 1>, conv<64, 64, 2>,
                   conv<64, 128, 1>, conv<128, 128, 2>, conv<128, 256, 1>, conv<256, 256, 2>, tern::flatten,
                   tern::matmul<tern::matmul_config{.n = 256, .bias = true}>, prelu,
                   tern::matmul<tern::matmul_config{.n = 2 * latent, .bias = true}>>;
template <index_t Colours>
using decoder_of = tern::sequence<
    tern::matmul<tern::matmul_config{.n = 256, .bias = true}>, prelu,
    tern::matmul<tern::matmul_config{.n = 4 * 4 * 256, .bias = true}>, prelu,
    tern::reshape<sample_shape::image(256, 4, 4)>, widen<256, 256>, conv<256, 256, 1>, widen<256, 128>,
    conv<128, 128, 1>, widen<128, 64>, conv<64, 64, 1>, widen<64, 32>, conv<32, 32, 1>,
    tern::conv2d<tern::conv2d_config{
        .in = 32, .out = Colours, .kernel = 3, .rule = padding::same_tf, .bias = true, .act = activation::sigmoid}>>;
// The weight of the divergence relative to a squared error: that of a noise of 0.11 in every number.
using weight = std::ratio<1, 40>;
template <index_t Colours>
struct vae_of : tern::sequence<encoder_of<Colours>, tern::normal_latent<weight>, decoder_of<Colours>> {};

}  // namespace galaxy_vae::inline TERN_ISA
