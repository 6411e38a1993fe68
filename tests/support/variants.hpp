// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of variants: ops x sizes x policies x tunings. Tests, benchmarks and the support table in the docs are
// made from it; a new variant is one line here.
#pragma once

#include <type_traits>

#include "tern/core/activation.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/pool.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/reference.hpp"
#include "tern/policy/simd.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::variants {

template <class... V>
struct list {};

/// Calls f.template operator()<V>() for every V of a list.
template <class... V, class F>
void for_each(list<V...>, F&& f) {
  (f.template operator()<V>(), ...);
}

// --- What -----------------------------------------------------------------------------------------------------------

/// Matmuls with every kind of epilogue.
template <class T>
using matmuls = list<matmul<matmul_config{}, T>,                  //
                     matmul<matmul_config{.bias = true}, T>,      //
                     matmul<matmul_config{.residual = true}, T>,  //
                     matmul<matmul_config{.bias = true, .residual = true, .act = activation::relu}, T>>;

/// Sizes of a matmul that somebody needs.
struct matmul_workload {
  const char* name;
  index_t m, n, k;
  index_t batch = 1;
  bool transposed_b = false;  ///< b lies column by column
  bool closely = false;       ///< measured in double, in all passes, with every epilogue and under every executor, too
};

/// The rows that tern's speed is judged by: squares as BLAS users sweep them, odd sizes (121x64x9 is the first layer of
/// BraggNN as a matmul), fully connected layers with few rows (BERT base, an MLP, DeepBench's LSTM of 1536), attention
/// products of BERT base with 12 heads, 128 tokens and batches of 1 and 16.
inline constexpr matmul_workload matmul_workloads[] = {
    {"gemm_8", 8, 8, 8},
    {"gemm_11", 11, 11, 11},
    {"gemm_16", 16, 16, 16},
    {"gemm_32", 32, 32, 32},
    {.name = "gemm_64", .m = 64, .n = 64, .k = 64, .closely = true},
    {"gemm_128", 128, 128, 128},
    {"gemm_256", 256, 256, 256},
    {.name = "gemm_512", .m = 512, .n = 512, .k = 512, .closely = true},
    {"gemm_1024", 1024, 1024, 1024},
    {"gemm_2048", 2048, 2048, 2048},
    {"gemm_37x53x71", 37, 53, 71},
    {"gemm_129x257x65", 129, 257, 65},
    {"gemm_121x64x9", 121, 64, 9},
    {.name = "mlp_1024_m1", .m = 1, .n = 1024, .k = 1024, .closely = true},
    {"mlp_4096_m1", 1, 4096, 1024},
    {"bert_ffn1_m1", 1, 3072, 768},
    {"bert_ffn2_m1", 1, 768, 3072},
    {"lstm1536_m1", 1, 6144, 1536},
    {"mlp_1024_m8", 8, 1024, 1024},
    {"mlp_4096_m8", 8, 4096, 1024},
    {"bert_ffn1_m8", 8, 3072, 768},
    {"bert_ffn2_m8", 8, 768, 3072},
    {"lstm1536_m8", 8, 6144, 1536},
    {"mlp_1024_m32", 32, 1024, 1024},
    {"mlp_4096_m32", 32, 4096, 1024},
    {.name = "bert_ffn1_m32", .m = 32, .n = 3072, .k = 768, .closely = true},
    {"bert_ffn2_m32", 32, 768, 3072},
    {"lstm1536_m32", 32, 6144, 1536},
    {"bert_qkv_m128", 128, 768, 768},
    {"bert_ffn1_m128", 128, 3072, 768},
    {.name = "attn_qk_b1", .m = 128, .n = 128, .k = 64, .batch = 12, .transposed_b = true},
    {.name = "attn_pv_b1", .m = 128, .n = 64, .k = 128, .batch = 12},
    {.name = "attn_qk_b16", .m = 128, .n = 128, .k = 64, .batch = 192, .transposed_b = true},
    {.name = "attn_pv_b16", .m = 128, .n = 64, .k = 128, .batch = 192},
};

/// Further sizes, for curves of latency against rows.
inline constexpr matmul_workload matmul_sweep[] = {
    {"bert_ffn1_m2", 2, 3072, 768},
    {"bert_ffn1_m4", 4, 3072, 768},
    {"bert_ffn1_m16", 16, 3072, 768},
    {"bert_ffn1_m64", 64, 3072, 768},
};

