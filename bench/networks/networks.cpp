// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tern_networks: whole networks. BraggNN for one crop at a time, beside the same through primitives of oneDNN; and
// training steps, beside the sum of what their layers take when each is called by itself.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "bench/networks/onednn.hpp"
#include "bench/support/peak.hpp"
#include "bench/support/progress.hpp"
#include "examples/braggnn/block.hpp"
#include "examples/digits_cnn/block.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"

namespace tern::bench {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<float> random_numbers(index_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> v(static_cast<std::size_t>(n));
  for (float& x : v) x = static_cast<float>(random() >> 8) * 0x1p-24f;
  return v;
}

/// Something that is timed against others.
struct candidate {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds;

  double quantile(double q) const {
    std::vector<double> s = seconds;
    std::sort(s.begin(), s.end());
    return s[static_cast<std::size_t>(q * static_cast<double>(s.size() - 1))];
  }
};

/// Times all candidates in every round, in random order, each for about `sample` seconds.
void time_all(std::vector<candidate>& all, int rounds, double sample = 2e-3) {
  std::mt19937 random(1);
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (candidate& c : all) c.run(), c.run();
  progress said("tern_networks");
  for (int r = 0; r < rounds; ++r) {
    said(all[0].name + " and others, round " + std::to_string(r + 1) + " of " + std::to_string(rounds));
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      all[i].run();  // warm
      int calls = 0;
      const double start = now();
      double passed = 0;
      do all[i].run(), ++calls, passed = now() - start;
      while (passed < sample);
      all[i].seconds.push_back(passed / calls);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// One crop at a time

int one_crop(int rounds, double peak) {
  using net = network<braggnn::block, sample_shape::image(1, 11, 11), simd<>>;
  aligned_vector<float> parameters(static_cast<std::size_t>(net::parameters)),
      scratch(static_cast<std::size_t>(net::infer_memory.elements(1))), packed(static_cast<std::size_t>(net::packed));
  std::vector<float> y(2), of_packed(2), of_peer(2);
  net::initialize(parameters, {}, 1);
  const std::vector<float> x = random_numbers(121, 1);
  std::map<std::string, index_t> places;
  net::each_parameter([&](const parameter& p) { places[p.name] = p.offset; });
  serial state;
  const auto ready = net::pack(parameters, {}, packed);
  std::vector<candidate> all{{"tern, simd, packed", [&] { net::infer(state, ready, x, of_packed, scratch); }, {}},
                             {"tern, simd", [&] { net::infer(state, parameters, {}, x, y, scratch); }, {}}};
#if defined(TERN_BENCH_HAS_ONEDNN)
  all.push_back({onednn_version(),
                 braggnn_of_onednn(
                     [&](const std::string& name) { return &parameters[static_cast<std::size_t>(places.at(name))]; },
                     x.data(), of_peer.data()),
                 {}});
#endif
  for (candidate& c : all) c.run();
  if (y != of_packed) {
    std::fprintf(stderr, "tern_networks: packed weights give other bits\n");
    return 1;
  }
  if (all.size() > 2)
    for (std::size_t i = 0; i < y.size(); ++i)
      if (!(std::fabs(y[i] - of_peer[i]) <= 1e-4f * (1 + std::fabs(y[i])))) {
        std::fprintf(stderr, "tern_networks: the networks differ: %g and %g\n", static_cast<double>(y[i]),
                     static_cast<double>(of_peer[i]));
        return 1;
      }
  time_all(all, rounds);
  // Multiply-adds of the convolutions, the two products of all positions, and the dense layers.
  constexpr double multiplies = 81 * (9 * 64 + 3 * 64 * 32 + 2 * 81 * 32 + 32 * 64) + 49 * 9 * 64 * 32 +
                                25 * 9 * 32 * 8 + 200 * 16 + 16 * 8 + 8 * 4 + 4 * 2 + 2 * 2;
  std::printf(
      "BraggNN, one crop of 11 x 11 on one thread, %.2f million multiply-adds\n\n"
      "| | us, median | 10 %% | 90 %% | of the peak | times |\n|---|--:|--:|--:|--:|--:|\n",
      multiplies / 1e6);
  for (const candidate& c : all)
    std::printf("| %s | %.1f | %.1f | %.1f | %.0f %% | %.2f |\n", c.name.c_str(), 1e6 * c.quantile(0.5),
                1e6 * c.quantile(0.1), 1e6 * c.quantile(0.9), 100 * 2 * multiplies / c.quantile(0.5) / peak,
                c.quantile(0.5) / all[0].quantile(0.5));
  std::puts("");
  return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps and their layers

/// Forward and backward passes of one layer, in memory of its own.
template <class Layer, class Executor>
struct layer_alone {
  layer_alone(Executor& executor, index_t samples, bool of_x) : state(executor), batch(samples), wants_dx(of_x) {
    const auto numbers = [&](index_t n) { return random_numbers(n, 2); };
    x = numbers(batch * Layer::in.size()), y = numbers(batch * Layer::out.size()), dy = y, dx = x;
    parameters = numbers(Layer::parameters), gradient = parameters;
    for (float& p : parameters) p = 0.1f * (p - 0.5f);
    kept = numbers(Layer::kept.elements(batch));
    scratch = numbers(most(Layer::forward_scratch, Layer::backward_scratch).elements(batch));
  }
  void operator()() {
    const layer_call<float, Executor> call{.state = state,
                                           .batch = batch,
                                           .parameters = parameters.data(),
                                           .gradient = gradient.data(),
                                           .statistics = nullptr,
                                           .statistics_decay = 0.9,
                                           .replay = true,
                                           .site = {},
                                           .draws = false,
                                           .penalties = nullptr,
                                           .penalty_scale = 1,
                                           .step_samples = batch};
    const auto k = detail::memory_in(kept.data(), Layer::kept, batch);
    Layer::forward(call, x.data(), y.data(), k, detail::memory_in(scratch.data(), Layer::forward_scratch, batch));
    Layer::backward(call, x.data(), y.data(), dy.data(), wants_dx ? dx.data() : nullptr, k,
                    detail::memory_in(scratch.data(), Layer::backward_scratch, batch));
  }

  Executor& state;
  index_t batch;
  bool wants_dx;
  std::vector<float> x, y, dy, dx, parameters, gradient, kept, scratch;
};

/// The blocks of a chain, and their layers.
template <class Chain, sample_shape In>
struct chain_of;
template <class... Blocks, sample_shape In>
struct chain_of<sequence<Blocks...>, In> {
  static constexpr std::array<const char*, sizeof...(Blocks)> names{impl::block_name<Blocks>()...};
  using layers = typename impl::layers_of<In, simd<>, std::tuple<>, Blocks...>::type;
};

template <class Block, sample_shape In, class Loss, class Executor>
void one_step(const char* name, index_t batch, int rounds, Executor& state) {
  using net = network<Block, In, simd<>>;
  using chain = chain_of<typename Block::block_type, In>;
  using layers = typename chain::layers;
  using trainer_type = trainer<net, Loss, adam<>>;
  using target = typename trainer_type::target_type;
  const index_t at_a_time = trainer_type::samples_at_a_time(batch);
  aligned_vector<float> memory(static_cast<std::size_t>(trainer_type::elements(at_a_time)));
  trainer_type t{std::span<float>(memory)};
  t.initialize(1);
  const std::vector<float> x = random_numbers(batch * In.size(), 1);
  std::vector<target> targets(static_cast<std::size_t>(batch * trainer_type::targets));
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<target>(i % 2);

  std::vector<candidate> all{{"step", [&] { t.step(state, x, targets, {.rate = 1e-6}); }, {}}};
  // Layers run as often as the batch is cut.
  const index_t calls = (batch + at_a_time - 1) / at_a_time;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (all.push_back(
         {chain::names[I], layer_alone<std::tuple_element_t<I, layers>, Executor>(state, at_a_time, I > 0), {}}),
     ...);
  }(std::make_index_sequence<std::tuple_size_v<layers>>());
  std::vector<float> w = random_numbers(net::parameters, 3), g = w, m = w, v = w;
  const auto flat = [](std::vector<float>& s) { return view(unchecked, s.data(), extents<net::parameters>()); };
  const kernel<adam<>, simd<>> update;
  all.push_back({"adam", [&] { update(state, flat(g), flat(w), flat(m), flat(v), adam_step{.rate = 1e-6}); }, {}});
  time_all(all, rounds, 1e-3);
  double sum = 0;
  std::printf("%s, a step of %td samples, %td at a time\n\n| | us, median |\n|---|--:|\n", name, batch, at_a_time);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const double us = 1e6 * all[i].quantile(0.5) * (i + 1 < all.size() ? static_cast<double>(calls) : 1);
    std::printf("| %s | %.1f |\n", all[i].name.c_str(), us);
    sum += us;
  }
  std::printf("| all of these | %.1f |\n| a step | %.1f, %.2f times as much |\n\n", sum, 1e6 * all[0].quantile(0.5),
              1e6 * all[0].quantile(0.5) / sum);
}

int run(int argc, char** argv) {
  int rounds = 101;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      rounds = std::atoi(argv[++i]);
    } else {
      std::fprintf(stderr, "tern_networks: the only option is --rounds <n>, n at least 1, not '%s'\n", argv[i]);
      return 1;
    }
  }
  const double peak = measured_peak(100);
  std::printf("Peak of one core: %.0f GFLOP/s of float32.\n\n", peak / 1e9);
  if (const int failed = one_crop(rounds, peak)) return failed;
  using sum_of_errors = squared_error<loss_config{.reduce = reduction::sum}>;
  using entropy = cross_entropy<loss_config{.reduce = reduction::sum}>;
  serial one;
  one_step<braggnn::block, sample_shape::image(1, 11, 11), sum_of_errors>("BraggNN, one thread", 64, rounds, one);
  one_step<digits_cnn::cnn, sample_shape::image(1, digits_cnn::side, digits_cnn::side), entropy>(
      "The digits CNN, one thread", 32, rounds / 4 + 1, one);
  team all;
  one_step<digits_cnn::cnn, sample_shape::image(1, digits_cnn::side, digits_cnn::side), entropy>(
      "The digits CNN, all threads", 32, rounds / 4 + 1, all);
  return 0;
}

}  // namespace
}  // namespace tern::bench

int main(int argc, char** argv) { return tern::bench::run(argc, argv); }
