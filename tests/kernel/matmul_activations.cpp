// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every activation in the epilogue of a matmul, under every policy, against the reference and against the separate
// steps.
#include <cmath>
#include <vector>

#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {
namespace {

template <activation A, class T>
struct operands {
  static constexpr matmul_config config{.bias = true, .residual = true, .act = A};
  index_t m = 13, n = 37, k = 19;
  matrix<T> a{1, m, k}, b{1, k, n, order::padded}, r{1, m, n, order::column}, wanted{1, m, n}, got{1, m, n};
  std::vector<T> v = std::vector<T>(static_cast<std::size_t>(n)), slope = v;

  operands() {
    numbers next(Catch::rngSeed());
    a.fill(next), b.fill(next), r.fill(next);
    for (T& x : v) x = static_cast<T>(8 * next());
    for (T& x : slope) x = static_cast<T>(next());
    // Where functions are constant, infinite or undefined.
    v[1] = static_cast<T>(1e30), v[2] = static_cast<T>(-1e30), v[3] = INFINITY, v[4] = -INFINITY, v[5] = NAN;
    r(0, 1, 6) = 20, r(0, 1, 7) = -20, r(0, 1, 8) = 100, r(0, 1, 9) = -100;
  }
  template <class Policy, class State>
  void check(const char* name, State&& state) {
    INFO(name);
    got.poison();
    const kernel<matmul<config, T>, Policy> multiply;
    if constexpr (A.takes_slope())
      multiply(state, a.strided(), b.strided(), v, r.strided(), slope, got.strided());
    else
      multiply(state, a.strided(), b.strided(), v, r.strided(), got.strided());
    CHECK(equal_bits(wanted, got));
  }
};

template <activation A, class T>
void check_activation() {
  INFO(name(A) << " of " << dtype<T>::name);
  operands<A, T> x;
  // The separate steps: product, + bias, + residual, activation.
  kernel<matmul<matmul_config{}, T>, reference>{}(x.a.strided(), x.b.strided(), x.wanted.strided());
  for (index_t i = 0; i < x.m; ++i)
    for (index_t j = 0; j < x.n; ++j) {
      T y = x.wanted(0, i, j);
      y = y + x.v[static_cast<std::size_t>(j)];
      y = y + x.r(0, i, j);
      if constexpr (A.takes_slope())
        x.wanted(0, i, j) = y > 0 ? y : y * x.slope[static_cast<std::size_t>(j)];
      else
        x.wanted(0, i, j) = tile::activate<A>(y);
    }
  x.template check<reference>("reference", contraction_kernel<reference>::context{});
  x.template check<simd<>>("simd", serial{});
  if constexpr (sizeof(T) > 4) return;  // tern_verify has them, too
  x.template check<mimd<>>("native tiles", tile_machine(1, 1 << 18));
  x.template check<mimd<devices::gc200>>("ipu", tile_machine(7, 600 * 1024));
  x.template check<simt<>>("simt", simt_host{});
}

TEST_CASE("a fused epilogue equals its steps under every policy", "[matmul][epilogue]") {
  check_activation<activation::sigmoid, float>();
  check_activation<activation::tanh, float>();
  check_activation<activation::gelu, float>();
  check_activation<activation::silu, float>();
  check_activation<activation::gelu, double>();
  check_activation<activation::relu, double>();
  check_activation<activation::prelu, float>();
  check_activation<activation::prelu, double>();
}

}  // namespace
}  // namespace tern::test