/// A convolution that somebody needs: the same along all axes.
struct conv_workload {
  const char* name;
  int rank;
  index_t in, out, groups;  ///< channels, of all groups
  index_t extent;           ///< of x
  index_t kernel, stride = 1, dilation = 1;
  index_t pad = 0, pad_end = 0;                             ///< crops where it is transposed
  index_t batch = 16;                                       ///< the larger one, beside 1; 0: none
  enum { forward, all_passes, transposed } kind = forward;  ///< all passes are measured at the larger batch
  bool constructed = false;  ///< how long the kernel's construction and packing take is measured, too
};

/// The rows that tern's speed is judged by: ResNet-50, a CIFAR-10 network, BraggNN, a galaxy autoencoder (its decoder
/// with transposed ones), depthwise layers of MobileNetV2 and EfficientNet, RegNetX and ResNeXt with their groups,
/// WaveNet, volumes as calorimeter GANs have them, U-Net's second layer.
inline constexpr conv_workload conv_workloads[] = {
    // name, rank, in, out, groups, extent, kernel, stride, dilation, pad, pad_end, batch, kind, constructed
    {"rn50_conv1_7x7s2", 2, 3, 64, 1, 224, 7, 2, 1, 3, 3},
    {"rn50_1x1_64_256_56", 2, 64, 256, 1, 56, 1, 1, 1, 0, 0, 16, conv_workload::all_passes},
    {"rn50_1x1_256_64_56", 2, 256, 64, 1, 56, 1, 1, 1, 0, 0, 16, conv_workload::forward, true},
    {"rn50_3x3_64_56", 2, 64, 64, 1, 56, 3, 1, 1, 1, 1, 16, conv_workload::all_passes, true},
    {"rn50_3x3_128_28", 2, 128, 128, 1, 28, 3, 1, 1, 1, 1},
    {"rn50_3x3_256_14", 2, 256, 256, 1, 14, 3, 1, 1, 1, 1, 16, conv_workload::all_passes},
    {"rn50_3x3_512_7", 2, 512, 512, 1, 7, 3, 1, 1, 1, 1},
    {"rn50_1x1s2_256_512_56", 2, 256, 512, 1, 56, 1, 2},
    {"cifar_3x3_3_32_32", 2, 3, 32, 1, 32, 3, 1, 1, 0, 0, 32},
    {"cifar_3x3_32_64_15", 2, 32, 64, 1, 15, 3, 1, 1, 0, 0, 32, conv_workload::all_passes},
    {"bragg_3x3_1_64_11", 2, 1, 64, 1, 11, 3, 1, 1, 0, 0, 512},
    {"bragg_3x3_64_32_9", 2, 64, 32, 1, 9, 3, 1, 1, 0, 0, 512, conv_workload::all_passes},
    {"vae_3x3_6_32_64", 2, 6, 32, 1, 64, 3, 1, 1, 1, 1},
    {"vae_3x3s2_32_64_64", 2, 32, 64, 1, 64, 3, 2, 1, 1, 1},
    {"dw3x3_96_112", 2, 96, 96, 96, 112, 3, 1, 1, 1, 1, 16, conv_workload::forward, true},
    {"dw3x3s2_96_112", 2, 96, 96, 96, 112, 3, 2, 1, 1, 1},
    {"dw3x3_144_56", 2, 144, 144, 144, 56, 3, 1, 1, 1, 1},
    {"dw5x5_240_28", 2, 240, 240, 240, 28, 5, 1, 1, 2, 2, 16, conv_workload::all_passes},
    {"dw5x5_672_14", 2, 672, 672, 672, 14, 5, 1, 1, 2, 2},
    {"dw5x5_960_7", 2, 960, 960, 960, 7, 5, 1, 1, 2, 2},
    {"grp16_3x3_96_56", 2, 96, 96, 6, 56, 3, 1, 1, 1, 1},
    {"grp16_3x3_240_28", 2, 240, 240, 15, 28, 3, 1, 1, 1, 1},
    {"resnext_3x3_128_56", 2, 128, 128, 32, 56, 3, 1, 1, 1, 1},
    {"resnext_3x3_256_28", 2, 256, 256, 32, 28, 3, 1, 1, 1, 1},
    {"wavenet_d1", 1, 64, 128, 1, 1024, 2, 1, 1, 1},
    {"wavenet_d16", 1, 64, 128, 1, 1024, 2, 1, 16, 16},
    {"wavenet_d512", 1, 64, 128, 1, 1024, 2, 1, 512, 512},
    {"c3d_3x3x3_8_8_25", 3, 8, 8, 1, 25, 3, 1, 1, 1, 1},
    {"c3d_5x5x5_8_8_25", 3, 8, 8, 1, 25, 5, 1, 1, 2, 2},
    {"c3d_5x5x5_1_16_25", 3, 1, 16, 1, 25, 5, 1, 1, 2, 2},
    {"vae_deconv3x3s2_128_64_8", 2, 128, 64, 1, 8, 3, 2, 1, 1, 0, 16, conv_workload::transposed},
    {"vae_deconv3x3s2_128_64_32", 2, 128, 64, 1, 32, 3, 2, 1, 1, 0, 16, conv_workload::transposed},
    {"unet_3x3_64_570", 2, 64, 64, 1, 570, 3, 1, 1, 0, 0, 0},
};

