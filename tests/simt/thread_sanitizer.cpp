// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with a thread per lane, for the thread sanitizer: it must be silent about the correct ones and report the
// seeded race. A program of its own because the whole of it is built with -fsanitize=thread.
#include <cstdio>
#include <cstring>
#include <vector>

#include "tern/exec/simt/thread_block.hpp"
#include "tern/simt.hpp"
#include "tests/simt/sample_kernels.hpp"
#include "tests/simt/small_tiles.hpp"

namespace {

using namespace tern;
using namespace tern::test;

std::vector<float> ramp(int n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = static_cast<float>(i * 37 % 101) / 64.0f;
  return x;
}

template <class Kernel, class... More>
void run(int in_size, int out_size, More... more) {
  const std::vector<float> in = ramp(in_size);
  std::vector<float> out(static_cast<std::size_t>(out_size));
  const float* from = in.data();
  float* to = out.data();
  launch<Kernel>(simt_threads{}, 2, from, to, more...);
}

template <const device& D>
bool matmul_is_right(int m, int n, int k) {
  const std::vector<float> a = ramp(m * k), b = ramp(k * n), bias = ramp(n);
  std::vector<float> wanted(static_cast<std::size_t>(m * n)), got(wanted.size());
  using op = matmul<matmul_config{.bias = true, .act = activation::relu}, float>;
  const view x(a.data(), extents{m, k});
  const view w(b.data(), extents{k, n});
  kernel<op, reference>{}(x, w, bias, view(wanted.data(), extents{m, n}));
  kernel<op, simt<D, numerics::exact, small_tiles>>{}(simt_threads{}, x, w, bias, view(got.data(), extents{m, n}));
  return std::memcmp(wanted.data(), got.data(), wanted.size() * sizeof(float)) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "race") == 0) {
    run<rotate<mistake::missing_barrier>>(128, 128);
    std::puts("the seeded race was executed");
    return 0;
  }
  run<rotate<>>(128, 128);
  run<collect>(256, 1024);
  run<stream_sum<>>(32 * 11, 32, 11);
  const bool right = matmul_is_right<devices::h200>(17, 33, 70) && matmul_is_right<one_multiprocessor>(33, 17, 70);
  std::puts(right ? "correct kernels: done" : "matmul: wrong bits");
  return right ? 0 : 1;
}
