// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times simt kernels on a GPU, beside cuBLAS and cuDNN if they are found, in interleaved rounds. gpu_run.sh builds and
// runs it after it has checked the bits. Results of peers are compared before anything is timed.
//
// usage: gpu_times [--small] [file]
//   --small  shapes of a few elements, a round each: for rehearsals
//   file     gets the rows for torch_times.py: name, milliseconds, operations
// Exits with 0, with 1 if a peer disagrees, with 77 without a GPU.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tern/simt.cuh"
#include "tests/simt/device_memory.cuh"
#include "tests/support/tensor.hpp"
#if defined(TERN_BENCH_CUBLAS)
#include <cublas_v2.h>
#endif
#if defined(TERN_BENCH_CUDNN)
#include <cudnn.h>
#endif

namespace tern::bench {

using test::device_array;
using test::need;

struct options {
  bool small = false;
  std::FILE* file = nullptr;
  cudaStream_t stream = nullptr;
  double peak = 0;  ///< GFLOP/s of float32
  int wrong = 0;

  /// A dimension, or in rehearsals one of a few elements.
  index_t size(index_t n) const { return small ? std::min<index_t>(n, 1 + n % 7) : n; }
};

/// Random numbers, never zeros, because power and so the clock depend on the data.
template <class T>
std::vector<T> random_numbers(index_t n) {
  test::numbers next(static_cast<unsigned>(n));
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& v : x) v = static_cast<T>(next());
  return x;
}

/// A library, and the same work done by it.
struct contestant {
  std::string name;
  std::function<void()> run;
};

/// Median milliseconds per call of every contestant, in interleaved rounds.
std::vector<double> milliseconds(const options& o, double work, const std::vector<contestant>& all) {
  const int rounds = o.small ? 1 : 11;
  const int repeats = o.small ? 1 : std::clamp(static_cast<int>(2e11 / work), 1, 200);
  std::vector<std::vector<double>> times(all.size());
  cudaEvent_t start, stop;
  need(cudaEventCreate(&start), "cudaEventCreate");
  need(cudaEventCreate(&stop), "cudaEventCreate");
  for (int round = o.small ? 0 : -1; round < rounds; ++round)  // round -1 warms up
    for (std::size_t i = 0; i < all.size(); ++i) {
      need(cudaEventRecord(start, o.stream), "cudaEventRecord");
      for (int r = 0; r < repeats; ++r) all[i].run();
      need(cudaEventRecord(stop, o.stream), "cudaEventRecord");
      need(cudaEventSynchronize(stop), "a timed kernel");
      float ms = 0;
      need(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
      if (round >= 0) times[i].push_back(static_cast<double>(ms) / repeats);
    }
  need(cudaEventDestroy(start), "cudaEventDestroy");
  need(cudaEventDestroy(stop), "cudaEventDestroy");
  std::vector<double> medians;
  for (auto& t : times) {
    std::nth_element(t.begin(), t.begin() + rounds / 2, t.end());
    medians.push_back(t[static_cast<std::size_t>(rounds / 2)]);
  }
  return medians;
}

/// Times a row of the table and prints it. The first contestant is tern.
/// \param work   operations or, where they are bytes, bytes
/// \param share  of work per second in the machine's best, 1 / (GFLOP/s), or 0
/// \param terms  products in a result, whose order differs between libraries; 0: results are not compared
template <class T>
void row(options& o, const std::string& name, double work, const char* unit, double share, index_t terms,
         const std::vector<contestant>& all, const device_array<T>& result) {
  std::vector<T> ours(result.bytes() / sizeof(T)), theirs(ours);
  all[0].run();
  result.copy_to(ours.data());
  for (std::size_t i = 1; i < all.size() && terms > 0; ++i) {
    need(cudaMemset(result.data(), 0xff, result.bytes()), "cudaMemset");
    all[i].run();
    result.copy_to(theirs.data());
    // Numbers are at most 1; both sums are off by the roundings of their terms.
    const double k = static_cast<double>(terms), most = 2 * k * k * (sizeof(T) == 4 ? 0x1p-24 : 0x1p-53);
    std::size_t wrong = 0;
    for (std::size_t e = 0; e < ours.size(); ++e)
      wrong += !(std::fabs(static_cast<double>(ours[e]) - static_cast<double>(theirs[e])) <= most);
    if (wrong > 0) {
      std::printf("%s: %s disagrees in %zu of %zu results\n", name.c_str(), all[i].name.c_str(), wrong, ours.size());
      ++o.wrong;
    }
  }
  const std::vector<double> ms = milliseconds(o, work, all);
  if (o.file) std::fprintf(o.file, "%s\t%.6g\t%.6g\n", name.c_str(), ms[0], work);
  if (o.small) {
    std::printf("%s: rehearsed\n", name.c_str());
    return;
  }
  std::printf("%-44s %10.4f ms %9.0f %s", name.c_str(), ms[0], work / ms[0] * 1e-6, unit);
  if (share > 0) std::printf(" %5.1f %% of peak", 100 * work / ms[0] * 1e-6 * share);
  for (std::size_t i = 1; i < all.size(); ++i)
    std::printf("  %s %10.4f ms, ratio %5.3f", all[i].name.c_str(), ms[i], ms[i] / ms[0]);
  std::printf("\n");
  std::fflush(stdout);
}

#if defined(TERN_BENCH_CUBLAS)
/// Row-major c = a b is c^T = b^T a^T in cuBLAS's column-major order. TF32 stays off, which is the default.
void cublas_multiply(cublasHandle_t h, index_t m, index_t n, index_t k, const float* a, const float* b, float* c) {
  const float one = 1, zero = 0;
  cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(n), static_cast<int>(m), static_cast<int>(k), &one, b,
              static_cast<int>(n), a, static_cast<int>(k), &zero, c, static_cast<int>(n));
}
void cublas_multiply(cublasHandle_t h, index_t m, index_t n, index_t k, const double* a, const double* b, double* c) {
  const double one = 1, zero = 0;
  cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(n), static_cast<int>(m), static_cast<int>(k), &one, b,
              static_cast<int>(n), a, static_cast<int>(k), &zero, c, static_cast<int>(n));
}
#endif

