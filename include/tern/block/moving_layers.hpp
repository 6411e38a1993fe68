// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of ops that change the extents of samples: pools and rearrangements.
#pragma once

#include <numeric>

#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/shapes.hpp"
#include "tern/block/stream.hpp"
#include "tern/core/config.hpp"
#include "tern/core/part.hpp"
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
  static constexpr sample_shape out = detail::result_shape(C, In);
  static constexpr declare::sentence wrong = [] {
    declare::sentence s = broken_window<pooling<Rank, K, C, T>>(In);
    return s.empty() ? error_of_samples<declare::pool_pass<Rank, K, C, T, false>, pooling<Rank, K, C, T>, In, out>()
                     : s;
  }();
  static constexpr bool needs_x = K == pool_kind::max;
  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    kernel<pooling<Rank, K, C, T>, Policy>()(c.state, unchecked, samples_view<In>(x, c.batch),
                                             samples_view<out>(y, c.batch));
  }
  template <class Call, class M>
  static void backward(const Call& c, const T* x, T*, const T* dy, T* dx, const M&, const M&) {
    if (!dx) return;
    const kernel<pooling<Rank, K, C, T>, Policy> k;
    if constexpr (needs_x)
      k.backward_data(c.state, unchecked, samples_view<out>(dy, c.batch), samples_view<In>(x, c.batch),
                      samples_view<In>(dx, c.batch));
    else
      k.backward_data(c.state, unchecked, samples_view<out>(dy, c.batch), samples_view<In>(dx, c.batch));
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
  static constexpr declare::sentence wrong = [] {
    declare::sentence s;
    if constexpr (requires { OpType::rank; }) s = broken_rank(OpType::name, OpType::rank, In);
    return s.empty() ? error_of_samples<declare::moving_pass<OpType, false>, OpType, In, Out>() : s;
  }();
  using value_type = typename OpType::value_type;
  using T = value_type;
  static constexpr sample_shape out = Out;
  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    kernel<OpType, Policy>()(c.state, unchecked, samples_view<In>(x, c.batch), samples_view<Out>(y, c.batch));
  }
  template <class Call, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M&, const M&) {
    if (dx)
      kernel<OpType, Policy>().backward_data(c.state, unchecked, samples_view<Out>(dy, c.batch),
                                             samples_view<In>(dx, c.batch));
  }
  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
};

/// An invertible op on both halves of a stream.
/// \tparam HalfOut  the shape of a half of the result
template <class OpType, sample_shape In, sample_shape HalfOut, class Policy>
struct permuting_stream_layer : layer_base<In> {
  using value_type = typename OpType::value_type;
  using T = value_type;
  static constexpr sample_shape half = half_of(In),
                                out = with_stream(HalfOut.with_channels(2 * HalfOut.channels), In.stream);
  static constexpr bool in_place = true, restores_x = true, needs_y = true, gradient_in_place = true;
  static constexpr memory_need of_x = detail::need_per_sample(In.size());
  static constexpr memory_need forward_scratch = of_x, backward_scratch = of_x, infer_scratch = of_x;
  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M& scratch) {
    const kernel<OpType, Policy> k;
    move_halves(c, x, y, scratch, [&](const T* from, T* to) {
      k(c.state, unchecked, samples_view<half>(from, c.batch), samples_view<HalfOut>(to, c.batch));
    });
  }
  template <class Call, class M>
  static void backward(const Call& c, const T*, T* y, const T* dy, T* dx, const M&, const M& scratch) {
    const kernel<OpType, Policy> k;
    const auto undo = [&](const T* from, T* to) {
      k.backward_data(c.state, unchecked, samples_view<HalfOut>(from, c.batch), samples_view<half>(to, c.batch));
    };
    move_halves(c, y, y, scratch, undo);
    move_halves(c, dy, dx, scratch, undo);
  }
  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    forward(c, x, y, scratch, scratch);
  }

 private:
  /// Calls move(from, to) for both halves; if the result overwrites them, through the scratch.
  template <class Call, class M, class F>
  static void move_halves(const Call& c, const T* from, T* to, const M& scratch, F move) {
    T* const moved = from == to ? scratch.samples : to;
    const index_t size = c.batch * half.size();
    move(from, moved);
    move(from + size, moved + size);
    copy_samples<Policy>(c, In.size(), moved, to);
  }
};
template <class OpType, sample_shape In, sample_shape Out, class Policy>
struct permuting_layer : moving_layer<OpType, In, Out, Policy> {};
template <class OpType, sample_shape In, sample_shape Out, class Policy>
  requires(In.stream != 0)
