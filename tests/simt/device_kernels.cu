// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code for check_device_code.py, which compiles this file and looks at the result; nothing runs it. Every call
// of a matmul here makes two kernels, with large and with small tiles.
#include "tern/simt.cuh"
#include "tests/simt/sample_kernels.hpp"

namespace tern::test {

#if defined(TERN_SEEDED_SPILL)
// 16 x 8 results per thread, twice, need more registers than a thread has: the check must say so.
struct too_large {
  constexpr simt_tuning operator()(const device&, int, problem_size) const { return {128, 128, 16, 16, 8, 2}; }
};
using policy = simt<devices::h200, numerics::exact, too_large>;
#else
using policy = simt<>;
#endif

template <class T>
void matmuls(cudaStream_t stream, T* p, int n) {
  const simt_stream to(stream);
  const view a(p, extents{n, n});
  const view c(p + n * n, extents{n, n});
  const view bias(p, extents{n});
  const kernel<matmul<matmul_config{}, T>, policy> plain;
  plain(to, a, a, c);
#if !defined(TERN_SEEDED_SPILL)
  plain(to, a, a, c, accumulate);
  plain.backward_weights(to, a, a, c, bias);
  const kernel<matmul<matmul_config{.bias = true, .residual = true, .act = activation::relu}, T>, policy> full;
  full(to, a, a, bias, a, c, accumulate);
#endif
}

template void matmuls<float>(cudaStream_t, float*, int);
#if !defined(TERN_SEEDED_SPILL)
template void matmuls<double>(cudaStream_t, double*, int);

/// Every kernel of convolutions. Calls make kernels with large tiles, with small ones, and for groups of few channels.
template <class T>
void convolutions(cudaStream_t stream, T* p, int n) {
  const simt_stream to(stream);
  const view<T, dims<4>, layout_channels_last> x(p, dims<4>(n, 8, n, n));
  const view<T, dims<4>, layout_channel_blocked<4>> y(p, dims<4>(n, 8, n, n));
  const view w(p, extents<3, 3, 8, 8>{});
  const view bias(p, extents<8>{});
  const kernel<conv2d<conv2d_config{.in = 8, .out = 8, .kernel = {3, 3}, .pad = {1, 1}}, T>, policy> plain;
  plain(to, x, w, y);
  plain.backward_data(to, x, w, y);
  plain.backward_weights(to, x, y, w, bias);
  plain.backward_weights(to, x, y, w, bias, accumulate);
  const kernel<conv2d<conv2d_config{.in = 8,
                                    .out = 8,
                                    .kernel = {3, 3},
                                    .pad = {1, 1},
                                    .scale = true,
                                    .bias = true,
                                    .residual = true,
                                    .act = activation::relu},
                      T>,
               policy>
      full;
  full(to, x, w, bias, bias, y, y, accumulate);
}

template void convolutions<float>(cudaStream_t, float*, int);
template void convolutions<double>(cudaStream_t, double*, int);

void samples(cudaStream_t stream, const float* in, float* out) {
  const simt_stream to(stream);
  launch<rotate<>>(to, 1, in, out);
  launch<collect>(to, 1, in, out);
  launch<stream_sum<>>(to, 1, in, out, 1);
}
#endif

}  // namespace tern::test
