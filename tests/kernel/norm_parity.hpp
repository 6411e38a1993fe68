// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms under any policy against the reference, bit by bit. States are made by make_state(call).
#pragma once

#include <random>

#include "tern/reference.hpp"
#include "tests/kernel/rearrange_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

/// Numbers per sample and group, or per channel, at some distance.
template <class T>
struct column {
  index_t rows, columns, step;
  poisoned<T> memory;

  column(index_t r, index_t c, index_t s) : rows(r), columns(c), step(s), memory(r * c * s + 1) {}
  template <class Random>
  void fill(Random&& next) {
    for (index_t i = 0; i < rows * columns; ++i) memory.data()[i * step] = static_cast<T>(next());
  }
  void copy(const column& other) {
    for (index_t i = 0; i < rows * columns; ++i) memory.data()[i * step] = other.memory.data()[i * other.step];
  }
  operand<T> get() const { return {memory.data(), columns * step, step, 0}; }
  operator operand<const T>() const { return {memory.data(), columns * step, step, 0}; }
  friend bool equal_bits(const column& a, const column& b) {
    bool equal = true;
    for (index_t i = 0; i < a.rows * a.columns; ++i)
      equal = equal && equal_bits(a.memory.data()[i * a.step], b.memory.data()[i * b.step]);
    return equal;
  }
};

