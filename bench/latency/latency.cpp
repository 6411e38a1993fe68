// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tern_latency: times of single calls on one pinned core: the median, the slow ones and the slowest. Every call has new
// inputs. One-time work, such as packing weights and lending memory, is not timed.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench/support/environment.hpp"
#include "bench/support/progress.hpp"
#include "examples/braggnn/block.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/cpus.hpp"
#include "tern/reference.hpp"
#include "tern/simd.hpp"

namespace tern::bench {
namespace {

using numbers = std::vector<float>;

numbers random_numbers(index_t n, unsigned seed) {
  std::mt19937 random(seed);
  numbers v(static_cast<std::size_t>(n));
  for (float& x : v) x = static_cast<float>(random() >> 8) * 0x1p-24f - 0.5f;
  return v;
}

/// One kind of call: `next` makes new inputs, `run` is timed, and `wrong` compares the result of a call with the
/// reference.
struct called {
  std::string name;
  std::function<void(unsigned)> next;
  std::function<void()> run;
  std::function<bool()> wrong;
};

/// A call of x that leaves its result in y, under simd, and the same under the reference.
called call_of(std::string name, index_t in, index_t out, std::function<void(numbers&, numbers&)> simd_call,
               std::function<void(numbers&, numbers&)> reference_call) {
  const auto x = std::make_shared<numbers>(random_numbers(in, 1)), y = std::make_shared<numbers>(numbers(out));
  return {std::move(name),
          [=](unsigned seed) {  // as many new numbers as a sensor would write
            for (std::size_t i = 0; i < x->size(); ++i) (*x)[i] += seed % 2 == 0 ? 0x1p-12f : -0x1p-12f;
          },
          [=] { simd_call(*x, *y); },
          [=] {
            numbers expected(y->size(), NAN);
            std::fill(y->begin(), y->end(), NAN);
            simd_call(*x, *y), reference_call(*x, expected);
            return std::memcmp(y->data(), expected.data(), y->size() * sizeof(float)) != 0;
          }};
}

template <index_t N>
called dense_layer() {
  const auto w = std::make_shared<numbers>(random_numbers(N * N, 2)),
             b = std::make_shared<numbers>(random_numbers(N, 3));
  const auto run = [=]<class Policy>(numbers& x, numbers& y, Policy) {
    kernel<matmul<matmul_config{.m = 1, .n = N, .k = N, .bias = true, .act = activation::relu}>, Policy>()(
        view(x, extents<1, N>()), view(*w, extents<N, N>()), *b, view(y, extents<1, N>()));
  };
  return call_of(
      "dense layer, " + std::to_string(N) + " to " + std::to_string(N), N, N,
      [=](numbers& x, numbers& y) { run(x, y, simd<>()); }, [=](numbers& x, numbers& y) { run(x, y, reference()); });
}

template <index_t C, index_t Size>
called convolution() {
  constexpr conv2d_config c{.in = C, .out = C, .kernel = 3, .pad = 1, .bias = true, .act = activation::relu};
  const auto w = std::make_shared<numbers>(random_numbers(9 * C * C, 2)),
             b = std::make_shared<numbers>(random_numbers(C, 3));
  const auto run = [=]<class Policy>(numbers& x, numbers& y, Policy) {
    const auto image = [](numbers& v) { return view(v, layout_channels_last::mapping(extents<1, C, Size, Size>())); };
    kernel<conv2d<c>, Policy>()(image(x), view(*w, extents<3, 3, C, C>()), *b, image(y));
  };
  return call_of(
      "convolution 3 x 3, " + std::to_string(C) + " channels, " + std::to_string(Size) + " x " + std::to_string(Size),
      C * Size * Size, C * Size * Size, [=](numbers& x, numbers& y) { run(x, y, simd<>()); },
      [=](numbers& x, numbers& y) { run(x, y, reference()); });
}

/// Streams a block of audio samples through a causal convolution.
template <index_t Block>
called stream_of_samples() {
  constexpr conv1d_config c{
      .in = 8, .out = 8, .kernel = 3, .dilation = 4, .rule = padding::causal, .bias = true, .act = activation::tanh};
  const auto w = std::make_shared<numbers>(random_numbers(3 * 8 * 8, 2)),
             b = std::make_shared<numbers>(random_numbers(8, 3));
  const auto remembered = std::make_shared<numbers>();
  const auto run = [=]<class Policy>(numbers& x, numbers& y, numbers& memory, Policy) {
    const kernel<conv1d<c>, Policy> k;
    const auto block = [](numbers& v) { return view(v, layout_channels_last::mapping(extents<1, 8, Block>())); };
    memory.resize(static_cast<std::size_t>(k.history_size(1)));
    k.stream(block(x), view(*w, extents<3, 8, 8>()), *b, block(y), memory);
  };
  return call_of(
      "stream, 8 channels, " + std::to_string(Block) + " samples at a time", 8 * Block, 8 * Block,
      [=](numbers& x, numbers& y) { run(x, y, *remembered, simd<>()); },
      [=](numbers& x, numbers& y) {
        numbers none;
        run(x, y, none, reference());
      });
}

called bragg_peaks() {
  using net = network<braggnn::block, sample_shape::image(1, 11, 11), simd<>>;
  using exact = network<braggnn::block, sample_shape::image(1, 11, 11), reference>;
  struct learned {
    numbers parameters = numbers(net::parameters), memory = numbers(net::packed_infer_elements(1)),
            other = numbers(exact::infer_memory.elements(1));
    aligned_vector<float> packed = aligned_vector<float>(net::packed);
    net::packed_parameters ready;
    decltype(net::make_state()) state = net::make_state();
    decltype(exact::make_state()) state_of_reference = exact::make_state();
    learned()
        : ready([this] {
            net::initialize(parameters, {}, 1);
            return net::pack(parameters, {}, packed);
          }()) {}
  };
  const auto all = std::make_shared<learned>();
  return call_of(
      "BraggNN, one peak, packed", 121, 2,
      [=](numbers& x, numbers& y) { net::infer(all->state, all->ready, x, y, all->memory); },
      [=](numbers& x, numbers& y) { exact::infer(all->state_of_reference, all->parameters, {}, x, y, all->other); });
}

called layer_norm_of_rows() {
  const auto scale = std::make_shared<numbers>(random_numbers(256, 2)),
             shift = std::make_shared<numbers>(random_numbers(256, 3));
  const auto run = [=]<class Policy>(numbers& x, numbers& y, Policy) {
    kernel<layer_norm<>, Policy>()(view(x, extents<1, 256>()), *scale, *shift, view(y, extents<1, 256>()));
  };
  return call_of(
      "layer norm of 256", 256, 256, [=](numbers& x, numbers& y) { run(x, y, simd<>()); },
      [=](numbers& x, numbers& y) { run(x, y, reference()); });
}

called softmax_of_rows() {
  const auto run = [=]<class Policy>(numbers& x, numbers& y, Policy) {
    kernel<softmax<>, Policy>()(view(x, extents<1, 128>()), view(y, extents<1, 128>()));
  };
  return call_of(
      "softmax of 128", 128, 128, [=](numbers& x, numbers& y) { run(x, y, simd<>()); },
      [=](numbers& x, numbers& y) { run(x, y, reference()); });
}

std::vector<called> all_calls() {
  return {dense_layer<16>(),       dense_layer<64>(),    dense_layer<256>(), convolution<16, 8>(),
          convolution<32, 28>(),   layer_norm_of_rows(), softmax_of_rows(),  stream_of_samples<1>(),
          stream_of_samples<64>(), bragg_peaks()};
}

// ---------------------------------------------------------------------------------------------------------------------

/// Nanoseconds of single calls, sorted; a hundred calls before them are not counted.
std::vector<double> times_of(const called& c, int calls) {
  using clock = std::chrono::steady_clock;
  std::vector<double> ns;
  ns.reserve(static_cast<std::size_t>(calls));
  for (int i = -100; i < calls; ++i) {
    c.next(static_cast<unsigned>(i));
    const auto start = clock::now();
    c.run();
    const auto end = clock::now();
    if (i >= 0) ns.push_back(std::chrono::duration<double, std::nano>(end - start).count());
  }
  std::sort(ns.begin(), ns.end());
  return ns;
}

bool pin_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

constexpr const char* usage =
    "usage: tern_latency [--calls n] [--cpu c] [part of a name]\n"
    "  --calls n  of each row; default 100000\n"
    "  --cpu c    that the calls run on; default the last one that this process may use\n"
    "exits with 1 where results have other bits than the reference\n";

int run(int argc, char** argv) {
  int calls = 100'000, cpu = impl::allowed_cpus().back();
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--help") return std::fputs(usage, stdout), 0;
    const bool numbered = (option == "--calls" || option == "--cpu") && i + 1 < argc;
    char* end = nullptr;
    const long value = numbered ? std::strtol(argv[i + 1], &end, 10) : -1;
    if (numbered && *argv[i + 1] != '\0' && *end == '\0' && value >= (option == "--calls") && value <= 100'000'000) {
      (option == "--calls" ? calls : cpu) = static_cast<int>(value), ++i;
    } else if (only.empty() && !option.starts_with("-")) {
      only = option;
    } else {
      std::fprintf(stderr, "tern_latency: '%s' is no option, or lacks its number\n%s", option.c_str(), usage);
      return 1;
    }
  }
  if (!pin_to(cpu)) {
    std::fprintf(stderr, "tern_latency: this process may not run on CPU %d\n", cpu);
    return 1;
  }
  for (const auto& [name, value] : environment()) std::printf("%s: %s\n", name.c_str(), value.c_str());
  std::printf(
      "\nMicroseconds of %d single calls on CPU %d\n\n| call | p50 | p99 | p99.9 | slowest |\n|---|--:|--:|--:|--:|\n",
      calls, cpu);
  progress said("tern_latency");
  int rows = 0;
  bool failed = false;
  for (const called& c : all_calls()) {
    if (c.name.find(only) == c.name.npos) continue;
    ++rows;
    said(c.name);  // and not between its calls, which it would disturb
    if (c.wrong()) {
      std::fprintf(stderr, "tern_latency: %s: other bits than the reference\n", c.name.c_str());
      failed = true;
      continue;
    }
    const std::vector<double> ns = times_of(c, calls);
    said.erase();
    const auto at = [&](double share) {
      return ns[static_cast<std::size_t>(share * static_cast<double>(ns.size() - 1))] / 1000;
    };
    std::printf("| %s | %.2f | %.2f | %.2f | %.1f |\n", c.name.c_str(), at(0.5), at(0.99), at(0.999), at(1));
    std::fflush(stdout);
  }
  if (rows == 0) {
    std::fprintf(stderr, "tern_latency: no call's name has '%s' in it\n", only.c_str());
    return 1;
  }
  return failed;
}

}  // namespace
}  // namespace tern::bench

int main(int argc, char** argv) { return tern::bench::run(argc, argv); }
