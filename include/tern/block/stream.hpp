// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams: the halves of the channels of all samples as two tensors, one after the other. Conversion of samples to
// streams and back.
#pragma once

#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/core/config.hpp"
#include "tern/core/part.hpp"
#include "tern/kernel/coupling.hpp"
#include "tern/op/coupling.hpp"

namespace tern::inline TERN_ISA::impl {

/// The shape of a half: of a stream's samples, or of samples that become a stream.
constexpr sample_shape half_of(sample_shape s) {
  s.channels /= 2, s.stream = 0;
  return s;
}
constexpr sample_shape with_stream(sample_shape s, index_t stream) {
  s.stream = stream;
  return s;
}
/// The .stream of a sample encodes its config as a unique number, not 0.
template <coupling_config C>
constexpr index_t stream_of = 1 + static_cast<index_t>(C.stream) + 4 * static_cast<index_t>(C.bits);
constexpr coupling_config coupling_of(sample_shape s) {
  if (s.stream == 0) return {};
  return {.stream = static_cast<stream_kind>((s.stream - 1) % 4), .bits = static_cast<int>((s.stream - 1) / 4)};
}

/// The first error of a stream's config in a network of elements T; empty if there is none.
template <class Root, class T>
constexpr declare::sentence error_of_streams() {
  declare::sentence s;
  for (const detail::graph_node& n : Root::flat.nodes)
    if (s.empty() && n.out.stream)
      if (const char* const why = coupling<coupling_config{}, T>::broken_rule(coupling_of(n.out)))
        add_place(Root::facts::about(s, n) << "to_stream: " << why, n.at);
  return s;
}

/// Operations of layers on a stream of the shape S. The second half of a tensor follows the first.
template <sample_shape S, class Policy>
struct stream_passes {
  static constexpr sample_shape half = half_of(S);

  template <class T>
  using op = kernel<coupling<coupling_of(S), T>, Policy>;
  template <class T>
  static auto half_view(T* p, index_t batch) {
    return samples_view<half>(p, batch);
  }
  template <class T>
  static T* second_half(T* p, index_t batch) {
    return p + batch * half.size();
  }
  /// The channels of a half, in a tensor of all channels.
  template <class T>
  static auto channels_of(T* p, index_t batch, int which) {
    return part<1>(samples_view<with_stream(S, 0)>(p, batch), which * half.channels, half.channels);
  }
  // Moves gradients between a tensor of all channels and its two halves.
  template <class Call, class T>
  static void join(const Call& c, const T* halves, T* all) {
    copy_tensor<Policy>(c, half_view(halves, c.batch), channels_of(all, c.batch, 0));
    copy_tensor<Policy>(c, half_view(second_half(halves, c.batch), c.batch), channels_of(all, c.batch, 1));
  }
  template <class Call, class T>
  static void split(const Call& c, const T* all, T* halves) {
    copy_tensor<Policy>(c, channels_of(all, c.batch, 0), half_view(halves, c.batch));
    copy_tensor<Policy>(c, channels_of(all, c.batch, 1), half_view(second_half(halves, c.batch), c.batch));
  }

  // Converts between a half of the stream and real numbers.
  template <class Call, class T>
  static void to_real(const Call& c, const T* half_stream, T* real) {
    op<T>().from_stream(c.state, unchecked, half_view(half_stream, c.batch), half_view(real, c.batch));
  }
  template <class Call, class T>
  static void from_real(const Call& c, const T* real, T* half_stream) {
    op<T>().to_stream(c.state, unchecked, half_view(real, c.batch), half_view(half_stream, c.batch));
  }
  /// Adds real numbers to a half of the stream; `uncouple` subtracts them again.
  template <class Call, class T>
  static void couple(const Call& c, T* half_stream, const T* real) {
    const auto s = half_view(half_stream, c.batch);
    op<T>()(c.state, unchecked, s, half_view(real, c.batch), s);
  }
  template <class Call, class T>
  static void uncouple(const Call& c, T* half_stream, const T* real) {
    const auto s = half_view(half_stream, c.batch);
    op<T>().inverse(c.state, unchecked, s, half_view(real, c.batch), s);
  }
};

template <coupling_config C, sample_shape In, class Policy>
struct block_layer<to_stream<C>, In, Policy> : layer_base<In> {
  /// Checks the limits of double only: the network, which knows its element type, checks those of float.
  static constexpr declare::sentence wrong = broken_rule(
      "to_stream",
      {{coupling<C, double>::broken_rule() == nullptr, coupling<C, double>::broken_rule()},
       {!In.stream && In.channels % 2 == 0, "the input must have an even number of channels and be no stream yet"}});
  static constexpr sample_shape out = with_stream(In, stream_of<C>);
  using stream = stream_passes<out, Policy>;
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    const kernel<coupling<C, T>, Policy> k;
    k.to_stream(c.state, unchecked, stream::channels_of(x, c.batch, 0), stream::half_view(y, c.batch));
    k.to_stream(c.state, unchecked, stream::channels_of(x, c.batch, 1),
                stream::half_view(stream::second_half(y, c.batch), c.batch));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M&, const M&) {
    if (dx) stream::join(c, dy, dx);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
};

template <sample_shape In, class Policy>
struct block_layer<from_stream, In, Policy> : layer_base<In> {
  static constexpr declare::sentence wrong =
      broken_rule("from_stream",
                  {{In.stream != 0, "the input must be a stream: put a tern::to_stream before the reversible blocks"}});
  using stream = stream_passes<In, Policy>;
  static constexpr sample_shape out = with_stream(In, 0);
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    const typename stream::template op<T> k;
    k.from_stream(c.state, unchecked, stream::half_view(x, c.batch), stream::channels_of(y, c.batch, 0));
    k.from_stream(c.state, unchecked, stream::half_view(stream::second_half(x, c.batch), c.batch),
                  stream::channels_of(y, c.batch, 1));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M&, const M&) {
    if (dx) stream::split(c, dy, dx);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
};

}  // namespace tern::inline TERN_ISA::impl
