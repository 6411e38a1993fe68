// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the checks on a GPU: memory of the GPU, and a count of correct results.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tern/core/config.hpp"

namespace tern::test {

inline void need(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// Elements on the GPU.
template <class T>
class device_array {
 public:
  explicit device_array(index_t size) : size_(size) {
    need(cudaMalloc(&data_, bytes() + 1), "cudaMalloc");
    need(cudaMemset(data_, 0xff, bytes() + 1), "cudaMemset");
  }
  device_array(const T* from, index_t size) : device_array(size) {
    need(cudaMemcpy(data_, from, bytes(), cudaMemcpyHostToDevice), "copy to the GPU");
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }

  T* data() const { return data_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }
  /// Waits for everything on the GPU.
  void copy_to(T* to) const {
    need(cudaDeviceSynchronize(), "a kernel");
    need(cudaMemcpy(to, data_, bytes(), cudaMemcpyDeviceToHost), "copy from the GPU");
  }

 private:
  T* data_ = nullptr;
  index_t size_;
};

/// Counts checks and prints those that fail.
struct tally {
  int checks = 0, failures = 0;
  void operator()(bool right, const std::string& what) {
    ++checks;
    if (right) return;
    if (++failures <= 20) std::printf("FAILED: %s\n", what.c_str());
  }
};

}  // namespace tern::test