/// cuBLAS and cuDNN, if they were found and start.
struct peers {
#if defined(TERN_BENCH_CUBLAS)
  cublasHandle_t blas = nullptr;
#endif
#if defined(TERN_BENCH_CUDNN)
  cudnnHandle_t dnn = nullptr;
#endif

  explicit peers([[maybe_unused]] const options& o) {
#if defined(TERN_BENCH_CUBLAS)
    if (const cublasStatus_t s = cublasCreate(&blas); s != CUBLAS_STATUS_SUCCESS)
      blas = nullptr, std::printf("cuBLAS does not start: %s\n", cublasGetStatusString(s));
    else
      cublasSetStream(blas, o.stream);
#else
    std::puts("cuBLAS was not found");
#endif
#if defined(TERN_BENCH_CUDNN)
    if (const cudnnStatus_t s = cudnnCreate(&dnn); s != CUDNN_STATUS_SUCCESS)
      dnn = nullptr, std::printf("cuDNN does not start: %s\n", cudnnGetErrorString(s));
    else
      cudnnSetStream(dnn, o.stream), std::printf("cuDNN %zu\n", cudnnGetVersion());
#else
    std::puts("cuDNN was not found");
#endif
  }
};

/// The same tiles for every problem, to compare tunings.
template <simt_tuning U>
struct always {
  constexpr simt_tuning operator()(const device&, int, problem_size) const { return U; }
};

