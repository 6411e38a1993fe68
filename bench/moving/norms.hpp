// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of tern's norms, under any policy.
#pragma once

#include <memory>

#include "bench/harness/moving.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"
#include "tern/kernel/norm.hpp"

namespace tern::bench::inline TERN_ISA {

/// f(call) with the pass of a norm as a function without arguments.
/// \tparam Parts  of all gradients of a batch norm: that of x from the sums that are the others, as of a batch in parts
/// \param state   what the kernel runs on: a shared pointer, or nothing
template <norm_kind K, norm_config C, class P, bool Parts = false, class T, class F, class... State>
auto with_norm(const problem& p, const moving_tensors<T>& t, F f, std::shared_ptr<State>... state) {
  const memory_bound_op& m = *p.moving;
  const tern::kernel<normalization<K, C, T>, P> k;
  const auto tensor = [&](auto* data) {
    if constexpr (K == norm_kind::layer)
      return view(unchecked, data, dims<2>(m.batch, m.channels));
    else
      return view(unchecked, data, layout_channels_last::mapping(dims<4>(m.batch, m.channels, m.extent, m.extent)));
  };
  const index_t c = m.channels, statistics = K == norm_kind::batch ? c : m.batch * C.groups;
  const auto kept = std::make_shared<buffer>(2 * statistics * static_cast<index_t>(sizeof(T)));
  const auto per_group = [&](T* data) {
    if constexpr (K == norm_kind::group)
      return view(unchecked, data, dims<2>(m.batch, C.groups));
    else
      return view(unchecked, data, dims<1>(statistics));
  };
  const auto mean = per_group(kept->template as<T>()), rstd = per_group(kept->template as<T>() + statistics);
  const auto per_channel = [&](auto* data) { return view(unchecked, data, dims<1>(c)); };
  const auto scale = per_channel(t.parameters), shift = per_channel(t.parameters + c);
  const epsilon eps{norm_epsilon};

  if (p.direction == pass::forward) {
    const auto x = tensor(t.left);
    const auto y = tensor(t.out);
    if constexpr (C.residual)
      return f([=, r = tensor(t.residual)] {
        if constexpr (K == norm_kind::batch)
          k(*state..., x, scale, shift, r, y, mean, rstd, eps), static_cast<void>(kept);
        else
          k(*state..., x, scale, shift, r, y, eps);
      });
    else
      return f([=] {
        if constexpr (K == norm_kind::batch)  // in training, which needs them again
          k(*state..., x, scale, shift, y, mean, rstd, eps), static_cast<void>(kept);
        else
          k(*state..., x, scale, shift, y, eps);
      });
  }

  if constexpr (!C.residual) {
    const auto dy = tensor(t.left), x = tensor(t.right);
    const bool only_weights = p.direction == pass::backward_weights;
    T* const sums = t.out + (only_weights ? 0 : m.size());
    const auto dx = tensor(t.out);
    const auto dscale = per_channel(sums), dshift = per_channel(sums + c);
    {  // statistics, and a result that nobody reads
      const buffer y(m.size() * static_cast<index_t>(sizeof(T)));
      k(*state..., x, scale, shift, tensor(y.template as<T>()), mean, rstd, eps);
    }
    if (only_weights)
      return f([=] { k.backward_weights(*state..., dy, x, mean, rstd, dscale, dshift), static_cast<void>(kept); });
    if (!m.all_gradients)
      return f([=] { k.backward_data(*state..., dy, x, scale, mean, rstd, dx), static_cast<void>(kept); });
    return f([=, values = values_seen{m.batch * m.positions()}] {
      static_cast<void>(kept);
      if constexpr (Parts) {
        k.backward_weights(*state..., dy, x, mean, rstd, dscale, dshift);
        k.backward_part(*state..., dy, x, mean, rstd, dscale, dshift, scale, dx, values);
      } else {
        k.backward(*state..., dy, x, scale, mean, rstd, dx, dscale, dshift);
      }
    });
  }
  return decltype(f([] {})){};
}

/// All gradients of a batch norm.
template <class P, class T, class F, class... State>
auto with_norm_in_parts(const problem& p, const moving_tensors<T>& t, F f, std::shared_ptr<State>... state) {
  return with_norm<norm_kind::batch, norm_config{}, P, true>(p, t, f, state...);
}

/// The norms of the workloads.
template <class P, class T, class F, class... State>
auto with_norm_of(const problem& p, const moving_tensors<T>& t, F f, std::shared_ptr<State>... state) {
  constexpr norm_config plain{}, fused{.residual = true, .act = activation::relu},
      groups{.groups = variants::norm_groups},
      fused_groups{.groups = variants::norm_groups, .residual = true, .act = activation::relu};
  using enum variants::moving_op;
  const bool fuses = p.op.residual;
  switch (p.moving->what) {
    case batch_norm:
      return fuses ? with_norm<norm_kind::batch, fused, P>(p, t, f, state...)
                   : with_norm<norm_kind::batch, plain, P>(p, t, f, state...);
    case group_norm:
      return fuses ? with_norm<norm_kind::group, fused_groups, P>(p, t, f, state...)
                   : with_norm<norm_kind::group, groups, P>(p, t, f, state...);
    default:
      return fuses ? with_norm<norm_kind::layer, fused, P>(p, t, f, state...)
                   : with_norm<norm_kind::layer, plain, P>(p, t, f, state...);
  }
}

}  // namespace tern::bench::inline TERN_ISA
