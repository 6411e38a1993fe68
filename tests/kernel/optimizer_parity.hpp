// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of optimisers under any policy against the reference, bit by bit.
#pragma once

#include <type_traits>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

/// Steps of an optimiser on random numbers, of T under a policy.
template <class Op, class Policy, class Step, class... State>
std::vector<std::vector<typename Op::value_type>> steps(index_t n, int remembered, Step step, State&... state) {
  using T = typename Op::value_type;
  std::vector<std::vector<T>> x(static_cast<std::size_t>(1 + remembered));
  x[0] = random_vector<T>(n, 1);
  for (std::size_t i = 1; i < x.size(); ++i) x[i].resize(x[0].size());
  const kernel<Op, Policy> k;
  for (unsigned t = 1; t <= 5; ++t) {
    auto gradient = random_vector<T>(n, 10 + t);
    if constexpr (requires { step.step; }) step.step = static_cast<index_t>(t);
    double sum = 0;
    for (const T g : gradient) sum += static_cast<double>(g) * static_cast<double>(g);
    const std::vector<T> squares{static_cast<T>(sum)};
    const auto call = [&](auto&... changed) {
      if constexpr (Op::config.clip)
        k(state..., gradient, changed..., squares, step);
      else
        k(state..., gradient, changed..., step);
    };
    if constexpr (requires { step.beta1; })
      call(x[0], x[1], x[2]);
    else if constexpr (requires { step.alpha; }) {
      if constexpr (Op::config.momentum)
        call(x[0], x[1], x[2]);
      else
        call(x[0], x[1]);
    } else {
      if constexpr (Op::config.momentum)
        call(x[0], x[1]);
      else
        call(x[0]);
    }
  }
  return x;
}

/// Three steps of a layer's optimiser that takes norms.
template <class Policy, class T, class Make>
std::vector<T> layer_steps(bool by_lamb, index_t n, Make make) {
  auto p = random_vector<T>(n, 1);
  std::vector<T> m(p.size()), v(p.size()), of_p(1), of_g(1);
  for (unsigned t = 1; t <= 3; ++t) {
    auto g = random_vector<T>(n, 10 + t);
    const auto squares = [&](std::vector<T>& x, std::vector<T>& to) {
      make(std::type_identity<kernel<sum_of_squares<T>, Policy>>(),
           [&](auto&... state) { kernel<sum_of_squares<T>, Policy>{}(state..., x, to); });
    };
    squares(p, of_p);
    if (by_lamb) {
      using first = kernel<lamb_update<T>, Policy>;
      const adam_step step{.epsilon = 1e-6, .decay = 0.1, .step = static_cast<index_t>(t)};
      make(std::type_identity<first>(), [&](auto&... state) { first{}(state..., p, g, m, v, step); });
      squares(g, of_g);
      using second = kernel<lamb<T>, Policy>;
      make(std::type_identity<second>(), [&](auto&... state) { second{}(state..., g, p, of_p, of_g, lamb_step{0.1}); });
    } else {
      squares(g, of_g);
      using op = kernel<lars<T>, Policy>;
      make(std::type_identity<op>(),
           [&](auto&... state) { op{}(state..., g, p, v, of_p, of_g, lars_step{.decay = 0.1, .trust = 0.5}); });
    }
  }
  return p;
}

/// Every optimiser, and what goes with them.
/// \param make_state  gives the run-time state of a call
template <class Policy, class T, class MakeState>
void optimizer_parity(MakeState make_state) {
  const auto check = [&]<class Op>(std::type_identity<Op>, int remembered, auto step) {
    if (Op::config.clip) step.most = 0.5;
    for (const index_t n : {1, 17, 1000}) {
      INFO(Op::name << " of " << n << " parameters");
      auto&& state = make_state(n);
      const auto wanted = steps<Op, reference>(n, remembered, step),
                 got = steps<Op, Policy>(n, remembered, step, state);
      bool same = true;
      for (std::size_t i = 0; i < wanted.size(); ++i) same = same && same_bits(wanted[i], got[i]);
      CHECK(same);
    }
  };
  const sgd_step moving{.rate = 0.1, .decay = 0.01};
  check(std::type_identity<sgd<sgd_config{}, T>>(), 0, sgd_step{.rate = 0.1, .momentum = 0, .decay = 0.01});
  check(std::type_identity<sgd<sgd_config{.momentum = true}, T>>(), 1, moving);
  check(std::type_identity<sgd<sgd_config{.momentum = true, .nesterov = true, .clip = true}, T>>(), 1, moving);
  const adam_step adams{.rate = 0.01, .epsilon = 1e-3, .decay = 0.1};
  check(std::type_identity<adam<adam_config{}, T>>(), 2, adams);
  check(std::type_identity<adam<adam_config{.decoupled = true, .clip = true}, T>>(), 2, adams);
  check(std::type_identity<rmsprop<rmsprop_config{}, T>>(), 1, rmsprop_step{.decay = 0.1});
  check(std::type_identity<rmsprop<rmsprop_config{.momentum = true}, T>>(), 2, rmsprop_step{.momentum = 0.9});

  for (const index_t n : {1, 17, 5000}) {
    INFO(n << " parameters");
    auto&& state = make_state(n);
    for (const bool by_lamb : {false, true})
      CHECK(same_bits(layer_steps<reference, T>(by_lamb, n, [](auto, auto call) { call(); }),
                      layer_steps<Policy, T>(by_lamb, n, [&](auto, auto call) { call(state); })));
    const auto x = random_vector<T>(n, 1), start = random_vector<T>(n, 2);
    std::vector<T> wanted(1, T(7)), got(1, T(7)), average_wanted = start, average = start;
    kernel<sum_of_squares<T>, reference>{}(x, wanted);
    kernel<sum_of_squares<T>, Policy>{}(state, x, got);
    CHECK(same_bits(wanted, got));
    kernel<moving_average<T>, reference>{}(x, average_wanted, moving_average_step{.decay = 0.9});
    kernel<moving_average<T>, Policy>{}(state, x, average, moving_average_step{.decay = 0.9});
    CHECK(same_bits(average_wanted, average));
  }
}

}  // namespace tern::test
