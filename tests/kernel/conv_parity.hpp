// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions under any policy against the reference, bit by bit, in all passes, layouts and epilogues.
#pragma once

#include "tern/reference.hpp"
#include "tests/kernel/conv_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

template <class Policy, class T, conv_pass P, epilogue E, class MakeState>
void check_conv_sums(const conv_shape& s, std::mt19937& engine, MakeState make_state) {
  constexpr bool forward = P == conv_pass::forward;
  const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % 5); };
  const index_t results = s.groups * (forward ? s.out : s.in);
  const extents3 extent = forward ? narrow(s) : wide(s);
  const auto to_order = some();
  INFO((forward ? "forward" : "data") << " accumulate " << E.accumulate << " bias " << E.bias
                                      << " layout of the result " << static_cast<int>(to_order));
  const index_t shift = static_cast<index_t>(engine() % 4);
  picture<T> from(s.batch, s.groups * (forward ? s.in : s.out), forward ? wide(s) : narrow(s), some());
  picture<T> wanted(s.batch, results, extent, to_order), got(s.batch, results, extent, to_order, shift);
  picture<T> residual(s.batch, results, extent, some()), slopes(1, results, extent, some());
  filter_bank<T> w(s, engine() % 2);
  const unsigned kind = static_cast<unsigned>(engine() % 4);
  numbers next(static_cast<unsigned>(engine()), kind == 0   ? numbers::kind::special
                                                : kind == 1 ? numbers::kind::extremes
                                                            : numbers::kind::uniform);
  from.fill(next), w.fill(next), residual.fill(next), slopes.fill(next);
  if (E.accumulate) wanted.fill(next), got.copy(wanted);
  std::vector<T> scale(static_cast<std::size_t>(results)), bias(scale.size()), slope(scale.size());
  for (T& v : scale) v = static_cast<T>(next());
  for (T& v : bias) v = static_cast<T>(next());
  for (T& v : slope) v = static_cast<T>(next());
  conv_sums<T, P, E> q;
  q.shape = s, q.from = from, q.w = w, q.residual = residual;
  q.scale = {scale.data(), 1, 0, 0}, q.bias = {bias.data(), 1, 0, 0}, q.slope = {slope.data(), 1, 0, 0};
  q.slopes = slopes, q.slopes.sample = 0;
  for (index_t& along : q.slopes.axis)
    if (engine() % 4 == 0) along = 0;
  q.to = wanted.get();
  convolution_kernel<reference>::run({}, q);
  q.to = got.get();
  auto&& state = make_state(s);
  convolution_kernel<Policy>::run(state, q);
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());
  if constexpr (!E.accumulate) {
    using family = convolution_kernel<Policy>;
    for (const conv_pass packed_for : {conv_pass::forward, conv_pass::data}) {
      INFO("packed for " << (packed_for == conv_pass::forward ? "forward" : "data"));
      poisoned<T> packed(family::template packed_size<T>(s, packed_for));
      family::pack(s, static_cast<filters<const T>>(w), packed.data(), packed_for);
      q.w = family::packed(static_cast<const T*>(packed.data()), s, packed_for);
      got.poison();
      family::run(state, q);
      CHECK(equal_bits(wanted, got));
    }
  }
}

template <class Policy, class T, class MakeState>
void conv_sums_parity(MakeState make_state, int cases, double most = 1e5) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    const conv_shape s = random_conv(engine, most);
    INFO(text(s) << ", case " << i << " of seed " << Catch::rngSeed());
    check_conv_sums<Policy, T, conv_pass::forward, epilogue{}>(s, engine, make_state);
    check_conv_sums<Policy, T, conv_pass::data, epilogue{}>(s, engine, make_state);
    check_conv_sums<Policy, T, conv_pass::forward, everything>(s, engine, make_state);
    check_conv_sums<Policy, T, conv_pass::data, epilogue{.bias = true, .act = activation::prelu}>(s, engine,
                                                                                                  make_state);
    check_conv_sums<Policy, T, conv_pass::forward, epilogue{.accumulate = true}>(s, engine, make_state);
  }
}

/// Weight and bias gradients, fresh or accumulated.
template <class Policy, class T, bool Accumulate, class MakeState>
void check_conv_gradient(const conv_shape& s, std::mt19937& engine, MakeState make_state) {
  const auto some = [&] { return static_cast<typename picture<T>::order>(engine() % 5); };
  const bool by_output = engine() % 2;
  picture<T> x(s.batch, s.groups * s.in, wide(s), some()), dy(s.batch, s.groups * s.out, narrow(s), some());
  filter_bank<T> wanted(s, by_output), got(s, by_output);
  const unsigned kind = static_cast<unsigned>(engine() % 4);
  numbers next(static_cast<unsigned>(engine()), kind == 0   ? numbers::kind::special
                                                : kind == 1 ? numbers::kind::extremes
                                                            : numbers::kind::uniform);
  x.fill(next), dy.fill(next);
  if (Accumulate) wanted.fill(next), got.each([&](auto... i) { got(i...) = wanted(i...); });
  conv_gradient<T, Accumulate> q;
  q.shape = s, q.x = x, q.dy = dy, q.dw = wanted.get();
  convolution_kernel<reference>::run({}, q);
  q.dw = got.get();
  auto&& state = make_state(s);
  convolution_kernel<Policy>::run(state, q);
  CHECK(equal_bits(wanted, got));

  std::vector<T> sums(static_cast<std::size_t>(s.groups * s.out));
  for (T& v : sums) v = static_cast<T>(next());
  std::vector<T> sums_got = sums;
  const place_box all{s.batch, {s.axis[0].out, s.axis[1].out, s.axis[2].out}};
  const auto bias = [&](std::vector<T>& to) {
    return image_sums<Accumulate>(all, s.groups * s.out, scattered(static_cast<image<const T>>(dy)),
                                  operand<T>{to.data(), 1, 0, 0});
  };
  place_sums_kernel<reference>::run({}, bias(sums));
  place_sums_kernel<Policy>::run(state, bias(sums_got));
  bool equal = true;
  for (std::size_t i = 0; i < sums.size(); ++i) equal = equal && equal_bits(sums[i], sums_got[i]);
  CHECK(equal);
}

template <class Policy, class T, class MakeState>
void conv_gradient_parity(MakeState make_state, int cases, double most = 1e5) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    const conv_shape s = random_conv(engine, most);
    INFO(text(s) << ", case " << i << " of seed " << Catch::rngSeed());
    check_conv_gradient<Policy, T, false>(s, engine, make_state);
    check_conv_gradient<Policy, T, true>(s, engine, make_state);
  }
}

}  // namespace tern::test
