// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Couplings under any policy against the reference, bit by bit; streams hold bits that count even where they look like
// NaN. States are made by make_state(call).
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "tern/reference.hpp"
#include "tests/kernel/coupling_cases.hpp"
#include "tests/kernel/rearrange_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

/// \tparam Bits   what fractions of the numbers count
/// \tparam Exact  whether payloads of NaN count in results
template <class Policy, class T, class F, int Bits, bool Exact, class MakeState>
void check_coupling(std::mt19937& engine, MakeState& make_state) {
  const index_t samples = one_of(engine, {0, 1, 2, 3}), channels = one_of(engine, {1, 3, 8, 17, 33, 64, 130});
  extents3 extent{1, one_of(engine, {1, 2, 5}), one_of(engine, {1, 1, 7, 13, 33})};
  const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % 6); };
  const auto usual = some();  // so that loops can be joined
  const auto order = [&] { return engine() % 3 == 0 ? some() : usual; };
  INFO(samples << " x " << channels << " channels x " << extent[1] << " x " << extent[2]);
  mapping<T, F> q;
  q.batch = samples, q.channels = channels;
  for (std::size_t r = 0; r < 3; ++r) q.extent[r] = extent[r];
  std::vector<std::unique_ptr<picture<T>>> inputs;
  for (int i = 0; i < F::inputs; ++i) {
    inputs.push_back(std::make_unique<picture<T>>(samples, channels, extent, order(), below(engine, 4)));
    inputs.back()->fill([&] { return any_number<T, Bits>(engine); });
    q.in[i] = scattered<const T>(*inputs.back());
  }
  const auto to = order();
  picture<T> wanted(samples, channels, extent, to), got(samples, channels, extent, to, below(engine, 4));
  q.out[0] = scattered<T>(wanted);
  mapping_kernel<reference>::run({}, q);
  q.out[0] = scattered<T>(got);
  auto&& state = make_state(q);
  mapping_kernel<Policy>::run(state, q);
  bool same = true;
  got.each([&](auto... i) {
    const T a = wanted(i...), b = got(i...);
    same = same && (same_memory(a, b) || (!Exact && std::isnan(a) && std::isnan(b)));
  });
  CHECK(same);
  CHECK(got.gaps_untouched());
}

/// Every kind of stream, in every direction.
template <class Policy, class T, class MakeState>
void coupling_parity(MakeState make_state, int cases) {
  using enum stream_kind;
  std::mt19937 engine(Catch::rngSeed());
  const auto check = [&]<stream_kind S, int Bits>() {
    constexpr bool exact = S != drifting;
    check_coupling<Policy, T, tile::coupling_map<S, Bits, false>, Bits, exact>(engine, make_state);
    check_coupling<Policy, T, tile::coupling_map<S, Bits, true>, Bits, exact>(engine, make_state);
    check_coupling<Policy, T, tile::stream_map<S, Bits, false>, Bits, true>(engine, make_state);
    check_coupling<Policy, T, tile::stream_map<S, Bits, true>, Bits, true>(engine, make_state);
  };
  for (int i = 0; i < cases; ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    check.template operator()<fixed_point, 4 * sizeof(T)>();
    check.template operator()<fixed_point, sizeof(T) == 4 ? 30 : 62>();
    check.template operator()<grid, sizeof(T) == 4 ? 12 : 26>();
    check.template operator()<grid, sizeof(T) == 4 ? 22 : 51>();
    check.template operator()<drifting, 0>();
  }
}

}  // namespace tern::test
