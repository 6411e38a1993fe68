// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that draw random numbers under any policy against the reference, bit by bit. States are made by
// make_state(call).
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "tern/reference.hpp"
#include "tests/kernel/rearrange_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

template <class Policy, class T, class F, class MakeState>
void check_draws(std::mt19937& engine, MakeState& make_state, F f) {
  drawing<T, F> q;
  q.f = f;
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
  std::vector<std::unique_ptr<picture<T>>> in, wanted, got;
  for (auto& i : q.in) {
    in.push_back(std::make_unique<picture<T>>(q.batch, q.channels, e, order(), below(engine, 4)));
    in.back()->fill(next);
    i = scattered<const T>(*in.back());
  }
  for (int i = 0; i < F::outputs; ++i) {
    const auto to = order();
    wanted.push_back(std::make_unique<picture<T>>(q.batch, q.channels, e, to));
    got.push_back(std::make_unique<picture<T>>(q.batch, q.channels, e, to, below(engine, 4)));
    if constexpr (F::accumulates) wanted.back()->fill(next), got.back()->copy(*wanted.back());
  }
  const auto word = [&] { return static_cast<std::uint32_t>(engine()); };
  q.key = {{word(), word()}, word(), word(), word()};
  for (std::size_t i = 0; i < wanted.size(); ++i) q.out[i] = scattered<T>(*wanted[i]);
  drawing_kernel<reference>::run({}, q);
  for (std::size_t i = 0; i < wanted.size(); ++i) q.out[i] = scattered<T>(*got[i]);
  auto&& state = make_state(q);
  drawing_kernel<Policy>::run(state, q);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CHECK(equal_bits(*wanted[i], *got[i]));
    CHECK(got[i]->gaps_untouched());
  }
}

template <class Policy, class T, class MakeState>
void draw_parity(MakeState make_state, int cases) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    const std::uint32_t threshold = engine() % 8 == 0 ? 0 : static_cast<std::uint32_t>(engine());
    const auto scale = static_cast<T>(1.25);
    check_draws<Policy, T>(engine, make_state, tile::dropping<T, false, false>{threshold, scale});
    check_draws<Policy, T>(engine, make_state, tile::dropping<T, false, true>{threshold, scale});
    check_draws<Policy, T>(engine, make_state, tile::dropping<T, true, false>{threshold, scale});
    check_draws<Policy, T>(engine, make_state, tile::dropping<T, true, true>{threshold, scale});
    check_draws<Policy, T>(engine, make_state, tile::normal_sampling<T>{});
    check_draws<Policy, T>(engine, make_state, tile::normal_sampling_gradient<T, true>{});
  }
}

}  // namespace tern::test