struct permuting_layer<OpType, In, Out, Policy> : permuting_stream_layer<OpType, In, Out, Policy> {};
/// The shape that a permutation moves: a sample, or half of a stream.
constexpr sample_shape moved_shape(sample_shape s) { return s.stream ? half_of(s) : s; }

template <int Rank, space_to_depth_config<Rank> C, class T>
inline constexpr bool permutes<space_to_depth<Rank, C, T>> = true;
template <int Rank, space_to_depth_config<Rank> C, class T>
inline constexpr bool permutes<depth_to_space<Rank, C, T>> = true;
template <channel_shuffle_config C, class T>
inline constexpr bool permutes<channel_shuffle<C, T>> = true;

template <int Rank, space_to_depth_config<Rank> C, class T, class Op, sample_shape In, class Policy>
struct op_layer<space_to_depth<Rank, C, T>, Op, In, Policy>
    : permuting_layer<space_to_depth<Rank, C, T>, In, detail::deep_shape(C, moved_shape(In)), Policy> {
  static constexpr declare::sentence wrong = [] {
    constexpr const char* name = space_to_depth<Rank, C, T>::name;
    declare::sentence s = broken_rank(name, Rank, In);
    for (int r = 0; r < Rank && s.empty(); ++r)
      if (In.extent[r] % C.block[r] != 0)
        s << name << ": .block, " << C.block[r] << ", must divide extent " << r << " of the input: x is " << In;
    return s;
  }();
};
template <int Rank, space_to_depth_config<Rank> C, class T, class Op, sample_shape In, class Policy>
struct op_layer<depth_to_space<Rank, C, T>, Op, In, Policy>
    : permuting_layer<depth_to_space<Rank, C, T>, In, detail::wide_shape(C, moved_shape(In)), Policy> {
  static constexpr declare::sentence wrong =
      broken_rule(depth_to_space<Rank, C, T>::name,
                  {{In.rank == Rank, takes_rank(Rank)},
                   {detail::wide_shape(C, moved_shape(In)).size() == moved_shape(In).size(),
                    ".block must divide the channels of the input, of a stream those of half of it"}});
};
template <channel_shuffle_config C, class T, class Op, sample_shape In, class Policy>
struct op_layer<channel_shuffle<C, T>, Op, In, Policy>
    : permuting_layer<channel_shuffle<C, T>, In, moved_shape(In), Policy> {};
template <int Rank, upsample_config<Rank> C, class T, class Op, sample_shape In, class Policy>
struct op_layer<upsample<Rank, C, T>, Op, In, Policy>
    : moving_layer<upsample<Rank, C, T>, In, detail::result_shape(C, In), Policy> {};
template <int Rank, pad_config<Rank> C, class T, class Op, sample_shape In, class Policy>
struct op_layer<pad<Rank, C, T>, Op, In, Policy>
    : moving_layer<pad<Rank, C, T>, In, detail::result_shape(C, In), Policy> {};

/// Pads along an axis of pieces of channels. The size of a piece divides all three channel counts.
template <index_t Before, index_t After, sample_shape In, class Policy>
struct block_layer<pad_channels<Before, After>, In, Policy> : layer_base<In> {
  static constexpr declare::sentence wrong = broken_rule(
      "pad_channels",
      {{!In.stream, no_stream}, {Before >= 0 && After >= 0, "both numbers of channels must be at least 0"}});
  static constexpr sample_shape out = In.with_channels(Before + In.channels + After);
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    op<T>()(c.state, unchecked, rows<In>(x, c.batch), rows<out>(y, c.batch));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M&, const M&) {
    if (dx) op<T>().backward_data(c.state, unchecked, rows<out>(dy, c.batch), rows<In>(dx, c.batch));
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }

 private:
  static constexpr index_t piece = std::gcd(std::gcd(Before, After), In.channels);
  static constexpr pad1d_config config{.pad = Before / piece, .pad_end = After / piece};
  template <class T>
  using op = kernel<pad1d<config, T>, Policy>;
  template <sample_shape S, class T>
  static auto rows(T* p, index_t batch) {
    return samples_view<sample_shape::signal(piece, S.channels / piece)>(p, batch * S.positions());
  }
};

