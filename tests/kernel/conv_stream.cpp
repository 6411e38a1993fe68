// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal convolutions that are streamed give the bits of the whole signal, however it is cut into blocks.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/pictures.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

// Two epilogues for all: what streams add does not depend on them, and every one is compiled anew.
constexpr conv1d_config dense{
    .in = 5, .out = 7, .kernel = {3}, .dilation = {4}, .rule = padding::causal, .bias = true, .act = activation::relu};
constexpr conv1d_config depthwise{.in = 17,
                                  .out = 17,
                                  .groups = 17,
                                  .kernel = {4},
                                  .dilation = {3},
                                  .rule = padding::causal,
                                  .bias = true,
                                  .act = activation::relu};
constexpr conv1d_config pointwise{.in = 3, .out = 2, .rule = padding::causal, .bias = true, .act = activation::relu};
constexpr conv1d_config wide{.in = 1,
                             .out = 33,
                             .kernel = {2},
                             .dilation = {100},
                             .rule = padding::causal,
                             .bias = true,
                             .act = activation::relu};
constexpr conv1d_config several_chunks{.in = 600,
                                       .out = 4,
                                       .kernel = {2},
                                       .dilation = {7},
                                       .rule = padding::causal,
                                       .bias = true,
                                       .act = activation::relu};
constexpr conv1d_config grouped{
    .in = 6, .out = 10, .groups = 2, .kernel = {5}, .rule = padding::causal, .scale = true, .residual = true};
constexpr conv1d_config strided{.in = 2,
                                .out = 3,
                                .kernel = {4},
                                .stride = {3},
                                .dilation = {2},
                                .rule = padding::causal,
                                .scale = true,
                                .residual = true};

/// Elements [first, first + count) of the signals of v, (signals, channels, samples) with channels last.
template <class T>
auto block_of(std::vector<T>& v, index_t signals, index_t channels, index_t first, index_t count) {
  const index_t of_signal = signals > 0 ? static_cast<index_t>(v.size()) / signals : 0;
  return view(unchecked, v.data() + first * channels,
              layout_strided::mapping(dims<3>(signals, channels, count), of_signal, 1, channels));
}

/// Calls a kernel on parts of all its tensors.
template <class Op>
struct signals_of {
  using T = typename Op::value_type;
  static constexpr conv1d_config c = Op::config;
  index_t signals, samples, results;
  std::vector<T> x, w, scale, bias, residual;

  signals_of(index_t n, index_t t, std::mt19937& engine)
      : signals(n), samples(t), results((t + c.stride[0] - 1) / c.stride[0]) {
    const unsigned pick = static_cast<unsigned>(engine() % 3);
    numbers next(static_cast<unsigned>(engine()), pick == 0   ? numbers::kind::special
                                                  : pick == 1 ? numbers::kind::extremes
                                                              : numbers::kind::uniform);
    const auto fill = [&](std::vector<T>& v, index_t size) {
      v.resize(static_cast<std::size_t>(size));
      for (T& e : v) e = static_cast<T>(next());
    };
    fill(x, n * c.in * t), fill(w, c.kernel[0] * c.in / c.groups * c.out);
    fill(scale, c.out), fill(bias, c.out), fill(residual, n * c.out * results);
  }
  auto weights() { return view<const T, dims<3>>(unchecked, w.data(), dims<3>(c.kernel[0], c.in / c.groups, c.out)); }
  std::vector<T> room() const { return std::vector<T>(residual.size(), poisoned<T>::pattern()); }

  /// call(x, w, bias, y) or call(x, w, scale, residual, y) for some samples and results.
  template <class W, class Call>
  void part(index_t first, index_t count, const W& weights, std::vector<T>& y, index_t result, index_t count_y,
            Call call) {
    const auto in = block_of(x, signals, c.in, first, count), out = block_of(y, signals, c.out, result, count_y);
    const auto added = block_of(residual, signals, c.out, result, count_y);
    if constexpr (c.residual)
      call(in, weights, scale, added, out);
    else
      call(in, weights, bias, out);
  }
};

