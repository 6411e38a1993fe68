// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/loss.hpp"

namespace tern {

/// The negative logarithm of the density of an N-dimensional normal distribution, without the constant N log(2 pi) / 2,
/// for every sample, and their reduction by `.reduce`. x is (n, N + N (N + 1) / 2): per sample the means, then the rows
/// of a lower triangular matrix L. Softplus makes its diagonal positive. The covariance is L L^T. The target is (n, N).
///
///     L z = target - mean,    loss = sum of z[i]^2 / 2 + log L[i][i]
///
/// A network that ends in it predicts values, their errors and the correlations of these (Dorta et al. 2018, arXiv
/// 1802.07079).
///
/// Canonical order: docs/numerics.md. Derive from it to give an op a short name in errors and reports.
template <index_t N, loss_config C = loss_config{}, element T = float>
struct multivariate_gaussian_nll {
  using op_type = multivariate_gaussian_nll;
  using value_type = T;
  static constexpr loss_config config = C;
  static constexpr const char* name = "multivariate_gaussian_nll";
  static constexpr index_t numbers = N;                     ///< components of a target
  static constexpr index_t features = N + N * (N + 1) / 2;  ///< elements of a sample of x

  /// The first rule that N or a config breaks; null if they keep all.
  static constexpr const char* broken_rule(const loss_config& c = C) {
    if (N < 1 || N > 4) return "there must be 1 to 4 numbers";
    return element_loss<loss_kind::gaussian_nll>::broken_rule(c);
  }
};

}  // namespace tern
