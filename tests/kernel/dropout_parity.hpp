// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout under any policy against the reference, bit by bit. States are made by make_state(call).
#pragma once

#include <random>

#include "tern/reference.hpp"
#include "tests/kernel/rearrange_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

template <class Policy, class T, bool Whole, bool Accumulate, class MakeState>
void check_dropout(std::mt19937& engine, MakeState& make_state) {
  dropping<T, Whole, Accumulate> q;
  q.batch = one_of(engine, {0, 1, 2, 3, 7});
  q.channels = one_of(engine, {1, 2, 3, 5, 8, 16, 17, 63, 64, 65, 130, 300});
  extents3 e{1, 1, 1};
  const index_t rank = below(engine, 4);
  for (std::size_t r = 3 - static_cast<std::size_t>(rank); r < 3; ++r) e[r] = one_of(engine, {1, 2, 3, 5, 17});
  for (std::size_t r = 0; r < 3; ++r) q.extent[r] = e[r];
  INFO(q.batch << " x " << q.channels << " channels x " << e[0] << " x " << e[1] << " x " << e[2]);
  numbers next(static_cast<unsigned>(engine()), engine() % 4 == 0 ? numbers::kind::special : numbers::kind::extremes);
  const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % 6); };
  const auto usual = some();
  const auto order = [&] { return engine() % 3 == 0 ? some() : usual; };
  picture<T> x(q.batch, q.channels, e, order(), below(engine, 4));
  x.fill(next);
  const auto to = order();
  picture<T> wanted(q.batch, q.channels, e, to), got(q.batch, q.channels, e, to, below(engine, 4));
  if constexpr (Accumulate) wanted.fill(next), got.copy(wanted);
  const auto word = [&] { return static_cast<std::uint32_t>(engine()); };
  q.key = {{word(), word()}, word(), word(), word()};
  q.threshold = engine() % 8 == 0 ? 0 : word();
  q.scale = static_cast<T>(1.25);
  q.x = scattered<const T>(x), q.y = scattered<T>(wanted);
  dropping_kernel<reference>::run({}, q);
  q.y = scattered<T>(got);
  auto&& state = make_state(q);
  dropping_kernel<Policy>::run(state, q);
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());
}

template <class Policy, class T, class MakeState>
void dropout_parity(MakeState make_state, int cases) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    check_dropout<Policy, T, false, false>(engine, make_state);
    check_dropout<Policy, T, false, true>(engine, make_state);
    check_dropout<Policy, T, true, false>(engine, make_state);
    check_dropout<Policy, T, true, true>(engine, make_state);
  }
}

}  // namespace tern::test