/// Lengths of blocks that make up `samples`.
std::vector<index_t> cut(index_t samples, index_t most, std::mt19937& engine) {
  std::vector<index_t> blocks;
  while (samples > 0) {
    const index_t size = most > 0 ? most : static_cast<index_t>(engine() % 90);
    blocks.push_back(std::min(size, samples));
    samples -= blocks.back();
  }
  return blocks;
}

template <class Op, class Policy>
void check_cuts(signals_of<Op>& s, std::mt19937& engine) {
  using T = typename Op::value_type;
  constexpr conv1d_config c = Op::config;
  std::vector<T> whole = s.room();
  s.part(0, s.samples, s.weights(), whole, 0, s.results, [](const auto&... a) { kernel<Op, reference>{}(a...); });
  const kernel<Op, Policy> k;
  const auto packed = k.pack(s.weights());
  poisoned<T> memory(k.history_size(s.signals) + 1);
  for (const index_t most : {1, 16, 64, 0, 0, 100000}) {
    std::vector<T> y = s.room();
    // Not aligned, and followed by an element that must not be written.
    const view history(unchecked, memory.data(), dims<1>(k.history_size(s.signals)));
    std::fill_n(history.data(), history.size(), T(0));
    index_t first = 0, result = 0;
    for (const index_t count : cut(s.samples, most, engine)) {
      const index_t results = k.stream_results(history, count, s.signals);
      if (c.stride[0] == 1) REQUIRE(results == count);
      const auto call = [&](const auto&... a) { k.stream(a..., history); };
      if (engine() % 2)
        s.part(first, count, s.weights(), y, result, results, call);
      else
        s.part(first, count, packed, y, result, results, call);
      first += count, result += results;
    }
    INFO("blocks of " << most);
    CHECK(result == s.results);
    CHECK(same_bits(whole, y));
    CHECK(equal_bits(memory.data()[history.size()], memory.pattern()));
  }
}

template <class Op>
void check_op(const char* name) {
  std::mt19937 engine(Catch::rngSeed());
  for (const index_t samples : {0, 1, 2, 7, 63, 64, 65, 131, 330})
    for (const index_t signals : {1, 3}) {
      INFO(name << ", " << signals << " signals of " << samples << ", seed " << Catch::rngSeed());
      signals_of<Op> s(signals, samples, engine);
      check_cuts<Op, reference>(s, engine);
      check_cuts<Op, simd<>>(s, engine);
    }
}

TEST_CASE("a stream gives the bits of the whole signal", "[conv][stream]") {
  check_op<conv1d<dense>>("dense");
  check_op<conv1d<depthwise>>("depthwise");
  check_op<conv1d<grouped, double>>("grouped");
  check_op<conv1d<pointwise>>("pointwise");
  check_op<conv1d<strided, double>>("strided");
  check_op<conv1d<wide>>("far");
  check_op<conv1d<several_chunks>>("several_chunks");
}

using op = conv1d<dense>;
using stream = kernel<op, simd<>>;

TEST_CASE("a stream may change its kernel, its executor and its layout", "[conv][stream]") {
  std::mt19937 engine(Catch::rngSeed());
  signals_of<op> s(2, 100, engine);
  std::vector<float> whole = s.room(), y = s.room(), history(static_cast<std::size_t>(stream::history_size(2)));
  s.part(0, 100, s.weights(), whole, 0, 100, [](const auto&... a) { kernel<op, reference>{}(a...); });
  with_concurrency backwards{[](index_t n, task_ref f) {
                               for (index_t i = n; i-- > 0;) f(i);
                             },
                             3};
  s.part(0, 30, s.weights(), y, 0, 30, [&](const auto&... a) { stream{}.stream(a..., history); });
  s.part(30, 20, s.weights(), y, 30, 20, [&](const auto&... a) { kernel<op, reference>{}.stream(a..., history); });
  s.part(50, 20, s.weights(), y, 50, 20, [&](const auto&... a) { stream{}.stream(backwards, a..., history); });
  // The rest from blocks of channels, whose padding is not read.
  using blocks = layout_channel_blocked<4>;
  poisoned<float> in(2 * 8 * 30), out(2 * 8 * 30);
  const view<float, dims<3>, blocks> x(in, dims<3>(2, 5, 30)), z(out, dims<3>(2, 7, 30));
  const auto from = block_of(s.x, 2, 5, 70, 30), to = block_of(y, 2, 7, 70, 30);
  for (index_t n = 0; n < 2; ++n)
    for (index_t c = 0; c < 5; ++c)
      for (index_t t = 0; t < 30; ++t) x(n, c, t) = from(n, c, t);
  stream{}.stream(x, s.weights(), s.bias, z, history);
  for (index_t n = 0; n < 2; ++n)
    for (index_t c = 0; c < 7; ++c)
      for (index_t t = 0; t < 30; ++t) to(n, c, t) = z(n, c, t);
  CHECK(same_bits(whole, y));
}

