// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the gradients of a network against finite differences: a test for the user's own blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tern/block/network.hpp"
#include "tern/block/parameters.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"

namespace tern {

/// The options of tern::check_gradient.
struct gradient_check {
  index_t samples = 2;
  std::uint64_t seed = 1;       ///< for parameters, samples and dropouts
  index_t of_each_tensor = 20;  ///< elements compared in each tensor, evenly spaced
  /// The largest accepted error, relative to the largest derivative. 0 means 1e-6 for double and 1e-2 for float, whose
  /// finite differences are no more precise.
  double tolerance = 0;
};

/// The result of tern::check_gradient: the derivative with the largest error.
struct gradient_report {
  bool passed = true;
  std::string tensor;     ///< the name of a parameter, or "x", or "x1" of several inputs
  index_t element = 0;    ///< index in the tensor
  double derivative = 0;  ///< from the backward pass
  double difference = 0;  ///< from the forward pass: (f(a + h) - f(a - h)) / (2 h)
  double error = 0;       ///< |derivative - difference|, relative to the largest derivative
  double tolerance = 0;
  index_t compared = 0;  ///< number of derivatives compared

  /// Prints "the derivative of 1.gain[3] is 0.25, differences give 0.5: apart by 0.3 of the largest, allowed 1e-06".
  template <class Stream>
  friend Stream& operator<<(Stream& out, const gradient_report& r) {
    if (r.passed)
      out << r.compared << " derivatives are right, within " << r.error << " of the largest";
    else
      out << "the derivative of " << r.tensor << '[' << r.element << "] is " << r.derivative << ", differences give "
          << r.difference << ": apart by " << r.error << " of the largest, allowed " << r.tolerance;
    return out;
  }
};

}  // namespace tern

namespace tern::inline TERN_ISA {

namespace impl {

/// The buffers of a gradient check. Memory is NaN before every pass, to expose reads of unwritten elements.
template <class Network>
class checked_passes {
  using T = typename Network::value_type;
  static constexpr std::size_t inputs = Network::inputs, results = Network::results;

 public:
  explicit checked_passes(const gradient_check& c)
      : samples_(c.samples),
        site_{.seed = c.seed, .step = 1},
        parameters(static_cast<std::size_t>(Network::parameters)),
        statistics_(static_cast<std::size_t>(Network::statistics)),
        gradient(parameters.size()) {
    Network::initialize(parameters, statistics_, c.seed);
    std::mt19937_64 random(c.seed);
    const auto vary = [&](std::vector<T>& v, double by) {  // the same numbers on every machine
      for (T& at : v) at += static_cast<T>(by * (static_cast<double>(random() >> 11) * 0x1p-52 - 1));
    };
    vary(parameters, 0.1);  // makes scales, shifts and slopes differ
    for (std::size_t i = 0; i < inputs; ++i) {
      const index_t size = samples_ * all_shapes(Network::in)[i].size();
      x[i].assign(static_cast<std::size_t>(size), T(0)), dx[i] = x[i];
      vary(x[i], 1);
    }
    for (std::size_t i = 0; i < results; ++i) {
      const index_t size = samples_ * all_shapes(Network::out)[i].size();
      y_[i].assign(static_cast<std::size_t>(size), T(0)), dy_[i] = y_[i];
      vary(dy_[i], 1);
    }
  }

  /// The sum of dy y, and the penalties of blocks.
  double loss() {
    forward();
    std::vector<T> unused = parameters;
    long double sum = Network::conclude(state_, std::span<const T>(parameters), std::span<T>(unused),
                                        std::span<T>(penalties_), site_, 1, samples_);
    for (std::size_t k = 0; k < results; ++k)
      for (std::size_t i = 0; i < y_[k].size(); ++i)
        sum += static_cast<long double>(dy_[k][i]) * static_cast<long double>(y_[k][i]);
    return static_cast<double>(sum);
  }
  void derive() {
    forward();
    std::fill(gradient.begin(), gradient.end(), T(0));
    for (std::vector<T>& d : dx) std::fill(d.begin(), d.end(), nan);
    Network::backward(state_, std::span<const T>(parameters), std::span<T>(gradient), spans_of<const T>(x),
                      spans_of<T>(y_), spans_of<const T>(dy_), spans_of<T>(dx), std::span<T>(memory_), site_, 1.0,
                      samples_);
    Network::conclude(state_, std::span<const T>(parameters), std::span<T>(gradient), std::span<T>(penalties_), site_,
                      1, samples_);
  }

 private:
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  using buffers_of_inputs = std::array<std::vector<T>, inputs>;

