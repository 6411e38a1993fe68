// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rearrangements under the reference against tables of where elements go, and resamplings against matrices of weights
// in higher precision.
#include "tern/reference.hpp"

#include "tests/kernel/rearrange_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

using family = rearrangement_kernel<reference>;

TEMPLATE_TEST_CASE("rearrangements move elements as in tables", "[rearrange][reference]", float, double) {
  using T = TestType;
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < 100; ++i)
    random_maps(engine, [&](const auto& map, const move_table& t) {
      INFO(t.name << ", case " << i << " of seed " << Catch::rngSeed());
      const auto random_order = [&] { return static_cast<typename picture<T>::order>(engine() % 5); };
      const index_t samples = below(engine, 3);
      picture<T> from(samples, t.in.channels, t.in.extent, random_order());
      picture<T> to(samples, t.out.channels, t.out.extent, random_order());
      from.fill(numbers(static_cast<unsigned>(engine()), numbers::kind::special));
      const auto table_says = [&](auto added, T none) {
        bool equal = to.gaps_untouched();
        to.each([&](index_t n, index_t c, index_t z, index_t y, index_t x) {
          const index_t source = t.source[t.out.at(c, z, y, x)], plane = t.in.extent[1] * t.in.extent[2];
          T wanted = none;
          if (source >= 0)
            wanted = from(n, source / plane / t.in.extent[0], source / plane % t.in.extent[0],
                          source / t.in.extent[2] % t.in.extent[1], source % t.in.extent[2]);
          equal = equal && equal_bits(static_cast<T>(wanted + added), to(n, c, z, y, x));
        });
        return equal;
      };
      using Map = std::remove_cvref_t<decltype(map)>;
      const auto call = [&](auto accumulated) {
        rearrangement<T, Map, decltype(accumulated)::value> q;
        q.batch = samples, q.channels = t.out.channels, q.map = map, q.value = T(-0.75);
        for (std::size_t r = 0; r < 3; ++r) q.extent[r] = t.out.extent[r];
        q.from = scattered<const T>(from), q.to = scattered<T>(to);
        family::run({}, q);
      };
      call(std::false_type{});
      CHECK(table_says(T(-0.0), T(-0.75)));
      if constexpr (!std::is_same_v<Map, pad_map>) {
        to.each([&](auto... at) { to(at...) = T(2); });
        call(std::true_type{});
        CHECK(table_says(T(2), T(0)));
      }
    });
}

template <class T, resample_pass P, class Axis>
void check_resampling(const Axis (&axis)[3], std::mt19937& engine) {
  const auto random_order = [&] { return static_cast<typename picture<T>::order>(engine() % 4); };
  const index_t samples = 1 + below(engine, 2), channels = one_of(engine, {1, 2, 5});
  constexpr bool forward = P == resample_pass::forward;
  const extents3 in{axis[0].in, axis[1].in, axis[2].in}, out{axis[0].out(), axis[1].out(), axis[2].out()};
  picture<T> from(samples, channels, forward ? in : out, random_order()),
      to(samples, channels, forward ? out : in, random_order());
  from.fill(numbers(static_cast<unsigned>(engine())));
  resampling<T, P, Axis, false> q;
  q.batch = samples, q.channels = channels, q.from = from, q.to = to.get();
  for (int r = 0; r < 3; ++r) q.axis[r] = axis[r];
  family::run({}, q);
  const std::vector<std::vector<long double>> w[] = {weights_of(axis[0]), weights_of(axis[1]), weights_of(axis[2])};
  bool near = to.gaps_untouched();
  to.each([&](index_t n, index_t c, index_t z, index_t y, index_t x) {
    expected e;
    index_t terms = 0;
    const auto weight = [&](std::size_t r, index_t a, index_t b) {
      return forward ? w[r][static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]
                     : w[r][static_cast<std::size_t>(b)][static_cast<std::size_t>(a)];
    };
    for (index_t fz = 0; fz < from.extent()[0]; ++fz)
      for (index_t fy = 0; fy < from.extent()[1]; ++fy) {
        const long double zy = weight(0, z, fz) * weight(1, y, fy);
        if (zy == 0) continue;
        for (index_t fx = 0; fx < from.extent()[2]; ++fx)
          if (const long double all = zy * weight(2, x, fx); all != 0) e.add(all * from(n, c, fz, fy, fx)), ++terms;
      }
    // A weight is a product of three quotients.
    near = near && within_rounding(to(n, c, z, y, x), e, terms, dot_chunk, 6);
  });
  CHECK(near);
}

TEMPLATE_TEST_CASE("resamplings are the sums that their weights say", "[rearrange][reference]", float, double) {
  using T = TestType;
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < 60; ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    for (const interpolation mode :
         {interpolation::nearest, interpolation::linear, interpolation::linear_align_corners}) {
      INFO(name(mode));
      upsample_axis a[3];
      for (std::size_t r = 0; r < 3; ++r)
        a[r] = {one_of(engine, {1, 1, 2, 3, 5, 7}), one_of(engine, {1, 1, 2, 3, 4, 7}), mode};
      check_resampling<T, resample_pass::forward>(a, engine);
      check_resampling<T, resample_pass::data>(a, engine);
    }
    for (const border mode : {border::constant, border::reflect, border::replicate, border::circular}) {
      INFO(name(mode));
      pad_axis a[3];
      for (std::size_t r = 0; r < 3; ++r) a[r] = random_pad(engine, mode, one_of(engine, {1, 2, 3, 5}));
      check_resampling<T, resample_pass::data>(a, engine);
    }
  }
}

TEST_CASE("sums of more than a chunk", "[rearrange][reference]") {
  std::mt19937 engine(Catch::rngSeed());
  const pad_axis replicate[3] = {
      {1, 20, 3, border::replicate}, {2, 17, 30, border::replicate}, {3, 1, 1, border::replicate}};
  check_resampling<float, resample_pass::data>(replicate, engine);
  const upsample_axis repeat[3] = {{1, 9}, {1, 9}, {2, 9}};
  check_resampling<float, resample_pass::data>(repeat, engine);
}

}  // namespace tern::test
