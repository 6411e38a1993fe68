// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ResNet-50 as blocks: inference, and with TERN_TRAINED also training steps.
#include <tern/blocks.hpp>
#include <tern/simd.hpp>

#include <span>

namespace {

using namespace tern;

template <index_t In, index_t Out, index_t Kernel, index_t Stride = 1>
using conv = conv2d<conv2d_config{
    .in = In, .out = Out, .kernel = {Kernel, Kernel}, .stride = {Stride, Stride}, .pad = {Kernel / 2, Kernel / 2}}>;
using norm = batch_norm<>;
using norm_relu = batch_norm<norm_config{.act = activation::relu}>;
using relu = elementwise<elementwise_config{.act = activation::relu}>;

template <index_t In, index_t Between, index_t Stride>
using branch = sequence<conv<In, Between, 1>, norm_relu, conv<Between, Between, 3, Stride>, norm_relu,
                        conv<Between, 4 * Between, 1>, norm>;
template <index_t In, index_t Between, index_t Stride>
using first = sequence<residual<branch<In, Between, Stride>, sequence<conv<In, 4 * Between, 1, Stride>, norm>>, relu>;
template <index_t Between>
using further = sequence<residual<branch<4 * Between, Between, 1>>, relu>;

using resnet50 =
    sequence<conv<3, 64, 7, 2>, norm_relu, max_pool2d<pool2d_config{.kernel = 3, .stride = 2, .pad = 1}>,  //
             first<64, 64, 1>, repeat<2, further<64>>, first<256, 128, 2>, repeat<3, further<128>>, first<512, 256, 2>,
             repeat<5, further<256>>, first<1024, 512, 2>, repeat<2, further<512>>, global_avg_pool2d<>, flatten,
             matmul<matmul_config{.n = 1000, .bias = true}>>;
using net = network<resnet50, sample_shape::image(3, 224, 224), simd<>>;

}  // namespace

void infer(std::span<const float> parameters, std::span<const float> statistics, std::span<const float> x,
           std::span<float> y, std::span<float> memory) {
  auto state = net::make_state();
  net::infer(state, parameters, statistics, x, y, memory);
}
#if defined(TERN_TRAINED)
using training = trainer<net, cross_entropy<loss_config{.reduce = reduction::sum}>, adam<>>;
float step(std::span<float> memory, std::span<const float> x, std::span<const std::int32_t> classes) {
  auto state = net::make_state();
  training t(memory);
  return static_cast<float>(t.step(state, x, classes, {.rate = 1e-3}).loss);
}
#endif
