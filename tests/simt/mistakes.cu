// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that the executor must find, seeded into the block context of the device, so that every kernel of the
// library can be run with them; and launches that CUDA refuses, as callers see them.
#define TERN_TEST_WITHOUT_CATCH 1
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "tern/simt.cuh"
#include "tests/simt/device_memory.cuh"
#include "tests/simt/ptx/executor.hpp"
#include "tests/simt/sample_kernels.hpp"
#include "tests/simt/small_tiles.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

enum class seeded {
  nothing,
  no_barrier_after_a_step,
  no_barrier_in_a_fold,
  no_barrier_in_the_pipeline,
  no_barrier_before_a_slot_is_filled,
  one_group_too_few,
  wrong_slot,
  copy_behind_shared_memory,
  copy_into_the_next_element,
  copy_behind_an_operand
};

/// The copies of a pipeline.
template <seeded M>
struct mistaken_copy : impl::cuda_copy {
  template <int Count, class T>
  __device__ __forceinline__ void run(T* to, const T* from, int valid) const {
    if constexpr (M == seeded::copy_behind_shared_memory)
      to += (1 << 16) / sizeof(T);
    else if constexpr (M == seeded::copy_into_the_next_element)
      to += threadIdx.x % 8 == 0 ? Count : 0;
    else if constexpr (M == seeded::copy_behind_an_operand)
      valid = Count;
    impl::cuda_copy::run<Count>(to, from, valid);
  }
};

/// cuda_block with a mistake.
template <int N, seeded M>
class mistaken_block : public cuda_block<N> {
 public:
  template <class F>
  __device__ __forceinline__ void step(F&& f) const {
    f(static_cast<int>(threadIdx.x));
    if constexpr (M != seeded::no_barrier_after_a_step) __syncthreads();
  }

  template <int Width, class X, class Op>
  __device__ __forceinline__ void fold(X& x, Op op) const {
    if constexpr (M == seeded::no_barrier_in_a_fold && Width > warp_threads) {
      const int t = static_cast<int>(threadIdx.x);
      auto& mine = x[t];
      using T = std::remove_reference_t<decltype(mine)>;
      __shared__ T exchange[N];
      exchange[t] = mine;
      T all = exchange[t / Width * Width];
      for (int i = 1; i < Width; ++i) all = op(all, exchange[t / Width * Width + i]);
      mine = all;
      __syncthreads();
    } else {
      cuda_block<N>::template fold<Width>(x, op);
    }
  }

  template <class Slot, int S, class Produce, class Init, class Consume, class Finish>
  __device__ __forceinline__ void pipeline(Slot (&ring)[S], int n, Produce&& produce, Init&& init, Consume&& consume,
                                           Finish&& finish) const {
    const int t = static_cast<int>(threadIdx.x);
    const mistaken_copy<M> copy;
    for (int i = 0; i < S - 1; ++i) {
      if (i < n) produce(t, i, ring[i], copy);
      copy.commit();
    }
    init(t);
    int full = 0, free = S - 1;
    for (int i = 0; i < n; ++i) {
      copy.template wait<M == seeded::one_group_too_few ? S - 1 : S - 2>();
      if constexpr (M == seeded::no_barrier_before_a_slot_is_filled)
        if (i + S - 1 < n) produce(t, i + S - 1, ring[free], copy);
      if constexpr (M != seeded::no_barrier_in_the_pipeline) __syncthreads();
      if constexpr (M != seeded::no_barrier_before_a_slot_is_filled)
        if (i + S - 1 < n) produce(t, i + S - 1, ring[free], copy);
      copy.commit();
      const int slot = M == seeded::wrong_slot ? (full + 1) % S : full;
      consume(t, i, static_cast<const Slot&>(ring[slot]));
      free = full;
      full = full + 1 == S ? 0 : full + 1;
    }
    finish(t);
    __syncthreads();
  }
};

/// A state whose kernels have the mistake.
template <seeded M>
struct mistaken_stream {};

