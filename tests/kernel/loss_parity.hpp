// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses under any policy against the reference, bit by bit. States are made by make_state(call), and by
// map_state(call) for gradients that are maps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "tern/reference.hpp"
#include "tests/kernel/rearrange_cases.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

/// Sizes, layouts and numbers of one case of losses.
template <class T>
struct loss_case {
  using order = typename picture<T>::order;

  loss_case(std::mt19937& random, index_t most_elements)
      : engine(random), next(static_cast<unsigned>(random()), kind()) {
    do {
      batch = one_of(engine, {0, 1, 2, 3, 7, 33, 65});
      channels = one_of(engine, {1, 2, 3, 8, 10, 16, 17, 64, 127, 128, 129, 200, 513, 4100, 5000});
      const index_t rank = below(engine, 4);
      for (int r = 0; r < 3; ++r)
        extent[static_cast<std::size_t>(r)] = r < 3 - rank ? 1 : one_of(engine, {1, 2, 3, 5, 16, 17, 40});
    } while (batch * channels * extent[0] * extent[1] * extent[2] > most_elements);
    usual = any_order();
  }
  numbers::kind kind() {
    return engine() % 8 == 0 ? numbers::kind::special : engine() % 2 ? numbers::kind::extremes : numbers::kind::uniform;
  }
  order any_order() { return static_cast<order>(engine() % 6); }
  order some_order() { return engine() % 3 == 0 ? any_order() : usual; }
  std::unique_ptr<picture<T>> filled(double size = 1) {
    auto p = std::make_unique<picture<T>>(batch, channels, extent, some_order(), below(engine, 4));
    p->fill([&] { return size * next(); });
    return p;
  }

  std::mt19937& engine;
  numbers next;
  index_t batch = 0, channels = 0;
  extents3 extent{1, 1, 1};
  order usual = order::last;
};

template <class Policy, class T, loss_kind K, class MakeState, class MapState>
void check_element_loss(std::mt19937& engine, MakeState& make_state, MapState& map_state, index_t most_elements) {
  loss_case<T> c(engine, most_elements);
  INFO("kind " << static_cast<int>(K) << ", " << c.batch << " samples of " << c.channels << " channels x "
               << c.extent[0] << " x " << c.extent[1] << " x " << c.extent[2] << ", layout "
               << static_cast<int>(c.usual));
  using sum = tile::loss_sum<K>;
  element_sums<T, sum> q;
  q.batch = c.batch, q.channels = c.channels;
  for (std::size_t r = 0; r < 3; ++r) q.extent[r] = c.extent[r];
  std::vector<std::unique_ptr<picture<T>>> inputs;
  for (auto& i : q.in) {
    inputs.push_back(c.filled(engine() % 2 ? 1 : 20));
    i = scattered<const T>(*inputs.back());
  }
  const index_t step = 1 + below(engine, 3);
  poisoned<T> wanted(c.batch * step), got(c.batch * step);
  q.y = {wanted.data(), step, 0, 0};
  loss_kernel<reference>::run({}, q);
  q.y.p = got.data();
  {
    auto&& state = make_state(q);
    loss_kernel<Policy>::run(state, q);
  }
  CHECK(
      std::equal(wanted.data(), wanted.data() + wanted.size(), got.data(), [](T a, T b) { return equal_bits(a, b); }));

  const auto gradient = [&]<bool Each, bool Accumulate>(std::bool_constant<Each>, std::bool_constant<Accumulate>) {
    using map = tile::loss_gradient<K, T, Each, Accumulate>;
    mapping<T, map> m;
    m.batch = c.batch, m.channels = c.channels, m.f.weight = static_cast<T>(0.3);
    for (int r = 0; r < 3; ++r) m.extent[r] = q.extent[r];
    for (int i = 0; i < sum::inputs; ++i) m.in[i] = q.in[i];
    poisoned<T> dy(c.batch);
    for (index_t n = 0; n < c.batch; ++n) dy.data()[n] = static_cast<T>(c.next());
    if constexpr (Each) m.in[sum::inputs] = {.p = dy.data(), .sample = 1, .channel = 0, .block = c.channels};
    std::vector<std::unique_ptr<picture<T>>> right, results;
    for (int i = 0; i < map::outputs; ++i) {
      const auto o = c.some_order();
      right.push_back(std::make_unique<picture<T>>(c.batch, c.channels, c.extent, o));
      results.push_back(std::make_unique<picture<T>>(c.batch, c.channels, c.extent, o, below(engine, 4)));
      if constexpr (Accumulate) right.back()->fill(c.next), results.back()->copy(*right.back());
    }
    for (std::size_t i = 0; i < right.size(); ++i) m.out[i] = scattered<T>(*right[i]);
    mapping_kernel<reference>::run({}, m);
    for (std::size_t i = 0; i < right.size(); ++i) m.out[i] = scattered<T>(*results[i]);
    auto&& state = map_state(m);
    mapping_kernel<Policy>::run(state, m);
    for (std::size_t i = 0; i < right.size(); ++i) {
      CHECK(equal_bits(*right[i], *results[i]));
      CHECK(results[i]->gaps_untouched());
    }
  };
  if (engine() % 2)
    gradient(std::true_type(), std::false_type());
  else
    gradient(std::false_type(), std::true_type());
}

