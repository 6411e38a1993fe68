// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

/// Identifies the random numbers of a call. They depend only on this, the number of a sample and an element's position
/// in it: the same for every policy, layout, thread count and cut of the batch, and nothing is stored.
struct random_site {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;    ///< training step
  std::uint32_t site = 0;    ///< identifies the op within a model
  std::uint32_t sample = 0;  ///< number of the call's first sample within the whole batch
};

/// Configuration of a dropout. Every field has a default.
struct dropout_config {
  bool whole_samples = false;  ///< drops whole samples: stochastic depth (Huang et al. 2016, arXiv 1603.09382)

  friend TERN_FN constexpr bool operator==(const dropout_config&, const dropout_config&) = default;
};

/// Option of a dropout: the probability of dropping an element.
struct drop_rate {
  double value = 0.5;
};

/// y = x / (1 - rate), or 0 for a dropped element (Srivastava et al. 2014). The gradient is the same function of dy,
/// with the same random numbers.
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
