// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that check the executor as a whole, compiled by nvcc: a reduction, a transpose and a scan as commonly written
// for CUDA. Their statistics, and those of a matmul, are checked, too.
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "tern/simt.cuh"
#include "tests/simt/device_memory.cuh"
#include "tests/simt/ptx/executor.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {

/// The sum of a block's numbers: over each warp by shuffles, then over the warps by as many lanes of the first.
__global__ void reduce(const float* in, float* out) {
  __shared__ float sums[32];
  const int t = static_cast<int>(threadIdx.x), warps = static_cast<int>(blockDim.x) / 32;
  float x = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int m = 16; m > 0; m /= 2) x += __shfl_down_sync(0xffffffffu, x, m);
  if (t % 32 == 0) sums[t / 32] = x;
  __syncthreads();
  if (t >= warps) return;
  x = sums[t];
  for (int m = warps / 2; m > 0; m /= 2) x += __shfl_down_sync((1u << warps) - 1, x, m);
  if (t == 0) out[blockIdx.x] = x;
}
float reduced(const float* in, int n) {
  std::vector<float> x(in, in + n), sums;
  for (int first = 0; first < n; first += 32) {
    for (int m = 16; m > 0; m /= 2)
      for (int i = 0; i < m; ++i) x[first + i] += x[first + i + m];
    sums.push_back(x[first]);
  }
  for (std::size_t m = sums.size() / 2; m > 0; m /= 2)
    for (std::size_t i = 0; i < m; ++i) sums[i] += sums[i + m];
  return sums[0];
}

/// out = in^T, n x n, through tiles of shared memory, with or without a column of padding.
template <int More>
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][32 + More];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * 32, row = static_cast<int>(blockIdx.y) * 32;
  for (int i = y; i < 32; i += static_cast<int>(blockDim.y))
    if (row + i < n && column + x < n) tile[i][x] = in[(row + i) * n + column + x];
  __syncthreads();
  for (int i = y; i < 32; i += static_cast<int>(blockDim.y))
    if (column + i < n && row + x < n) out[(column + i) * n + row + x] = tile[x][i];
}

/// Every number becomes the sum of its block's up to it: log2 rounds, each reading one half of shared memory and
/// writing the other.
__global__ void scan(std::uint32_t* x) {
  extern __shared__ std::uint32_t halves[];
  const int n = static_cast<int>(blockDim.x), t = static_cast<int>(threadIdx.x);
  std::uint32_t* const own = x + blockIdx.x * blockDim.x + threadIdx.x;
  int from = 0;
  halves[t] = *own;
  __syncthreads();
  for (int distance = 1; distance < n; distance *= 2, from = n - from) {
    halves[n - from + t] = halves[from + t] + (t >= distance ? halves[from + t - distance] : 0);
    __syncthreads();
  }
  *own = halves[from + t];
}

void check_reduction(tally& count) {
  for (const int threads : {32, 64, 128, 512}) {
    const int n = 3 * threads;
    numbers next(static_cast<unsigned>(threads));
    std::vector<float> in(static_cast<std::size_t>(n)), out(3), wanted;
    for (float& x : in) x = static_cast<float>(next());
    for (int block = 0; block < 3; ++block) wanted.push_back(reduced(in.data() + block * threads, threads));
    const device_array<float> from(in.data(), n), to(3);
    reduce<<<3, threads>>>(from.data(), to.data());
    to.copy_to(out.data());
    count(out == wanted, "a reduction by blocks of " + std::to_string(threads));
  }
}

template <int More>
ptx::statistics check_transpose(int n, tally& count) {
  std::vector<float> in(static_cast<std::size_t>(n * n)), out(in.size()), wanted(in.size());
  std::iota(in.begin(), in.end(), 1.0f);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) wanted[static_cast<std::size_t>(j * n + i)] = in[static_cast<std::size_t>(i * n + j)];
  const device_array<float> from(in.data(), n * n), to(n * n);
  const unsigned tiles = static_cast<unsigned>((n + 31) / 32);
  ptx::take_statistics();
  transpose<More><<<dim3(tiles, tiles), dim3(32, 8)>>>(from.data(), to.data(), n);
  to.copy_to(out.data());
  count(out == wanted, "a transpose of " + std::to_string(n) + " rows and columns");
  return ptx::take_statistics().begin()->second;
}