template <class Policy, class T, bool Smooth, class MakeState>
void check_cross_entropy(std::mt19937& engine, MakeState& make_state, index_t most_elements) {
  loss_case<T> c(engine, most_elements);
  const row_shape s{c.batch, c.channels, {c.extent[0], c.extent[1], c.extent[2]}};
  INFO(c.batch << " samples of " << c.channels << " classes x " << c.extent[0] << " x " << c.extent[1] << " x "
               << c.extent[2] << ", layout " << static_cast<int>(c.usual) << (Smooth ? ", smoothed" : ""));
  const auto x = c.filled(engine() % 2 ? 1 : 30);
  picture<std::int32_t> target(c.batch, 1, c.extent, static_cast<picture<std::int32_t>::order>(engine() % 2));
  const unsigned odd = engine() % 2 ? 1000 : 8;  // mostly classes, or several that are none
  target.fill([&] {
    return engine() % odd != 0 ? below(engine, c.channels) : engine() % 3 == 0 ? c.channels + below(engine, 3) : -1;
  });
  const T share = Smooth ? static_cast<T>(0.1) / static_cast<T>(c.channels) : T(0), keep = Smooth ? T(0.9) : T(1);
  const auto o = static_cast<typename picture<T>::order>(engine() % 2);
  picture<T> wanted(c.batch, 1, c.extent, o), got(c.batch, 1, c.extent, o, below(engine, 4));
  cross_entropy_values<T, Smooth> q{
      s, scattered<const T>(*x), scattered<const std::int32_t>(target), scattered<T>(wanted), keep, share};
  row_kernel<reference>::run({}, q);
  q.y = scattered<T>(got);
  {
    auto&& state = make_state(q);
    row_kernel<Policy>::run(state, q);
  }
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());

  picture<T> dy(c.batch, 1, c.extent, o);
  dy.fill(c.next);
  const auto gradient = [&]<bool Each, bool Accumulate>(std::bool_constant<Each>, std::bool_constant<Accumulate>) {
    const auto to = c.some_order();
    picture<T> dx(c.batch, c.channels, c.extent, to), dx_got(c.batch, c.channels, c.extent, to, below(engine, 4));
    if constexpr (Accumulate) dx.fill(c.next), dx_got.copy(dx);
    cross_entropy_gradient<T, Each, Accumulate> g{s,
                                                  scattered<const T>(*x),
                                                  scattered<const std::int32_t>(target),
                                                  scattered<const T>(dy),
                                                  scattered<T>(dx),
                                                  keep,
                                                  share,
                                                  static_cast<T>(0.3)};
    row_kernel<reference>::run({}, g);
    g.dx = scattered<T>(dx_got);
    auto&& state = make_state(g);
    row_kernel<Policy>::run(state, g);
    CHECK(equal_bits(dx, dx_got));
    CHECK(dx_got.gaps_untouched());
  };
  if (engine() % 2)
    gradient(std::true_type(), std::false_type());
  else
    gradient(std::false_type(), std::true_type());
}