template <class T, class Tuning = tuning::simt_automatic>
void time_matmul(options& o, [[maybe_unused]] const peers& p, index_t m, index_t n, index_t k) {
  using policy = simt<devices::h200, numerics::exact, Tuning>;
  m = o.size(m), n = o.size(n), k = o.size(k);
  const device_array<T> a(random_numbers<T>(m * k).data(), m * k), b(random_numbers<T>(k * n).data(), k * n), c(m * n);
  const kernel<matmul<matmul_config{}, T>, policy> op;
  std::vector<contestant> all{
      {"tern", [&] {
         op(simt_stream(o.stream), view(unchecked, static_cast<const T*>(a.data()), extents{m, k}),
            view(unchecked, static_cast<const T*>(b.data()), extents{k, n}), view(unchecked, c.data(), extents{m, n}));
       }}};
#if defined(TERN_BENCH_CUBLAS)
  if (p.blas) all.push_back({"cuBLAS", [&] { cublas_multiply(p.blas, m, n, k, a.data(), b.data(), c.data()); }});
#endif
  const plan tiles = contraction_kernel<policy>::template plan_for<T>(m, n, k);
  std::string name = std::string("matmul ") + dtype<T>::name + " " + std::to_string(m) + " " + std::to_string(n) + " " +
                     std::to_string(k);
  if (!std::is_same_v<Tuning, tuning::simt_automatic>)
    name += " in blocks of " + std::to_string(tiles.block_m) + "x" + std::to_string(tiles.block_n) + "x" +
            std::to_string(tiles.block_k);
  const double flops = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  row(o, name, flops, "GFLOP/s", sizeof(T) == 4 ? 1 / o.peak : 2 / o.peak, k, all, c);
}

#if defined(TERN_BENCH_CUDNN)
/// Throws if a call of cuDNN failed.
void need(cudnnStatus_t s, const char* what) {
  if (s != CUDNN_STATUS_SUCCESS) throw std::runtime_error(std::string(what) + ": " + cudnnGetErrorString(s));
}

/// A float32 convolution by cuDNN with the algorithm that it finds to be the fastest, without TF32. Channels are last,
/// so weights are (out, kernel, kernel, in / groups).
class cudnn_conv {
 public:
  cudnn_conv(cudnnHandle_t h, int n, int c, int size, int k, int window, int stride, int pad, int groups) : handle_(h) {
    need(cudnnCreateTensorDescriptor(&x_), "cuDNN");
    need(cudnnCreateTensorDescriptor(&y_), "cuDNN");
    need(cudnnCreateFilterDescriptor(&w_), "cuDNN");
    need(cudnnCreateConvolutionDescriptor(&conv_), "cuDNN");
    const int out = (size + 2 * pad - window) / stride + 1;
    need(cudnnSetTensor4dDescriptor(x_, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, n, c, size, size), "cuDNN's x");
    need(cudnnSetTensor4dDescriptor(y_, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, n, k, out, out), "cuDNN's y");
    need(cudnnSetFilter4dDescriptor(w_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, k, c / groups, window, window),
         "cuDNN's weights");
    need(cudnnSetConvolution2dDescriptor(conv_, pad, pad, stride, stride, 1, 1, CUDNN_CROSS_CORRELATION,
                                         CUDNN_DATA_FLOAT),
         "cuDNN's convolution");
    need(cudnnSetConvolutionGroupCount(conv_, groups), "cuDNN's groups");
    need(cudnnSetConvolutionMathType(conv_, CUDNN_FMA_MATH), "cuDNN's arithmetic");
    int found = 0;
    cudnnConvolutionFwdAlgoPerf_t forward;
    need(cudnnFindConvolutionForwardAlgorithm(h, x_, w_, conv_, y_, 1, &found, &forward), "cuDNN's algorithms");
    cudnnConvolutionBwdDataAlgoPerf_t data;
    need(cudnnFindConvolutionBackwardDataAlgorithm(h, w_, y_, conv_, x_, 1, &found, &data), "cuDNN's algorithms");
    cudnnConvolutionBwdFilterAlgoPerf_t weights;
    need(cudnnFindConvolutionBackwardFilterAlgorithm(h, x_, y_, conv_, w_, 1, &found, &weights), "cuDNN's algorithms");
    need(forward.status, "cuDNN's forward pass");
    need(data.status, "cuDNN's data gradient");
    need(weights.status, "cuDNN's weight gradient");
    forward_ = forward.algo, data_ = data.algo, weights_ = weights.algo;
    bytes_ = std::max({forward.memory, data.memory, weights.memory});
    test::need(cudaMalloc(&memory_, bytes_ + 1), "cudaMalloc");
  }
  cudnn_conv(const cudnn_conv&) = delete;
  cudnn_conv& operator=(const cudnn_conv&) = delete;
  ~cudnn_conv() {
    cudaFree(memory_);
    cudnnDestroyConvolutionDescriptor(conv_);
    cudnnDestroyFilterDescriptor(w_);
    cudnnDestroyTensorDescriptor(y_);
    cudnnDestroyTensorDescriptor(x_);
  }
  void forward(const float* x, const float* w, float* y) const {
    need(cudnnConvolutionForward(handle_, &one, x_, x, w_, w, conv_, forward_, memory_, bytes_, &zero, y_, y),
         "cudnnConvolutionForward");
  }
  void backward_data(const float* dy, const float* w, float* dx) const {
    need(cudnnConvolutionBackwardData(handle_, &one, w_, w, y_, dy, conv_, data_, memory_, bytes_, &zero, x_, dx),
         "cudnnConvolutionBackwardData");
  }
  void backward_weights(const float* x, const float* dy, float* dw) const {
    need(cudnnConvolutionBackwardFilter(handle_, &one, x_, x, y_, dy, conv_, weights_, memory_, bytes_, &zero, w_, dw),
         "cudnnConvolutionBackwardFilter");
  }

