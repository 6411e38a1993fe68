// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a system: inference with packed weights, and training steps, on random samples that are the same everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "demo.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/isa.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "zoo.hpp"

namespace zoo::inline TERN_ISA {

/// Numbers from -1 to 1, or classes.
template <class T>
std::vector<T> random_numbers(index_t count, index_t classes, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> numbers(static_cast<std::size_t>(count));
  for (T& x : numbers)
    if constexpr (std::is_integral_v<T>)
      x = static_cast<T>(random() % static_cast<unsigned>(classes));
    else
      x = static_cast<T>(static_cast<std::int32_t>(random())) * T(0x1p-31);
  return numbers;
}
inline std::uint64_t checksum_of(std::span<const float> x) {
  demo::checksum sum;
  sum.add(x.data(), x.size());
  return sum.value();
}
/// The median of what step(0), step(1), ... take.
template <class F>
double median_seconds(index_t steps, F step) {
  std::vector<double> seconds;
  for (index_t i = 0; i < steps; ++i) {
    const double start = demo::now();
    step(i);
    seconds.push_back(demo::now() - start);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

inline std::vector<float> floats(index_t count) { return std::vector<float>(static_cast<std::size_t>(count)); }

/// Inference of `steps` batches.
template <class Net, class State, class X, class Y>
double infer(State& state, std::span<const float> parameters, std::span<const float> statistics, const X& x, const Y& y,
             const settings& with) {
  std::vector<float> packed = floats(Net::packed), memory = floats(Net::infer_memory.elements(with.batch));
  const auto ready = Net::pack(parameters, statistics, std::span<float>(packed));
  return median_seconds(with.steps, [&](index_t) { Net::infer(state, ready, x, y, std::span<float>(memory)); });
}

/// A network of one input and one result, with a trainer.
/// \tparam System  a block, which also has `loss`
template <class System, auto In, class Policy>
struct runs {
  using net = tern::network<System, In, Policy>;
  using trainer = tern::trainer<net, typename System::loss, tern::sgd<>>;

  template <class State>
  static outcome run_on(State& state, const settings& with) {
    const index_t n = with.batch;
    outcome o;
    const index_t at_a_time = !with.trains ? 1 : net::whole_batch ? n : trainer::samples_at_a_time(n);
    std::vector<float> memory = floats(trainer::elements(at_a_time));
    trainer t{std::span<float>(memory)};
    t.initialize(1);
    const auto x = random_numbers<float>(n * net::in.size(), 0, 1);
    std::vector<float> y = floats(n * net::out.size());
    o.seconds_of_inference =
        infer<net>(state, t.parameters(), t.statistics(), std::span<const float>(x), std::span<float>(y), with);
    o.inferred = checksum_of(y);
    if (!with.trains) return o;
    const auto target = random_numbers<typename trainer::target_type>(n * trainer::targets, net::out.channels, 2);
    o.seconds_of_step = median_seconds(with.steps, [&](index_t i) {
      o.last_loss = t.step(state, std::span<const float>(x), std::span(target), {.rate = 1e-3}).loss;
      if (i == 0) o.first_loss = o.last_loss;
    });
    o.trained = checksum_of(t.kept());
    return o;
  }
};

/// Tensors of several inputs or results, as a network takes them.
template <std::size_t N, class T>
auto spans_of(std::array<std::vector<float>, N>& v) {
  std::array<std::span<T>, N> all;
  for (std::size_t i = 0; i < N; ++i) all[i] = v[i];
  if constexpr (N == 1)
    return all[0];
  else
    return all;
}
/// Several inputs or results: half the squares of what they are off, and steps along the gradient.
template <class System, auto In, class Policy>
  requires(tern::network<System, In, Policy>::inputs > 1 || tern::network<System, In, Policy>::results > 1)
struct runs<System, In, Policy> {
  using net = tern::network<System, In, Policy>;
  static constexpr std::size_t inputs = net::inputs, results = net::results;

  template <std::size_t N>
  static std::array<std::vector<float>, N> tensors(const auto& shapes, index_t batch, unsigned seed) {
    std::array<std::vector<float>, N> v;
    for (std::size_t i = 0; i < N; ++i) {
      tern::sample_shape shape;
      if constexpr (N == 1)
        shape = shapes;
      else
        shape = shapes[i];
      v[i] = random_numbers<float>(batch * shape.size(), 0, seed + static_cast<unsigned>(i));
    }
    return v;
  }
  template <class State>
  static outcome run_on(State& state, const settings& with) {
    const index_t n = with.batch;
    std::vector<float> parameters = floats(net::parameters), statistics = floats(net::statistics);
    net::initialize(std::span(parameters), std::span(statistics), 1);
    auto x = tensors<inputs>(net::in, n, 1), y = tensors<results>(net::out, n, 2), target = y, dy = y;
    outcome o;
    o.seconds_of_inference =
        infer<net>(state, parameters, statistics, spans_of<inputs, const float>(x), spans_of<results, float>(y), with);
    for (const auto& v : y) o.inferred = 31 * o.inferred + checksum_of(v);
    if (!with.trains) return o;
    std::vector<float> gradient = floats(net::parameters), memory = floats(net::training_memory.elements(n));
    std::array<std::vector<float>, inputs> no_dx;
    o.seconds_of_step = median_seconds(with.steps, [&](index_t i) {
      const auto from = spans_of<inputs, const float>(x);
      const auto to = spans_of<results, float>(y);
      std::fill(gradient.begin(), gradient.end(), 0.0f);
      net::forward(state, std::span<const float>(parameters), std::span<float>(statistics), from, to,
                   std::span<float>(memory));
      double squares = 0;
      for (std::size_t r = 0; r < results; ++r)
        for (std::size_t k = 0; k < y[r].size(); ++k) {
          dy[r][k] = (y[r][k] - target[r][k]) / static_cast<float>(n);
          squares += double(dy[r][k]) * dy[r][k];
        }
      net::backward(state, std::span<const float>(parameters), std::span<float>(gradient), from, to,
                    spans_of<results, const float>(dy), spans_of<inputs, float>(no_dx), std::span<float>(memory));
      const auto flat = [](std::vector<float>& v) { return tern::view(v.data(), tern::dims<1>(net::parameters)); };
      tern::kernel<tern::sgd<>, Policy>()(state, flat(gradient), flat(parameters), tern::sgd_step{.rate = 1e-3});
      o.last_loss = squares / 2 * static_cast<double>(n);
      if (i == 0) o.first_loss = o.last_loss;
    });
    o.trained = 31 * checksum_of(parameters) + checksum_of(statistics);
    return o;
  }
};

/// A system that has steps of its own.
template <class System, auto In, class Policy>
  requires requires(tern::serial& state, const settings& with) {
    System::template run_on<tern::network<System, In, Policy>>(state, with);
  }
struct runs<System, In, Policy> {
  using net = tern::network<System, In, Policy>;
  template <class State>
  static outcome run_on(State& state, const settings& with) {
    return System::template run_on<net>(state, with);
  }
};

template <class System, auto In, class Policy>
outcome run(const settings& with) {
  if constexpr (Policy::execution == tern::model::simd) {
    tern::team threads(with.threads);
    return runs<System, In, Policy>::run_on(threads, with);
  } else {
    auto state = tern::network<System, In, Policy>::make_state();
    return runs<System, In, Policy>::run_on(state, with);
  }
}

template <class System, auto In, class Policy>
way way_of(const char* policy, const char* where) {
  using net = tern::network<System, In, Policy>;
  const auto bytes = [](const tern::memory_need& need) {
    return need.elements(1) * static_cast<index_t>(sizeof(float));
  };
  return {policy, where, bytes(net::infer_memory), bytes(net::training_memory), run<System, In, Policy>};
}
template <class System>
system system_of(const char* name) {
  constexpr auto full = System::full;
  static_assert(tern::network<System, full, tern::simd<>>::parameters == System::parameters);
  return {name, System::title, System::source, System::parameters, way_of<System, full, tern::simd<>>("simd", "cores")};
}
/// What is run at the reduced size: the system, or `small` of it.
template <class System>
struct small_system {
  using type = System;
};
template <class System>
  requires requires { typename System::small; }
struct small_system<System> {
  using type = typename System::small;
};
struct of_reference {
  using policy = tern::reference;
  static constexpr const char *name = "reference", *where = "plain loops";
};
struct of_simd {
  using policy = tern::simd<>;
  static constexpr const char *name = "simd", *where = "cores";
};
struct of_mimd {
  using policy = tern::mimd<tern::devices::native_tiles>;
  static constexpr const char *name = "mimd", *where = "a core as a tile";
};
struct of_simt {
  using policy = tern::simt<>;
  static constexpr const char *name = "simt", *where = "blocks of a GPU, in loops";
};
template <class System, class Of>
way reduced_way_of() {
  constexpr auto reduced = System::reduced;
  return way_of<typename small_system<System>::type, reduced, typename Of::policy>(Of::name, Of::where);
}

}  // namespace zoo::inline TERN_ISA
