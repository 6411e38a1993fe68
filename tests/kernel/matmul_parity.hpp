// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul under any policy against the reference (bit by bit) and against higher precision, in all passes. Every policy
// gets a test file of a few lines that calls `matmul_parity`.
#pragma once

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

/// One case of the op Op: forward (plain, packed, accumulating), data gradient (plain, packed), weight and bias
/// gradient, each against `reference`. `state` is the run-time state of the policy's calls, made for the sizes.
template <class Op, class Policy, class MakeState>
void check_matmul(const matmul_case& p, unsigned seed, MakeState make_state) {
  using T = typename Op::value_type;
  constexpr bool bias = Op::config.bias, residual = Op::config.residual;
  INFO(text(p) << " seed " << seed);
  numbers next(seed, p.kind);
  matrix<T> a(1, p.m, p.k, p.a, p.shift), b(1, p.k, p.n, p.b, p.shift), r(1, p.m, p.n, p.c, p.shift);
  matrix<T> wanted(1, p.m, p.n, p.c, p.shift), got(1, p.m, p.n, p.c, p.shift);
  std::vector<T> v(static_cast<std::size_t>(p.n));
  a.fill(next), b.fill(next), r.fill(next);
  for (T& x : v) x = static_cast<T>(next());

  const kernel<Op, reference> correct;
  const kernel<Op, Policy> k;
  const auto forward = [&](const auto& kernel, auto&& state, const auto& w, auto& c, auto... options) {
    if constexpr (bias && residual)
      kernel(state, a.strided(), w, v, r.strided(), c.strided(), options...);
    else if constexpr (bias)
      kernel(state, a.strided(), w, v, c.strided(), options...);
    else if constexpr (residual)
      kernel(state, a.strided(), w, r.strided(), c.strided(), options...);
    else
      kernel(state, a.strided(), w, c.strided(), options...);
  };
  typename contraction_kernel<reference>::context plain_loops;
  auto&& state = make_state(p.m, p.n, p.k);

  forward(correct, plain_loops, b.strided(), wanted);
  forward(k, state, b.strided(), got);
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());
  if (Op::config.act == activation::none && p.kind != numbers::kind::special) {
    bool near = true;
    for (index_t i = 0; i < p.m; ++i)
      for (index_t j = 0; j < p.n; ++j) {
        expected e;
        for (index_t s = 0; s < p.k; ++s) e.add(static_cast<long double>(a(0, i, s)) * b(0, s, j));
        if (bias) e.add(v[static_cast<std::size_t>(j)]);
        if (residual) e.add(r(0, i, j));
        near = near && within_rounding(got(0, i, j), e, p.k, dot_chunk, 2);
      }
    CHECK(near);
  }

  const auto w = k.pack(b.strided());
  got.poison();
  forward(k, state, w, got);
  CHECK(equal_bits(wanted, got));
  forward(correct, plain_loops, b.strided(), wanted, accumulate);
  forward(k, state, w, got, accumulate);
  CHECK(equal_bits(wanted, got));

  matrix<T> dx_wanted(1, p.m, p.k, p.a, p.shift), dx(1, p.m, p.k, p.a, p.shift);
  correct.backward_data(r.strided(), b.strided(), dx_wanted.strided());
  k.backward_data(state, r.strided(), b.strided(), dx.strided());
  CHECK(equal_bits(dx_wanted, dx));
  CHECK(dx.gaps_untouched());
  dx.poison();
  k.backward_data(state, r.strided(), w, dx.strided());
  CHECK(equal_bits(dx_wanted, dx));

  matrix<T> db_wanted(1, p.k, p.n, p.b, p.shift), db(1, p.k, p.n, p.b, p.shift);
  std::vector<T> dv_wanted(v.size()), dv(v.size());
  correct.backward_weights(a.strided(), r.strided(), db_wanted.strided(), dv_wanted);
  k.backward_weights(state, a.strided(), r.strided(), db.strided(), dv);
  CHECK(equal_bits(db_wanted, db));
  CHECK(db.gaps_untouched());
  bool equal = true;
  for (std::size_t j = 0; j < dv.size(); ++j) equal = equal && equal_bits(dv_wanted[j], dv[j]);
  CHECK(equal);
  k.backward_weights(state, a.strided(), r.strided(), db.strided(), accumulate);
  correct.backward_weights(a.strided(), r.strided(), db_wanted.strided(), accumulate);
  CHECK(equal_bits(db_wanted, db));
}

/// Every matmul of the variants list with elements T under the policy.
/// \param every  where cases take long, one in so many is run: others from seed to seed
template <class Policy, class T, class MakeState>
void matmul_parity(MakeState make_state, unsigned every = 1) {
  const unsigned seed = Catch::rngSeed();
  unsigned count = 0;
  variants::for_each(variants::matmuls<T>{}, [&]<class Op> {
    for (const matmul_case& p : matmul_cases(seed + count))
      if ((seed + ++count) % (every * one_in) == 0) check_matmul<Op, Policy>(p, seed + count, make_state);
  });
}

}  // namespace tern::test
