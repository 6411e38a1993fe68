// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rearrangements and resamplings under any policy against the reference, bit by bit. States are made by
// make_state(call).
#pragma once

#include "tern/reference.hpp"
#include "tests/kernel/rearrange_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

template <class T>
numbers random_numbers(std::mt19937& engine) {
  const unsigned kind = static_cast<unsigned>(engine() % 3);
  return numbers(static_cast<unsigned>(engine()), kind == 0   ? numbers::kind::special
                                                  : kind == 1 ? numbers::kind::extremes
                                                              : numbers::kind::uniform);
}

/// Copies and, of numbers that have sums, additions.
template <class Policy, class T, bool Accumulate, class MakeState>
void move_parity(MakeState make_state, int cases) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i)
    random_maps(engine, [&](const auto& map, const move_table& t) {
      using Map = std::remove_cvref_t<decltype(map)>;
      if constexpr (!Accumulate || !std::is_same_v<Map, pad_map>) {
        const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % 5); };
        const index_t samples = below(engine, 4), shift = below(engine, 4);
        const auto from_order = some(), to_order = some();
        INFO(t.name << " of " << samples << " samples from layout " << static_cast<int>(from_order) << " to "
                    << static_cast<int>(to_order) << ", case " << i << " of seed " << Catch::rngSeed());
        picture<T> from(samples, t.in.channels, t.in.extent, from_order, below(engine, 4));
        picture<T> wanted(samples, t.out.channels, t.out.extent, to_order);
        picture<T> got(samples, t.out.channels, t.out.extent, to_order, shift);
        numbers next = random_numbers<T>(engine);
        const auto number = [&] { return static_cast<float>(next()); };
        from.fill(number);
        if (Accumulate) wanted.fill(number), got.copy(wanted);
        rearrangement<T, Map, Accumulate> q;
        q.batch = samples, q.channels = t.out.channels, q.from_channels = t.in.channels, q.map = map,
        q.value = static_cast<T>(-0.75f);
        for (std::size_t r = 0; r < 3; ++r) q.extent[r] = t.out.extent[r], q.from_extent[r] = t.in.extent[r];
        q.from = scattered<const T>(from), q.to = scattered<T>(wanted);
        rearrangement_kernel<reference>::run({}, q);
        q.to = scattered<T>(got);
        auto&& state = make_state(q);
        rearrangement_kernel<Policy>::run(state, q);
        CHECK(equal_bits(wanted, got));
        CHECK(got.gaps_untouched());
      }
    });
}

template <class Policy, class T, resample_pass P, bool Accumulate, class Axis, class MakeState>
void check_resampling(const Axis (&axis)[3], index_t channels, std::mt19937& engine, MakeState make_state) {
  const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % 4); };
  constexpr bool forward = P == resample_pass::forward;
  const extents3 in{axis[0].in, axis[1].in, axis[2].in}, out{axis[0].out(), axis[1].out(), axis[2].out()};
  const index_t samples = below(engine, 3), shift = below(engine, 4);
  const auto order = some();
  INFO((forward ? "forward" : "data") << " accumulate " << Accumulate << ", " << samples << " samples, " << channels
                                      << " channels, layout " << static_cast<int>(order));
  picture<T> from(samples, channels, forward ? in : out, some()), wanted(samples, channels, forward ? out : in, order),
      got(samples, channels, forward ? out : in, order, shift);
  numbers next = random_numbers<T>(engine);
  from.fill(next);
  if (Accumulate) wanted.fill(next), got.copy(wanted);
  resampling<T, P, Axis, Accumulate> q;
  q.batch = samples, q.channels = channels, q.from = from, q.to = wanted.get();
  for (int r = 0; r < 3; ++r) q.axis[r] = axis[r];
  rearrangement_kernel<reference>::run({}, q);
  q.to = got.get();
  auto&& state = make_state(q);
  rearrangement_kernel<Policy>::run(state, q);
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());
}

template <class Policy, class T, class MakeState>
void resampling_parity(MakeState make_state, int cases) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    const index_t channels = one_of(engine, {1, 2, 3, 7, 16, 17, 33, 64, 100});
    for (const interpolation mode :
         {interpolation::nearest, interpolation::linear, interpolation::linear_align_corners}) {
      INFO(name(mode));
      upsample_axis a[3];
      for (std::size_t r = 0; r < 3; ++r)
        a[r] = {one_of(engine, {0, 1, 1, 2, 3, 7, 9}), one_of(engine, {1, 1, 2, 3, 4}), mode};
      check_resampling<Policy, T, resample_pass::forward, false>(a, channels, engine, make_state);
      check_resampling<Policy, T, resample_pass::data, false>(a, channels, engine, make_state);
      check_resampling<Policy, T, resample_pass::data, true>(a, channels, engine, make_state);
    }
    for (const border mode : {border::constant, border::reflect, border::replicate, border::circular}) {
      INFO(name(mode));
      pad_axis a[3];
      for (std::size_t r = 0; r < 3; ++r) a[r] = random_pad(engine, mode, one_of(engine, {1, 2, 3, 8}));
      check_resampling<Policy, T, resample_pass::data, false>(a, channels, engine, make_state);
      check_resampling<Policy, T, resample_pass::data, true>(a, channels, engine, make_state);
    }
  }
  const upsample_axis many[3] = {{1, 9}, {1, 9}, {2, 9}};  // sums of more than a chunk
  check_resampling<Policy, T, resample_pass::data, false>(many, 19, engine, make_state);
  check_resampling<Policy, T, resample_pass::data, true>(many, 70, engine, make_state);
}

}  // namespace tern::test
