// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementary functions in a CUDA kernel give the bits of the host. Exits with 77 (skipped) where there is no GPU;
// that it compiles is checked anyway.
#include <cstdio>

#include "tests/core/elementary.hpp"
#include "tests/support/bits.hpp"

namespace tern::test {

template <class F, class T>
__global__ void evaluate(const T* x, T* y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = F::template of<T>(x[i]);
}

/// The number of elements of x where device and host differ.
template <class F, class T>
int differences(const std::vector<T>& x) {
  const int n = static_cast<int>(x.size());
  const std::size_t bytes = x.size() * sizeof(T);
  std::vector<T> y(x.size());
  T *from = nullptr, *to = nullptr;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  cudaMemcpy(from, x.data(), bytes, cudaMemcpyHostToDevice);
  evaluate<F><<<(n + 255) / 256, 256>>>(from, to, n);
  const cudaError_t error = cudaMemcpy(y.data(), to, bytes, cudaMemcpyDeviceToHost);
  cudaFree(from);
  cudaFree(to);
  int count = error == cudaSuccess ? 0 : n;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!equal_bits(y[i], F::template of<T>(x[i])) && count++ < 3)
      std::printf("%s(%a): device %a\n", F::name, static_cast<double>(x[i]), static_cast<double>(y[i]));
  return count;
}

template <class... F>
int all_differences(std::tuple<F...>) {
  int count = 0;
  ((count += differences<F>(special_numbers<float>()) + differences<F>(special_numbers<double>())), ...);
  ((count += differences<F>(fixed_numbers<float>()) + differences<F>(fixed_numbers<double>())), ...);
  return count;
}

}  // namespace tern::test

int main() {
  using namespace tern::test;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no GPU\n");
    return 77;
  }
  const int count = all_differences(recorded_functions{});
  std::printf("%d results differ from the host's\n", count);
  return count != 0;
}
