// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers that give their input to several: residual blocks and concatenations.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/sequence.hpp"
#include "tern/core/config.hpp"
#include "tern/core/part.hpp"

namespace tern::inline TERN_ISA::impl {

template <class F, class Shortcut, sample_shape In, class Policy>
struct block_layer<residual<F, Shortcut>, In, Policy>
    : composed_layer<In, std::tuple<layer<F, In, Policy>, layer<Shortcut, In, Policy>>> {
  using f = layer<F, In, Policy>;
  using s = layer<Shortcut, In, Policy>;
  using typename composed_layer<In, std::tuple<f, s>>::facts;
  static_assert(f::out == s::out,
                "residual: both branches must give samples of one shape: give it a shortcut that does");
  static_assert(!In.stream, "residual: the input must be no stream: put a tern::from_stream before it");
  static constexpr bool skips = std::is_same_v<Shortcut, skip>;
  static constexpr sample_shape out = f::out;
  static constexpr bool needs_x = f::needs_x || s::needs_x;

  // The result of a branch is kept where its gradient wants it; else f's is y, and that of s lies in the scratch.
  static constexpr memory_need of_y = detail::need_per_sample(out.size()), of_x = detail::need_per_sample(In.size());
  static constexpr memory_need f_y = f::needs_y ? of_y : memory_need{}, s_y = s::needs_y ? of_y : memory_need{};
  static constexpr memory_need f_kept_at = f_y + s_y, s_kept_at = f_kept_at + f::kept, kept = s_kept_at + s::kept;
  static constexpr memory_need s_result = skips || s::needs_y ? memory_need{} : of_y;
  static constexpr memory_need forward_scratch = s_result + most(f::forward_scratch, s::forward_scratch);
  static constexpr memory_need backward_scratch =
      most(f::backward_scratch, skips ? memory_need{} : of_x + s::backward_scratch);
  static constexpr memory_need infer_scratch =
      (skips ? memory_need{} : of_y) + most(f::infer_scratch, s::infer_scratch);

  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    const M behind = scratch.at(s_result);
    T* const to = f::needs_y ? kept_memory.samples : y;
    f::forward(c, x, to, kept_memory.at(f_kept_at), behind);
    const T* other = x;
    if constexpr (!skips) {
      T* const s_to = (s::needs_y ? kept_memory.at(f_y) : scratch).samples;
      s::forward(facts::template inside<1>(c), x, s_to, kept_memory.at(s_kept_at), behind);
      other = s_to;
    }
    add_samples<Policy, out>(c, to, other, y);
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* x, T*, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    f::backward(c, x, kept_memory.samples, dy, dx, kept_memory.at(f_kept_at), scratch);
    if constexpr (skips) {
      if (dx) add_samples<Policy, In>(c, dx, dy, dx);
    } else {
      T* const s_dx = dx ? scratch.samples : nullptr;
      s::backward(facts::template inside<1>(c), x, kept_memory.at(f_y).samples, dy, s_dx, kept_memory.at(s_kept_at),
                  scratch.at(of_x));
      if (dx) add_samples<Policy, In>(c, dx, s_dx, dx);
    }
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    infer_then<elementwise_config{}>(c, x, y, scratch, step_operands<T>{});
  }
  template <elementwise_config Steps>
  static constexpr bool takes_steps = elementwise_config{.residual = true}.precedes(Steps);
  /// The shortcut is a step behind F.
  template <elementwise_config Steps, class Call, class T, class M>
  static void infer_then(const Call& c, const T* x, T* y, const M& scratch, step_operands<T> o) {
    const M behind = scratch.at(skips ? memory_need{} : of_y);
    if constexpr (!skips) s::infer(facts::template inside<1>(c), x, scratch.samples, behind);
    o.residual = skips ? x : scratch.samples;
    impl::infer_then<f, elementwise_config{.residual = true}.with(Steps), Policy>(c, x, y, behind, o);
  }
};

/// Results of a link that stay until its backward pass, with what the layer itself keeps.
constexpr memory_need kept_of(const link& l) { return (l.needs_y ? l.y : memory_need{}) + l.kept; }
template <std::size_t N, class Need>
constexpr memory_need most_of(const std::array<link, N>& links, Need need) {
  memory_need m;
  for (const link& l : links) m = most(m, need(l));
  return m;
}

