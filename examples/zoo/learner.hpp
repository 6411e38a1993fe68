// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training by the passes of a network, for what tern::trainer does not take: several inputs or results, and several
// networks in one step.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tern/blocks.hpp"
#include "zoo.hpp"

namespace zoo::inline TERN_ISA {

inline tern::aligned_vector<float> floats(index_t count) {
  return tern::aligned_vector<float>(static_cast<std::size_t>(count));
}

/// Tensors of several inputs or results, as a network takes them: all samples of `batch`, or some.
template <class T, class Vectors>
auto spans_of(Vectors& v, index_t batch = 1, index_t first = 0, index_t samples = 1) {
  constexpr std::size_t N = std::tuple_size_v<std::remove_const_t<Vectors>>;
  std::array<std::span<T>, N> all;
  for (std::size_t i = 0; i < N; ++i) {
    const auto sample = v[i].size() / static_cast<std::size_t>(batch);
    all[i] = std::span<T>(v[i]).subspan(static_cast<std::size_t>(first) * sample,
                                        static_cast<std::size_t>(samples) * sample);
  }
  if constexpr (N == 1)
    return all[0];
  else
    return all;
}
/// The shape of input or result i of a network.
constexpr tern::sample_shape shape_of(const tern::sample_shape& shape, std::size_t) { return shape; }
template <std::size_t N>
constexpr tern::sample_shape shape_of(const std::array<tern::sample_shape, N>& shapes, std::size_t i) {
  return shapes[i];
}

/// A network, its RMSprop state, and memory for its passes.
template <class Net>
struct learner {
  static constexpr std::size_t inputs = Net::inputs, results = Net::results;
  using input_tensors = std::array<tern::aligned_vector<float>, inputs>;
  using result_tensors = std::array<tern::aligned_vector<float>, results>;

  tern::aligned_vector<float> parameters = floats(Net::parameters), statistics = floats(Net::statistics),
                              gradient = floats(Net::parameters), squares = floats(Net::parameters), memory;
  result_tensors y;
  tern::random_site site{.seed = 1};
  index_t batch;

  learner(index_t samples, std::uint64_t seed) : batch(samples) {
    Net::initialize(std::span(parameters), std::span(statistics), seed);
    for (std::size_t r = 0; r < results; ++r) y[r] = floats(batch * shape_of(Net::out, r).size());
  }
  template <class State>
  void forward(State& state, const input_tensors& x) {
    ++site.step;
    if (memory.empty()) memory = floats(Net::training_memory.elements(batch));
    Net::forward(state, std::span<const float>(parameters), std::span(statistics), spans_of<const float>(x),
                 spans_of<float>(y), std::span(memory), site);
  }
  /// \param dx  of x's sizes, or empty
  template <class State>
  void backward(State& state, const input_tensors& x, const result_tensors& dy, input_tensors& dx) {
    std::fill(gradient.begin(), gradient.end(), 0.0f);
    Net::backward(state, std::span<const float>(parameters), std::span(gradient), spans_of<const float>(x),
                  spans_of<float>(y), spans_of<const float>(dy), spans_of<float>(dx), std::span(memory), site);
  }
  template <class State>
  void update(State& state, double rate) {
    const auto flat = [](tern::aligned_vector<float>& v) { return tern::view(v, tern::dims<1>(Net::parameters)); };
    tern::kernel<tern::rmsprop<>, typename Net::policy_type>()(state, flat(gradient), flat(parameters), flat(squares),
                                                               tern::rmsprop_step{.rate = rate});
  }
  /// All that the next step depends on.
  tensors kept(const std::string& prefix = "") {
    tensors all = tern::tensors_of<Net>(parameters, statistics);
    all.push_back(tern::named("optimizer", squares));
    all.push_back(tern::named("steps_done", std::span(&site.step, 1)));
    for (tern::named_tensor& t : all) t.name = prefix + t.name;
    return all;
  }
};

}  // namespace zoo::inline TERN_ISA