template <class Policy, class T, norm_steps S, class MakeState>
void check_norm(std::mt19937& engine, MakeState& make_state, index_t most_elements) {
  norm_shape s;
  do {
    s.batch = one_of(engine, {0, 1, 2, 3, 5, 33});
    const index_t members = one_of(engine, {1, 2, 3, 5, 8, 16, 17, 24, 31, 64, 127, 128, 129, 255, 300, 600, 5000});
    s.groups = one_of(engine, {1, 1, 2, 3, 4, 32});
    s.channels = members * s.groups;
    if (S.batch) s.groups = s.channels;
    const index_t rank = S.rows ? 0 : below(engine, 3);
    for (int r = 0; r < 3; ++r) s.extent[r] = r < 3 - rank ? 1 : one_of(engine, {1, 2, 3, 5, 7, 13, 24, 600});
  } while (s.batch * s.channels * s.positions() > most_elements);
  const extents3 e{s.extent[0], s.extent[1], s.extent[2]};
  const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % (S.rows ? 2 : 5)); };
  const auto usual = some();
  const auto order = [&] { return engine() % 3 == 0 ? some() : usual; };
  INFO(s.batch << " x " << s.groups << " groups of " << s.group_channels() << " channels x " << e[0] << " x " << e[1]
               << " x " << e[2] << ", layout " << static_cast<int>(usual));
  INFO((S.center ? "center " : "") << (S.scale ? "scale " : "") << (S.shift ? "shift " : "")
                                   << (S.residual ? "residual " : "") << name(S.act));
  numbers next(static_cast<unsigned>(engine()), engine() % 8 == 0 ? numbers::kind::special
                                                : engine() % 2    ? numbers::kind::extremes
                                                                  : numbers::kind::uniform);
  picture<T> x(s.batch, s.channels, e, order(), below(engine, 4)), rest(s.batch, s.channels, e, order());
  x.fill(next), rest.fill(next);
  const index_t step = 1 + below(engine, 2);
  column<T> scale(s.channels, 1, step), shift(s.channels, 1, 1 + below(engine, 2));
  scale.fill(next), shift.fill(next);
  const auto to_order = order();
  picture<T> wanted(s.batch, s.channels, e, to_order), got(s.batch, s.channels, e, to_order, below(engine, 4));
  const index_t sets = s.sets(S.batch);
  column<T> mean(sets, s.groups, 1), rstd(sets, s.groups, 2), variance(sets, s.groups, 1), mean_got(sets, s.groups, 1),
      rstd_got(sets, s.groups, 2), variance_got(sets, s.groups, 1);
  const auto run = [&](const auto& call) {
    auto&& state = make_state(call);
    if constexpr (requires { call.summed; })
      place_sums_kernel<Policy>::run(state, call);
    else
      normalization_kernel<Policy>::run(state, call);
  };

  norm_values<T, S> forward{
      s, x, rest, scale, shift, wanted.get(), mean.get(), rstd.get(), variance.get(), static_cast<T>(1e-5)};
  normalization_kernel<reference>::run({}, forward);
  forward.y = got.get(), forward.mean = mean_got.get(), forward.rstd = rstd_got.get();
  forward.variance = variance_got.get();
  run(forward);
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());
  CHECK(equal_bits(rstd, rstd_got));
  CHECK(equal_bits(variance, variance_got));
  if (S.center) CHECK(equal_bits(mean, mean_got));

  // Statistics are inputs like others.
  if (engine() % 2) mean.fill(next), rstd.fill(next);
  if (!S.center) mean.fill(next);
  const auto gradient = [&]<bool Accumulate>(std::bool_constant<Accumulate>) {
    if constexpr (Accumulate) wanted.fill(next), got.copy(wanted);
    norm_gradient<T, S.of_gradient(), Accumulate> q{s, rest, x, scale, mean, rstd, wanted.get()};
    normalization_kernel<reference>::run({}, q);
    q.dx = got.get();
    run(q);
    CHECK(equal_bits(wanted, got));
    CHECK(got.gaps_untouched());

    column<T> dscale(s.channels, 1, step), dshift(s.channels, 1, 1), dscale_got(s.channels, 1, step),
        dshift_got(s.channels, 1, 1);
    dscale.fill(next), dshift.fill(next), dscale_got.copy(dscale), dshift_got.copy(dshift);
    operand<const T> of_mean = mean, of_rstd = rstd;
    if (S.batch) of_mean.row = of_rstd.row = 0;
    const bool both = engine() % 3 != 0;
    const auto sums = [&](column<T>& to, column<T>& to_shift) {
      return norm_weight_sums<T, S.center, Accumulate>(s, rest, x, of_mean, of_rstd, to.get(),
                                                       both ? to_shift.get() : operand<T>{});
    };
    place_sums_kernel<reference>::run({}, sums(dscale, dshift));
    run(sums(dscale_got, dshift_got));
    CHECK(equal_bits(dscale, dscale_got));
    CHECK(equal_bits(dshift, dshift_got));

    if (S.batch && !Accumulate && s.batch > 0) {  // the sums are a result, too
      column<T> all(s.channels, 1, step), all_shift(s.channels, 1, 1);
      picture<T> again(s.batch, s.channels, e, to_order);
      q.dx = again.get(), q.dscale = all.get();
      if (both) q.dshift = all_shift.get();
      run(q);
      CHECK(equal_bits(wanted, again));
      CHECK(equal_bits(dscale, all));
      if (both) CHECK(equal_bits(dshift, all_shift));
      q.dx = wanted.get(), q.dscale = dscale_got.get(), q.dshift = dshift_got.get();
      normalization_kernel<reference>::run({}, q);
      CHECK(equal_bits(dscale, dscale_got));
      if (both) CHECK(equal_bits(dshift, dshift_got));
    }
  };
  if (engine() % 2)
    gradient(std::true_type());
  else
    gradient(std::false_type());
}

template <class Policy, class T, class MakeState>
void norm_parity(MakeState make_state, int cases, index_t most_elements = 200000) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    check_norm<Policy, T, norm_steps{}>(engine, make_state, most_elements);
    check_norm<Policy, T, norm_steps{.scale = false, .shift = false}>(engine, make_state, most_elements);
    check_norm<Policy, T, norm_steps{.residual = true, .act = activation::silu}>(engine, make_state, most_elements);
    check_norm<Policy, T, norm_steps{.center = false, .shift = false}>(engine, make_state, most_elements);
    check_norm<Policy, T, norm_steps{.residual = true, .rows = true}>(engine, make_state, most_elements);
    check_norm<Policy, T, norm_steps{.batch = true}>(engine, make_state, most_elements);
  }
}

}  // namespace tern::test
