// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer on a GPU and by the reference, with the same bits:
//
//     nvcc -std=c++20 -O3 -arch=native -I include examples/gpu/main.cu -o gpu && ./gpu
//
// docs/simt.md says how to run it where there is no GPU.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tern/reference.hpp"
#include "tern/simt.cuh"

namespace {

constexpr tern::matmul_config config{.n = 10, .k = 64, .bias = true, .act = tern::activation::relu};
struct layer : tern::matmul<config, float> {};

void need(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// A copy of numbers on the GPU.
float* on_gpu(const std::vector<float>& numbers) {
  float* p = nullptr;
  need(cudaMalloc(&p, numbers.size() * sizeof(float)));
  need(cudaMemcpy(p, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice));
  return p;
}

}  // namespace

int main() {
  std::vector<float> x(32 * 64, 0.1f), w(64 * 10, 0.3f), bias(10, -1.0f), y(32 * 10), z(32 * 10);
  const tern::extents rows(32, 64), results(32, 10);
  const tern::extents<64, 10> weights;
  const tern::extents<10> columns;

  cudaStream_t stream;
  need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  float *const gpu_x = on_gpu(x), *const gpu_w = on_gpu(w), *const gpu_bias = on_gpu(bias), *const gpu_y = on_gpu(y);
  const tern::kernel<layer, tern::simt<>> fast;
  fast(tern::simt_stream(stream), tern::view(tern::unchecked, gpu_x, rows), tern::view(tern::unchecked, gpu_w, weights),
       tern::view(tern::unchecked, gpu_bias, columns), tern::view(tern::unchecked, gpu_y, results));
  need(cudaStreamSynchronize(stream));
  need(cudaMemcpy(y.data(), gpu_y, y.size() * sizeof(float), cudaMemcpyDeviceToHost));

  const tern::kernel<layer, tern::reference> plain;
  plain(tern::view(x, rows), tern::view(w, weights), bias, tern::view(z, results));
  std::printf("%s bits\n", y == z ? "equal" : "different");
  for (float* p : {gpu_x, gpu_w, gpu_bias, gpu_y}) need(cudaFree(p));
  need(cudaStreamDestroy(stream));
  return y == z ? 0 : 1;
}
