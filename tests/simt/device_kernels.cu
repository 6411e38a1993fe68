// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code for check_device_code.py, which compiles this file and looks at the result; nothing runs it.
#include "tests/simt/device_calls.cuh"
#include "tests/simt/sample_kernels.hpp"

namespace tern::test {

#if defined(TERN_SEEDED_SPILL)
// 16 x 8 results per thread, twice, need more registers than a thread has: the check must say so.
struct too_large {
  constexpr simt_tuning operator()(const device&, int, problem_size) const { return {128, 128, 16, 16, 8, 2}; }
};
void spills(const simt_stream& to, float* p, int n) {
  const view a(unchecked, p, extents{n, n}), c(unchecked, p + n * n, extents{n, n});
  kernel<matmul<>, simt<devices::h200, numerics::exact, too_large>>{}(to, a, a, c);
}
#else
template void every_call<float>(const simt_stream&, float*, std::int32_t*, const std::uint8_t*, int);
template void every_call<double>(const simt_stream&, double*, std::int32_t*, const std::uint8_t*, int);

void samples(const simt_stream& to, const float* in, float* out) {
  launch<rotate<>>(to, 1, in, out);
  launch<collect>(to, 1, in, out);
  launch<stream_sum<>>(to, 1, in, out, 1);
}
#endif

}  // namespace tern::test