 private:
  static constexpr float one = 1, zero = 0;
  cudnnHandle_t handle_;
  cudnnTensorDescriptor_t x_, y_;
  cudnnFilterDescriptor_t w_;
  cudnnConvolutionDescriptor_t conv_;
  cudnnConvolutionFwdAlgo_t forward_;
  cudnnConvolutionBwdDataAlgo_t data_;
  cudnnConvolutionBwdFilterAlgo_t weights_;
  std::size_t bytes_ = 0;
  void* memory_ = nullptr;
};
#endif

/// A layer of a network: all passes of a square float32 convolution.
template <conv2d_config C>
void time_conv(options& o, [[maybe_unused]] const peers& p, index_t batch, index_t size) {
  constexpr index_t in = C.in, out = C.out, window = C.kernel[0], each = C.in / C.groups;
  batch = o.small ? 1 : batch, size = o.small ? window + 2 : size;
  const index_t result = (size + 2 * C.pad[0] - window) / C.stride[0] + 1;
  using images = view<float, dims<4>, layout_channels_last>;
  using const_images = view<const float, dims<4>, layout_channels_last>;
  const index_t of_x = batch * in * size * size, of_y = batch * out * result * result,
                of_w = window * window * each * out;
  const device_array<float> x(random_numbers<float>(of_x).data(), of_x), dy(random_numbers<float>(of_y).data(), of_y);
  const device_array<float> y(of_y), dx(of_x), dw(of_w);
  const std::vector<float> weights = random_numbers<float>(of_w);
  const device_array<float> w(weights.data(), of_w);
  const const_images from(unchecked, x.data(), dims<4>(batch, in, size, size)),
      gradient(unchecked, dy.data(), dims<4>(batch, out, result, result));
  const images to(unchecked, y.data(), dims<4>(batch, out, result, result)),
      down(unchecked, dx.data(), dims<4>(batch, in, size, size));
  const extents<window, window, each, out> taps;
  const view filter(unchecked, static_cast<const float*>(w.data()), taps);
  const view change(unchecked, dw.data(), taps);
  const kernel<conv2d<C>, simt<>> op;
  const simt_stream stream(o.stream);
  std::vector<contestant> forward{{"tern", [&] { op(stream, from, filter, to); }}},
      data{{"tern", [&] { op.backward_data(stream, gradient, filter, down); }}},
      weight{{"tern", [&] { op.backward_weights(stream, from, gradient, change); }}};
#if defined(TERN_BENCH_CUDNN)
  // cuDNN wants weights with the output channel first; theirs are compared through results, weight gradients are not.
  std::vector<float> turned(weights.size());
  for (index_t t = 0; t < window * window; ++t)
    for (index_t i = 0; i < each; ++i)
      for (index_t j = 0; j < out; ++j)
        turned[static_cast<std::size_t>((j * window * window + t) * each + i)] =
            weights[static_cast<std::size_t>((t * each + i) * out + j)];
  const device_array<float> theirs(turned.data(), of_w);
  std::unique_ptr<cudnn_conv> dnn;
  if (p.dnn) try {
      dnn = std::make_unique<cudnn_conv>(p.dnn, static_cast<int>(batch), static_cast<int>(in), static_cast<int>(size),
                                         static_cast<int>(out), static_cast<int>(window), static_cast<int>(C.stride[0]),
                                         static_cast<int>(C.pad[0]), static_cast<int>(C.groups));
      forward.push_back({"cuDNN", [&] { dnn->forward(x.data(), theirs.data(), y.data()); }});
      data.push_back({"cuDNN", [&] { dnn->backward_data(dy.data(), theirs.data(), dx.data()); }});
      weight.push_back({"cuDNN", [&] { dnn->backward_weights(x.data(), dy.data(), dw.data()); }});
    } catch (const std::runtime_error& e) {
      std::printf("%s\n", e.what());
    }
#endif
  const std::string name = "conv " + std::to_string(batch) + " x " + std::to_string(in) + "->" + std::to_string(out) +
                           " " + std::to_string(size) + " k" + std::to_string(window) + " s" +
                           std::to_string(C.stride[0]) + " p" + std::to_string(C.pad[0]) + " g" +
                           std::to_string(C.groups);
  const double flops = 2.0 * static_cast<double>(of_w) * static_cast<double>(batch * result * result);
  row(o, name + " forward", flops, "GFLOP/s", 1 / o.peak, window * window * each, forward, y);
  row(o, name + " data", flops, "GFLOP/s", 1 / o.peak, window * window * out / C.groups, data, dx);
  row(o, name + " weights", flops, "GFLOP/s", 1 / o.peak, 0, weight, dw);
}

