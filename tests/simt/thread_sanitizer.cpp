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

std::vector<float> ramp(index_t n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = static_cast<float>(i * 37 % 101) / 64.0f;
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
  const view x(a, extents{m, k});
  const view w(b, extents{k, n});
  kernel<op, reference>{}(x, w, bias, view(wanted, extents{m, n}));
  kernel<op, simt<D, numerics::exact, small_tiles>>{}(simt_threads{}, x, w, bias, view(got, extents{m, n}));
  return std::memcmp(wanted.data(), got.data(), wanted.size() * sizeof(float)) == 0;
}

/// All passes of a convolution.
template <const device& D, conv2d_config C>
bool convolution_is_right() {
  const auto image = [](auto& v, index_t height, index_t width) {
    return view<float, dims<4>, layout_channels_last>(unchecked, v.data(), dims<4>(2, C.in, height, width));
  };
  const auto filters = [](auto& v) { return view(unchecked, v.data(), extents<3, 3, C.in / C.groups, C.out>{}); };
  std::vector<float> x = ramp(2 * 5 * 4 * C.in), w = ramp(9 * C.in / C.groups * C.out);
  const auto results = [&](const auto& kernel, const auto&... state) {
    std::vector<float> y(2 * 3 * 4 * C.out), dx(x.size()), dw(w.size()), dbias(C.out);
    kernel(state..., image(x, 5, 4), filters(w), image(y, 3, 4));
    kernel.backward_data(state..., image(y, 3, 4), filters(w), image(dx, 5, 4));
    kernel.backward_weights(state..., image(x, 5, 4), image(y, 3, 4), filters(dw), dbias);
    for (const std::vector<float>& v : {dx, dw, dbias}) y.insert(y.end(), v.begin(), v.end());
    return y;
  };
  return results(kernel<conv2d<C>, reference>{}) ==
         results(kernel<conv2d<C>, simt<D, numerics::exact, small_tiles>>{}, simt_threads{});
}
constexpr conv2d_config dense{.in = 9, .out = 9, .kernel = {3, 3}, .stride = {2, 1}, .pad = {1, 1}};
constexpr conv2d_config depthwise{.in = 5, .out = 5, .groups = 5, .kernel = {3, 3}, .stride = {2, 1}, .pad = {1, 1}};

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
  const bool conv_right = convolution_is_right<devices::h200, dense>() &&
                          convolution_is_right<one_multiprocessor, dense>() &&
                          convolution_is_right<devices::h200, depthwise>();
  if (!right) std::puts("matmul: wrong bits");
  if (!conv_right) std::puts("convolutions: wrong bits");
  if (right && conv_right) std::puts("correct kernels: done");
  return right && conv_right ? 0 : 1;
}