/// The config of a workload, with batch and extents left open.
template <int Rank>
constexpr conv_config<Rank> conv_config_of(const conv_workload& w) {
  return {.in = w.in,
          .out = w.out,
          .groups = w.groups,
          .kernel = w.kernel,
          .stride = w.stride,
          .dilation = w.dilation,
          .pad = w.pad,
          .pad_end = w.pad_end};
}
template <int Rank>
constexpr conv_transpose_config<Rank> conv_transpose_config_of(const conv_workload& w) {
  return {.in = w.in,
          .out = w.out,
          .groups = w.groups,
          .kernel = w.kernel,
          .stride = w.stride,
          .dilation = w.dilation,
          .crop = w.pad,
          .crop_end = w.pad_end};
}

namespace detail {

template <int I, class T>
constexpr auto op_of_workload() {
  constexpr const conv_workload& w = conv_workloads[I];
  if constexpr (w.kind == w.transposed)
    return std::type_identity<transposed_convolution<w.rank, conv_transpose_config_of<w.rank>(w), T>>{};
  else
    return std::type_identity<convolution<w.rank, conv_config_of<w.rank>(w), T>>{};
}

}  // namespace detail

inline constexpr int conv_workload_count = sizeof conv_workloads / sizeof conv_workloads[0];
/// The op of workload I.
template <int I, class T>
using op_of_workload = typename decltype(detail::op_of_workload<I, T>())::type;

/// A pool over images that somebody needs: the same along both axes. Averages do not count padding.
struct pool_workload {
  const char* name;
  pool_kind kind;
  index_t channels, extent;  ///< of x
  index_t kernel, stride = pool2d_config::as_kernel;
  index_t pad = 0;  ///< before and after
};

/// The rows that tern's speed is judged by, forward and backward: VGG's and U-Net's, ResNet's first one, DenseNet's
/// first transition, Inception-v3's branches of averages, ResNet-50's last one. Batches of 1 and 16.
inline constexpr pool_workload pool_workloads[] = {
    // name, kind, channels, extent, kernel, stride, pad
    {"maxpool2x2_64_112", pool_kind::max, 64, 112, 2},
    {"maxpool3x3s2_64_112", pool_kind::max, 64, 112, 3, 2, 1},
    {"avgpool2x2_128_56", pool_kind::average, 128, 56, 2},
    {"avgpool3x3s1_192_35", pool_kind::average, 192, 35, 3, 1, 1},
    {"avgpool_global_2048_7", pool_kind::average, 2048, 7, whole_axis},
};

/// The config of a workload, with batch and extents left open.
constexpr pool2d_config pool_config_of(const pool_workload& w) {
  return {.channels = w.channels, .kernel = w.kernel, .stride = w.stride, .pad = w.pad};
}

/// The kind of a reduction or a map.
enum class moving_op { batch_norm, group_norm, layer_norm, softmax, cross_entropy, elementwise, dropout, adam };

/// A reduction or a map that somebody needs: of images of rows = 1, channels and extent x extent pixels, or of rows.
struct moving_workload {
  const char* name;
  moving_op op;
  index_t rows, channels;  ///< for each item of a batch; elements of a row are its channels
  index_t extent = 1;
  bool residual = false;  ///< a tensor is added
  activation act = activation::none;
  enum { forward, gradient, all_passes } passes = forward;  ///< all: of norms that of x and that of parameters, too
};

/// Groups of every group norm among them.
inline constexpr index_t norm_groups = 32;