/// Times ops that are bound by memory: GB/s of the bytes that must be read and written.
void time_memory(options& o) {
  const simt_stream stream(o.stream);
  {
    const index_t rows = o.size(16384), n = 768;
    const device_array<float> x(random_numbers<float>(rows * n).data(), rows * n), y(rows * n);
    const device_array<float> scale(random_numbers<float>(n).data(), n);
    const kernel<layer_norm<norm_config{}>, simt<>> op;
    const view from(unchecked, static_cast<const float*>(x.data()), extents{rows, n});
    row(o, "layer_norm " + std::to_string(rows) + " " + std::to_string(n), 8.0 * static_cast<double>(rows * n), "GB/s",
        0, 0,
        {{"tern",
          [&] {
            op(stream, from, view(unchecked, static_cast<const float*>(scale.data()), extents{n}),
               view(unchecked, static_cast<const float*>(scale.data()), extents{n}),
               view(unchecked, y.data(), extents{rows, n}));
          }}},
        y);
  }
  for (const index_t n : {128, 4096}) {
    const index_t rows = o.size(n == 128 ? 98304 : 4096);
    const device_array<float> x(random_numbers<float>(rows * n).data(), rows * n), y(rows * n);
    const kernel<softmax<softmax_config{.axis = 1}>, simt<>> op;
    row(o, "softmax " + std::to_string(rows) + " " + std::to_string(n), 8.0 * static_cast<double>(rows * n), "GB/s", 0,
        0,
        {{"tern",
          [&] {
            op(stream, view(unchecked, static_cast<const float*>(x.data()), extents{rows, n}),
               view(unchecked, y.data(), extents{rows, n}));
          }}},
        y);
  }
  {
    const index_t n = o.size(64), c = 64, size = o.small ? 4 : 112, half = size / 2;
    const device_array<float> x(random_numbers<float>(n * c * size * size).data(), n * c * size * size),
        y(n * c * half * half);
    const view<const float, dims<4>, layout_channels_last> from(unchecked, x.data(), dims<4>(n, c, size, size));
    const view<float, dims<4>, layout_channels_last> to(unchecked, y.data(), dims<4>(n, c, half, half));
    const kernel<max_pool2d<pool2d_config{.kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}}>, simt<>> op;
    row(o, "max_pool " + std::to_string(n) + " x " + std::to_string(c) + " " + std::to_string(size) + " k3 s2 p1",
        5.0 * static_cast<double>(n * c * size * size), "GB/s", 0, 0, {{"tern", [&] { op(stream, from, to); }}}, y);
  }
}

