// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of variants: ops x sizes x policies x tunings. Tests, benchmarks and the support table in the docs are
// made from it; a new variant is one line here.
#pragma once

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
