// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The networks that measure shapes of galaxies, with weights that are numbers or distributions (BastienArcelin/IPU-GPU,
// BSD-3-Clause), as types.
#pragma once

#include <ratio>
#include <type_traits>

#include "model.hpp"
#include "tern/op/block.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/multivariate_gaussian_nll.hpp"
#include "tern/op/norm.hpp"

namespace galaxy_shapes::inline TERN_ISA {

/// The loss of a weight's distribution is spread over the galaxies of the study's training set.
using of_prior = std::ratio<1, 8000>;
template <bool Bayesian, class Op>
using with_weights = std::conditional_t<Bayesian, tern::bayesian<Op, of_prior>, Op>;

template <bool Bayesian, index_t In, index_t Out, index_t Stride>
using conv =
    tern::sequence<with_weights<Bayesian, tern::conv2d<tern::conv2d_config{.in = In,
                                                                           .out = Out,
                                                                           .kernel = 3,
                                                                           .stride = {Stride, Stride},
                                                                           .rule = tern::padding::same_tf,
                                                                           .bias = true}>>,
                   tern::per_element<tern::elementwise<tern::elementwise_config{.act = tern::activation::prelu}>>>;

using loss = tern::multivariate_gaussian_nll<numbers, tern::loss_config{.reduce = tern::reduction::sum}>;
constexpr index_t features = loss::features;

template <bool B>
struct estimator : tern::sequence<tern::batch_norm<>, conv<B, bands, 32, 1>, conv<B, 32, 32, 2>, conv<B, 32, 64, 1>,
                                  conv<B, 64, 64, 2>, conv<B, 64, 128, 1>, conv<B, 128, 128, 2>, conv<B, 128, 256, 1>,
                                  conv<B, 256, 256, 2>, tern::flatten,
                                  with_weights<B, tern::matmul<tern::matmul_config{.n = features, .bias = true}>>> {};

}  // namespace galaxy_shapes::inline TERN_ISA
