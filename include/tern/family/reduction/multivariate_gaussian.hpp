// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The density of a multivariate normal distribution, and its gradients, as functions of one place in several tensors:
// samples are independent, so they are the elements of a map.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/log.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/math/sigmoid.hpp"
#include "tern/core/math/softplus.hpp"

namespace tern::tile::inline TERN_ISA {

/// Inputs are the means, the rows of the lower triangle, the target.
template <int N>
struct multivariate_gaussian {
  static constexpr int features = N + N * (N + 1) / 2, inputs = features + N;

  /// The index of L[i][j] among the inputs.
  static TERN_FN constexpr int factor(int i, int j) { return N + i * (i + 1) / 2 + j; }

  /// Computes z with L z = target - mean, and the diagonal of L.
  template <class V>
  static TERN_FN void solve(const V* in, V* diagonal, V* z) {
    using math::fma;
    TERN_UNROLL
    for (int i = 0; i < N; ++i) {
      V rest = in[features + i] - in[i];
      TERN_UNROLL
      for (int j = 0; j < i; ++j) rest = fma(-in[factor(i, j)], z[j], rest);
      diagonal[i] = math::softplus(in[factor(i, i)]);
      z[i] = rest / diagonal[i];
    }
  }
};

/// The loss as the function of element_sums.
template <int N>
struct multivariate_gaussian_sum {
  using density = multivariate_gaussian<N>;
  static constexpr int inputs = density::inputs;
  static constexpr index_t operations = N * (N + 40);

  template <class V>
  TERN_FN V operator()(const V* in, V sum) const {
    using math::fma;
    using math::product;
    V diagonal[N], z[N];
    density::solve(in, diagonal, z);
    TERN_UNROLL
    for (int i = 0; i < N; ++i) sum = sum + fma(product(V(0.5f), z[i]), z[i], math::log(diagonal[i]));
    return sum;
  }
};

/// Its gradients with respect to means and triangle as the function of a mapping. With L^T g = z they are -g, and -g[i]
/// z[j] below the diagonal.
/// \tparam Each  true if the last input is dy of the sample
template <int N, class T, bool Each, bool Accumulate>
struct multivariate_gaussian_gradient {
  using density = multivariate_gaussian<N>;
  static constexpr int inputs = density::inputs + Each, outputs = density::features;
  static constexpr bool accumulates = Accumulate;
  static constexpr index_t operations = N * (2 * N + 40);

  T weight = 1;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using math::fma;
    using math::product;
    V diagonal[N], z[N], g[N], w(weight);
    if constexpr (Each) w = product(w, in[inputs - 1]);
    density::solve(in, diagonal, z);
    TERN_UNROLL
    for (int i = N - 1; i >= 0; --i) {
      V rest = z[i];
      TERN_UNROLL
      for (int j = i + 1; j < N; ++j) rest = fma(-in[density::factor(j, i)], g[j], rest);
      g[i] = rest / diagonal[i];
    }
    const auto set = [&](int o, V d) { out[o] = Accumulate ? out[o] + d : d; };
    TERN_UNROLL
    for (int i = 0; i < N; ++i) {
      set(i, product(-g[i], w));
      TERN_UNROLL
      for (int j = 0; j < i; ++j) set(density::factor(i, j), product(product(-g[i], z[j]), w));
      const V of_diagonal = fma(-g[i], z[i], V(1.0f) / diagonal[i]);
      set(density::factor(i, i), product(product(of_diagonal, math::sigmoid(in[density::factor(i, i)])), w));
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
