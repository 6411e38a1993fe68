// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of ops that change the extents of samples: pools and rearrangements.
#pragma once

#include "tern/block/layer.hpp"
#include "tern/core/config.hpp"
#include "tern/kernel/pool.hpp"
#include "tern/kernel/rearrange.hpp"
#include "tern/op/channel_shuffle.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/pool.hpp"
#include "tern/op/space_to_depth.hpp"
#include "tern/op/upsample.hpp"

namespace tern::inline TERN_ISA::impl {

template <int Rank, pool_kind K, pool_config<Rank> C, class T, class Op, sample_shape In, class Policy>
struct op_layer<pooling<Rank, K, C, T>, Op, In, Policy> : layer_base<In> {
  using value_type = T;
  static_assert(In.rank == Rank, "network: a pool must have as many axes as the samples that it is given");
  static constexpr sample_shape out = [] {
    sample_shape s = In;
    for (int r = 0; r < Rank; ++r) s.extent[r] = C.axis(r, In.extent[r]).out;
    return s;
  }();
  static_assert(out.positions() > 0 && out.extent[0] > 0, "network: the window of a pool is larger than its input");
  static constexpr bool needs_x = K == pool_kind::max;
  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    kernel<pooling<Rank, K, C, T>, Policy>()(c.state, samples_view<In>(x, c.batch), samples_view<out>(y, c.batch));
  }
  template <class Call, class M>
  static void backward(const Call& c, const T* x, T*, const T* dy, T* dx, const M&, const M&) {
    if (!dx) return;
    const kernel<pooling<Rank, K, C, T>, Policy> k;
    if constexpr (needs_x)
      k.backward_data(c.state, samples_view<out>(dy, c.batch), samples_view<In>(x, c.batch),
                      samples_view<In>(dx, c.batch));
    else
      k.backward_data(c.state, samples_view<out>(dy, c.batch), samples_view<In>(dx, c.batch));
  }
  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
};

// ---------------------------------------------------------------------------------------------------------------------
// Rearrangements

template <class OpType, sample_shape In, sample_shape Out, class Policy>
struct moving_layer : layer_base<In> {
  using value_type = typename OpType::value_type;
  using T = value_type;
  static constexpr sample_shape out = Out;
  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    kernel<OpType, Policy>()(c.state, samples_view<In>(x, c.batch), samples_view<Out>(y, c.batch));
  }
  template <class Call, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M&, const M&) {
    if (dx)
      kernel<OpType, Policy>().backward_data(c.state, samples_view<Out>(dy, c.batch), samples_view<In>(dx, c.batch));
  }
  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
};

template <int Rank, space_to_depth_config<Rank> C>
constexpr sample_shape deep_shape(sample_shape s) {
  s.channels *= C.elements();
  for (int r = 0; r < Rank; ++r) s.extent[r] /= C.block[r];
  return s;
}
template <int Rank, space_to_depth_config<Rank> C>
constexpr sample_shape wide_shape(sample_shape s) {
  s.channels /= C.elements();
  for (int r = 0; r < Rank; ++r) s.extent[r] *= C.block[r];
  return s;
}
template <int Rank, class Config>
constexpr sample_shape shape_behind(sample_shape s, const Config& c) {
  for (int r = 0; r < Rank; ++r) s.extent[r] = c.axis(r, s.extent[r]).out();
  return s;
}

template <int Rank, space_to_depth_config<Rank> C, class T, class Op, sample_shape In, class Policy>
struct op_layer<space_to_depth<Rank, C, T>, Op, In, Policy>
    : moving_layer<space_to_depth<Rank, C, T>, In, deep_shape<Rank, C>(In), Policy> {
  static_assert(deep_shape<Rank, C>(In).size() == In.size() && In.rank == Rank,
                "network: the .block of a space_to_depth must divide the extents of its input");
};
template <int Rank, space_to_depth_config<Rank> C, class T, class Op, sample_shape In, class Policy>
struct op_layer<depth_to_space<Rank, C, T>, Op, In, Policy>
    : moving_layer<depth_to_space<Rank, C, T>, In, wide_shape<Rank, C>(In), Policy> {
  static_assert(wide_shape<Rank, C>(In).size() == In.size() && In.rank == Rank,
                "network: the .block of a depth_to_space must divide the channels of its input");
};
template <channel_shuffle_config C, class T, class Op, sample_shape In, class Policy>
struct op_layer<channel_shuffle<C, T>, Op, In, Policy> : moving_layer<channel_shuffle<C, T>, In, In, Policy> {};
template <int Rank, upsample_config<Rank> C, class T, class Op, sample_shape In, class Policy>
struct op_layer<upsample<Rank, C, T>, Op, In, Policy>
    : moving_layer<upsample<Rank, C, T>, In, shape_behind<Rank>(In, C), Policy> {
  static_assert(In.rank == Rank, "network: an upsample must have as many axes as the samples that it is given");
};
template <int Rank, pad_config<Rank> C, class T, class Op, sample_shape In, class Policy>
struct op_layer<pad<Rank, C, T>, Op, In, Policy>
    : moving_layer<pad<Rank, C, T>, In, shape_behind<Rank>(In, C), Policy> {
  static_assert(In.rank == Rank, "network: a pad must have as many axes as the samples that it is given");
};

}  // namespace tern::inline TERN_ISA::impl