void time_all(options& o) {
  const peers p(o);
  for (const index_t n : {256, 512, 1024, 2048, 4096, 8192}) time_matmul<float>(o, p, n, n, n);
  time_matmul<float>(o, p, 32, 4096, 4096);
  time_matmul<float>(o, p, 1, 4096, 4096);
  time_matmul<float>(o, p, 4096, 64, 4096);
  time_matmul<float>(o, p, 1021, 1031, 1033);
  for (const index_t n : {512, 1024, 2048, 4096}) time_matmul<double>(o, p, n, n, n);

  // ResNet-50's, and a depthwise one of MobileNetV2.
  time_conv<conv2d_config{.in = 64, .out = 64, .kernel = {3, 3}, .pad = {1, 1}}>(o, p, 32, 56);
  time_conv<conv2d_config{.in = 128, .out = 128, .kernel = {3, 3}, .pad = {1, 1}}>(o, p, 32, 28);
  if (!o.small)  // it takes as long as all others together
    time_conv<conv2d_config{.in = 512, .out = 512, .kernel = {3, 3}, .pad = {1, 1}}>(o, p, 32, 7);
  time_conv<conv2d_config{.in = 256, .out = 64, .kernel = {1, 1}}>(o, p, 32, 56);
  time_conv<conv2d_config{.in = 128, .out = 128, .kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}}>(o, p, 32, 56);
  time_conv<conv2d_config{.in = 144, .out = 144, .groups = 144, .kernel = {3, 3}, .pad = {1, 1}}>(o, p, 32, 56);

  time_memory(o);

  std::puts("other tunings");
  for (const index_t n : {1024, 4096}) {
    time_matmul<float, always<simt_tuning{128, 128, 16, 8, 8, 3}>>(o, p, n, n, n);
    time_matmul<float, always<simt_tuning{128, 128, 8, 8, 8, 4}>>(o, p, n, n, n);
    time_matmul<float, always<simt_tuning{128, 64, 16, 8, 8, 4}>>(o, p, n, n, n);
    time_matmul<float, always<simt_tuning{128, 128, 16, 8, 8, 4}>>(o, p, n, n, n);
    time_matmul<float, always<simt_tuning{128, 64, 16, 8, 4, 4}>>(o, p, n, n, n);
    time_matmul<float, always<simt_tuning{64, 64, 16, 4, 4, 4}>>(o, p, n, n, n);
    time_matmul<double, always<simt_tuning{64, 64, 16, 4, 4, 4}>>(o, p, n, n, n);
    time_matmul<double, always<simt_tuning{64, 64, 8, 8, 4, 4}>>(o, p, n, n, n);
  }
}

int run(options& o) {
  int devices = 0, kilohertz = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: there is no GPU");
    return 77;
  }
  cudaDeviceProp gpu;
  need(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
  need(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0), "cudaDeviceGetAttribute");
  need(cudaStreamCreateWithFlags(&o.stream, cudaStreamNonBlocking), "cudaStreamCreate");
  o.peak = gpu.multiProcessorCount * 128 * 2.0 * kilohertz * 1e3 * 1e-9;
  std::printf(
      "%s: float32 fma peak %.0f GFLOP/s, of %d multiprocessors x 128 x 2 x %.3f GHz; float64 is shown against half of "
      "it\n",
      gpu.name, o.peak, gpu.multiProcessorCount, kilohertz * 1e-6);
  time_all(o);
  need(cudaStreamDestroy(o.stream), "cudaStreamDestroy");
  return o.wrong == 0 ? 0 : 1;
}

}  // namespace tern::bench

int main(int argc, char** argv) {
  tern::bench::options o;
  const char* path = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--small") == 0) {
      o.small = true;
    } else if (argv[i][0] == '-' || path) {
      std::fprintf(stderr, "gpu_times takes --small and a file, not '%s'\n", argv[i]);
      return 2;
    } else {
      path = argv[i];
    }
  }
  if (path && !(o.file = std::fopen(path, "w"))) {
    std::fprintf(stderr, "gpu_times: '%s' cannot be written\n", path);
    return 2;
  }
  const int status = tern::bench::run(o);
  if (o.file && std::fclose(o.file) != 0) {
    std::fprintf(stderr, "gpu_times: the file could not be written\n");
    return 1;
  }
  return status;
}
