// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over places of norms under any policy against the reference, bit by bit. States are made by make_state(call).
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "tern/reference.hpp"
#include "tests/kernel/rearrange_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

/// Sums of random axes, whose other inputs are repeated in any way.
template <class Policy, class T, class F, class MakeState>
void check_sums(std::mt19937& engine, MakeState& make_state) {
  const index_t samples = one_of(engine, {0, 1, 2, 3, 33, 65}), longest = below(engine, 3),
                channels = one_of(engine, {1, 2, 3, 5, 8, 16, 17, 24, 33, 40, 56, 64, 130});
  const index_t most = channels > 33 ? 65 : 600;
  extents3 extent{};
  for (index_t r = 0; r < 3; ++r)
    extent[static_cast<std::size_t>(r)] = engine() % 2                  ? 1
                                          : r == longest && samples < 4 ? one_of(engine, {1, 7, 33, most})
                                                                        : one_of(engine, {1, 2, 3, 5});
  const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % 6); };
  const auto usual = some();  // so that loops can be joined
  const auto order = [&] { return engine() % 3 == 0 ? some() : usual; };
  numbers next(static_cast<unsigned>(engine()), engine() % 3 == 0   ? numbers::kind::special
                                                : engine() % 2 == 0 ? numbers::kind::extremes
                                                                    : numbers::kind::uniform);
  INFO(samples << " x " << channels << " channels x " << extent[0] << " x " << extent[1] << " x " << extent[2]);

  place_sums<T, F> q;
  q.channels = channels;
  extents3 of_results{1, 1, 1};
  const bool of_channels = engine() % 2, of_sample = !of_channels && engine() % 2;
  (of_sample ? q.of : q.summed).batch = samples;
  for (std::size_t r = 0; r < 3; ++r) {
    const bool kept = !of_channels && engine() % 3 == 0;
    (kept ? q.of : q.summed).extent[r] = extent[r];
    if (kept) of_results[r] = extent[r];
  }
  if constexpr (F::passes > 1)
    if (F::accumulates) q.seen = below(engine, 3) * 17;
  std::vector<std::unique_ptr<picture<T>>> inputs, wanted, got;
  for (int i = 0; i < F::inputs; ++i) {
    const bool batch_once = i > 0 && engine() % 3 == 0;
    extents3 e = extent;
    const auto repeated = i == 0 ? 0 : engine() % 16;
    for (std::size_t r = 0; r < 3; ++r)
      if (repeated >> r & 1) e[r] = 1;
    inputs.push_back(
        std::make_unique<picture<T>>(batch_once && samples > 0 ? 1 : samples, channels, e, order(), below(engine, 4)));
    inputs.back()->fill(next);
    q.in[i] = scattered<const T>(*inputs.back());
    if (batch_once) q.in[i].sample = 0;
    for (std::size_t r = 0; r < 3; ++r)
      if (repeated >> r & 1) q.in[i].axis[r] = 0;
  }
  for (int i = 0; i < F::results; ++i) {
    const auto o = order();
    wanted.push_back(std::make_unique<picture<T>>(q.of.batch, channels, of_results, o));
    got.push_back(std::make_unique<picture<T>>(q.of.batch, channels, of_results, o, below(engine, 4)));
    if constexpr (F::accumulates) wanted.back()->fill(next), got.back()->copy(*wanted.back());
  }
  for (int i = 0; i < F::results; ++i) q.out[i] = scattered<T>(*wanted[static_cast<std::size_t>(i)]);
  place_sums_kernel<reference>::run({}, q);
  for (int i = 0; i < F::results; ++i) q.out[i] = scattered<T>(*got[static_cast<std::size_t>(i)]);
  auto&& state = make_state(q);
  place_sums_kernel<Policy>::run(state, q);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CHECK(equal_bits(*wanted[i], *got[i]));
    CHECK(got[i]->gaps_untouched());
  }
}

/// Sums with one and two passes.
template <class Policy, class T, class MakeState>
void sum_parity(MakeState make_state, int cases) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    check_sums<Policy, T, tile::norm_weight_terms<true, false>>(engine, make_state);
    check_sums<Policy, T, tile::moment_terms<false>>(engine, make_state);
    check_sums<Policy, T, tile::moment_terms<true>>(engine, make_state);
  }
}

}  // namespace tern::test
