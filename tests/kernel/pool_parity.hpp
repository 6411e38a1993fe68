// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools under any policy against the reference, bit by bit, in all passes and layouts. States are made by
// make_state(call).
#pragma once

#include <cstdint>

#include "tern/reference.hpp"
#include "tests/kernel/pool_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

template <class T>
typename picture<T>::order some_order(std::mt19937& engine) {
  return static_cast<typename picture<T>::order>(engine() % 5);
}

template <class Policy, class T, pool_kind K, bool Indices, class MakeState>
void check_pool_values(const pool_shape& s, std::mt19937& engine, MakeState make_state) {
  INFO((K == pool_kind::max ? "maxima" : "averages") << (Indices ? " with indices" : ""));
  const auto order = some_order<T>(engine);
  const auto index_order = some_order<std::int32_t>(engine);
  const auto shift = static_cast<index_t>(engine() % 4);
  picture<T> x(s.batch, s.channels, inputs(s), some_order<T>(engine), static_cast<index_t>(engine() % 4));
  picture<T> wanted(s.batch, s.channels, results(s), order), got(s.batch, s.channels, results(s), order, shift);
  picture<std::int32_t> at(s.batch, s.channels, results(s), index_order),
      at_got(s.batch, s.channels, results(s), index_order, shift);
  fill_somehow(x, engine);
  pool_values<T, K, Indices> q;
  q.shape = s, q.x = x, q.y = wanted.get(), q.indices = at.get();
  pooling_kernel<reference>::run({}, q);
  q.y = got.get(), q.indices = at_got.get();
  auto&& state = make_state(q);
  pooling_kernel<Policy>::run(state, q);
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());
  if constexpr (Indices) {
    CHECK(equal_bits(at, at_got));
    CHECK(at_got.gaps_untouched());
  }
}

template <class Policy, class T, pool_shares S, bool Accumulate, class MakeState>
void check_pool_gradient(const pool_shape& s, std::mt19937& engine, MakeState make_state) {
  INFO("gradient, shares " << static_cast<int>(S) << " accumulate " << Accumulate);
  const auto order = some_order<T>(engine);
  picture<T> x(s.batch, s.channels, inputs(s), some_order<T>(engine)),
      dy(s.batch, s.channels, results(s), some_order<T>(engine), static_cast<index_t>(engine() % 4));
  picture<T> wanted(s.batch, s.channels, inputs(s), order),
      got(s.batch, s.channels, inputs(s), order, static_cast<index_t>(engine() % 4));
  picture<std::int32_t> at(s.batch, s.channels, results(s), some_order<std::int32_t>(engine));
  fill_somehow(x, engine), fill_somehow(dy, engine);
  if (Accumulate) fill_somehow(wanted, engine), got.copy(wanted);
  pool_gradient<T, S, Accumulate> q;
  q.shape = s, q.dy = dy, q.x = x, q.indices = at;
  if constexpr (S == pool_shares::given) {
    pool_values<T, pool_kind::max, true> forward;
    picture<T> y(s.batch, s.channels, results(s));
    forward.shape = s, forward.x = x, forward.y = y.get(), forward.indices = at.get();
    pooling_kernel<reference>::run({}, forward);
    // Whatever the indices say, nobody but a tap of the window gets anything.
    if (engine() % 4 == 0) at.fill([&] { return static_cast<std::int32_t>(engine() % 40) - 5; });
  }
  q.dx = wanted.get();
  pooling_kernel<reference>::run({}, q);
  q.dx = got.get();
  auto&& state = make_state(q);
  pooling_kernel<Policy>::run(state, q);
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());
}

template <class Policy, class T, class MakeState>
void pool_values_parity(MakeState make_state, int cases, double most = 1e5) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    const pool_shape s = random_pool(engine, most);
    INFO(text(s) << ", case " << i << " of seed " << Catch::rngSeed());
    check_pool_values<Policy, T, pool_kind::max, false>(s, engine, make_state);
    check_pool_values<Policy, T, pool_kind::max, true>(s, engine, make_state);
    check_pool_values<Policy, T, pool_kind::average, false>(s, engine, make_state);
  }
}

template <class Policy, class T, class MakeState>
void pool_gradient_parity(MakeState make_state, int cases, double most = 1e5) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    const pool_shape s = random_pool(engine, most);
    INFO(text(s) << ", case " << i << " of seed " << Catch::rngSeed());
    check_pool_gradient<Policy, T, pool_shares::all, false>(s, engine, make_state);
    check_pool_gradient<Policy, T, pool_shares::all, true>(s, engine, make_state);
    check_pool_gradient<Policy, T, pool_shares::given, false>(s, engine, make_state);
    check_pool_gradient<Policy, T, pool_shares::given, true>(s, engine, make_state);
    // The reference looks for the maximum once per tap.
    if (static_cast<double>(s.batch * s.channels * s.positions() * s.taps() * s.taps()) > 4 * most) continue;
    check_pool_gradient<Policy, T, pool_shares::found, false>(s, engine, make_state);
    check_pool_gradient<Policy, T, pool_shares::found, true>(s, engine, make_state);
  }
}

}  // namespace tern::test
