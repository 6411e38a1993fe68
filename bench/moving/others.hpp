// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of tern's softmax, cross-entropy, maps and Adam, under any policy.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/harness/moving.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"
#include "tern/kernel/cross_entropy.hpp"
#include "tern/kernel/dropout.hpp"
#include "tern/kernel/elementwise.hpp"
#include "tern/kernel/optimizer.hpp"
#include "tern/kernel/softmax.hpp"

namespace tern::bench::inline TERN_ISA {

template <class P, class T, class F, class... State>
auto with_softmax(const problem& p, const moving_tensors<T>& t, F f, std::shared_ptr<State>... state) {
  const memory_bound_op& m = *p.moving;
  const tern::kernel<softmax<softmax_config{}, T>, P> k;
  const auto rows = [&](auto* data) { return view(unchecked, data, dims<2>(m.batch, m.channels)); };
  if (p.direction == pass::forward) return f([=, x = rows(t.left), y = rows(t.out)] { k(*state..., x, y); });
  return f([=, dy = rows(t.left), y = rows(t.right), dx = rows(t.out)] { k.backward_data(*state..., dy, y, dx); });
}

template <class P, class T, class F, class... State>
auto with_cross_entropy(const problem& p, const moving_tensors<T>& t, F f, std::shared_ptr<State>... state) {
  const memory_bound_op& m = *p.moving;
  const tern::kernel<cross_entropy<loss_config{}, T>, P> k;
  const auto x = view(unchecked, t.left, dims<2>(m.batch, m.channels));
  const auto kept = targets_of(m);
  const view target(unchecked, static_cast<const std::int32_t*>(kept->as<std::int32_t>()), dims<1>(m.batch));
  if (p.direction == pass::forward)
    return f(
        [=, losses = view(unchecked, t.out, dims<1>(m.batch)), mean = view(unchecked, t.out + m.batch, dims<1>(1))] {
          k(*state..., x, target, losses, mean), static_cast<void>(kept);
        });
  return f([=, dx = view(unchecked, t.out, dims<2>(m.batch, m.channels))] {
    k.backward_data(*state..., x, target, dx), static_cast<void>(kept);
  });
}

/// Maps of tensors that `tensor` makes of their data.
template <elementwise_config C, class P, class T, class Tensor, class F, class... State>
auto with_map(const problem& p, const moving_tensors<T>& t, Tensor tensor, F f, std::shared_ptr<State>... state) {
  const tern::kernel<elementwise<C, T>, P> k;
  const auto from = tensor(t.left);
  const auto to = tensor(t.out);
  if constexpr (C.residual)
    return f([=, r = tensor(t.residual)] { k(*state..., from, r, to); });
  else if (p.direction == pass::forward)
    return f([=] { k(*state..., from, to); });
  else
    return f([=, saved = tensor(t.right)] { k.backward_data(*state..., from, saved, to); });
}

template <class P, class T, class F, class... State>
auto with_elementwise(const problem& p, const moving_tensors<T>& t, F f, std::shared_ptr<State>... state) {
  const memory_bound_op& m = *p.moving;
  constexpr elementwise_config sum{.residual = true}, relu{.act = activation::relu}, gelu{.act = activation::gelu};
  const auto rows = [m](auto* data) { return view(unchecked, data, dims<2>(m.batch, m.channels)); };
  const auto images = [m](auto* data) {
    return view(unchecked, data, layout_channels_last::mapping(dims<4>(m.batch, m.channels, m.extent, m.extent)));
  };
  if (p.op.residual) return with_map<sum, P>(p, t, images, f, state...);
  return p.op.act == activation::relu ? with_map<relu, P>(p, t, images, f, state...)
                                      : with_map<gelu, P>(p, t, rows, f, state...);
}

template <class P, class T, class F, class... State>
auto with_dropout(const problem& p, const moving_tensors<T>& t, F f, std::shared_ptr<State>... state) {
  const memory_bound_op& m = *p.moving;
  const tern::kernel<dropout<dropout_config{}, T>, P> k;
  const auto rows = [&](auto* data) { return view(unchecked, data, dims<2>(m.batch, m.channels)); };
  return f([=, x = rows(t.left), y = rows(t.out)] {
    k(*state..., x, y, drop_rate{dropped}, random_site{.seed = drop_seed, .step = drop_step, .site = drop_site});
  });
}

/// One step, which continues from the state that the last one left.
template <class P, class T, class F, class... State>
auto with_adam(const problem& p, const moving_tensors<T>& t, F f, std::shared_ptr<State>... state) {
  const index_t n = p.moving->size();
  const tern::kernel<adam<adam_config{}, T>, P> k;
  const auto flat = [&](auto* data) { return view(unchecked, data, dims<1>(n)); };
  return f([=, g = flat(t.left), x = flat(t.out), mean = flat(t.out + n), square = flat(t.out + 2 * n)] {
    k(*state..., g, x, mean, square,
      adam_step{.rate = adam_rate, .beta1 = adam_beta1, .beta2 = adam_beta2, .epsilon = adam_epsilon});
  });
}

/// All ops that are not norms.
template <class P, class T, class F, class... State>
auto with_other(const problem& p, const moving_tensors<T>& t, F f, std::shared_ptr<State>... state) {
  using enum variants::moving_op;
  switch (p.moving->what) {
    case softmax: return with_softmax<P>(p, t, f, state...);
    case cross_entropy: return with_cross_entropy<P>(p, t, f, state...);
    case dropout: return with_dropout<P>(p, t, f, state...);
    case adam: return with_adam<P>(p, t, f, state...);
    default: return with_elementwise<P>(p, t, f, state...);
  }
}

}  // namespace tern::bench::inline TERN_ISA
