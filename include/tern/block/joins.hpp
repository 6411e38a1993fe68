// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of several inputs: sums, other functions of two, and concatenations.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "tern/block/layer.hpp"
#include "tern/block/lowering.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/core/config.hpp"
#include "tern/core/part.hpp"
#include "tern/kernel/binary.hpp"
#include "tern/kernel/elementwise.hpp"
#include "tern/kernel/glu.hpp"
#include "tern/op/binary.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/glu.hpp"

namespace tern::inline TERN_ISA::impl {

template <std::array<sample_shape, 2> In, class Policy>
struct block_layer<detail::sum_of_two, In, Policy> : layer_base<In[0]> {
  static constexpr int operands = 2;
  static constexpr bool adds = true, in_place = true;
  static constexpr feature_role features = feature_role::kept;
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* const* x, T* y, const M&, const M&) {
    add_samples<Policy>(c, In[0].size(), x[0], x[1], y);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* const* x, T* y, const M&) {
    add_samples<Policy>(c, In[0].size(), x[0], x[1], y);
  }
  template <elementwise_config Steps>
  static constexpr bool fuses_steps = elementwise_config{.residual = true}.precedes(Steps);
  template <elementwise_config Steps, class Call, class T, class M>
  static void infer_fused(const Call& c, const T* const* x, T* y, const M&, step_operands<T> o) {
    o.residual = x[1];
    apply_steps<Policy, In[0].rank, elementwise_config{.residual = true}.with(Steps)>(c, In[0], x[0], y, o);
  }
};

template <std::array<sample_shape, 2> In, class Policy>
struct block_layer<detail::product_of_two, In, Policy> : layer_base<In[0]> {
  static constexpr int operands = 2;
  static constexpr bool needs_x = true, in_place = true, per_channel = !(In[0] == In[1]);
  static constexpr feature_role features = feature_role::kept;
  /// Memory for a gradient that the caller does not want.
  static constexpr memory_need backward_scratch = per_channel ? memory_need{} : detail::need_per_sample(In[0].size());

  template <class Call, class T, class M>
  static void forward(const Call& c, const T* const* x, T* y, const M&, const M&) {
    if constexpr (per_channel)
      product<T>()(c.state, unchecked, at_places(x[1], c.batch), places(x[0], c.batch), places(y, c.batch));
    else
      product<T>()(c.state, unchecked, rows(x[1], c.batch), rows(x[0], c.batch), rows(y, c.batch));
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* const* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* const* x, T*, const T* dy, T* const* dx, const M&, const M& scratch) {
    if (!dx[0] && !dx[1]) return;
    if constexpr (per_channel) {
      if (dx[0])
        product<T>()(c.state, unchecked, at_places(x[1], c.batch), places(dy, c.batch), places(dx[0], c.batch));
      for (index_t n = 0; dx[1] && n < c.batch; ++n)
        scale<T>().backward_scale(c.state, unchecked, sample(dy, n), sample(x[0], n),
                                  numbers_view<In[0].channels>(dx[1] + n * In[0].channels));
    } else {
      T* const first = dx[0] ? dx[0] : scratch.samples;
      T* const second = dx[1] ? dx[1] : scratch.samples;
      product<T>().backward_data(c.state, unchecked, rows(dy, c.batch), rows(x[1], c.batch), rows(x[0], c.batch),
                                 rows(second, c.batch), rows(first, c.batch));
    }
  }

 private:
  template <class T>
  using scale = kernel<elementwise<elementwise_config{.scale = true}, T>, Policy>;
  template <class T>
  using product = kernel<glu<glu_config{.act = activation::none}, T>, Policy>;
  template <class T>
  static auto sample(T* p, index_t n) {
    return samples_view<In[0]>(p + n * In[0].size(), 1);
  }
  static dims<3> all_places(index_t batch) { return dims<3>(batch, In[0].channels, In[0].positions()); }
  template <class T>
  static auto places(T* p, index_t batch) {
    return view<T, dims<3>, layout_channels_last>(unchecked, p, all_places(batch));
  }
  /// Numbers per channel of every sample, broadcast to all positions.
  template <class T>
  static auto at_places(T* p, index_t batch) {
    const layout_strided::mapping<dims<3>> steps(all_places(batch), In[0].channels, 1, 0);
    return view<T, dims<3>, layout_strided>(unchecked, p, steps);
  }
  template <class T>
  static auto rows(T* p, index_t batch) {
    return samples_view<sample_shape::features(In[0].size())>(p, batch);
  }
};