template <class Policy, class State>
void check_stream_on(State& state) {
  std::mt19937 engine(Catch::rngSeed());
  signals_of<op> s(2, 100, engine);
  const kernel<op, Policy> k;
  std::vector<float> whole = s.room(), y = s.room(), history(static_cast<std::size_t>(k.history_size(2)));
  s.part(0, 100, s.weights(), whole, 0, 100, [](const auto&... a) { kernel<op, reference>{}(a...); });
  for (index_t t = 0, count; t < 100; t += count) {
    count = std::min<index_t>(1 + t % 80, 100 - t);
    s.part(t, count, s.weights(), y, t, count, [&](const auto&... a) { k.stream(state, a..., history); });
  }
  CHECK(same_bits(whole, y));
}

TEST_CASE("a stream runs on tiles and on the loops of simt", "[conv][stream][mimd][simt]") {
  tile_machine cores(3, 0), tiles(16, few_tiles.local_bytes, tile_checks::on);
  check_stream_on<mimd<>>(cores);
  check_stream_on<mimd<few_tiles>>(tiles);
  simt_host loops{.reverse = true};
  check_stream_on<simt<>>(loops);
}

TEST_CASE("tiles that are too small for a piece of a block are found before anything is written",
          "[conv][stream][mimd]") {
  using on_tiles = kernel<conv1d<wide>, mimd<few_tiles>>;
  constexpr index_t samples = 300;
  const std::vector<float> x(samples, 1), w(2 * 33, 1), bias(33);
  const view<const float, dims<3>, layout_channels_last> in(x, dims<3>(1, 1, samples));
  int refused = 0;
  for (index_t bytes = 200; bytes < 20000; bytes += 150) {
    std::vector<float> history(static_cast<std::size_t>(on_tiles::history_size())), y(samples * 33, 7);
    const view<float, dims<3>, layout_channels_last> out(y, dims<3>(1, 33, samples));
    tile_machine machine(2, bytes);
    const std::string said =
        message([&] { on_tiles{}.stream(machine, in, view(w, dims<3>(2, 1, 33)), bias, out, history); });
    if (said == "no error") break;
    ++refused;
    REQUIRE(history == std::vector<float>(history.size()));
    REQUIRE(y == std::vector<float>(y.size(), 7));
  }
  CHECK(refused > 5);
  CHECK(refused < 100);
}

TEST_CASE("a history that is copied goes on twice, and zeros begin anew", "[conv][stream]") {
  std::mt19937 engine(Catch::rngSeed());
  signals_of<op> s(1, 150, engine);
  std::vector<float> history(static_cast<std::size_t>(stream::history_size())), first = s.room(), again = s.room();
  const auto play = [&](index_t from, index_t count, std::vector<float>& y) {
    s.part(from, count, s.weights(), y, from, count, [&](const auto&... a) { stream{}.stream(a..., history); });
  };
  play(0, 70, first);
  const std::vector<float> kept = history;
  play(70, 80, first);
  history = kept;
  again = first;
  std::fill(again.begin() + 70 * 7, again.end(), 0.0f);
  play(70, 80, again);
  CHECK(same_bits(first, again));
  std::fill(history.begin(), history.end(), 0.0f);
  play(0, 150, again);
  CHECK(same_bits(first, again));
}