void check_transposes(tally& count) {
  check_transpose<1>(33, count);
  check_transpose<1>(1, count);
  // Requests are those of whole warps, which other orders take apart.
  const ptx::thread_order order = std::exchange(ptx::settings().order, ptx::thread_order::forward);
  const ptx::statistics good = check_transpose<1>(64, count), bad = check_transpose<0>(64, count);
  ptx::settings().order = order;
  const std::uint64_t rows = 64 * 64 / 32;  // of 32 elements, each written to memory and to a tile, and read from both
  count(good.global_read == 64 * 64 * 4 && good.global_written == 64 * 64 * 4, "bytes of a transpose");
  count(good.global_requests == 2 * rows && good.global_sectors == 2 * rows * 4, "sectors of a transpose");
  count(good.shared_requests == 2 * rows && good.shared_wavefronts == 2 * rows, "a transpose without bank conflicts");
  count(bad.shared_wavefronts == rows + 32 * rows && bad.shared_least == 2 * rows, "a transpose with bank conflicts");
}

void check_scan(tally& count) {
  for (const unsigned threads : {1u, 31u, 64u, 1000u}) {
    std::vector<std::uint32_t> x(2 * threads), wanted(x.size());
    std::mt19937 engine(threads);
    for (std::uint32_t& v : x) v = static_cast<std::uint32_t>(engine());
    std::partial_sum(x.begin(), x.begin() + threads, wanted.begin());
    std::partial_sum(x.begin() + threads, x.end(), wanted.begin() + threads);
    const device_array<std::uint32_t> on_device(x.data(), static_cast<index_t>(x.size()));
    scan<<<2, threads, 2 * threads * sizeof(std::uint32_t)>>>(on_device.data());
    on_device.copy_to(x.data());
    count(x == wanted, "a scan by blocks of " + std::to_string(threads));
  }
}

/// A matmul does the arithmetic and moves the bytes of its plan.
template <class T, index_t M, index_t N, index_t K>
void check_plan(tally& count) {
  constexpr plan p = contraction_kernel<simt<>>::template plan_for<T>(M, N, K);
  const device_array<T> a(M * K), b(K * N), c(M * N);
  std::vector<T> ones(static_cast<std::size_t>(std::max(M, N) * K), T(1)), got(static_cast<std::size_t>(M * N));
  need(cudaMemcpy(a.data(), ones.data(), a.bytes(), cudaMemcpyHostToDevice), "copy to the GPU");
  need(cudaMemcpy(b.data(), ones.data(), b.bytes(), cudaMemcpyHostToDevice), "copy to the GPU");
  ptx::take_statistics();
  kernel<matmul<matmul_config{}, T>, simt<>>{}(simt_stream(cudaStreamLegacy), view(unchecked, a.data(), extents{M, K}),
                                               view(unchecked, b.data(), extents{K, N}),
                                               view(unchecked, c.data(), extents{M, N}));
  c.copy_to(got.data());
  const std::string name =
      std::string(dtype<T>::name) + " " + std::to_string(M) + "x" + std::to_string(N) + "x" + std::to_string(K) + ": ";
  count(got == std::vector<T>(got.size(), T(K)), name + "a matmul of ones");
  const auto done = ptx::take_statistics();
  count(done.size() == 1, name + "a matmul is one kernel");
  const ptx::statistics& s = done.begin()->second;
  count(s.launches == 1 && s.blocks == static_cast<std::uint64_t>(p.units), name + "blocks of the plan");
  // Tiles at the edge compute what they do not write.
  const auto whole = static_cast<std::uint64_t>(p.units * p.block_m * p.block_n * K);
  count(s.instructions[static_cast<int>(ptx::group::fma)] == whole, name + "fmas of its blocks");
  count(s.global_read + s.global_written == static_cast<std::uint64_t>(p.bytes_moved), name + "bytes of the plan");
  const auto share = [](std::uint64_t part, std::uint64_t of) {
    return static_cast<double>(part) / static_cast<double>(of);
  };
  std::printf(
      "%s%.0f %% of its instructions are fmas, %.2f sectors per request, %.2f turns per request of shared memory "
      "(least %.2f)\n",
      name.c_str(), 100 * share(whole, s.all_instructions()), share(s.global_sectors, s.global_requests),
      share(s.shared_wavefronts, s.shared_requests), share(s.shared_least, s.shared_requests));
}

}  // namespace tern::test

int main() {
  using namespace tern::test;
  tally count;
  check_reduction(count);
  check_transposes(count);
  check_scan(count);
  check_plan<float, 128, 128, 64>(count);
  check_plan<float, 100, 70, 33>(count);
  check_plan<double, 64, 64, 32>(count);
  std::printf("%d of %d checks passed\n", count.checks - count.failures, count.checks);
  return count.failures == 0 ? 0 : 1;
}
