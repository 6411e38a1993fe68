// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multi-head attention (Vaswani et al. 2017, arXiv 1706.03762): batched products of channel slices, with a softmax in
// between. Stores the attention weights of every sample: heads times queries times keys.
#pragma once

#include <array>
#include <cmath>

#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory.hpp"
#include "tern/core/config.hpp"
#include "tern/core/view.hpp"
#include "tern/kernel/elementwise.hpp"
#include "tern/kernel/matmul.hpp"
#include "tern/kernel/softmax.hpp"
#include "tern/op/block.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/softmax.hpp"

namespace tern::inline TERN_ISA::impl {

template <index_t Heads, std::array<sample_shape, 3> In, class Policy>
struct block_layer<attend<Heads>, In, Policy> : layer_base<In[0]> {
  static constexpr int operands = 3;
  static constexpr sample_shape q = In[0], k = In[1], v = In[2], out = q.with_channels(v.channels);
  static constexpr declare::sentence wrong = broken_rule(
      "attention",
      {{Heads >= 1 && q.channels % (Heads < 1 ? 1 : Heads) == 0 && v.channels % (Heads < 1 ? 1 : Heads) == 0,
        "the number of heads must divide the channels of queries and values"},
       {q.channels == k.channels, "queries and keys must have equally many channels"},
       {k.positions() == v.positions(), "there must be as many keys as values"}});
  static constexpr index_t queries = q.positions(), keys = k.positions(), width = q.channels / Heads,
                           value_width = v.channels / Heads, weights = queries * keys;
  static constexpr index_t multiply_adds = weights * (q.channels + v.channels);
  static constexpr bool needs_x = true;

  static constexpr memory_need of_q = detail::need_per_sample(q.size()), of_head = detail::need_per_sample(weights),
                               scales = detail::need_fixed(q.channels);
  static constexpr memory_need kept = detail::need_per_sample(Heads * weights), forward_scratch = of_q + scales,
                               infer_scratch = kept + forward_scratch;
  // Scaled queries, the gradient of one head's weights, and a buffer for gradients that the caller does not want.
  static constexpr memory_need unwanted =
      most(of_q, most(detail::need_per_sample(k.size()), detail::need_per_sample(v.size())));
  static constexpr memory_need backward_scratch = forward_scratch + of_head + unwanted;

  template <class Call, class T, class M>
  static void forward(const Call& c, const T* const* x, T* y, const M& kept_memory, const M& scratch) {
    scale_queries(c, x[0], scratch);
    for (index_t h = 0; h < Heads; ++h) {
      const auto w = weights_of(kept_memory.samples, c.batch, h);
      similarity<T>()(c.state, unchecked, head<queries, q.channels, width>(scratch.samples, c.batch, h),
                      turned<keys, k.channels, width>(x[1], c.batch, h), w);
      kernel<softmax<softmax_config{}, T>, Policy>()(c.state, unchecked, w, w);
      average<T>()(c.state, unchecked, w, head<keys, v.channels, value_width>(x[2], c.batch, h),
                   head<queries, v.channels, value_width>(y, c.batch, h));
    }
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* const* x, T* y, const M& scratch) {
    forward(c, x, y, scratch, scratch.at(kept));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* const* x, T*, const T* dy, T* const* dx, const M& kept_memory,
                       const M& scratch) {
    T* const spare = scratch.at(forward_scratch + of_head).samples;
    T *const dq = dx[0] ? dx[0] : spare, *const dk = dx[1] ? dx[1] : spare, *const dv = dx[2] ? dx[2] : spare;
    scale_queries(c, x[0], scratch);
    const auto dw = weights_of(scratch.at(forward_scratch).samples, c.batch, 0);
    const average<T> mean;
    const similarity<T> product;
    for (index_t h = 0; h < Heads; ++h) {
      const auto w = weights_of(kept_memory.samples, c.batch, h);
      const auto ddy = head<queries, v.channels, value_width>(dy, c.batch, h);
      mean.backward_data(c.state, unchecked, ddy, head<keys, v.channels, value_width>(x[2], c.batch, h), dw);
      if (dx[2]) mean.backward_weights(c.state, unchecked, w, ddy, head<keys, v.channels, value_width>(dv, c.batch, h));
      kernel<softmax<softmax_config{}, T>, Policy>().backward_data(c.state, unchecked, dw, w, dw);
      if (dx[1])
        product.backward_weights(c.state, unchecked, head<queries, q.channels, width>(scratch.samples, c.batch, h), dw,
                                 turned<keys, k.channels, width>(dk, c.batch, h));
      if (dx[0])
        product.backward_data(c.state, unchecked, dw, turned<keys, k.channels, width>(x[1], c.batch, h),
                              head<queries, q.channels, width>(dq, c.batch, h));
    }
    if (dx[0]) scaled(c, dq, scratch, dq);
  }

 private:
  template <class T>
  using similarity = kernel<matmul<matmul_config{.m = queries, .n = keys, .k = width, .batch = dynamic}, T>, Policy>;
  template <class T>
  using average = kernel<matmul<matmul_config{.m = queries, .n = value_width, .k = keys, .batch = dynamic}, T>, Policy>;

  /// Applies the scale 1 / sqrt(width), rounded once, to the queries.
  template <class Call, class T, class M>
  static void scale_queries(const Call& c, const T* x, const M& scratch) {
    const T s = static_cast<T>(1 / std::sqrt(static_cast<double>(width)));
    for (index_t i = 0; i < q.channels; ++i) scratch.fixed[i] = s;
    scaled(c, x, scratch, scratch.samples);
  }
  template <class Call, class T, class M>
  static void scaled(const Call& c, const T* x, const M& scratch, T* y) {
    apply_steps<Policy, q.rank, elementwise_config{.scale = true}>(c, q, x, y,
                                                                   step_operands<T>{.scale = scratch.fixed});
  }
  /// A view of one head: per sample, a matrix of positions and channels. `turned` is its transpose.
  template <index_t Rows, index_t Channels, index_t Width, class T>
  static auto head(T* p, index_t batch, index_t h) {
    using shape = extents<dynamic, Rows, Width>;
    return view<T, shape, layout_strided>(
        unchecked, p + h * Width,
        layout_strided::mapping<shape>(shape(batch, Rows, Width), Rows * Channels, Channels, 1));
  }
  template <index_t Rows, index_t Channels, index_t Width, class T>
  static auto turned(T* p, index_t batch, index_t h) {
    using shape = extents<dynamic, Width, Rows>;
    return view<T, shape, layout_strided>(
        unchecked, p + h * Width,
        layout_strided::mapping<shape>(shape(batch, Width, Rows), Rows * Channels, 1, Channels));
  }
  template <class T>
  static auto weights_of(T* p, index_t batch, index_t h) {
    using shape = extents<dynamic, queries, keys>;
    return view<T, shape>(unchecked, p + h * batch * weights, shape(batch, queries, keys));
  }
};

}  // namespace tern::inline TERN_ISA::impl
