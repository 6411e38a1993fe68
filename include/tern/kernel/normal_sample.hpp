// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that sample normal distributions: forward, and the gradients of their parameters.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/family/map/drawing.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/draws.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/op/normal_sample.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

template <class T>
struct normal_samples : drawing_pass<T> {
  using required = options<random_site>;
  using optional = options<>;
  static constexpr declaration declared{"",
                                        0,
                                        3,
                                        in("mean", "n channels spatial..."),
                                        in("log_variance", "n channels spatial..."),
                                        out("y", "n channels spatial...").may_be("mean log_variance")};

  template <bool, class... View>
  static auto problem(const char* op, const random_site& site, const View&... view) {
    return normal_samples::template drawn<tile::normal_sampling<T>>(op, site, view...);
  }
};

template <class T>
struct normal_sample_gradients : drawing_pass<T> {
  using required = options<random_site>;
  using optional = options<accumulate_t>;
  static constexpr declaration declared{"backward_data",
                                        0,
                                        3,
                                        in("dy", "n channels spatial..."),
                                        in("log_variance", "n channels spatial..."),
                                        out("dmean", "n channels spatial...").may_be("dy log_variance"),
                                        out("dlog_variance", "n channels spatial...").may_be("dy log_variance")};

  template <bool Add, class... View>
  static auto problem(const char* op, const random_site& site, const View&... view) {
    return normal_sample_gradients::template drawn<tile::normal_sampling_gradient<T, Add>>(op, site, view...);
  }
};

}  // namespace declare

template <class T, class Op, class Policy>
struct operations<normal_sample<T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::normal_samples<T>, declare::normal_sample_gradients<T>> {
  /// y = mean + exp(log_variance / 2) z.
  ///
  ///     k([state,] mean, log_variance, y, tern::random_site{.seed = 1, .step = 7, .site = 3})
  ///
  /// \param mean, log_variance, y  (n, channels, spatial...), in any layout, of one shape, with at most 2^34 elements
  ///                               of a sample; y may be an input itself, and shares no other element with them
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, a view is null, y shares elements
  /// with an input, or tiles are too small. Cost: about 100 operations per element, in vectors if rows of channels are
  /// dense; inputs are read and y is written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::normal_samples<T>>(args...);
  }

  /// The gradients of the loss with respect to mean, which is dy, and log_variance, with the random numbers of the
  /// forward pass.
  ///
  ///     k.backward_data([state,] dy, log_variance, dmean, dlog_variance, tern::random_site{...}
  ///                     [, tern::accumulate])
  ///
  /// \param dmean, dlog_variance  shape of dy; may be inputs themselves
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::normal_sample_gradients<T>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
