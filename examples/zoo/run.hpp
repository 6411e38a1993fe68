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
#include "learner.hpp"
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
tern::aligned_vector<T> random_numbers(index_t count, index_t classes, unsigned seed) {
  std::mt19937 random(seed);
  tern::aligned_vector<T> numbers(static_cast<std::size_t>(count));
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
/// The median time of step(0), step(1), ...; 0 without steps. Reports `what` and the number before each.
template <class F>
double median_seconds(const settings& with, const char* what, index_t steps, F step) {
  std::vector<double> seconds;
  for (index_t i = 0; i < steps; ++i) {
    if (with.begins) with.begins(what, i);
    const double start = demo::now();
    step(i);
    seconds.push_back(demo::now() - start);
  }
  if (seconds.empty()) return 0;
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// Tensors that several spans hold: the name and a number.
template <std::size_t N>
void append(tensors& to, const char* name, std::array<tern::aligned_vector<float>, N>& v, const auto& shapes) {
  for (std::size_t i = 0; i < N; ++i) {
    const tern::sample_shape shape = shape_of(shapes, i);
    tern::named_tensor t = tern::named(name + ('.' + std::to_string(i)), v[i]);
    t.shape = {static_cast<index_t>(v[i].size()) / shape.size()};
    for (index_t d = 0; d < shape.rank; ++d) t.shape.push_back(shape.extent[d]);
    t.shape.push_back(shape.channels);
    to.push_back(t);
  }
}

/// Inference of `steps` batches: with packed weights, and without under reference and mimd, which have the same bits.
template <class Net, class State, std::size_t Inputs, std::size_t Results>
void infer(State& state, std::span<const float> parameters, std::span<const float> statistics,
           std::array<tern::aligned_vector<float>, Inputs>& x, std::array<tern::aligned_vector<float>, Results>& y,
           const settings& with, outcome& o) {
  const index_t samples = with.cuts ? 1 : with.batch;
  const auto all = [&](const auto& infer_some) {
    o.seconds_of_inference = median_seconds(with, "inference", with.steps, [&](index_t) {
      for (index_t i = 0; i < with.batch; i += samples)
        infer_some(spans_of<const float>(x, with.batch, i, samples), spans_of<float>(y, with.batch, i, samples));
    });
  };
  constexpr tern::model execution = Net::policy_type::execution;
  if constexpr (execution == tern::model::simd || execution == tern::model::simt) {
    tern::aligned_vector<float> packed = floats(Net::packed),
                                memory = floats(Net::packed_infer_elements(samples, with.threads));
    const auto ready = Net::pack(parameters, statistics, std::span<float>(packed));
    all([&](auto some_x, auto some_y) { Net::infer(state, ready, some_x, some_y, std::span<float>(memory)); });
  } else {
    tern::aligned_vector<float> memory = floats(Net::infer_memory.elements(samples));
    all([&](auto some_x, auto some_y) {
      Net::infer(state, parameters, statistics, some_x, some_y, std::span<float>(memory));
    });
  }
  for (const auto& v : y) o.inferred = 31 * o.inferred + checksum_of(v);
  if (!with.samples) return;
  tensors given;
  append(given, "input", x, Net::in), append(given, "result", y, Net::out);
  with.samples(given);
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
    const index_t at_a_time = !with.trains       ? 1
                              : net::whole_batch ? n
                              : with.cuts        ? std::min(n, net::grain)
                                                 : trainer::samples_at_a_time(n);
    tern::aligned_vector<float> memory = floats(trainer::elements(at_a_time));
    trainer t{std::span<float>(memory)};
    t.initialize(1);
    if (with.start) with.start(tern::tensors_of(t));
    std::array x{random_numbers<float>(n * net::in.size(), 0, 1)}, y{floats(n * net::out.size())};
    infer<net>(state, t.parameters(), t.statistics(), x, y, with, o);
    const auto target = random_numbers<typename trainer::target_type>(n * trainer::targets, net::out.channels, 2);
    o.seconds_of_step = median_seconds(with, "step", with.trains ? with.steps : 0, [&](index_t i) {
      o.last_loss = t.step(state, spans_of<const float>(x), std::span(target), {.rate = 1e-3}).loss;
      if (i == 0) o.first_loss = o.last_loss;
    });
    o.trained = checksum_of(t.kept());
    if (with.end) with.end(tern::tensors_of(t));
    return o;
  }
};

/// A network of several inputs or results. Its loss is half the squared error.
template <class System, auto In, class Policy>
  requires(tern::network<System, In, Policy>::inputs > 1 || tern::network<System, In, Policy>::results > 1)
struct runs<System, In, Policy> {
  using net = tern::network<System, In, Policy>;

  template <std::size_t N>
  static void fill(std::array<tern::aligned_vector<float>, N>& v, const auto& shapes, index_t batch, unsigned seed) {
    for (std::size_t i = 0; i < N; ++i)
      v[i] = random_numbers<float>(batch * shape_of(shapes, i).size(), 0, seed + static_cast<unsigned>(i));
  }
  template <class State>
  static outcome run_on(State& state, const settings& with) {
    const index_t n = with.batch;
    learner<net> l(n, 1);
    if (with.start) with.start(l.kept());
    typename learner<net>::input_tensors x, no_dx;
    typename learner<net>::result_tensors target, dy;
    fill(x, net::in, n, 1), fill(target, net::out, n, 2);
    dy = target;
    outcome o;
    infer<net>(state, l.parameters, l.statistics, x, l.y, with, o);
    o.seconds_of_step = median_seconds(with, "step", with.trains ? with.steps : 0, [&](index_t i) {
      l.forward(state, x);
      double squares = 0;
      for (std::size_t r = 0; r < dy.size(); ++r)
        for (std::size_t k = 0; k < dy[r].size(); ++k) {
          dy[r][k] = (l.y[r][k] - target[r][k]) / static_cast<float>(n);
          squares += double(dy[r][k]) * dy[r][k];
        }
      l.backward(state, x, dy, no_dx);
      l.update(state, 1e-6);
      o.last_loss = squares / 2 * static_cast<double>(n);
      if (i == 0) o.first_loss = o.last_loss;
    });
    o.trained = 31 * checksum_of(l.parameters) + checksum_of(l.statistics);
    if (with.end) with.end(l.kept());
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

/// The policy of a system at full size: exact simd, unless the system sets `numerics`.
template <class System>
struct full_policy {
  using type = tern::simd<>;
};
template <class System>
  requires requires { typename System::numerics; }
struct full_policy<System> {
  using type = tern::simd<tern::devices::native, typename System::numerics>;
};
template <class System, auto In, class Policy>
way way_of(const char* policy, const char* where) {
  using net = tern::network<System, In, Policy>;
  constexpr index_t size = sizeof(float);
  return {policy, where, [](index_t batch, int threads) { return net::packed_infer_elements(batch, threads) * size; },
          net::training_memory.elements(1) * size, run<System, In, Policy>};
}
template <class System>
system system_of(const char* name) {
  constexpr auto full = System::full;
  using policy = typename full_policy<System>::type;
  using net = tern::network<System, full, policy>;
  static_assert(net::parameters == System::parameters);
  return {name,
          System::title,
          System::source,
          System::parameters,
          net::multiply_adds,
          way_of<System, full, policy>("simd", "cores")};
}
/// The system at the reduced size: itself, or its `small`.
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
