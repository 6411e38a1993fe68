// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul under the reference against higher precision, in all passes.
#include <cstring>
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/variants.hpp"

namespace tern::test {

/// One problem: sizes, layouts of a, b and c, and how far their memory is from alignment.
struct matmul_case {
  index_t m, n, k;
  order a = order::row, b = order::row, c = order::row;
  index_t shift = 0;
  numbers::kind kind = numbers::kind::uniform;
};

inline std::string text(const matmul_case& p) {
  return "m=" + std::to_string(p.m) + " n=" + std::to_string(p.n) + " k=" + std::to_string(p.k) + " orders " +
         std::to_string(static_cast<int>(p.a)) + std::to_string(static_cast<int>(p.b)) +
         std::to_string(static_cast<int>(p.c)) + " shift " + std::to_string(p.shift) + " kind " +
         std::to_string(static_cast<int>(p.kind));
}

/// The sizes at which blocked code breaks: empty, one, primes, around every block.
inline std::vector<index_t> awkward_sizes() { return {0, 1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 63, 65, 127}; }

/// Problems that together visit every size in every place, every layout and alignment, without their full product.
inline std::vector<matmul_case> matmul_cases(unsigned seed) {
  std::vector<matmul_case> cases;
  const std::vector<index_t> sizes = awkward_sizes();
  const std::vector<index_t> deep = {0, 1, 2, 3, 15, 17, 64, 255, 256, 257, 511, 512, 513, 1031};
  std::mt19937 engine(seed);
  const auto pick = [&](const auto& v) { return v[engine() % v.size()]; };
  const std::vector<order> orders = {order::row, order::column, order::padded};
  const std::vector<numbers::kind> kinds = {numbers::kind::uniform, numbers::kind::uniform, numbers::kind::extremes,
                                            numbers::kind::special};
  for (const index_t m : sizes)
    for (const index_t n : sizes)
      cases.push_back({m, n, pick(deep), pick(orders), pick(orders), pick(orders), static_cast<index_t>(engine() % 4),
                       pick(kinds)});
  for (const index_t k : deep)
    for (const order a : orders)
      for (const order b : orders)
        for (const order c : orders)
          cases.push_back({pick(sizes), pick(sizes), k, a, b, c, static_cast<index_t>(engine() % 4), pick(kinds)});
  for (const index_t size : {64, 128, 255, 256, 257}) {
    cases.push_back({size, pick(sizes), pick(deep), pick(orders), pick(orders), pick(orders)});
    cases.push_back({pick(sizes), size, pick(deep), pick(orders), pick(orders), pick(orders)});
  }
  cases.push_back({129, 257, 65});
  cases.push_back({37, 53, 71});
  cases.push_back({13, 300, 700});
  return cases;
}

/// One case of the op Op, in all passes.
template <class Op>
void check_matmul(const matmul_case& p, unsigned seed) {
  using T = typename Op::value_type;
  constexpr bool bias = Op::config.bias, residual = Op::config.residual;
  constexpr bool relu = Op::config.act == activation::relu;
  INFO(text(p) << " seed " << seed);
  numbers next(seed, p.kind);
  matrix<T> a(1, p.m, p.k, p.a, p.shift), b(1, p.k, p.n, p.b, p.shift), r(1, p.m, p.n, p.c, p.shift),
      c(1, p.m, p.n, p.c, p.shift);
  std::vector<T> v(static_cast<std::size_t>(p.n));
  a.fill(next), b.fill(next), r.fill(next);
  for (T& x : v) x = static_cast<T>(next());

  const kernel<Op, reference> k;
  if constexpr (bias && residual)
    k(a.strided(), b.strided(), v, r.strided(), c.strided());
  else if constexpr (bias)
    k(a.strided(), b.strided(), v, c.strided());
  else if constexpr (residual)
    k(a.strided(), b.strided(), r.strided(), c.strided());
  else
    k(a.strided(), b.strided(), c.strided());
  CHECK(c.gaps_untouched());
  // True if a result is near the sum of `count` products, in chunks of `chunk`, and of two numbers.
  const auto near = [&](T got, index_t count, index_t chunk, int additions, auto product, T first, T second) {
    expected e;
    for (index_t s = 0; s < count; ++s) e.add(product(s));
    e.add(first), e.add(second);
    return within_rounding(got, e, count, chunk, additions);
  };
  bool right = true;
  for (index_t i = 0; i < p.m; ++i)
    for (index_t j = 0; j < p.n; ++j) {
      const T got = c(0, i, j);
      if (relu && equal_bits(got, T(0))) continue;
      right = right &&
              near(
                  got, p.k, dot_chunk, 2, [&](index_t s) { return static_cast<long double>(a(0, i, s)) * b(0, s, j); },
                  bias ? v[static_cast<std::size_t>(j)] : T(0), residual ? r(0, i, j) : T(0));
    }
  CHECK(right);

  matrix<T> dx(1, p.m, p.k, p.a, p.shift), db(1, p.k, p.n, p.b, p.shift);
  std::vector<T> dv(v.size());
  k.backward_data(r.strided(), b.strided(), dx.strided());
  k.backward_weights(a.strided(), r.strided(), db.strided(), dv);
  CHECK(dx.gaps_untouched());
  CHECK(db.gaps_untouched());
  for (index_t i = 0; i < p.m; ++i)
    for (index_t s = 0; s < p.k; ++s)
      right = right && near(
                           dx(0, i, s), p.n, dot_chunk, 0,
                           [&](index_t j) { return static_cast<long double>(r(0, i, j)) * b(0, s, j); }, T(0), T(0));
  CHECK(right);
  for (index_t s = 0; s < p.k; ++s)
    for (index_t j = 0; j < p.n; ++j)
      right = right && near(
                           db(0, s, j), p.m, sample_grain, 0,
                           [&](index_t i) { return static_cast<long double>(a(0, i, s)) * r(0, i, j); }, T(0), T(0));
  for (index_t j = 0; j < p.n; ++j)
    right = right && near(
                         dv[static_cast<std::size_t>(j)], p.m, sample_grain, 0,
                         [&](index_t i) { return static_cast<long double>(r(0, i, j)); }, T(0), T(0));
  CHECK(right);
}

TEMPLATE_TEST_CASE("matmul under the reference is near to sums in higher precision", "[matmul][reference]", float,
                   double) {
  const unsigned seed = Catch::rngSeed();
  unsigned count = 0;
  variants::for_each(variants::matmuls<TestType>{}, [&]<class Op> {
    for (const matmul_case& p : matmul_cases(seed + count))
      if (p.kind != numbers::kind::special && (seed + ++count) % (4 * one_in) == 0) check_matmul<Op>(p, seed + count);
  });
}

}  // namespace tern::test
