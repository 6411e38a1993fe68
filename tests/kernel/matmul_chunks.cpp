// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row, few columns and long sums, whose chunks are summed side by side: the bits of the reference.
#include <limits>
#include <vector>

#include "tern/simd.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

constexpr index_t columns[] = {1, 3, 8, 10, 16, 17, 32, 33},
                  lengths[] = {513, 1023, 1024, 1025, 3136, 4097, 4608, 8705};

template <class T, matmul_config C>
void check() {
  const kernel<matmul<C, T>, reference> expected;
  const kernel<matmul<C, T>, simd<>> fast;
  for (const index_t n : columns)
    for (const index_t k : lengths) {
      CAPTURE(n, k);
      auto a = random_vector<T>(3 * k, 1), b = random_vector<T>(k * n, 2), bias = random_vector<T>(n, 3),
           c = random_vector<T>(n + 1, 4);
      const T last = c.back();
      const view row(unchecked, a.data(), layout_strided::mapping(dims<2>(1, k), 3 * k, 3));
      const view by_rows(b, dims<2>(k, n));
      const view by_columns(unchecked, b.data(), layout_column::mapping(dims<2>(k, n)));
      const auto both = [&](auto call) {
        std::vector<T> of_reference = c, of_simd = c;
        call(expected, view(unchecked, of_reference.data(), dims<2>(1, n)), false);
        call(fast, view(unchecked, of_simd.data(), dims<2>(1, n)), true);
        CHECK(same_bits(of_simd, of_reference));
        CHECK(of_simd.back() == last);
      };
      const auto run = [&](const auto& kernel, const auto& weights, const auto& out, auto... option) {
        if constexpr (C.bias)
          kernel(row, weights, bias, out, option...);
        else
          kernel(row, weights, out, option...);
      };
      both([&](const auto& kernel, auto out, bool) { run(kernel, by_rows, out); });
      both([&](const auto& kernel, auto out, bool) { run(kernel, by_columns, out); });
      both([&](const auto& kernel, auto out, bool packs) {
        if (packs)
          run(fast, fast.pack(by_rows), out, accumulate);
        else
          run(kernel, by_rows, out, accumulate);
      });
    }
}

TEST_CASE("chunks of one row that are summed side by side give the bits of the reference", "[matmul]") {
  check<float, matmul_config{}>();
  check<double, matmul_config{}>();
  check<float, matmul_config{.bias = true, .act = activation::tanh}>();
}

TEST_CASE("not a number and infinity pass through chunks side by side", "[matmul]") {
  const kernel<matmul<matmul_config{}>, simd<>> k;
  std::vector<float> a(3000, 1.0f), b(3000 * 4, 0.5f), c(4);
  b[4 * 100 + 1] = std::numeric_limits<float>::infinity(), b[4 * 2999 + 2] = std::numeric_limits<float>::quiet_NaN();
  k(view(a, dims<2>(1, 3000)), view(b, dims<2>(3000, 4)), view(c, dims<2>(1, 4)));
  CHECK(c[0] == 1500.0f);
  CHECK(c[1] == std::numeric_limits<float>::infinity());
  CHECK(c[2] != c[2]);
}

}  // namespace
}  // namespace tern::test
