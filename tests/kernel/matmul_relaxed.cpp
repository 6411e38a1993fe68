// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The promise of relaxed numerics: the tolerance of docs/numerics.md in every pass, and the same bits in every call.
// They are the only numerics of SSE2, which has no fma.
#include "tern/simd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

using kernel_policy = simd<devices::native, numerics::relaxed>;

#if defined(TERN_TEST_SSE2)
static_assert(devices::native.instructions == isa::sse2, "this test is for machines without fma");
#endif

/// True if y is within (K + 2) u of the sum of K products, to first order.
template <class T>
bool within_promise(T y, const expected& e, index_t k) {
  const long double u = std::numeric_limits<T>::epsilon() / 2.0L, steps = static_cast<long double>(k + 2);
  const long double bound = steps * u / (1 - steps * u) * e.magnitude +
                            static_cast<long double>(2 * k + 2) * std::numeric_limits<T>::denorm_min();
  return std::fabs(static_cast<long double>(y) - e.value) <= bound;
}

/// c(i, j) against the sum of a(i, s) b(s, j) over s.
template <class T, class A, class B>
bool near_product(const matrix<T>& c, index_t k, A a, B b) {
  bool near = c.gaps_untouched();
  for (index_t i = 0; i < c.rows(); ++i)
    for (index_t j = 0; j < c.columns(); ++j) {
      expected e;
      for (index_t s = 0; s < k; ++s) e.add(static_cast<long double>(a(i, s)) * b(s, j));
      near = near && within_promise(c(0, i, j), e, k);
    }
  return near;
}

template <class T>
bool same(const matrix<T>& x, const matrix<T>& y) {
  bool equal = true;
  for (index_t i = 0; i < x.rows(); ++i)
    for (index_t j = 0; j < x.columns(); ++j) equal = equal && equal_bits(x(0, i, j), y(0, i, j));
  return equal;
}

TEMPLATE_TEST_CASE("relaxed matmul keeps its tolerance and its bits", "[matmul][relaxed]", float, double) {
  using T = TestType;
  const kernel<matmul<matmul_config{}, T>, kernel_policy> k;
  unsigned seed = Catch::rngSeed();
  for (const index_t m : {1, 2, 7, 16, 33, 65})
    for (const index_t n : {1, 3, 8, 31, 64, 129})
      for (const index_t depth : {1, 5, 17, 64, 513, 1031}) {
        const order orders[] = {order::row, order::column, order::padded};
        const order o = orders[++seed % 3], p = orders[seed / 3 % 3];
        if (seed % one_in != 0) continue;
        INFO("m=" << m << " n=" << n << " k=" << depth << " seed " << seed);
        numbers next(seed, numbers::kind::uniform);
        matrix<T> a(1, m, depth, o), b(1, depth, n, p, 1), dy(1, m, n, o, 2);
        a.fill(next), b.fill(next), dy.fill(next);

        matrix<T> c(1, m, n, p, 1), again(1, m, n, p, 1), packed(1, m, n, p, 1);
        k(a.strided(), b.strided(), c.strided());
        CHECK(near_product(
            c, depth, [&](index_t i, index_t s) { return a(0, i, s); },
            [&](index_t s, index_t j) { return b(0, s, j); }));
        k(a.strided(), b.strided(), again.strided());
        CHECK(same(c, again));
        k(a.strided(), k.pack(b.strided()), packed.strided());
        CHECK(near_product(
            packed, depth, [&](index_t i, index_t s) { return a(0, i, s); },
            [&](index_t s, index_t j) { return b(0, s, j); }));

        matrix<T> da(1, m, depth, o), db(1, depth, n, p);
        k.backward_data(dy.strided(), b.strided(), da.strided());
        CHECK(near_product(
            da, n, [&](index_t i, index_t s) { return dy(0, i, s); },
            [&](index_t s, index_t j) { return b(0, j, s); }));
        k.backward_weights(a.strided(), dy.strided(), db.strided());
        CHECK(near_product(
            db, m, [&](index_t i, index_t s) { return a(0, s, i); },
            [&](index_t s, index_t j) { return dy(0, s, j); }));
      }
}

}  // namespace tern::test
