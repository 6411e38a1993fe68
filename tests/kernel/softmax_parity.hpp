// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax under any policy against the reference, bit by bit. States are made by make_state(call).
#pragma once

#include <cstdint>
#include <random>

#include "tern/reference.hpp"
#include "tests/kernel/rearrange_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

template <class Policy, class T, bool Log, bool Mask, class MakeState>
void check_softmax(std::mt19937& engine, MakeState& make_state, index_t most_elements) {
  row_shape s;
  do {
    s.batch = one_of(engine, {0, 1, 2, 3, 7});
    s.features = one_of(engine, {1, 2, 3, 8, 10, 15, 16, 17, 40, 64, 70, 90, 100, 127, 128, 129, 200, 513, 4100, 5000});
    const index_t rank = below(engine, 4);
    for (int r = 0; r < 3; ++r) s.extent[r] = r < 3 - rank ? 1 : one_of(engine, {1, 2, 3, 5, 16, 17, 40});
  } while (s.rows() * s.features > most_elements);
  const extents3 e{s.extent[0], s.extent[1], s.extent[2]};
  const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % 6); };
  const auto usual = some();
  const auto order = [&] { return engine() % 3 == 0 ? some() : usual; };
  INFO(s.batch << " samples of " << s.features << " features x " << e[0] << " x " << e[1] << " x " << e[2]
               << ", layout " << static_cast<int>(usual) << (Log ? ", logarithms" : "") << (Mask ? ", mask" : ""));
  numbers next(static_cast<unsigned>(engine()), engine() % 8 == 0 ? numbers::kind::special
                                                : engine() % 2    ? numbers::kind::extremes
                                                                  : numbers::kind::uniform);
  const double size = engine() % 2 ? 1 : 30;
  picture<T> x(s.batch, s.features, e, order(), below(engine, 4)), dy(s.batch, s.features, e, order());
  x.fill([&] { return size * next(); }), dy.fill(next);
  const auto to_order = order();
  picture<T> wanted(s.batch, s.features, e, to_order), got(s.batch, s.features, e, to_order, below(engine, 4));
  const bool mask_once = engine() % 2, row_once = engine() % 2;
  picture<std::uint8_t> mask(mask_once && s.batch > 0 ? 1 : s.batch, s.features, {e[0], e[1], row_once ? 1 : e[2]},
                             static_cast<picture<std::uint8_t>::order>(engine() % 4));
  const unsigned density = 1 + engine() % 8;
  mask.fill([&] { return engine() % 8 < density ? 1 : 0; });
  const auto run = [&](const auto& call) {
    auto&& state = make_state(call);
    row_kernel<Policy>::run(state, call);
  };

  softmax_values<T, Log, Mask> forward{s, scattered<const T>(x), scattered<const std::uint8_t>(mask),
                                       scattered<T>(wanted)};
  if (mask_once) forward.mask.sample = 0;
  if (row_once) forward.mask.axis[2] = 0;
  row_kernel<reference>::run({}, forward);
  forward.y = scattered<T>(got);
  run(forward);
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());

  const picture<T>& y = wanted;
  picture<T> dx(s.batch, s.features, e, to_order), dx_got(s.batch, s.features, e, to_order);
  const auto gradient = [&]<bool Accumulate>(std::bool_constant<Accumulate>) {
    if constexpr (Accumulate) dx.fill(next), dx_got.copy(dx);
    softmax_gradient<T, Log, Accumulate> q{s, scattered<const T>(dy), scattered<const T>(y), scattered<T>(dx)};
    row_kernel<reference>::run({}, q);
    q.dx = scattered<T>(dx_got);
    run(q);
    CHECK(equal_bits(dx, dx_got));
    CHECK(dx_got.gaps_untouched());
  };
  if (engine() % 2)
    gradient(std::true_type());
  else
    gradient(std::false_type());
}

template <class Policy, class T, class MakeState>
void softmax_parity(MakeState make_state, int cases, index_t most_elements = 60000) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    check_softmax<Policy, T, false, false>(engine, make_state, most_elements);
    check_softmax<Policy, T, false, true>(engine, make_state, most_elements);
    check_softmax<Policy, T, true, false>(engine, make_state, most_elements);
    check_softmax<Policy, T, true, true>(engine, make_state, most_elements);
  }
}

}  // namespace tern::test