/// The rows that tern's speed is judged by: norms of ResNet-50 (training), U-Net and BERT, with and without what
/// follows them; attention's softmax, BraggNN's, whose rows end within a vector, and ImageNet's; activations and sums
/// of ResNet-50, GELU of BERT; Adam on a layer of a CIFAR-10 network and of BERT. Batches of 1 and 16: most of the
/// first lie in a cache, of the others in memory.
inline constexpr moving_workload moving_workloads[] = {
    // name, op, rows, channels, extent, residual, act, passes
    {"bnorm_fwd_64_56", moving_op::batch_norm, 1, 64, 56},
    {"bnorm_bwd_64_56", moving_op::batch_norm, 1, 64, 56, false, activation::none, moving_workload::all_passes},
    {"bnorm_relu_add_64_56", moving_op::batch_norm, 1, 64, 56, true, activation::relu},
    {"bnorm_fwd_512_7", moving_op::batch_norm, 1, 512, 7},
    {"bnorm_bwd_512_7", moving_op::batch_norm, 1, 512, 7, false, activation::none, moving_workload::all_passes},
    {"gnorm_256_28", moving_op::group_norm, 1, 256, 28},
    {"gnorm_bwd_256_28", moving_op::group_norm, 1, 256, 28, false, activation::none, moving_workload::all_passes},
    {"gnorm_relu_add_256_28", moving_op::group_norm, 1, 256, 28, true, activation::relu},
    {"lnorm_768", moving_op::layer_norm, 128, 768},
    {"lnorm_bwd_768", moving_op::layer_norm, 128, 768, 1, false, activation::none, moving_workload::all_passes},
    {"lnorm_relu_add_768", moving_op::layer_norm, 128, 768, 1, true, activation::relu},
    {"softmax_128", moving_op::softmax, 1536, 128},
    {"softmax_bwd_128", moving_op::softmax, 1536, 128, 1, false, activation::none, moving_workload::gradient},
    {"softmax_81", moving_op::softmax, 81, 81},
    {"softmax_1000", moving_op::softmax, 1, 1000},
    {"softmax_bwd_1000", moving_op::softmax, 1, 1000, 1, false, activation::none, moving_workload::gradient},
    {"xent_1000", moving_op::cross_entropy, 16, 1000},
    {"xent_bwd_1000", moving_op::cross_entropy, 16, 1000, 1, false, activation::none, moving_workload::gradient},
    {"relu_64_56", moving_op::elementwise, 1, 64, 56, false, activation::relu},
    {"relu_bwd_64_56", moving_op::elementwise, 1, 64, 56, false, activation::relu, moving_workload::gradient},
    {"gelu_3072", moving_op::elementwise, 128, 3072, 1, false, activation::gelu},
    {"gelu_bwd_3072", moving_op::elementwise, 128, 3072, 1, false, activation::gelu, moving_workload::gradient},
    {"add_64_56", moving_op::elementwise, 1, 64, 56, true},
    {"dropout_768", moving_op::dropout, 128, 768},
    {"adam_18432", moving_op::adam, 1, 18432},
    {"adam_589824", moving_op::adam, 1, 589824},
};

// --- How ------------------------------------------------------------------------------------------------------------

/// Every policy. A file that includes the kernels of a model picks its policies by `P::execution`.
using policies = list<reference,                                 //
                      simd<>,                                    //
                      simd<devices::native, numerics::relaxed>,  //
                      mimd<>>;

// Blockings to compare with tuning::automatic. Each differs from it in one respect.
struct tile_8x3 {
  static constexpr const char* name = "tile_8x3";
  constexpr contraction_tuning operator()(const device& d, int element_bytes) const {
    contraction_tuning t = tuning::automatic{}(d, element_bytes);
    t.rows = 8, t.vectors = 3;
    return t;
  }
};
struct tile_6x2 {
  static constexpr const char* name = "tile_6x2";
  constexpr contraction_tuning operator()(const device& d, int element_bytes) const {
    contraction_tuning t = tuning::automatic{}(d, element_bytes);
    t.rows = 6, t.vectors = 2;
    return t;
  }
};
struct half_blocks {
  static constexpr const char* name = "half_blocks";
  constexpr contraction_tuning operator()(const device& d, int element_bytes) const {
    contraction_tuning t = tuning::automatic{}(d, element_bytes);
    t.block_columns /= 2, t.long_block_columns /= 2;
    return t;
  }
};
struct double_blocks {
  static constexpr const char* name = "double_blocks";
  constexpr contraction_tuning operator()(const device& d, int element_bytes) const {
    contraction_tuning t = tuning::automatic{}(d, element_bytes);
    t.block_columns *= 2, t.long_block_columns *= 2;
    return t;
  }
};
struct no_fetch {
  static constexpr const char* name = "no_fetch";
  constexpr contraction_tuning operator()(const device& d, int element_bytes) const {
    contraction_tuning t = tuning::automatic{}(d, element_bytes);
    t.fetch_ahead = 0;
    return t;
  }
};

/// Tunings of the contraction family under simd.
using tunings = list<tile_8x3, tile_6x2, half_blocks, double_blocks, no_fetch>;
/// Those that change what convolutions do: they do not fetch weights ahead.
using conv_tunings = list<tile_8x3, tile_6x2, half_blocks, double_blocks>;

}  // namespace tern::variants