template <class Kernel, seeded M, class... Arguments>
__global__ void __launch_bounds__(Kernel::threads) mistaken_entry(const Arguments... arguments) {
  extern __shared__ __align__(16) unsigned char memory[];
  mistaken_block<Kernel::threads, M> block;
  Kernel::run(block, *reinterpret_cast<typename Kernel::shared*>(memory), arguments...);
}
template <class Kernel, seeded M, class... Arguments>
void launch(const mistaken_stream<M>&, index_t blocks, const Arguments&... arguments) {
  constexpr int bytes = static_cast<int>(sizeof(typename Kernel::shared));
  const auto entry = reinterpret_cast<const void*>(&mistaken_entry<Kernel, M, Arguments...>);
  need(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory");
  void* values[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
  need(cudaLaunchKernel(entry, dim3(static_cast<unsigned>(blocks)), dim3(Kernel::threads), values, bytes, nullptr),
       "a launch");
}

}  // namespace tern::test

namespace tern {
template <test::seeded M>
inline constexpr bool is_simt_state<test::mistaken_stream<M>> = true;
template <test::seeded M>
inline constexpr bool is_on_device<test::mistaken_stream<M>> = true;
}  // namespace tern

namespace tern::test {
namespace {

/// Runs a call under all orders of threads and both times of copies; true where every run had a fault with one of the
/// words, or, without words, where none had one and all left what is wanted.
template <class T, class Call>
void check(const char* name, const device_array<T>& result, const std::vector<T>& wanted,
           std::initializer_list<const char*> words, Call call, tally& count) {
  for (const ptx::thread_order order :
       {ptx::thread_order::forward, ptx::thread_order::reverse, ptx::thread_order::random})
    for (const ptx::copy_time copies : {ptx::copy_time::early, ptx::copy_time::late}) {
      ptx::settings().order = order, ptx::settings().copies = copies;
      const std::string run = std::string(name) + ", order " + std::to_string(static_cast<int>(order)) + ", copies " +
                              std::to_string(static_cast<int>(copies));
      need(cudaMemset(result.data(), 0xff, result.bytes()), "cudaMemset");
      call();
      cudaDeviceSynchronize();
      if (words.size() == 0) {
        std::vector<T> got(wanted.size());
        count(ptx::faults().empty(), run + ": a fault of a correct kernel");
        if (ptx::faults().empty()) result.copy_to(got.data());
        count(std::memcmp(wanted.data(), got.data(), result.bytes()) == 0, run);
      } else {
        const std::string fault = ptx::faults().empty() ? "nothing" : ptx::faults().front();
        bool found = false;
        for (const char* w : words) found = found || fault.find(w) != std::string::npos;
        count(found, run + ": found " + fault);
      }
      ptx::forget_faults();
    }
}

constexpr const char *race = "with no barrier between them", *pending = "an asynchronous copy",
                     *undefined = "not defined", *outside = " of a variable of ", *nowhere = "shared memory at address",
                     *beyond = "of an allocation of", *unallocated = "nobody allocated";

template <seeded M>
void sample_kernels(std::initializer_list<const char*> words, tally& count) {
  const index_t n = 32 * 17;
  const std::vector<float> in = random_vector<float>(n, 1);
  const device_array<float> from(in.data(), n), sums(32);
  std::vector<float> wanted(32);
  launch<stream_sum<>>(simt_host{}, 1, in.data(), wanted.data(), 17);
  check(
      "stream_sum", sums, wanted, words,
      [&] { launch<stream_sum<>>(mistaken_stream<M>{}, 1, static_cast<const float*>(from.data()), sums.data(), 17); },
      count);
}

/// A matmul whose sizes are no multiples of the tiles.
template <class T, seeded M>
void matmuls(std::initializer_list<const char*> words, tally& count) {
  const index_t m = 70, n = 36, k = 132;
  const std::vector<T> a = random_vector<T>(m * k, 1), b = random_vector<T>(k * n, 2);
  std::vector<T> c(static_cast<std::size_t>(m * n));
  const device_array<T> on_a(a.data(), m * k), on_b(b.data(), k * n), on_c(m * n);
  using op = matmul<matmul_config{}, T>;
  kernel<op, reference>{}(view(a, extents{m, k}), view(b, extents{k, n}), view(c, extents{m, n}));
  check(
      "matmul", on_c, c, words,
      [&] {
        kernel<op, simt<>>{}(mistaken_stream<M>{}, view(unchecked, static_cast<const T*>(on_a.data()), extents{m, k}),
                             view(unchecked, static_cast<const T*>(on_b.data()), extents{k, n}),
                             view(unchecked, on_c.data(), extents{m, n}));
      },
      count);
}

/// A convolution with padding.
template <seeded M>
void convolutions(std::initializer_list<const char*> words, tally& count) {
  const index_t size = 7, x_size = 2 * 8 * size * size, w_size = 9 * 8 * 12, y_size = 2 * 12 * size * size;
  const std::vector<float> x = random_vector<float>(x_size, 1), w = random_vector<float>(w_size, 2);
  std::vector<float> y(static_cast<std::size_t>(y_size));
  const device_array<float> on_x(x.data(), x_size), on_w(w.data(), w_size), on_y(y_size);
  using op = conv2d<conv2d_config{.in = 8, .out = 12, .kernel = {3, 3}, .pad = {1, 1}}>;
  const auto image = [&](auto* p, index_t channels) {
    return view<std::remove_pointer_t<decltype(p)>, dims<4>, layout_channels_last>(unchecked, p,
                                                                                   dims<4>(2, channels, size, size));
  };
  kernel<op, reference>{}(image(x.data(), 8), view(w, extents<3, 3, 8, 12>{}), image(y.data(), 12));
  check(
      "convolution", on_y, y, words,
      [&] {
        kernel<op, simt<>>{}(mistaken_stream<M>{}, image(static_cast<const float*>(on_x.data()), 8),
                             view(unchecked, static_cast<const float*>(on_w.data()), extents<3, 3, 8, 12>{}),
                             image(on_y.data(), 12));
      },
      count);
}

/// A softmax over rows that need all threads of a block.
template <seeded M>
void softmaxes(std::initializer_list<const char*> words, tally& count) {
  const index_t rows = 3, n = 300;
  const std::vector<float> x = random_vector<float>(rows * n, 1);
  std::vector<float> y(x.size());
  const device_array<float> on_x(x.data(), rows * n), on_y(rows * n);
  using op = softmax<softmax_config{}>;
  kernel<op, reference>{}(view(x, extents{rows, n}), view(y, extents{rows, n}));
  check(
      "softmax", on_y, y, words,
      [&] {
        kernel<op, simt<>>{}(mistaken_stream<M>{},
                             view(unchecked, static_cast<const float*>(on_x.data()), extents{rows, n}),
                             view(unchecked, on_y.data(), extents{rows, n}));
      },
      count);
}

void check_mistakes(tally& count) {
  using enum seeded;
  sample_kernels<nothing>({}, count);
  matmuls<float, nothing>({}, count);
  matmuls<double, nothing>({}, count);
  convolutions<nothing>({}, count);
  softmaxes<nothing>({}, count);
  convolutions<no_barrier_after_a_step>({race, undefined}, count);
  softmaxes<no_barrier_in_a_fold>({race, undefined}, count);
  const auto streams = [&]<seeded M>(std::initializer_list<const char*> words) {
    sample_kernels<M>(words, count);
    matmuls<float, M>(words, count);
    convolutions<M>(words, count);
  };
  streams.operator()<no_barrier_in_the_pipeline>({race, pending, undefined});
  streams.operator()<no_barrier_before_a_slot_is_filled>({race, pending});
  streams.operator()<one_group_too_few>({pending});
  streams.operator()<wrong_slot>({race, pending, undefined});
  streams.operator()<copy_behind_shared_memory>({outside, nowhere});
  streams.operator()<copy_into_the_next_element>({race, pending, undefined, outside});
  matmuls<float, copy_behind_an_operand>({beyond, unallocated, undefined}, count);
}

// ---------------------------------------------------------------------------------------------------------------------
// Launches that are refused

/// Writes nothing but takes shared memory.
template <std::size_t Bytes>
struct greedy {
  static constexpr int threads = 32;
  struct shared {
    unsigned char memory[Bytes];
  };
  template <class Block>
  static TERN_FN void run(Block& block, shared&, float* out) {
    block.step([&](int t) { out[block.index() * threads + t] = 1; });
  }
};
/// Writes to memory that it was not given.
struct stray {
  static constexpr int threads = 32;
  struct shared {};
  template <class Block>
  static TERN_FN void run(Block& block, shared&, float* out) {
    block.step([&](int t) { out[t + 1000000] = 1; });
  }
};

template <class Kernel>
std::string refusal(index_t blocks, float* out) {
  try {
    launch<Kernel>(simt_stream(cudaStreamLegacy), blocks, out);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing";
}

void check_launches(tally& count) {
  const device_array<float> out(96);
  const auto is = [&](const std::string& got, const std::string& wanted) {
    count(got == wanted, "'" + got + "' instead of '" + wanted + "'");
  };
  const auto refused = [](const char* blocks, std::size_t bytes, const char* words) {
    return "simt: a launch of " + std::string(blocks) + " blocks of 32 threads with " + std::to_string(bytes) +
           " bytes of shared memory each failed: " + words;
  };
  // All that a GPU of this architecture has, and a byte more.
  for (const int architecture : {80, 90}) {
    ptx::settings().architecture = architecture;
    is(refusal<greedy<163 * 1024>>(3, out.data()), "nothing");
    is(refusal<greedy<227 * 1024>>(3, out.data()),
       architecture == 90 ? "nothing" : refused("3", 227 * 1024, "invalid argument"));
    is(refusal<greedy<227 * 1024 + 1>>(3, out.data()), refused("3", 227 * 1024 + 1, "invalid argument"));
  }
  ptx::settings().architecture = 80;
  // None of them is left for the next call to find, and none ran anything.
  need(cudaDeviceSynchronize(), "launches after some that were refused");
  is(cudaGetErrorString(cudaGetLastError()), "no error");
  // A grid of nothing is no call at all; others are refused by CUDA or before it.
  ptx::take_statistics();
  is(refusal<greedy<4>>(0, out.data()), "nothing");
  need(cudaDeviceSynchronize(), "a launch of no block");
  count(ptx::take_statistics().empty(), "a grid without blocks ran");
  is(refusal<greedy<4>>(-1, out.data()), refused("-1", 4, "invalid configuration argument"));
  is(refusal<greedy<4>>(index_t{1} << 31, out.data()),
     "simt: the call needs 2147483648 blocks, a grid has at most 2147483647");
  // Refused on purpose, for every reason that a launch can have; once.
  for (const cudaError_t e :
       {cudaErrorMemoryAllocation, cudaErrorInvalidConfiguration, cudaErrorInvalidDeviceFunction,
        cudaErrorNoKernelImageForDevice, cudaErrorInvalidResourceHandle, cudaErrorLaunchOutOfResources}) {
    ptx::refuse_next_launch(e);
    is(refusal<greedy<4>>(3, out.data()), refused("3", 4, cudaGetErrorString(e)));
    is(refusal<greedy<4>>(3, out.data()), "nothing");
  }
  // A call of the library passes it on.
  ptx::refuse_next_launch(cudaErrorLaunchOutOfResources);
  std::string words = "nothing";
  try {
    kernel<matmul<>, simt<>>{}(simt_stream(cudaStreamLegacy), view(unchecked, out.data(), extents{4, 4}),
                               view(unchecked, out.data() + 16, extents{4, 4}),
                               view(unchecked, out.data() + 32, extents{4, 4}));
  } catch (const std::invalid_argument& e) {
    words = e.what();
  }
  count(words.find("each failed: too many resources requested for launch") != std::string::npos, words);
  // A fault is the end of the context: whoever waits hears of it, and every later launch.
  is(refusal<stray>(1, out.data()), "nothing");
  is(cudaGetErrorString(cudaDeviceSynchronize()), "an illegal memory access was encountered");
  is(refusal<greedy<4>>(3, out.data()), refused("3", 4, "an illegal memory access was encountered"));
  is(refusal<greedy<4>>(3, out.data()), refused("3", 4, "an illegal memory access was encountered"));
  is(cudaGetErrorString(cudaGetLastError()), "an illegal memory access was encountered");
  count(ptx::faults().size() == 1, "one fault is one fault");
  ptx::forget_faults();
  is(refusal<greedy<4>>(3, out.data()), "nothing");
  need(cudaDeviceSynchronize(), "a launch after all this");
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory of the GPU, as callers see it

/// Copies numbers, or adds one to the halfwords of a thread.
struct copy_all {
  static constexpr int threads = 32;
  struct shared {};
  template <class Block>
  static TERN_FN void run(Block& block, shared&, const float* from, float* to) {
    block.step([&](int t) { to[t] = from[t]; });
  }
};
struct count_up {
  static constexpr int threads = 32;
  struct shared {};
  template <class Block>
  static TERN_FN void run(Block& block, shared&, unsigned short* x) {
    block.step([&](int t) { x[t] = static_cast<unsigned short>(x[t] + 1); });
  }
};

void check_memory(tally& count) {
  const auto is = [&](const char* what, cudaError_t got, cudaError_t wanted) {
    count(got == wanted, std::string(what) + ": " + cudaGetErrorString(got));
  };
  const auto fault = [&](const char* words, auto&& run) {
    run();
    cudaDeviceSynchronize();
    const std::string found = ptx::faults().empty() ? "nothing" : ptx::faults().front();
    count(words ? found.find(words) != std::string::npos : found == "nothing", "found " + found);
    ptx::forget_faults();
  };
  const simt_stream stream(cudaStreamLegacy);
  const std::vector<float> numbers = random_vector<float>(32, 1);
  const auto bytes = 32 * sizeof(float);
  float *a = nullptr, *b = nullptr, *managed = nullptr;
  std::vector<float> got(32);
  is("cudaMalloc", cudaMalloc(&a, bytes), cudaSuccess);
  is("cudaMalloc", cudaMalloc(&b, bytes), cudaSuccess);
  // What nobody wrote is NaN for the host, and not defined for a kernel; a copy makes it no better.
  is("a copy of what nobody wrote", cudaMemcpy(got.data(), a, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  for (const float x : got) count(x != x, "memory that nobody wrote has a number");
  fault("not defined", [&] { launch<copy_all>(stream, 1, static_cast<const float*>(a), b); });
  is("half of it", cudaMemcpy(a, numbers.data(), bytes / 2, cudaMemcpyHostToDevice), cudaSuccess);
  is("between allocations", cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
  is("cudaMallocManaged", cudaMallocManaged(&managed, bytes), cudaSuccess);
  fault("not defined", [&] { launch<copy_all>(stream, 1, static_cast<const float*>(b), managed); });
  is("the other half", cudaMemcpy(b + 16, a, bytes / 2, cudaMemcpyDeviceToDevice), cudaSuccess);
  fault(nullptr, [&] { launch<copy_all>(stream, 1, static_cast<const float*>(b), managed); });
  count(
      std::memcmp(managed, numbers.data(), bytes / 2) == 0 && std::memcmp(managed + 16, numbers.data(), bytes / 2) == 0,
      "copies between allocations");
  // Directions by the addresses, and none.
  is("to a GPU by its address", cudaMemcpy(a, numbers.data(), bytes, cudaMemcpyDefault), cudaSuccess);
  is("from a GPU by its address", cudaMemcpy(got.data(), a, bytes, cudaMemcpyDefault), cudaSuccess);
  count(got == numbers, "copies by their addresses");
  is("beyond an allocation", cudaMemcpy(a, numbers.data(), bytes + 1, cudaMemcpyDefault), cudaErrorInvalidValue);
  is("no direction", cudaMemcpy(a, b, bytes, static_cast<cudaMemcpyKind>(7)), cudaErrorInvalidMemcpyDirection);
  // Threads update halfwords of their own.
  unsigned short* const halfwords = reinterpret_cast<unsigned short*>(managed);
  std::fill(halfwords, halfwords + 32, static_cast<unsigned short>(7));
  fault(nullptr, [&] { launch<count_up>(stream, 1, halfwords); });
  for (int t = 0; t < 32; ++t) count(halfwords[t] == 8, "a halfword of a thread");
  // What was not allocated, or is no more.
  is("cudaFree", cudaFree(managed), cudaSuccess);
  is("cudaFree once more", cudaFree(managed), cudaErrorInvalidValue);
  is("cudaFree within an allocation", cudaFree(a + 1), cudaErrorInvalidValue);
  is("cudaFree of the host's memory", cudaFree(got.data()), cudaErrorInvalidValue);
  is("cudaFree", cudaFree(a), cudaSuccess);
  is("cudaFree", cudaFree(b), cudaSuccess);
  is("cudaFree of nothing", cudaFree(nullptr), cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace tern::test

int main() {
  ptx::settings().print_faults = false;
  tern::test::tally count;
  tern::test::check_mistakes(count);
  tern::test::check_launches(count);
  tern::test::check_memory(count);
  std::printf("%d of %d checks passed\n", count.checks - count.failures, count.checks);
  return count.failures == 0 ? 0 : 1;
}
