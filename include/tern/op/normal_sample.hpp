// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/dropout.hpp"

namespace tern {

/// y = mean + exp(log_variance / 2) z, with z drawn from a standard normal distribution: a sample that has gradients
/// (Kingma and Welling 2013, arXiv 1312.6114). A tern::random_site selects the random numbers; |z| is at most 6.4, as z
/// is made of 32 random bits.
///
/// Tensors are (n, channels, spatial...) with up to three spatial axes and in any layout; rows of a matrix are samples.
template <element T = float>
struct normal_sample {
  using op_type = normal_sample;
  using value_type = T;
  static constexpr const char* name = "normal_sample";
};

}  // namespace tern