/// Of N numbers: every one of them is a column of a matrix.
template <class Policy, class T, int N, class MakeState, class MapState>
void check_multivariate_loss(std::mt19937& engine, MakeState& make_state, MapState& map_state) {
  using sum = tile::multivariate_gaussian_sum<N>;
  constexpr index_t features = tile::multivariate_gaussian<N>::features;
  const index_t batch = one_of(engine, {0, 1, 2, 3, 16, 17, 64, 129});
  INFO(N << " numbers of " << batch << " samples");
  numbers next(static_cast<unsigned>(engine()), engine() % 8 == 0 ? numbers::kind::special : numbers::kind::uniform);
  const bool by_samples = engine() % 2;  // or by columns, which are dense then
  const auto matrix = [&](index_t columns) {
    poisoned<T> m(batch * columns);
    for (index_t i = 0; i < m.size(); ++i) m.data()[i] = static_cast<T>(4 * next());
    return m;
  };
  const auto set_columns = [&](auto* to, auto* p, index_t columns) {
    for (index_t i = 0; i < columns; ++i)
      to[i] = {.p = p + i * (by_samples ? 1 : batch), .sample = by_samples ? columns : 1, .channel = 0, .block = 1};
  };
  auto x = matrix(features), target = matrix(N);
  element_sums<T, sum> q;
  q.batch = batch, q.channels = 1;
  set_columns(q.in, std::as_const(x).data(), features);
  set_columns(q.in + features, std::as_const(target).data(), N);
  poisoned<T> wanted(batch), got(batch);
  q.y = {wanted.data(), 1, 0, 0};
  loss_kernel<reference>::run({}, q);
  q.y.p = got.data();
  {
    auto&& state = make_state(q);
    loss_kernel<Policy>::run(state, q);
  }
  const auto same = [](poisoned<T>& a, poisoned<T>& b) {
    return std::equal(a.data(), a.data() + a.size(), b.data(), [](T l, T r) { return equal_bits(l, r); });
  };
  CHECK(same(wanted, got));

  const auto gradient = [&]<bool Each, bool Accumulate>(std::bool_constant<Each>, std::bool_constant<Accumulate>) {
    mapping<T, tile::multivariate_gaussian_gradient<N, T, Each, Accumulate>> m;
    m.batch = batch, m.channels = 1, m.f.weight = static_cast<T>(0.3);
    for (int i = 0; i < sum::inputs; ++i) m.in[i] = q.in[i];
    auto dy = matrix(1);
    if constexpr (Each) m.in[sum::inputs] = {.p = dy.data(), .sample = 1, .channel = 0, .block = 1};
    auto right = matrix(features);
    poisoned<T> result(right.size());
    std::copy_n(right.data(), right.size(), result.data());
    set_columns(m.out, right.data(), features);
    mapping_kernel<reference>::run({}, m);
    set_columns(m.out, result.data(), features);
    auto&& state = map_state(m);
    mapping_kernel<Policy>::run(state, m);
    CHECK(same(right, result));
  };
  if (engine() % 2)
    gradient(std::true_type(), std::false_type());
  else
    gradient(std::false_type(), std::true_type());
}

/// What a loss is reduced to, by calls of the op.
template <class Policy, class T, reduction R, class MakeState>
void check_total(std::mt19937& engine, MakeState& make_state) {
  const index_t batch = one_of(engine, {1, 3, 33, 200}), channels = one_of(engine, {1, 5, 64});
  INFO("reduction " << static_cast<int>(R) << " of " << batch << " samples of " << channels << " numbers");
  numbers next(static_cast<unsigned>(engine()));
  std::vector<T> x(static_cast<std::size_t>(batch * channels)), target(x);
  for (T& v : x) v = static_cast<T>(next());
  for (T& v : target) v = static_cast<T>(next());
  const auto results = [&]<class P>(std::type_identity<P>, auto&... state) {
    std::vector<T> losses(static_cast<std::size_t>(batch)), totals(1);
    const view left(x.data(), extents{batch, channels}), right(target.data(), extents{batch, channels});
    const view each(losses.data(), extents{batch}), total(totals.data(), extents{index_t{1}});
    const kernel<squared_error<loss_config{.reduce = R}, T>, P> loss;
    loss(state..., left, right, each, total);
    losses.push_back(totals[0]);
    return losses;
  };
  auto&& state = make_state(batch);
  const auto wanted = results(std::type_identity<reference>()), got = results(std::type_identity<Policy>(), state);
  CHECK(std::equal(wanted.begin(), wanted.end(), got.begin(), [](T a, T b) { return equal_bits(a, b); }));
}

template <class Policy, class T, class MakeState>
void loss_total_parity(MakeState make_state) {
  std::mt19937 engine(Catch::rngSeed());
  check_total<Policy, T, reduction::sum>(engine, make_state);
  check_total<Policy, T, reduction::mean>(engine, make_state);
  check_total<Policy, T, reduction::batch_mean>(engine, make_state);
}

template <class Policy, class T, class MakeState, class MapState>
void loss_parity(MakeState make_state, MapState map_state, int cases, index_t most_elements = 60000) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    check_element_loss<Policy, T, loss_kind::squared_error>(engine, make_state, map_state, most_elements);
    check_element_loss<Policy, T, loss_kind::bce_with_logits>(engine, make_state, map_state, most_elements);
    check_element_loss<Policy, T, loss_kind::gaussian_nll>(engine, make_state, map_state, most_elements);
    check_element_loss<Policy, T, loss_kind::gaussian_kl>(engine, make_state, map_state, most_elements);
    check_multivariate_loss<Policy, T, 3>(engine, make_state, map_state);
    check_cross_entropy<Policy, T, false>(engine, make_state, most_elements);
    check_cross_entropy<Policy, T, true>(engine, make_state, most_elements);
  }
}

}  // namespace tern::test
