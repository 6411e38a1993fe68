// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with a thread per lane, for the thread sanitizer: it must be silent about the correct ones and report the
// seeded race. A program of its own because the whole of it is built with -fsanitize=thread.
#include <cstdio>
#include <cstring>
#include <type_traits>
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

/// All passes of a dense and of a depthwise convolution.
template <const device& D>
bool convolution_is_right(int channels, int groups) {
  using policy = simt<D, numerics::exact, small_tiles>;
  conv_shape s{.batch = 2, .groups = groups, .in = channels / groups, .out = channels / groups};
  s.axis[1] = window_over(5, 3, 2, 1, padding::given, 1, 1), s.axis[2] = window_over(4, 3, 1, 1, padding::given, 1, 1);
  const auto image_of = [&](auto* p, index_t height, index_t width) {
    return image<std::remove_pointer_t<decltype(p)>>{.p = p,
                                                     .sample = height * width * channels,
                                                     .block = channels,
                                                     .axis = {0, width * channels, index_t{channels}}};
  };
  const std::vector<float> x = ramp(2 * 5 * 4 * channels), w = ramp(9 * channels * channels / groups);
  const auto results = [&](auto run) {
    std::vector<float> y(static_cast<std::size_t>(2 * 3 * 4 * channels)), dx(x.size()), dw(w.size()),
        sums(static_cast<std::size_t>(channels));
    const auto filters_of = [&](auto* p) {
      filters<std::remove_pointer_t<decltype(p)>> f{.p = p, .tap = {0, 3 * s.in * channels, s.in * channels}};
      f.in = channels, f.out = 1, f.block = f.group = s.out;
      return f;
    };
    conv_sums<float, conv_pass::forward, epilogue{}> forward;
    forward.shape = s, forward.from = image_of(x.data(), 5, 4), forward.w = filters_of(w.data());
    forward.to = image_of(y.data(), 3, 4);
    run(forward);
    const image<const float> dy = image_of(static_cast<const float*>(y.data()), 3, 4);
    conv_sums<float, conv_pass::data, epilogue{}> data;
    data.shape = s, data.from = dy, data.w = filters_of(w.data()), data.to = image_of(dx.data(), 5, 4);
    run(data);
    run(conv_gradient<float, false>{s, forward.from, dy, filters_of(dw.data())});
    run(channel_sums<float, false>{2, channels, {1, 3, 4}, dy, {sums.data(), 1, 0, 0}});
    for (const std::vector<float>& v : {dx, dw, sums}) y.insert(y.end(), v.begin(), v.end());
    return y;
  };
  const std::vector<float> wanted = results([](const auto& q) { convolution_kernel<reference>::run({}, q); });
  const std::vector<float> got = results([](const auto& q) { convolution_kernel<policy>::run(simt_threads{}, q); });
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
  const bool conv_right = convolution_is_right<devices::h200>(9, 1) && convolution_is_right<one_multiprocessor>(9, 1) &&
                          convolution_is_right<devices::h200>(5, 5);
  if (!right) std::puts("matmul: wrong bits");
  if (!conv_right) std::puts("convolutions: wrong bits");
  if (right && conv_right) std::puts("correct kernels: done");
  return right && conv_right ? 0 : 1;
}
