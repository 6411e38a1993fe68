// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and maps as loops that one writes without thinking of the machine, for a compiler that may reorder sums:
// loops.cpp is compiled with -O3 -ffast-math and includes nothing of tern, which refuses that.
#pragma once

namespace tern::bench::loops {

/// A norm of (n, c, s): batch, channels, positions. Statistics are two-pass.
struct norm {
  long n, c, s;
  long groups;  ///< of channels, for group norms
  const float *x, *scale, *shift, *residual;
  float *y, *mean, *rstd;  ///< mean, rstd: written by batch norms, elsewhere null
  bool relu;               ///< of the sum with residual
  float eps;
  int threads;
};
void batch_norm_last(const norm&);    ///< channels last
void batch_norm_planes(const norm&);  ///< one plane after the other
void group_norm_last(const norm&);
void group_norm_planes(const norm&);
void layer_norm(const norm&);  ///< of rows: s = 1

/// Its gradients; dx or dscale and dshift may be null.
struct norm_gradient {
  long n, c, s, groups;
  const float *dy, *x, *scale, *mean, *rstd;
  float *dx, *dscale, *dshift;
  int threads;
};
void batch_norm_gradient_last(const norm_gradient&);
void batch_norm_gradient_planes(const norm_gradient&);
void group_norm_gradient_last(const norm_gradient&);
void layer_norm_gradient(const norm_gradient&);

void softmax(long rows, long n, const float* x, float* y, int threads);
void softmax_gradient(long rows, long n, const float* dy, const float* y, float* dx, int threads);
/// The losses, followed by their mean.
void cross_entropy(long rows, long n, const float* x, const int* target, float* losses, int threads);
void cross_entropy_gradient(long rows, long n, const float* x, const int* target, float* dx, int threads);

void relu(long n, const float* x, float* y, int threads);
void relu_gradient(long n, const float* dy, const float* y, float* dx, int threads);
void gelu(long n, const float* x, float* y, int threads);
void gelu_gradient(long n, const float* dy, const float* x, float* dx, int threads);
void add(long n, const float* x, const float* residual, float* y, int threads);

/// Philox4x32-10, whose counters are elements / 4 and rows.
struct dropout {
  long rows, n;
  unsigned key0, key1, step, site, threshold;
  float scale;
  const float* x;
  float* y;
  int threads;
};
void drop(const dropout&);

struct adam {
  long n;
  float rate, beta1, beta2, epsilon;
  const float* gradient;
  float *parameters, *mean, *square;
  int threads;
};
void first_step(const adam&);

}  // namespace tern::bench::loops
