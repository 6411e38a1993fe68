// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled where there is a CUDA compiler: the vocabulary in device code. C++20 comes from tern::simt.
#include <tern/core/layout.hpp>
#include <tern/core/view.hpp>

__global__ void copy(tern::view<const float, tern::dims<1>> from, tern::view<float, tern::dims<1>> to) {
  if (threadIdx.x < to.size()) to(threadIdx.x) = from(threadIdx.x);
}

int main() { return 0; }