TEST_CASE("streams accumulate", "[conv][stream]") {
  std::mt19937 engine(Catch::rngSeed());
  signals_of<op> s(1, 90, engine);
  std::vector<float> whole(s.residual), y(s.residual), history(static_cast<std::size_t>(stream::history_size()));
  s.part(0, 90, s.weights(), whole, 0, 90, [](const auto&... a) { kernel<op, reference>{}(a..., accumulate); });
  for (index_t t = 0; t < 90; t += 9)
    s.part(t, 9, s.weights(), y, t, 9, [&](const auto&... a) { stream{}.stream(a..., history, accumulate); });
  CHECK(same_bits(whole, y));
}

TEST_CASE("wrong blocks and histories are named, and nothing is written", "[conv][stream][contract]") {
  static_assert(stream::history_size() == 16 + 2 * 5 * (8 + 64));
  static_assert(stream::history_size(3) == 16 + 3 * (stream::history_size() - 16));
  std::vector<float> x(3 * 5 * 4, 1), w(3 * 5 * 7, 1), bias(7, 1), y(3 * 7 * 4, 7),
      history(static_cast<std::size_t>(stream::history_size(3)));
  const auto call = [&](index_t signals, index_t samples, index_t results, auto& memory_of) {
    return message([&] {
      stream{}.stream(block_of(x, signals, 5, 0, samples), view(w, dims<3>(3, 5, 7)), bias,
                      block_of(y, signals, 7, 0, results), memory_of);
    });
  };
  const std::vector<float> untouched = y, zeros = history;
  CHECK(call(3, 4, 3, history) == "conv1d: x is 3x5x4 and y is 3x7x3: after 0 samples there are 4 results");
  std::vector<float> small(history.size() - 1);
  CHECK(call(3, 4, 4, small) == "conv1d: the history of 3 signals takes 2176 elements, the one given has 2175");
  std::vector<float> random(history.size(), -3.0f);
  CHECK(call(3, 4, 4, random) == "conv1d: the history holds neither zeros nor what this op has left with 3 signals");
  const view<float, dims<1>> none(unchecked, nullptr, dims<1>(5000));
  CHECK(call(3, 4, 4, none) == "conv1d: history is a null view of 5000 elements");
  const auto shares = [&](const std::vector<float>* with) -> std::string {
    if (with == &y) return "conv1d: y shares elements with history";
    return std::string("conv1d: history shares elements with ") + (with == &x ? "x" : with == &w ? "w" : "bias");
  };
  for (std::vector<float>* shared : {&x, &y, &w, &bias}) {
    const std::vector<float> before = *shared;
    shared->resize(history.size() + before.size());
    std::fill(shared->begin() + static_cast<std::ptrdiff_t>(before.size()), shared->end(), 0.0f);
    const view overlapping(unchecked, shared->data() + before.size() - 1,
                           dims<1>(static_cast<index_t>(history.size())));
    const float last = shared->at(before.size() - 1);
    (*shared)[before.size() - 1] = 0;
    CHECK(message([&] {
            stream{}.stream(view<float, dims<3>, layout_channels_last>(unchecked, x.data(), dims<3>(3, 5, 4)),
                            view(unchecked, w.data(), dims<3>(3, 5, 7)), view(unchecked, bias.data(), dims<1>(7)),
                            view<float, dims<3>, layout_channels_last>(unchecked, y.data(), dims<3>(3, 7, 4)),
                            overlapping);
          }) == shares(shared));
    (*shared)[before.size() - 1] = last;
    shared->resize(before.size());
    CHECK(*shared == before);
  }
  CHECK(y == untouched);
  CHECK(history == zeros);
  CHECK(call(3, 4, 4, history) == "no error");
  CHECK(call(1, 4, 4, history) == "conv1d: the history holds neither zeros nor what this op has left with 1 signals");
  CHECK(call(3, 4, 4, history) == "no error");
}

}  // namespace
}  // namespace tern::test