template <class... Fs, sample_shape In, class Policy>
struct block_layer<concat<Fs...>, In, Policy> : composed_layer<In, std::tuple<layer<Fs, In, Policy>...>> {
  static_assert(sizeof...(Fs) > 0, "concat: there must be at least one block");
  static_assert(!In.stream, "concat: the input must be no stream: put a tern::from_stream before it");
  using layers = std::tuple<layer<Fs, In, Policy>...>;
  using typename composed_layer<In, layers>::facts;
  static constexpr std::size_t count = sizeof...(Fs);
  template <std::size_t I>
  using layer_at = std::tuple_element_t<I, layers>;

  static constexpr sample_shape out = layer_at<0>::out.with_channels((layer<Fs, In, Policy>::out.channels + ... + 0));
  static_assert(((layer<Fs, In, Policy>::out.with_channels(out.channels) == out) && ...),
                "concat: all blocks must give samples of the same extents");
  static constexpr bool needs_x = (layer<Fs, In, Policy>::needs_x || ...);

  /// Every part is computed into a tensor of its own, which is kept where its gradient wants it.
  static constexpr memory_need of_x = detail::need_per_sample(In.size());
  static constexpr std::array<memory_need, count> kept_at = [] {
    std::array<memory_need, count> at{};
    for (std::size_t i = 1; i < count; ++i) at[i] = at[i - 1] + kept_of(facts::links[i - 1]);
    return at;
  }();
  static constexpr memory_need kept = kept_at[count - 1] + kept_of(facts::links[count - 1]);
  static constexpr memory_need forward_scratch =
      most_of(facts::links, [](const link& l) { return (l.needs_y ? memory_need{} : l.y) + l.forward_scratch; });
  static constexpr memory_need backward_scratch =
      most_of(facts::links, [](const link& l) { return l.y + of_x + l.backward_scratch; });
  static constexpr memory_need infer_scratch =
      most_of(facts::links, [](const link& l) { return l.y + l.infer_scratch; });

  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    facts::each([&](auto i) {
      constexpr link l = facts::links[i];
      const M own = kept_memory.at(kept_at[i]);
      T* const to = (l.needs_y ? own : scratch).samples;
      layer_at<i>::forward(facts::template inside<i>(c), x, to, l.needs_y ? own.at(l.y) : own,
                           l.needs_y ? scratch : scratch.at(l.y));
      copy_tensor<Policy>(c, samples_view<layer_at<i>::out, const T>(to, c.batch), part_of<i>(y, c.batch));
    });
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* x, T*, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    facts::each([&](auto i) {
      constexpr link l = facts::links[i];
      const M own = kept_memory.at(kept_at[i]), behind = scratch.at(l.y);
      copy_tensor<Policy>(c, part_of<i>(dy, c.batch), samples_view<layer_at<i>::out>(scratch.samples, c.batch));
      T* const to = !dx ? nullptr : i == 0 ? dx : behind.samples;
      layer_at<i>::backward(facts::template inside<i>(c), x, own.samples, scratch.samples, to,
                            l.needs_y ? own.at(l.y) : own, behind.at(of_x));
      if (dx && i > 0) add_samples<Policy, In>(c, dx, to, dx);
    });
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    facts::each([&](auto i) {
      layer_at<i>::infer(facts::template inside<i>(c), x, scratch.samples, scratch.at(facts::links[i].y));
      copy_tensor<Policy>(c, samples_view<layer_at<i>::out, const T>(scratch.samples, c.batch), part_of<i>(y, c.batch));
    });
  }

 private:
  template <std::size_t I, class T>
  static auto part_of(T* y, index_t batch) {
    constexpr index_t first = [] {
      const index_t channels[] = {layer<Fs, In, Policy>::out.channels...};
      index_t at = 0;
      for (index_t i = 0; i < index_t{I}; ++i) at += channels[i];
      return at;
    }();
    return part<1>(samples_view<out>(y, batch), first, layer_at<I>::out.channels);
  }
};

}  // namespace tern::inline TERN_ISA::impl