// ---------------------------------------------------------------------------------------------------------------------
// Parts: the gradient of excluded elements is zero

template <index_t First, index_t Count, sample_shape In, class Policy>
struct block_layer<channel_slice<First, Count>, In, Policy> : layer_base<In> {
  static constexpr declare::sentence wrong = [] {
    declare::sentence s = broken_rule(
        "channel_slice",
        {{!In.stream, no_stream}, {First >= 0 && Count >= 1, "First must be at least 0 and Count at least 1"}});
    if (s.empty() && (First > In.channels || Count > In.channels - First))
      s << "channel_slice: " << Count << " channels from channel " << First << " on must be part of the " << In.channels
        << " of the input";
    return s;
  }();
  static constexpr sample_shape out = In.with_channels(Count);
  using around = block_layer<pad_channels<First, In.channels - First - Count>, out, Policy>;
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    copy_tensor<Policy>(c, part<1>(samples_view<In>(x, c.batch), First, Count), samples_view<out>(y, c.batch));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M& kept, const M& scratch) {
    if (dx) around::forward(c, dy, dx, kept, scratch);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
};

template <sample_shape In, class Policy>
struct block_layer<class_token, In, Policy> : layer_base<In> {
  static constexpr declare::sentence wrong =
      broken_rule("class_token", {{In.rank == 1, "the input must be a signal: one axis, of positions"}});
  static constexpr sample_shape out = sample_shape::signal(In.channels, In.extent[0] + 1);
  static constexpr index_t parameters = In.channels, grain = sample_grain;
  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    path.visit(f, "token", 0, parameter::zeros, 1, false, In.channels);
  }
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    const auto to = samples_view<out>(y, c.batch);
    kernel<pad1d<pad1d_config{.pad = 1, .pad_end = 0}, T>, Policy>()(c.state, unchecked, samples_view<In>(x, c.batch),
                                                                     to);
    token<T>()(c.state, unchecked, part<2>(to, 0, 1), numbers_view<In.channels>(c.parameters), part<2>(to, 0, 1));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M&, const M&) {
    const auto from = samples_view<out>(dy, c.batch);
    token<T>().backward_bias(c.state, unchecked, part<2>(from, 0, 1), numbers_view<In.channels>(c.gradient),
                             accumulate);
    if (dx) copy_tensor<Policy>(c, part<2>(from, 1, In.extent[0]), samples_view<In>(dx, c.batch));
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }

 private:
  template <class T>
  using token = kernel<elementwise<elementwise_config{.bias = true}, T>, Policy>;
};

template <int Rank, crop_config<Rank> C, class T, sample_shape In, class Policy>
struct block_layer<cropped<Rank, C, T>, In, Policy> : layer_base<In> {
  using value_type = T;
  static constexpr sample_shape out = detail::cropped_shape(C, In);
  static constexpr declare::sentence wrong = [] {
    declare::sentence s = broken_rank("crop", Rank, In);
    if (s.empty() && !out.is_static())
      s << "crop: nothing of an axis is left: x is " << In << " and y would be " << out;
    return s;
  }();
  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    const auto all = samples_view<In>(x, c.batch);
    const auto to = samples_view<out>(y, c.batch);
    if constexpr (Rank == 1)
      copy_tensor<Policy>(c, along<0>(all), to);
    else if constexpr (Rank == 2)
      copy_tensor<Policy>(c, along<1>(along<0>(all)), to);
    else
      copy_tensor<Policy>(c, along<2>(along<1>(along<0>(all))), to);
  }
  template <class Call, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M&, const M&) {
    if (dx)
      kernel<pad<Rank, frame, T>, Policy>()(c.state, unchecked, samples_view<out>(dy, c.batch),
                                            samples_view<In>(dx, c.batch));
  }
  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }

 private:
  static constexpr pad_config<Rank> frame = [] {
    pad_config<Rank> p;
    for (int r = 0; r < Rank; ++r) p.pad.of[r] = C.crop[r], p.pad_end.of[r] = C.end(r);
    return p;
  }();
  template <int R, class View>
  static auto along(const View& v) {
    return part<2 + R>(v, C.crop[R], out.extent[R]);
  }
};

}  // namespace tern::inline TERN_ISA::impl
