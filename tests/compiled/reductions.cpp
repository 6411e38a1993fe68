// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms, softmax and losses of the compiled part. TERN_TEST_REDUCTIONS names the function.
#include "tern/simd.hpp"
#include "tests/compiled/calls.hpp"
#include "tests/compiled/memory.hpp"

namespace tern::test {
namespace {

/// A norm of images and its gradients.
template <class Op, norm_config C, class T>
void norm(memory<T>& m, const char* name, index_t n, index_t channels, index_t extent, index_t groups) {
  const kernel<Op, simd<>> k;
  const index_t elements = n * channels * extent * extent;
  static T mean[room], rstd[room];
  const auto number = [&](T* p) {
    if constexpr (Op::kind == norm_kind::batch)
      return view<T, dims<1>>(unchecked, p, dims<1>(groups));
    else
      return view<T, dims<1>>(unchecked, p, dims<1>(n));
  };
  const auto x = m.in(n, channels, extent, extent), dy = m.in(n, channels, extent, extent);
  const auto scale = m.in(channels), shift = m.in(channels);
  const auto y = [&] { return m.out(n, channels, extent, extent); };
  with<C.residual>(dy, [&](auto... r) {
    if constexpr (Op::kind == norm_kind::rms)
      k(x, scale, r..., y(), number(rstd));
    else
      k(x, scale, shift, r..., y(), number(mean), number(rstd));
  });
  m.done(name, elements);
  if constexpr (!C.residual && C.act == activation::none) {
    const auto gradients = [&](auto... mean_of) {
      k.backward_data(dy, x, scale, mean_of..., number(rstd), y());
      m.done(name, elements);
      k.backward_data(dy, x, scale, mean_of..., number(rstd), y(), accumulate);
      m.done(name, elements);
      k.backward_weights(dy, x, mean_of..., number(rstd), m.out(channels));
      m.done(name, channels);
    };
    if constexpr (Op::kind == norm_kind::rms)
      gradients();
    else
      gradients(number(mean));
  }
}

template <class Op, class T, class... More>
void loss(memory<T>& m, const char* name, const More&... more) {
  kernel<Op, simd<>>()(m.in(4, 5, 6, 7), more..., m.out(4));
  m.done(name, 4);
}

constexpr norm_config scaled{.shift = false}, block{.residual = true, .act = activation::relu};
constexpr loss_config each{.reduce = reduction::none};

// A half of the ops for each element type: the other half differs in nothing but the type.
void floats(memory<float>& m) {
  using T = float;
  kernel<softmax<softmax_config{}, T>, simd<>>()(m.in<layout_row>(30, 77), m.out<layout_row>(30, 77));
  m.done("softmax", 30 * 77);

  std::int32_t target[30];
  for (int i = 0; i < 30; ++i) target[i] = i % 9 == 8 ? -1 : i % 7;
  const view targets(unchecked, target, dims<1>(30));
  const kernel<cross_entropy<each, T>, simd<>> entropy;
  entropy(m.in<layout_row>(30, 7), targets, m.out(30));
  m.done("cross_entropy", 30);
  entropy(m.in<layout_row>(30, 7), targets, m.out(30), label_smoothing{0.1});
  m.done("cross_entropy", 30);
  entropy.backward_data(m.in<layout_row>(30, 7), targets, m.in(30), m.out<layout_row>(30, 7));
  m.done("cross_entropy", 30 * 7);

  norm<layer_norm<norm_config{}, T>, norm_config{}>(m, "layer_norm", 3, 77, 1, 1);
  norm<layer_norm<norm_config{}, T>, norm_config{}>(m, "layer_norm", 3, 5, 6, 1);
  norm<batch_norm<norm_config{}, T>, norm_config{}>(m, "batch_norm", 4, 37, 5, 37);
  loss<squared_error<each, T>>(m, "squared_error", m.in(4, 5, 6, 7));
  loss<gaussian_nll<each, T>>(m, "gaussian_nll", m.in(4, 5, 6, 7), m.in(4, 5, 6, 7));
}

void doubles(memory<double>& m) {
  using T = double;
  kernel<softmax<softmax_config{.log = true}, T>, simd<>>().backward_data(
      m.in<layout_row>(30, 7), m.in<layout_row>(30, 7), m.out<layout_row>(30, 7));
  m.done("log_softmax", 30 * 7);
  norm<rms_norm<scaled, T>, scaled>(m, "rms_norm", 3, 70, 3, 1);
  norm<batch_norm<block, T>, block>(m, "batch_norm, residual and relu", 4, 37, 5, 37);
  loss<bce_with_logits<each, T>>(m, "bce_with_logits", m.in(4, 5, 6, 7));
  loss<gaussian_kl<each, T>>(m, "gaussian_kl", m.in(4, 5, 6, 7));
}

}  // namespace

void TERN_TEST_REDUCTIONS(record to) { calls_of_both(to, floats, doubles); }

}  // namespace tern::test
