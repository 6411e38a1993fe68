// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No call of a matmul allocates: neither the first of a kernel nor the second, whatever the pass, the weights and the
// executor.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tests/kernel/allocations.hpp"
#include "tests/support/variants.hpp"

namespace tern::test {
namespace {

struct sizes {
  index_t m, n, k;
};
constexpr sizes cases[] = {{1, 700, 300}, {8, 8, 8}, {5, 33, 1030}, {16, 256, 600}, {37, 53, 71}, {150, 130, 520}};

template <class T>
view<T, dims<2>> matrix_of(std::vector<std::remove_const_t<T>>& data, index_t rows, index_t columns) {
  return view<T, dims<2>>(unchecked, data.data(), dims<2>(rows, columns));
}

/// Every call of a matmul; `state` are no or one leading arguments.
template <class Op, class Policy, class... State>
void check_calls(const sizes& s, State&... state) {
  using T = typename Op::value_type;
  constexpr matmul_config c = Op::config;
  const auto zeros = [](index_t n) { return std::vector<T>(static_cast<std::size_t>(n)); };
  auto a = zeros(s.m * s.k), b = zeros(s.k * s.n), y = zeros(s.m * s.n), r = zeros(s.m * s.n), v = zeros(s.n);
  const auto left = matrix_of<const T>(a, s.m, s.k), right = matrix_of<const T>(b, s.k, s.n),
             residual = matrix_of<const T>(r, s.m, s.n), dy = matrix_of<const T>(r, s.m, s.n);
  const auto out = matrix_of<T>(y, s.m, s.n), dx = matrix_of<T>(a, s.m, s.k), db = matrix_of<T>(b, s.k, s.n);
  const view<const T, dims<1>> bias(unchecked, v.data(), dims<1>(s.n));
  const view<T, dims<1>> dbias(unchecked, v.data(), dims<1>(s.n));
  std::vector<char> lent(1 << 20);
  const workspace memory{lent.data(), static_cast<index_t>(lent.size())};
  const kernel<Op, Policy> k;
  const auto packed = k.pack(right);
  CAPTURE(Policy::name, s.m, s.n, s.k, c.bias, c.residual, sizeof...(State));

  const auto forward = [&](const auto& weights, auto... options) {
    if constexpr (c.bias && c.residual)
      check_allocations([&] { k(state..., left, weights, bias, residual, out, options...); });
    else if constexpr (c.bias)
      check_allocations([&] { k(state..., left, weights, bias, out, options...); });
    else if constexpr (c.residual)
      check_allocations([&] { k(state..., left, weights, residual, out, options...); });
    else
      check_allocations([&] { k(state..., left, weights, out, options...); });
  };
  forward(right);
  forward(right, memory);
  forward(packed);
  forward(packed, accumulate);
  check_allocations([&] { k.backward_data(state..., dy, right, dx, memory); });
  check_allocations([&] { k.backward_data(state..., dy, packed, dx); });
  check_allocations([&] { k.backward_weights(state..., left, dy, db); });
  check_allocations([&] { k.backward_weights(state..., left, dy, db, dbias, memory); });
}

}  // namespace

TEST_CASE("calls of matmuls allocate nothing") {
  team two({.threads = 2, .oversubscribe = true});
  variants::for_each(variants::policies{}, [&]<class P> {
    variants::for_each(variants::matmuls<float>{}, [&]<class Op> {
      for (const sizes& s : cases)
        if constexpr (P::execution == model::mimd) {
          using K = contraction_kernel<P>;
          // Its passes are products with m, n and k exchanged.
          const index_t most = std::max({s.m, s.n, s.k});
          auto tiles =
              K::template make_state<float>(most, most, most, 1, tile_resources{2, P::machine.local_bytes}, two);
          check_calls<Op, P>(s, tiles);
        } else {
          check_calls<Op, P>(s);
          if constexpr (P::execution == model::simd) check_calls<Op, P>(s, two);
        }
    });
  });
}

}  // namespace tern::test
