// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers in which every position attends to all positions of its sample: two batched products with a softmax in
// between.
#pragma once

#include <tuple>
#include <type_traits>

#include "tern/block/composed_layer.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory.hpp"
#include "tern/core/config.hpp"
#include "tern/core/view.hpp"
#include "tern/kernel/matmul.hpp"
#include "tern/kernel/softmax.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/softmax.hpp"

namespace tern::inline TERN_ISA::impl {

template <class Q, class K, class V, sample_shape In, class Policy>
struct block_layer<non_local<Q, K, V>, In, Policy>
    : composed_layer<In, std::tuple<layer<Q, In, Policy>, layer<K, In, Policy>, layer<V, In, Policy>>> {
  using q = layer<Q, In, Policy>;
  using k = layer<K, In, Policy>;
  using v = layer<V, In, Policy>;
  using typename composed_layer<In, std::tuple<q, k, v>>::facts;
  static constexpr sample_shape out = v::out;
  static constexpr index_t positions = In.positions(), inner = q::out.channels;
  static constexpr declare::sentence wrong = broken_rule<q, k, v>(
      "non_local", {{!In.stream, no_stream},
                    {In.rank > 0, "there must be positions: features have none"},
                    {q::out == k::out && q::out.with_channels(1) == In.with_channels(1) &&
                         out.with_channels(1) == In.with_channels(1),
                     "Q, K and V must keep the extents, and Q and K must give equally many channels"},
                    types_of_parts(facts::types_agree)});
  static constexpr index_t multiply_adds = facts::multiply_adds + positions * positions * (inner + out.channels);
  static constexpr bool needs_x = q::needs_x || k::needs_x || v::needs_x;

  // Results of Q, K and V, and the attention weights: a row per position.
  static constexpr memory_need of_x = detail::need_per_sample(In.size()), of_q = detail::need_per_sample(q::out.size()),
                               of_v = detail::need_per_sample(out.size()),
                               of_attention = detail::need_per_sample(positions * positions);
  static constexpr memory_need k_at = of_q, v_at = k_at + of_q, weights_at = v_at + of_v,
                               q_kept_at = weights_at + of_attention, k_kept_at = q_kept_at + q::kept,
                               v_kept_at = k_kept_at + k::kept;
  static constexpr memory_need kept = v_kept_at + v::kept;
  static constexpr memory_need forward_scratch = most(q::forward_scratch, most(k::forward_scratch, v::forward_scratch));
  // Gradients at the offsets of their tensors; then one of x.
  static constexpr memory_need backward_scratch =
      q_kept_at + of_x + most(q::backward_scratch, most(k::backward_scratch, v::backward_scratch));
  static constexpr memory_need infer_scratch =
      q_kept_at + most(q::infer_scratch, most(k::infer_scratch, v::infer_scratch));

  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    q::forward(c, x, kept_memory.samples, kept_memory.at(q_kept_at), scratch);
    k::forward(facts::template inside<1>(c), x, kept_memory.at(k_at).samples, kept_memory.at(k_kept_at), scratch);
    v::forward(facts::template inside<2>(c), x, kept_memory.at(v_at).samples, kept_memory.at(v_kept_at), scratch);
    attend(c, y, kept_memory);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    const M after = scratch.at(q_kept_at);
    q::infer(facts::template inside<0>(c), x, scratch.samples, after);
    k::infer(facts::template inside<1>(c), x, scratch.at(k_at).samples, after);
    v::infer(facts::template inside<2>(c), x, scratch.at(v_at).samples, after);
    attend(c, y, scratch);
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* x, T*, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    const auto of = [&](const M& m, const memory_need& at) { return m.at(at).samples; };
    const auto weights = matrices<positions, positions>(of(kept_memory, weights_at), c.batch),
               dweights = matrices<positions, positions>(of(scratch, weights_at), c.batch);
    const auto ddy = matrices<positions, out.channels>(dy, c.batch);
    const average<T> mean;
    mean.backward_weights(c.state, unchecked, weights, ddy,
                          matrices<positions, out.channels>(of(scratch, v_at), c.batch));
    mean.backward_data(c.state, unchecked, ddy, matrices<positions, out.channels>(of(kept_memory, v_at), c.batch),
                       dweights);
    kernel<softmax<softmax_config{}, T>, Policy>().backward_data(c.state, unchecked, dweights, weights, dweights);
    const similarity<T> product;
    product.backward_weights(c.state, unchecked, matrices<positions, inner>(kept_memory.samples, c.batch), dweights,
                             transposed(matrices<positions, inner>(of(scratch, k_at), c.batch)));
    product.backward_data(c.state, unchecked, dweights,
                          transposed(matrices<positions, inner>(of(kept_memory, k_at), c.batch)),
                          matrices<positions, inner>(scratch.samples, c.batch));

    T* const sum = of(scratch, q_kept_at);
    const M after = scratch.at(q_kept_at + of_x);
    q::backward(c, x, kept_memory.samples, scratch.samples, dx, kept_memory.at(q_kept_at), after);
    k::backward(facts::template inside<1>(c), x, of(kept_memory, k_at), of(scratch, k_at), dx ? sum : dx,
                kept_memory.at(k_kept_at), after);
    if (dx) add_samples<Policy>(c, In.size(), dx, sum, dx);
    v::backward(facts::template inside<2>(c), x, of(kept_memory, v_at), of(scratch, v_at), dx ? sum : dx,
                kept_memory.at(v_kept_at), after);
    if (dx) add_samples<Policy>(c, In.size(), dx, sum, dx);
  }

 private:
  template <class T>
  using similarity =
      kernel<matmul<matmul_config{.m = positions, .n = positions, .k = inner, .batch = dynamic}, T>, Policy>;
  template <class T>
  using average =
      kernel<matmul<matmul_config{.m = positions, .n = out.channels, .k = positions, .batch = dynamic}, T>, Policy>;

  template <index_t Rows, index_t Columns, class T>
  static auto matrices(T* p, index_t batch) {
    using shape = extents<dynamic, Rows, Columns>;
    return view<T, shape>(unchecked, p, shape(batch, Rows, Columns));
  }
  /// The result, from those of Q, K and V at the beginning of the memory.
  template <class Call, class T, class M>
  static void attend(const Call& c, T* y, const M& memory) {
    const auto weights = matrices<positions, positions>(memory.at(weights_at).samples, c.batch);
    similarity<T>()(c.state, unchecked, matrices<positions, inner>(memory.samples, c.batch),
                    transposed(matrices<positions, inner>(memory.at(k_at).samples, c.batch)), weights);
    kernel<softmax<softmax_config{}, T>, Policy>()(c.state, unchecked, weights, weights);
    average<T>()(c.state, unchecked, weights, matrices<positions, out.channels>(memory.at(v_at).samples, c.batch),
                 matrices<positions, out.channels>(y, c.batch));
  }
};

}  // namespace tern::inline TERN_ISA::impl
