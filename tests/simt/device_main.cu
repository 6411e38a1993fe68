// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under simt on a GPU: their bits, against the reference on the host. Needs no test framework, so that it
// builds wherever nvcc is (bench/gpu_run.sh).
//
// usage: simt_device [--few] [--seed n]
//   --few  some of the problems, for tools that make a kernel a hundred times slower
// Exits with 0 where every bit is right, 1 where one is not, 77 where there is no GPU.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tern/simt.cuh"
#include "tests/simt/device_convolutions.cuh"
#include "tests/simt/device_elementwise.cuh"
#include "tests/simt/device_memory.cuh"
#include "tests/simt/sample_kernels.hpp"
#include "tests/simt/small_tiles.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {

/// A matrix of the host, and its copy on the GPU with the same strides and alignment.
template <class T>
class twin {
 public:
  twin(index_t batch, index_t rows, index_t columns, order o, index_t shift)
      : host(batch, rows, columns, o, shift), shift_(shift), memory_(span() + shift) {}

  void upload() {
    need(cudaMemcpy(data(), host.data(), static_cast<std::size_t>(span()) * sizeof(T), cudaMemcpyHostToDevice),
         "copy to the GPU");
  }
  /// The contents on the GPU, as a matrix.
  void download() {
    need(cudaDeviceSynchronize(), "a kernel");
    need(cudaMemcpy(host.data(), data(), static_cast<std::size_t>(span()) * sizeof(T), cudaMemcpyDeviceToHost),
         "copy from the GPU");
  }
  auto on_device() {
    auto v = host.strided_batch();
    return decltype(v)(unchecked, data(), v.mapping());
  }
  matrix<T> host;

 private:
  index_t span() { return host.strided_batch().mapping().required_span_size(); }
  T* data() const { return memory_.data() + shift_; }
  index_t shift_;
  device_array<T> memory_;
};

struct problem {
  index_t batch, m, n, k;
  order a, b, c;
  index_t shift;
  numbers::kind kind;
};

std::string text(const problem& p) {
  return std::to_string(p.batch) + " x " + std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k) +
         " orders " + std::to_string(static_cast<int>(p.a)) + std::to_string(static_cast<int>(p.b)) +
         std::to_string(static_cast<int>(p.c)) + " shift " + std::to_string(p.shift) + " kind " +
         std::to_string(static_cast<int>(p.kind));
}

/// All passes of one problem, on the GPU and by the reference.
template <class T, class Policy>
void check(const problem& p, unsigned seed, const simt_stream& stream, tally& count) {
  using plain = matmul<matmul_config{.batch = dynamic}, T>;
  using full = matmul<matmul_config{.batch = dynamic, .bias = true, .residual = true, .act = activation::relu}, T>;
  numbers next(seed, p.kind);
  twin<T> a(p.batch, p.m, p.k, p.a, p.shift), b(p.batch, p.k, p.n, p.b, p.shift), r(p.batch, p.m, p.n, p.c, 0);
  twin<T> c(p.batch, p.m, p.n, p.c, p.shift), da(p.batch, p.m, p.k, p.a, 0), db(p.batch, p.k, p.n, p.b, 0);
  a.host.fill(next), b.host.fill(next), r.host.fill(next);
  std::vector<T> bias(static_cast<std::size_t>(p.n)), dbias(bias), dbias_wanted(bias);
  for (T& x : bias) x = static_cast<T>(next());
  a.upload(), b.upload(), r.upload(), c.upload(), da.upload(), db.upload();
  const device_array<T> bias_memory(bias.data(), p.n), dbias_memory(p.n);
  const view v(unchecked, bias_memory.data(), extents{p.n});
  const view dv(unchecked, dbias_memory.data(), extents{p.n});
  matrix<T> wanted(p.batch, p.m, p.n, p.c), da_wanted(p.batch, p.m, p.k, p.a), db_wanted(p.batch, p.k, p.n, p.b);
  const std::string name = std::string(dtype<T>::name) + " " + text(p);

  const kernel<plain, reference> plain_loops;
  const kernel<full, reference> full_loops;
  const kernel<plain, Policy> k;
  const kernel<full, Policy> f;

  full_loops(a.host.strided_batch(), b.host.strided_batch(), bias, r.host.strided_batch(), wanted.strided_batch());
  f(stream, a.on_device(), b.on_device(), v, r.on_device(), c.on_device());
  c.download();
  count(equal_bits(wanted, c.host) && c.host.gaps_untouched(), "bias + residual + relu, " + name);

  plain_loops(a.host.strided_batch(), b.host.strided_batch(), wanted.strided_batch(), accumulate);
  k(stream, a.on_device(), b.on_device(), c.on_device(), accumulate);
  c.download();
  count(equal_bits(wanted, c.host) && c.host.gaps_untouched(), "accumulate, " + name);

  plain_loops.backward_data(r.host.strided_batch(), b.host.strided_batch(), da_wanted.strided_batch());
  k.backward_data(stream, r.on_device(), b.on_device(), da.on_device());
  da.download();
  count(equal_bits(da_wanted, da.host) && da.host.gaps_untouched(), "backward_data, " + name);

  plain_loops.backward_weights(a.host.strided_batch(), r.host.strided_batch(), db_wanted.strided_batch(), dbias_wanted);
  k.backward_weights(stream, a.on_device(), r.on_device(), db.on_device(), dv);
  db.download();
  dbias_memory.copy_to(dbias.data());
  bool equal = equal_bits(db_wanted, db.host) && db.host.gaps_untouched();
  for (std::size_t j = 0; j < bias.size(); ++j) equal = equal && equal_bits(dbias[j], dbias_wanted[j]);
  count(equal, "backward_weights, " + name);
}

