// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps, optimisers, random draws and sums over positions of the compiled part. TERN_TEST_MAPS names the function.
#include "tern/simd.hpp"
#include "tests/compiled/calls.hpp"
#include "tests/compiled/memory.hpp"

namespace tern::test {
namespace {

constexpr random_site site{.seed = 1, .step = 7, .site = 3};

template <activation::function A, class T>
void map(memory<T>& m, const char* name) {
  const kernel<elementwise<elementwise_config{.act = A}, T>, simd<>> k;
  const auto x = m.in(3, 17, 5, 7), dy = m.in(3, 17, 5, 7);
  k(x, m.out(3, 17, 5, 7));
  m.done(name, x.size());
  const auto gradient = [&](auto... saved) {
    k.backward_data(dy, saved..., m.out(3, 17, 5, 7));
    m.done(name, x.size());
    k.backward_data(dy, saved..., m.out(3, 17, 5, 7), accumulate);
    m.done(name, x.size());
  };
  if constexpr (A == activation::none)
    gradient();
  else
    gradient(x);
}

/// Steps of an optimiser with so many tensors besides the gradient.
template <class Op, class T, class... State>
void step(memory<T>& m, const char* name, State... state) {
  kernel<Op, simd<>>()(m.in(1000), m.out(1000), state...);
  m.done(name, 1000);
}

// A half of the ops for each element type: the other half differs in nothing but the type.
void floats(memory<float>& m) {
  using T = float;
  map<activation::relu>(m, "relu");
  map<activation::gelu>(m, "gelu");
  map<activation::mish>(m, "mish, in line");

  static T state[2][1000];
  for (int i = 0; i < 1000; ++i) state[0][i] = state[1][i] = static_cast<T>(0.5 + i * 1e-3);
  const view<T, dims<1>> first(unchecked, state[0], dims<1>(1000)), second(state[1], dims<1>(1000));
  step<sgd<sgd_config{.momentum = true}, T>>(m, "sgd", first);
  step<adam<adam_config{}, T>>(m, "adam", first, second);
  kernel<dropout<dropout_config{}, T>, simd<>>()(m.in(3, 17, 5, 7), m.out(3, 17, 5, 7), drop_rate{0.3}, site);
  m.done("dropout", 3 * 17 * 35);
}

void doubles(memory<double>& m) {
  using T = double;
  map<activation::none>(m, "copy");
  map<activation::tanh>(m, "tanh");
  const kernel<elementwise<elementwise_config{.residual = true, .act = activation::relu}, T>, simd<>> sum;
  sum(m.in(3, 17, 5, 7), m.in(3, 17, 5, 7), m.out(3, 17, 5, 7));
  m.done("residual and relu", 3 * 17 * 35);
  const kernel<elementwise<elementwise_config{.bias = true}, T>, simd<>> biased;
  biased.backward_bias(m.in(3, 17, 5, 7), m.out(17));
  m.done("backward_bias", 17);

  static T state[2][1000];
  for (int i = 0; i < 1000; ++i) state[0][i] = state[1][i] = 0.5 + i * 1e-3;
  const view<T, dims<1>> first(unchecked, state[0], dims<1>(1000)), second(state[1], dims<1>(1000));
  step<sgd<sgd_config{}, T>>(m, "sgd");
  step<adamw<adam_config{}, T>>(m, "adamw", first, second);
  step<rmsprop<rmsprop_config{}, T>>(m, "rmsprop", second);
  kernel<normal_sample<T>, simd<>>()(m.in(3, 17, 5, 7), m.in(3, 17, 5, 7), m.out(3, 17, 5, 7), site);
  m.done("normal_sample", 3 * 17 * 35);
}

}  // namespace

void TERN_TEST_MAPS(record to) { calls_of_both(to, floats, doubles); }

}  // namespace tern::test
