// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradients of matmul: the reference against higher precision (other policies are compared with the reference), and
// the cuts of a batch that give the bits of the whole.
#include <random>
#include <vector>

#include "tern/simd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {
namespace {

/// Every element of `got` against sum over s of left(q, i, s) right(q, s, j).
template <class T, class Left, class Right>
bool near(const matrix<T>& got, index_t depth, index_t chunk, Left left, Right right) {
  bool near = true;
  for (index_t q = 0; q < got.batch(); ++q)
    for (index_t i = 0; i < got.rows(); ++i)
      for (index_t j = 0; j < got.columns(); ++j) {
        expected e;
        for (index_t s = 0; s < depth; ++s) e.add(static_cast<long double>(left(q, i, s)) * right(q, s, j));
        near = near && within_rounding(got(q, i, j), e, depth, chunk, 0);
      }
  return near;
}

template <class T>
void check_gradients(index_t batch, index_t m, index_t n, index_t k, order o, unsigned seed) {
  INFO(batch << " of " << m << "x" << n << "x" << k << " order " << static_cast<int>(o) << " seed " << seed);
  numbers next(seed);
  matrix<T> a(batch, m, k, o, 1), b(batch, k, n, o), dy(batch, m, n, o), dx(batch, m, k, o), db(batch, k, n, o);
  std::vector<T> dv(static_cast<std::size_t>(n));
  a.fill(next), b.fill(next), dy.fill(next);
  const kernel<matmul<matmul_config{.batch = dynamic}, T>, reference> correct;
  correct.backward_data(dy.strided_batch(), b.strided_batch(), dx.strided_batch());
  CHECK(near(
      dx, n, dot_chunk, [&](index_t q, index_t i, index_t s) { return dy(q, i, s); },
      [&](index_t q, index_t s, index_t j) { return b(q, j, s); }));
  correct.backward_weights(a.strided_batch(), dy.strided_batch(), db.strided_batch(), dv);
  CHECK(near(
      db, m, sample_grain, [&](index_t q, index_t i, index_t s) { return a(q, s, i); },
      [&](index_t q, index_t s, index_t j) { return dy(q, s, j); }));
  bool sums_are_near = true;
  for (index_t j = 0; j < n; ++j) {
    expected e;
    for (index_t q = 0; q < batch; ++q)
      for (index_t i = 0; i < m; ++i) e.add(dy(q, i, j));
    sums_are_near = sums_are_near && within_rounding(dv[static_cast<std::size_t>(j)], e, batch * m, sample_grain,
                                                     static_cast<int>(batch));
  }
  CHECK(sums_are_near);
}

TEMPLATE_TEST_CASE("gradients of the reference are right", "[matmul][reference]", float, double) {
  unsigned seed = Catch::rngSeed();
  for (const order o : {order::row, order::column, order::padded})
    for (const index_t m : {1, 7, 33, 257})
      for (const index_t n : {1, 16, 37})
        for (const index_t k : {1, 2, 31, 65}) check_gradients<TestType>(1 + m % 3, m, n, k, o, ++seed);
  check_gradients<TestType>(2, 3, 1031, 5, order::row, ++seed);
  check_gradients<TestType>(0, 3, 4, 5, order::row, ++seed);
  check_gradients<TestType>(3, 0, 4, 5, order::row, ++seed);
}

/// All passes of m rows in parts that end at `cuts`, weight gradients accumulated, under a policy.
template <class T, class Policy>
struct in_parts {
  matrix<T>&a, &b, &dy;
  matrix<T> c{1, a.rows(), b.columns()}, dx{1, a.rows(), a.columns()}, db{1, b.rows(), b.columns()};
  std::vector<T> dv = std::vector<T>(static_cast<std::size_t>(b.columns()));

  in_parts(matrix<T>& a_, matrix<T>& b_, matrix<T>& dy_, const std::vector<index_t>& cuts) : a(a_), b(b_), dy(dy_) {
    const kernel<matmul<matmul_config{}, T>, Policy> k;
    index_t first = 0;
    for (const index_t last : cuts) {
      const auto part = [&](matrix<T>& x) { return rows(x.strided(), first, last - first); };
      k(part(a), b.strided(), part(c));
      k.backward_data(part(dy), b.strided(), part(dx));
      if (first == 0)
        k.backward_weights(part(a), part(dy), db.strided(), dv);
      else
        k.backward_weights(part(a), part(dy), db.strided(), dv, accumulate);
      first = last;
    }
  }
};

template <class T>
bool equal_bits(const std::vector<T>& a, const std::vector<T>& b) {
  bool equal = a.size() == b.size();
  for (std::size_t i = 0; equal && i < a.size(); ++i) equal = test::equal_bits(a[i], b[i]);
  return equal;
}

TEMPLATE_TEST_CASE("a batch cut at grains gives the bits of the whole", "[matmul][cuts]", float, double) {
  using T = TestType;
  std::mt19937 engine(Catch::rngSeed());
  numbers next(Catch::rngSeed());
  for (int turn = 0; turn < 8; ++turn) {
    const index_t m = 1 + static_cast<index_t>(engine() % 400), n = 1 + static_cast<index_t>(engine() % 80),
                  k = 1 + static_cast<index_t>(engine() % 80);
    std::vector<index_t> cuts;
    for (index_t at = sample_grain; at < m; at += sample_grain)
      if (engine() % 2) cuts.push_back(at);
    cuts.push_back(m);
    INFO(m << "x" << n << "x" << k << " in " << cuts.size() << " parts, seed " << Catch::rngSeed());
    matrix<T> a(1, m, k), b(1, k, n), dy(1, m, n, order::padded, 1);
    a.fill(next), b.fill(next), dy.fill(next);
    const in_parts<T, reference> whole(a, b, dy, {m}), reference_parts(a, b, dy, cuts);
    const in_parts<T, simd<>> simd_parts(a, b, dy, cuts);
    CHECK(equal_bits(whole.c, simd_parts.c));
    CHECK(equal_bits(whole.dx, simd_parts.dx));
    CHECK(equal_bits(whole.db, simd_parts.db));
    CHECK(equal_bits(whole.dv, simd_parts.dv));
    CHECK(equal_bits(whole.db, reference_parts.db));
    CHECK(equal_bits(whole.dv, reference_parts.dv));
  }
}

TEST_CASE("a batch not cut at grains gives other bits", "[matmul][cuts]") {
  numbers next(Catch::rngSeed());
  matrix<float> a(1, 300, 20), b(1, 20, 20), dy(1, 300, 20);
  a.fill(next), b.fill(next), dy.fill(next);
  const in_parts<float, simd<>> whole(a, b, dy, {300}), parts(a, b, dy, {33, 300});
  CHECK(!equal_bits(whole.db, parts.db));  // 400 sums of 300: some round otherwise
  CHECK(equal_bits(whole.c, parts.c));
}

}  // namespace
}  // namespace tern::test