template <binary_config C, std::array<sample_shape, 2> In, class Policy>
struct block_layer<detail::binary_of_two<C>, In, Policy> : layer_base<In[0]> {
  static constexpr int operands = 2;
  static constexpr bool needs_x = C.kind != binary_kind::subtract, in_place = true;
  static constexpr feature_role features = feature_role::kept;
  /// Memory for a gradient that the caller does not want.
  static constexpr memory_need backward_scratch = detail::need_per_sample(In[0].size());

  template <class Call, class T, class M>
  static void forward(const Call& c, const T* const* x, T* y, const M&, const M&) {
    op<T>()(c.state, unchecked, rows(x[0], c), rows(x[1], c), rows(y, c));
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* const* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* const* x, T*, const T* dy, T* const* dx, const M&, const M& scratch) {
    if (!dx[0] && !dx[1]) return;
    const auto da = rows(dx[0] ? dx[0] : scratch.samples, c), db = rows(dx[1] ? dx[1] : scratch.samples, c);
    if constexpr (needs_x)
      op<T>().backward_data(c.state, unchecked, rows(dy, c), rows(x[0], c), rows(x[1], c), da, db);
    else
      op<T>().backward_data(c.state, unchecked, rows(dy, c), da, db);
  }

 private:
  template <class T>
  using op = kernel<binary<C, T>, Policy>;
  template <class T, class Call>
  static auto rows(T* p, const Call& c) {
    return rows_view(p, c.batch, In[0].size());
  }
};

/// Copies parts to their channels of y, and channels of dy to gradients of parts; null ones are skipped.
/// \param in  the shapes of the parts
template <class Policy, int Rank, class Call, class T>
void join_channels(const Call& c, const sample_shape* in, std::size_t parts, const sample_shape& out, const T* const* x,
                   T* y) {
  index_t first = 0;
  for (std::size_t i = 0; i < parts; first += in[i++].channels)
    if (x[i])
      copy_tensor<Policy>(c, samples_view<Rank>(x[i], c.batch, in[i]),
                          part<1>(samples_view<Rank>(y, c.batch, out), first, in[i].channels));
}
template <class Policy, int Rank, class Call, class T>
void split_channels(const Call& c, const sample_shape* in, std::size_t parts, const sample_shape& out, const T* dy,
                    T* const* dx) {
  index_t first = 0;
  for (std::size_t i = 0; i < parts; first += in[i++].channels)
    if (dx[i])
      copy_tensor<Policy>(c, part<1>(samples_view<Rank>(dy, c.batch, out), first, in[i].channels),
                          samples_view<Rank>(dx[i], c.batch, in[i]));
}

template <std::size_t N, std::array<sample_shape, N> In, class Policy>
struct concat_layer : layer_base<In[0]> {
  static constexpr int operands = static_cast<int>(N);
  static constexpr bool joins = true;
  static constexpr sample_shape out = In[0].with_channels([] {
    index_t n = 0;
    for (const sample_shape& s : In) n += s.channels;
    return n;
  }());
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* const* x, T* y, const M&, const M&) {
    join_channels<Policy, out.rank>(c, In.data(), N, out, x, y);
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* const*, T*, const T* dy, T* const* dx, const M&, const M&) {
    split_channels<Policy, out.rank>(c, In.data(), N, out, dy, dx);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* const* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
};
template <auto In, class Policy>
struct block_layer<detail::joined_channels, In, Policy> : concat_layer<In.size(), In, Policy> {};

}  // namespace tern::inline TERN_ISA::impl
