// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of variants: ops x sizes x policies x tunings. Tests, benchmarks and the support table in the docs are
// made from it; a new variant is one line here.
#pragma once

#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/op/matmul.hpp"
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

// --- What
// -------------------------------------------------------------------------------------------------------------

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

/// A convolution that somebody needs, of as many axes as its rank, the last ones. `in` and `out` are channels, `extent`
/// is that of x.
struct conv_workload {
  const char* name;
  int rank;
  index_t in, out, groups;
  per_axis<3> extent, kernel;
  per_axis<3> stride{1, 1, 1}, dilation{1, 1, 1};
  per_axis<3> pad{0, 0, 0}, pad_end{0, 0, 0};  ///< crops where it is transposed
  index_t batches[2] = {1, 16};                ///< 0: none
  bool transposed = false;
  bool gradients = false;  ///< both, at the larger batch
};

/// The rows that tern's speed is judged by: ResNet-50, a CIFAR-10 network, BraggNN, a galaxy autoencoder (its decoder
/// with transposed ones), depthwise layers of MobileNetV2 and EfficientNet, RegNetX and ResNeXt with their groups,
/// WaveNet, volumes as calorimeter GANs have them, U-Net's second layer.
inline constexpr conv_workload conv_workloads[] = {
    {"rn50_conv1_7x7s2", 2, 3, 64, 1, {1, 224, 224}, {1, 7, 7}, {1, 2, 2}, {1, 1, 1}, {0, 3, 3}, {0, 3, 3}},
    {.name = "rn50_1x1_64_256_56",
     .rank = 2,
     .in = 64,
     .out = 256,
     .groups = 1,
     .extent = {1, 56, 56},
     .kernel = {1, 1, 1},
     .gradients = true},
    {"rn50_1x1_256_64_56", 2, 256, 64, 1, {1, 56, 56}, {1, 1, 1}},
    {.name = "rn50_3x3_64_56",
     .rank = 2,
     .in = 64,
     .out = 64,
     .groups = 1,
     .extent = {1, 56, 56},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1},
     .gradients = true},
    {.name = "rn50_3x3_128_28",
     .rank = 2,
     .in = 128,
     .out = 128,
     .groups = 1,
     .extent = {1, 28, 28},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {.name = "rn50_3x3_256_14",
     .rank = 2,
     .in = 256,
     .out = 256,
     .groups = 1,
     .extent = {1, 14, 14},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1},
     .gradients = true},
    {.name = "rn50_3x3_512_7",
     .rank = 2,
     .in = 512,
     .out = 512,
     .groups = 1,
     .extent = {1, 7, 7},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {"rn50_1x1s2_256_512_56", 2, 256, 512, 1, {1, 56, 56}, {1, 1, 1}, {1, 2, 2}},
    {.name = "cifar_3x3_3_32_32",
     .rank = 2,
     .in = 3,
     .out = 32,
     .groups = 1,
     .extent = {1, 32, 32},
     .kernel = {1, 3, 3},
     .batches = {1, 32}},
    {.name = "cifar_3x3_32_64_15",
     .rank = 2,
     .in = 32,
     .out = 64,
     .groups = 1,
     .extent = {1, 15, 15},
     .kernel = {1, 3, 3},
     .batches = {1, 32},
     .gradients = true},
    {.name = "bragg_3x3_1_64_11",
     .rank = 2,
     .in = 1,
     .out = 64,
     .groups = 1,
     .extent = {1, 11, 11},
     .kernel = {1, 3, 3},
     .batches = {1, 512}},
    {.name = "bragg_3x3_64_32_9",
     .rank = 2,
     .in = 64,
     .out = 32,
     .groups = 1,
     .extent = {1, 9, 9},
     .kernel = {1, 3, 3},
     .batches = {1, 512},
     .gradients = true},
    {.name = "vae_3x3_6_32_64",
     .rank = 2,
     .in = 6,
     .out = 32,
     .groups = 1,
     .extent = {1, 64, 64},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {"vae_3x3s2_32_64_64", 2, 32, 64, 1, {1, 64, 64}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {.name = "dw3x3_96_112",
     .rank = 2,
     .in = 96,
     .out = 96,
     .groups = 96,
     .extent = {1, 112, 112},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {"dw3x3s2_96_112", 2, 96, 96, 96, {1, 112, 112}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
    {.name = "dw3x3_144_56",
     .rank = 2,
     .in = 144,
     .out = 144,
     .groups = 144,
     .extent = {1, 56, 56},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {.name = "dw5x5_240_28",
     .rank = 2,
     .in = 240,
     .out = 240,
     .groups = 240,
     .extent = {1, 28, 28},
     .kernel = {1, 5, 5},
     .pad = {0, 2, 2},
     .pad_end = {0, 2, 2},
     .gradients = true},
    {.name = "dw5x5_672_14",
     .rank = 2,
     .in = 672,
     .out = 672,
     .groups = 672,
     .extent = {1, 14, 14},
     .kernel = {1, 5, 5},
     .pad = {0, 2, 2},
     .pad_end = {0, 2, 2}},
    {.name = "dw5x5_960_7",
     .rank = 2,
     .in = 960,
     .out = 960,
     .groups = 960,
     .extent = {1, 7, 7},
     .kernel = {1, 5, 5},
     .pad = {0, 2, 2},
     .pad_end = {0, 2, 2}},
    {.name = "grp16_3x3_96_56",
     .rank = 2,
     .in = 96,
     .out = 96,
     .groups = 6,
     .extent = {1, 56, 56},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {.name = "grp16_3x3_240_28",
     .rank = 2,
     .in = 240,
     .out = 240,
     .groups = 15,
     .extent = {1, 28, 28},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {.name = "resnext_3x3_128_56",
     .rank = 2,
     .in = 128,
     .out = 128,
     .groups = 32,
     .extent = {1, 56, 56},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {.name = "resnext_3x3_256_28",
     .rank = 2,
     .in = 256,
     .out = 256,
     .groups = 32,
     .extent = {1, 28, 28},
     .kernel = {1, 3, 3},
     .pad = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {.name = "wavenet_d1",
     .rank = 1,
     .in = 64,
     .out = 128,
     .groups = 1,
     .extent = {1, 1, 1024},
     .kernel = {1, 1, 2},
     .pad = {0, 0, 1}},
    {.name = "wavenet_d16",
     .rank = 1,
     .in = 64,
     .out = 128,
     .groups = 1,
     .extent = {1, 1, 1024},
     .kernel = {1, 1, 2},
     .dilation = {1, 1, 16},
     .pad = {0, 0, 16}},
    {.name = "wavenet_d512",
     .rank = 1,
     .in = 64,
     .out = 128,
     .groups = 1,
     .extent = {1, 1, 1024},
     .kernel = {1, 1, 2},
     .dilation = {1, 1, 512},
     .pad = {0, 0, 512}},
    {.name = "c3d_3x3x3_8_8_25",
     .rank = 3,
     .in = 8,
     .out = 8,
     .groups = 1,
     .extent = {25, 25, 25},
     .kernel = {3, 3, 3},
     .pad = {1, 1, 1},
     .pad_end = {1, 1, 1}},
    {.name = "c3d_5x5x5_8_8_25",
     .rank = 3,
     .in = 8,
     .out = 8,
     .groups = 1,
     .extent = {25, 25, 25},
     .kernel = {5, 5, 5},
     .pad = {2, 2, 2},
     .pad_end = {2, 2, 2}},
    {.name = "c3d_5x5x5_1_16_25",
     .rank = 3,
     .in = 1,
     .out = 16,
     .groups = 1,
     .extent = {25, 25, 25},
     .kernel = {5, 5, 5},
     .pad = {2, 2, 2},
     .pad_end = {2, 2, 2}},
    {.name = "vae_deconv3x3s2_128_64_8",
     .rank = 2,
     .in = 128,
     .out = 64,
     .groups = 1,
     .extent = {1, 8, 8},
     .kernel = {1, 3, 3},
     .stride = {1, 2, 2},
     .pad = {0, 1, 1},
     .transposed = true},
    {.name = "vae_deconv3x3s2_128_64_32",
     .rank = 2,
     .in = 128,
     .out = 64,
     .groups = 1,
     .extent = {1, 32, 32},
     .kernel = {1, 3, 3},
     .stride = {1, 2, 2},
     .pad = {0, 1, 1},
     .transposed = true},
    {.name = "unet_3x3_64_570",
     .rank = 2,
     .in = 64,
     .out = 64,
     .groups = 1,
     .extent = {1, 570, 570},
     .kernel = {1, 3, 3},
     .batches = {1, 0}},
};

/// The config of a workload, with batch and extents left open.
template <int Rank>
constexpr conv_config<Rank> conv_config_of(const conv_workload& w) {
  conv_config<Rank> c{.in = w.in, .out = w.out, .groups = w.groups};
  for (int r = 0; r < Rank; ++r) {
    const int axis = 3 - Rank + r;
    c.kernel.of[r] = w.kernel[axis], c.stride.of[r] = w.stride[axis], c.dilation.of[r] = w.dilation[axis];
    c.pad.of[r] = w.pad[axis], c.pad_end.of[r] = w.pad_end[axis];
  }
  return c;
}
template <int Rank>
constexpr conv_transpose_config<Rank> conv_transpose_config_of(const conv_workload& w) {
  conv_transpose_config<Rank> c{.in = w.in, .out = w.out, .groups = w.groups};
  for (int r = 0; r < Rank; ++r) {
    const int axis = 3 - Rank + r;
    c.kernel.of[r] = w.kernel[axis], c.stride.of[r] = w.stride[axis], c.dilation.of[r] = w.dilation[axis];
    c.crop.of[r] = w.pad[axis], c.crop_end.of[r] = w.pad_end[axis];
  }
  return c;
}

// --- How
// --------------------------------------------------------------------------------------------------------------

/// Every policy. Who includes the kernels of a model picks its policies by `P::execution`.
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

}  // namespace tern::variants