  void forward() {
    memory_.assign(static_cast<std::size_t>(Network::training_memory.elements(samples_)), nan);
    for (std::vector<T>& v : y_) std::fill(v.begin(), v.end(), nan);
    penalties_.assign(static_cast<std::size_t>(Network::penalties), T(0));
    std::vector<T> running = statistics_;
    Network::forward(state_, std::span<const T>(parameters), std::span<T>(running), spans_of<const T>(x),
                     spans_of<T>(y_), std::span<T>(memory_), site_, 0.9, std::span<T>(penalties_));
  }
  /// One span, or an array of them, of T or const T.
  template <class U, class V, std::size_t N>
  static spans<U, N> spans_of(std::array<V, N>& buffers) {
    std::array<std::span<U>, N> s;
    for (std::size_t i = 0; i < N; ++i) s[i] = buffers[i];
    return one_or_all(s);
  }

  index_t samples_;
  random_site site_;
  decltype(Network::make_state()) state_ = Network::make_state();

 public:
  std::vector<T> parameters;

 private:
  std::vector<T> statistics_;

 public:
  std::vector<T> gradient;
  buffers_of_inputs x, dx;

 private:
  std::array<std::vector<T>, results> y_, dy_;
  std::vector<T> memory_, penalties_;
};

}  // namespace impl

/// Compares the gradients of a network, with respect to parameters and inputs, with finite differences of its forward
/// pass, at random parameters and samples. Small mistakes show only in double: give blocks
/// `using value_type = double;` to check them.
///
///     struct checked {                             // a block of the user's own, in a graph of doubles
///       using value_type = double;
///       using blocks = tern::block_list<gain>;
///       static constexpr tern::value define(tern::graph& g, tern::value x) { return g.block<gain>("gain", x); }
///     };
///     using net = tern::network<checked, tern::sample_shape::image(4, 3, 3), tern::reference>;
///     const tern::gradient_report r = tern::check_gradient<net>();
///     if (!r.passed) std::cout << r << '\n';
///
/// Finite differences are wrong near a kink, such as relu's at 0: try another seed then. Throws std::invalid_argument
/// if there are no samples. Allocates. Cost: two forward passes per derivative.
template <class Network>
gradient_report check_gradient(const gradient_check& c = {}) {
  using T = typename Network::value_type;
  if (c.samples < 1 || c.of_each_tensor < 1)
    violation("check_gradient: .samples is %td and .of_each_tensor %td: both must be at least 1", c.samples,
              c.of_each_tensor);
  impl::checked_passes<Network> passes(c);
  passes.derive();
  const auto gradient = passes.gradient;
  const auto dx = passes.dx;

  // The error of a finite difference is of the order of h^2, plus the rounding error divided by h.
  constexpr bool is_double = std::is_same_v<T, double>;
  constexpr double h = is_double ? 0x1p-18 : 0x1p-7;
  gradient_report report;
  report.tolerance = c.tolerance > 0 ? c.tolerance : is_double ? 1e-6 : 1e-2;
  double largest = 0, worst = -1;
  const auto look = [&](T& at, double derivative, const std::string& tensor, index_t element) {
    const T before = at;
    at = before + static_cast<T>(h);
    const double above = passes.loss(), step_up = static_cast<double>(at) - static_cast<double>(before);
    at = before - static_cast<T>(h);
    const double below = passes.loss(), step_down = static_cast<double>(before) - static_cast<double>(at);
    at = before;
    const double difference = (above - below) / (step_up + step_down), error = std::fabs(derivative - difference);
    largest = std::fmax(largest, std::fmax(std::fabs(derivative), std::fabs(difference)));
    ++report.compared;
    if (!(error <= worst)) {  // NaN is the worst
      worst = error == error ? error : std::numeric_limits<double>::infinity();
      report.tensor = tensor, report.element = element;
      report.derivative = derivative, report.difference = difference;
    }
  };
  const auto look_at = [&](std::span<T> at, std::span<const T> derivatives, const std::string& tensor) {
    const index_t size = static_cast<index_t>(at.size()), every = (size + c.of_each_tensor - 1) / c.of_each_tensor;
    for (index_t i = 0; i < size; i += every)
      look(at[static_cast<std::size_t>(i)], static_cast<double>(derivatives[static_cast<std::size_t>(i)]), tensor, i);
  };
  Network::each_parameter([&](const parameter& p) {
    if (p.statistic) return;
    const auto offset = static_cast<std::size_t>(p.offset), size = static_cast<std::size_t>(p.size());
    look_at(std::span(passes.parameters).subspan(offset, size), std::span(gradient).subspan(offset, size), p.name);
  });
  for (std::size_t i = 0; i < dx.size(); ++i)
    look_at(passes.x[i], dx[i], dx.size() == 1 ? "x" : "x" + std::to_string(i));
  report.error = worst <= 0 ? 0 : worst / std::fmax(largest, std::numeric_limits<double>::min());
  report.passed = report.error <= report.tolerance;
  return report;
}

}  // namespace tern::inline TERN_ISA