template <class T, class Policy>
void check_all(int problems, unsigned seed, const simt_stream& stream, tally& count) {
  std::mt19937 engine(seed);
  const auto pick = [&](const auto& list) { return list[engine() % list.size()]; };
  const std::vector<index_t> sizes = {1, 2, 3, 7, 16, 17, 33, 64, 65, 127, 128, 129, 257};
  const std::vector<index_t> deep = {0, 1, 3, 15, 16, 17, 64, 255, 511, 512, 513, 1031};
  const std::vector<order> orders = {order::row, order::column, order::padded};
  const std::vector<numbers::kind> kinds = {numbers::kind::uniform, numbers::kind::extremes, numbers::kind::special};
  for (int i = 0; i < problems; ++i)
    check<T, Policy>({pick(std::vector<index_t>{1, 1, 2, 5}), pick(sizes), pick(sizes), pick(deep), pick(orders),
                      pick(orders), pick(orders), static_cast<index_t>(engine() % 5), pick(kinds)},
                     seed + static_cast<unsigned>(i), stream, count);
}

/// A kernel of sample_kernels.hpp on the GPU against the loops of the host.
template <class Kernel, class... More>
void check_sample(const char* name, index_t blocks, index_t in_size, index_t out_size, const simt_stream& stream,
                  tally& count, More... more) {
  numbers next(7);
  std::vector<float> in(static_cast<std::size_t>(in_size)), wanted(static_cast<std::size_t>(out_size)), got(wanted);
  for (float& x : in) x = static_cast<float>(next());
  const device_array<float> from(in.data(), in_size), to(out_size);
  launch<Kernel>(simt_host{}, blocks, static_cast<const float*>(in.data()), wanted.data(), more...);
  launch<Kernel>(stream, blocks, static_cast<const float*>(from.data()), to.data(), more...);
  to.copy_to(got.data());
  count(std::memcmp(wanted.data(), got.data(), to.bytes()) == 0, name);
}

/// A call that is captured into a graph runs when the graph runs, not before.
void check_capture(const simt_stream& stream, tally& count) {
  const index_t n = 200;
  numbers next(11);
  matrix<float> a(1, n, n), wanted(1, n, n), got(1, n, n);
  a.fill(next);
  const device_array<float> da(a.data(), n * n), dc(got.data(), n * n);
  const view x(unchecked, static_cast<const float*>(da.data()), extents{n, n});
  kernel<matmul<>, reference>{}(a.row_major(), a.row_major(), wanted.row_major());
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  need(cudaStreamBeginCapture(stream.stream, cudaStreamCaptureModeGlobal), "begin of a capture");
  kernel<matmul<>, simt<>>{}(stream, x, x, view(unchecked, dc.data(), extents{n, n}));
  need(cudaStreamEndCapture(stream.stream, &graph), "end of a capture");
  need(cudaGraphInstantiate(&instance, graph, 0), "cudaGraphInstantiate");
  matrix<float> before(1, n, n);
  dc.copy_to(before.data());
  count(equal_bits(before, got), "a captured call runs before its graph");
  need(cudaGraphLaunch(instance, stream.stream), "cudaGraphLaunch");
  dc.copy_to(got.data());
  count(equal_bits(wanted, got), "a graph of a captured call");
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
}

int run(int problems, unsigned seed) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: there is no GPU");
    return 77;
  }
  cudaDeviceProp gpu;
  need(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
  std::printf("%s, compute capability %d.%d, seed %u\n", gpu.name, gpu.major, gpu.minor, seed);
  cudaStream_t stream;
  need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  const simt_stream to(stream);

  tally count;
  check_sample<rotate<>>("rotate", 5, 5 * 64, 5 * 64, to, count);
  check_sample<collect>("collect", 3, 3 * 128, 4 * 3 * 128, to, count);
  check_sample<stream_sum<>>("stream_sum", 1, 32 * 17, 32, to, count, 17);
  check_capture(to, count);
  check_all<float, simt<>>(problems, seed, to, count);
  check_all<double, simt<>>(problems, seed + 1000, to, count);
  check_all<float, simt<one_multiprocessor>>(problems, seed + 2000, to, count);  // large tiles only
  check_all<double, simt<one_multiprocessor>>(problems, seed + 3000, to, count);
  check_all<float, simt<devices::h200, numerics::exact, small_tiles>>(problems, seed + 4000, to, count);
  check_convolutions<float, simt<>>(problems, seed + 5000, to, count);
  check_convolutions<double, simt<>>(problems, seed + 6000, to, count);
  check_convolutions<float, simt<one_multiprocessor>>(problems, seed + 7000, to, count);
  check_convolutions<float, simt<devices::h200, numerics::exact, small_tiles>>(problems, seed + 8000, to, count);
  check_elementwise<float, simt<>>(problems, seed + 9000, to, count);
  check_elementwise<double, simt<>>(problems, seed + 10000, to, count);
  std::printf("%d of %d results have the bits of the reference\n", count.checks - count.failures, count.checks);
  need(cudaStreamDestroy(stream), "cudaStreamDestroy");
  return count.failures == 0 ? 0 : 1;
}

}  // namespace tern::test

int main(int argc, char** argv) {
  int problems = 120;
  unsigned seed = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--few") == 0) {
      problems = 4;
    } else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      seed = static_cast<unsigned>(std::atoi(argv[++i]));
    } else {
      std::fprintf(stderr, "%s takes --few and --seed n, not '%s'\n", argv[0], argv[i]);
      return 2;
    }
  }
  return tern::test::run(problems, seed);
}
