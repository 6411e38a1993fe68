// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

/// Which random numbers a call draws. They are a function of this, of the number of a sample, and of an element's place
/// in it: the same for every policy, layout, thread count and cut of the batch, and there is nothing to remember.
struct random_site {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;    ///< of training
  std::uint32_t site = 0;    ///< which op of a model draws
  std::uint32_t sample = 0;  ///< the number of the call's first sample in all of the batch
};

/// What a dropout drops. Every field has a default.
struct dropout_config {
  bool whole_samples = false;  ///< all of a sample or nothing: stochastic depth (Huang et al. 2016, arXiv 1603.09382)

  friend TERN_FN constexpr bool operator==(const dropout_config&, const dropout_config&) = default;
};

/// Option of a dropout: the probability with which an element is dropped.
struct drop_rate {
  double value = 0.5;
};

/// y = x / (1 - rate), or 0 where an element is dropped (Srivastava et al. 2014). The gradient is the same function of
/// dy: it draws the same numbers again.
///
/// x is (n, channels, spatial...) with up to three spatial axes and in any layout; rows of a matrix are samples.
template <dropout_config C = dropout_config{}, element T = float>
struct dropout {
  using op_type = dropout;
  using value_type = T;
  static constexpr dropout_config config = C;
  static constexpr const char* name = C.whole_samples ? "stochastic_depth" : "dropout";
};
template <element T = float>
struct stochastic_depth : dropout<dropout_config{.whole_samples = true}, T> {};

}  // namespace tern
