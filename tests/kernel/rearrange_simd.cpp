// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rearrangements and resamplings under simd against the reference, bit by bit.
#include "tern/simd.hpp"

#include "tests/kernel/rearrange_cases.hpp"
#include "tests/support/any_executor.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

/// The calling thread, or tasks one after the other, the last one first: what they write must not depend on it.
any_executor some_executor(std::mt19937& engine) {
  static serial one;
  static with_concurrency backwards{[](index_t n, task_ref f) {
                                      for (index_t i = n; i-- > 0;) f(i);
                                    },
                                    5};
  return engine() % 2 ? any_executor::of("serial", one) : any_executor::of("backwards", backwards);
}

template <class T>
numbers random_numbers(std::mt19937& engine) {
  const unsigned kind = static_cast<unsigned>(engine() % 3);
  return numbers(static_cast<unsigned>(engine()), kind == 0   ? numbers::kind::special
                                                  : kind == 1 ? numbers::kind::extremes
                                                              : numbers::kind::uniform);
}

/// Copies and, of numbers that have sums, additions.
template <class T, bool Accumulate>
void check_moves(int cases) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i)
    random_maps(engine, [&](const auto& map, const move_table& t) {
      using Map = std::remove_cvref_t<decltype(map)>;
      if constexpr (!Accumulate || !std::is_same_v<Map, pad_map>) {
        const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % 5); };
        const index_t samples = below(engine, 4), shift = below(engine, 4);
        const auto from_order = some(), to_order = some();
        const any_executor run = some_executor(engine);
        INFO(t.name << " of " << samples << " samples from layout " << static_cast<int>(from_order) << " to "
                    << static_cast<int>(to_order) << " on " << run.name << ", case " << i << " of seed "
                    << Catch::rngSeed());
        picture<T> from(samples, t.in.channels, t.in.extent, from_order, below(engine, 4));
        picture<T> wanted(samples, t.out.channels, t.out.extent, to_order);
        picture<T> got(samples, t.out.channels, t.out.extent, to_order, shift);
        numbers next = random_numbers<T>(engine);
        const auto number = [&] { return static_cast<float>(next()); };
        from.fill(number);
        if (Accumulate) wanted.fill(number), got.copy(wanted);
        rearrangement<T, Map, Accumulate> q;
        q.batch = samples, q.channels = t.out.channels, q.map = map, q.value = static_cast<T>(-0.75f);
        for (std::size_t r = 0; r < 3; ++r) q.extent[r] = t.out.extent[r];
        q.from = scattered<const T>(from), q.to = scattered<T>(wanted);
        rearrangement_kernel<reference>::run({}, q);
        q.to = scattered<T>(got);
        rearrangement_kernel<simd<>>::run(run, q);
        CHECK(equal_bits(wanted, got));
        CHECK(got.gaps_untouched());
      }
    });
}

TEMPLATE_TEST_CASE("rearrangements under simd give the bits of the reference", "[rearrange][simd]", float, double) {
  check_moves<TestType, false>(thinned(120));
  check_moves<TestType, true>(thinned(60));
}

TEST_CASE("narrow elements move, too", "[rearrange][simd]") { check_moves<bfloat16, false>(thinned(40)); }

template <class T, resample_pass P, bool Accumulate, class Axis>
void check_resampling(const Axis (&axis)[3], index_t channels, std::mt19937& engine) {
  const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % 4); };
  constexpr bool forward = P == resample_pass::forward;
  const extents3 in{axis[0].in, axis[1].in, axis[2].in}, out{axis[0].out(), axis[1].out(), axis[2].out()};
  const index_t samples = below(engine, 3), shift = below(engine, 4);
  const auto order = some();
  const any_executor run = some_executor(engine);
  INFO((forward ? "forward" : "data") << " accumulate " << Accumulate << ", " << samples << " samples, " << channels
                                      << " channels, layout " << static_cast<int>(order) << " on " << run.name);
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
  rearrangement_kernel<simd<>>::run(run, q);
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());
}

TEMPLATE_TEST_CASE("resamplings under simd give the bits of the reference", "[rearrange][simd]", float, double) {
  using T = TestType;
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < thinned(150); ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    const index_t channels = one_of(engine, {1, 2, 3, 7, 16, 17, 33, 64, 100});
    for (const interpolation mode :
         {interpolation::nearest, interpolation::linear, interpolation::linear_align_corners}) {
      INFO(name(mode));
      upsample_axis a[3];
      for (std::size_t r = 0; r < 3; ++r)
        a[r] = {one_of(engine, {0, 1, 1, 2, 3, 7, 9}), one_of(engine, {1, 1, 2, 3, 4}), mode};
      check_resampling<T, resample_pass::forward, false>(a, channels, engine);
      check_resampling<T, resample_pass::data, false>(a, channels, engine);
      check_resampling<T, resample_pass::data, true>(a, channels, engine);
    }
    for (const border mode : {border::constant, border::reflect, border::replicate, border::circular}) {
      INFO(name(mode));
      pad_axis a[3];
      for (std::size_t r = 0; r < 3; ++r) a[r] = random_pad(engine, mode, one_of(engine, {1, 2, 3, 8}));
      check_resampling<T, resample_pass::data, false>(a, channels, engine);
      check_resampling<T, resample_pass::data, true>(a, channels, engine);
    }
  }
  const upsample_axis many[3] = {{1, 9}, {1, 9}, {2, 9}};  // sums of more than a chunk
  check_resampling<T, resample_pass::data, false>(many, 19, engine);
  check_resampling<T, resample_pass::data, true>(many, 70, engine);
}

}  // namespace tern::test
