// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reversible layers over a stream. A stream is two tensors, the halves of the channels of all samples, one behind the
// other; `reversible` changes it in place, and back.
#pragma once

#include <type_traits>

#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/sequence.hpp"
#include "tern/core/config.hpp"
#include "tern/core/part.hpp"
#include "tern/kernel/coupling.hpp"
#include "tern/op/coupling.hpp"

namespace tern::inline TERN_ISA::impl {

/// One half of the samples of a stream, and of those that become one.
constexpr sample_shape half_of(sample_shape s) {
  s.channels /= 2, s.stream = 0;
  return s;
}
constexpr sample_shape with_stream(sample_shape s, index_t stream) {
  s.stream = stream;
  return s;
}
/// The .stream of a sample: another one for every config, not 0.
template <coupling_config C>
constexpr index_t stream_of = 1 + static_cast<index_t>(C.stream) + 4 * static_cast<index_t>(C.bits);

/// What all layers over a stream have in common. Halves of a tensor: the second one lies behind the first.
template <coupling_config C, sample_shape In, class Policy>
struct stream_layer {
  static constexpr sample_shape half = half_of(In);

  template <class T>
  using op = kernel<coupling<C, T>, Policy>;
  template <class T>
  static auto half_view(T* p, index_t batch) {
    return samples_view<half>(p, batch);
  }
  template <class T>
  static T* second(T* p, index_t batch) {
    return p + batch * half.size();
  }
  /// The channels of a half, in a tensor of all.
  template <class T>
  static auto channels_of(T* p, index_t batch, int which) {
    return part<1>(samples_view<with_stream(In, 0)>(p, batch), which * half.channels, half.channels);
  }
  // Gradients between a tensor of all channels and two of their halves.
  template <class Call, class T>
  static void join(const Call& c, const T* halves, T* all) {
    copy_tensor<Policy>(c, half_view(halves, c.batch), channels_of(all, c.batch, 0));
    copy_tensor<Policy>(c, half_view(second(halves, c.batch), c.batch), channels_of(all, c.batch, 1));
  }
  template <class Call, class T>
  static void split(const Call& c, const T* all, T* halves) {
    copy_tensor<Policy>(c, channels_of(all, c.batch, 0), half_view(halves, c.batch));
    copy_tensor<Policy>(c, channels_of(all, c.batch, 1), half_view(second(halves, c.batch), c.batch));
  }
};

template <coupling_config C, sample_shape In, class Policy>
struct block_layer<to_stream<C>, In, Policy> : layer_base<In>, stream_layer<C, In, Policy> {
  static_assert(!In.stream && In.channels % 2 == 0,
                "to_stream: the input must have an even number of channels and be no stream yet");
  using stream = stream_layer<C, In, Policy>;
  static constexpr sample_shape out = with_stream(In, stream_of<C>);
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    const typename stream::template op<T> k;
    k.to_stream(c.state, stream::channels_of(x, c.batch, 0), stream::half_view(y, c.batch));
    k.to_stream(c.state, stream::channels_of(x, c.batch, 1), stream::half_view(stream::second(y, c.batch), c.batch));
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

template <coupling_config C, sample_shape In, class Policy>
struct block_layer<from_stream<C>, In, Policy> : layer_base<In>, stream_layer<C, In, Policy> {
  static_assert(In.stream,
                "from_stream: the input must be a stream: put a tern::to_stream before the reversible blocks");
  static_assert(!In.stream || In.stream == stream_of<C>, "from_stream: its config must be that of the to_stream");
  using stream = stream_layer<C, In, Policy>;
  static constexpr sample_shape out = with_stream(In, 0);
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    const typename stream::template op<T> k;
    k.from_stream(c.state, stream::half_view(x, c.batch), stream::channels_of(y, c.batch, 0));
    k.from_stream(c.state, stream::half_view(stream::second(x, c.batch), c.batch), stream::channels_of(y, c.batch, 1));
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

/// \tparam Remembers  whether the backward pass finds what it needs, instead of computing it again
template <class F, class G, coupling_config C, sample_shape In, class Policy, bool Remembers>
struct coupling_layer : composed_layer<In, std::tuple<layer<F, half_of(In), Policy>, layer<G, half_of(In), Policy>>>,
                        stream_layer<C, In, Policy> {
  static_assert(In.stream, "reversible: the input must be a stream: put a tern::to_stream before it");
  static_assert(!In.stream || In.stream == stream_of<C>, "reversible: its config must be that of the to_stream");
  using stream = stream_layer<C, In, Policy>;
  using stream::half;
  using f = layer<F, half, Policy>;
  using g = layer<G, half, Policy>;
  static_assert(f::out == half && g::out == half, "reversible: F and G must keep the shape of half of the channels");
  using typename composed_layer<In, std::tuple<f, g>>::facts;
  static constexpr bool in_place = true, restores_x = !Remembers, needs_y = !Remembers, gradient_in_place = true;

  // A half as a branch sees it, what the branch makes of it, and what its gradient wants.
  static constexpr memory_need tensor = detail::need_per_sample(half.size());
  static constexpr memory_need of_f = 2 * tensor + f::kept, of_g = 2 * tensor + g::kept;
  static constexpr memory_need kept = Remembers ? of_f + of_g : memory_need{};
  static constexpr memory_need forward_scratch = Remembers ? most(f::forward_scratch, g::forward_scratch)
                                                           : most(of_f + f::forward_scratch, of_g + g::forward_scratch);
  static constexpr memory_need backward_scratch =
      Remembers ? tensor + most(f::backward_scratch, g::backward_scratch)
                : tensor + most(of_f + most(f::forward_scratch, f::backward_scratch),
                                of_g + most(g::forward_scratch, g::backward_scratch));
  static constexpr memory_need infer_scratch = 2 * tensor + most(f::infer_scratch, g::infer_scratch);

  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    copy_samples<Policy, In>(c, x, y);
    T *const y1 = y, *const y2 = stream::second(y, c.batch);
    const M f_memory = Remembers ? kept_memory : scratch, g_memory = Remembers ? kept_memory.at(of_f) : scratch;
    couple(c, y1, branch<f>(c, y2, f_memory, Remembers ? scratch : scratch.at(of_f)));
    couple(c, y2, branch<g>(facts::template inside<1>(c), y1, g_memory, Remembers ? scratch : scratch.at(of_g)));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T*, T* y, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    // Somebody wants dx: before a stream there is a to_stream.
    T *const y1 = y, *const y2 = y ? stream::second(y, c.batch) : y;
    const M own = Remembers ? scratch : scratch.at(tensor);
    const M f_memory = Remembers ? kept_memory : own, g_memory = Remembers ? kept_memory.at(of_f) : own;
    const M f_scratch = Remembers ? scratch.at(tensor) : own.at(of_f),
            g_scratch = Remembers ? scratch.at(tensor) : own.at(of_g);
    if (dx) copy_samples<Policy, In>(c, dy, dx);
    if (!Remembers) uncouple(c, y2, branch<g>(facts::template inside<1>(c).again(), y1, g_memory, g_scratch));
    gradient<g>(facts::template inside<1>(c), stream::second(dx, c.batch), dx, g_memory, scratch.samples, g_scratch);
    if (!Remembers) uncouple(c, y1, branch<f>(c.again(), y2, f_memory, f_scratch));
    gradient<f>(c, dx, stream::second(dx, c.batch), f_memory, scratch.samples, f_scratch);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    copy_samples<Policy, In>(c, x, y);
    T *const y1 = y, *const y2 = stream::second(y, c.batch);
    const M behind = scratch.at(2 * tensor);
    const typename stream::template op<T> k;
    T *const real = scratch.samples, *const result = scratch.at(tensor).samples;
    k.from_stream(c.state, stream::half_view(y2, c.batch), stream::half_view(real, c.batch));
    f::infer(c, real, result, behind);
    couple(c, y1, result);
    k.from_stream(c.state, stream::half_view(y1, c.batch), stream::half_view(real, c.batch));
    g::infer(facts::template inside<1>(c), real, result, behind);
    couple(c, y2, result);
  }

 private:
  /// The result of a branch, of the real values of one half.
  template <class L, class Call, class T, class M>
  static const T* branch(const Call& c, const T* half_stream, const M& memory, const M& scratch) {
    T *const real = memory.samples, *const result = memory.at(tensor).samples;
    typename stream::template op<T>().from_stream(c.state, stream::half_view(half_stream, c.batch),
                                                  stream::half_view(real, c.batch));
    L::forward(c, real, result, memory.at(2 * tensor), scratch);
    return result;
  }
  template <class Call, class T>
  static void couple(const Call& c, T* half_stream, const T* result) {
    const auto s = stream::half_view(half_stream, c.batch);
    typename stream::template op<T>()(c.state, s, stream::half_view(result, c.batch), s);
  }
  template <class Call, class T>
  static void uncouple(const Call& c, T* half_stream, const T* result) {
    const auto s = stream::half_view(half_stream, c.batch);
    typename stream::template op<T>().inverse(c.state, s, stream::half_view(result, c.batch), s);
  }
  /// The gradient of a branch's result, through it, onto that of its input.
  template <class L, class Call, class T, class M>
  static void gradient(const Call& c, const T* dy, T* dx, const M& memory, T* sum, const M& scratch) {
    L::backward(c, memory.samples, memory.at(tensor).samples, dy, sum, memory.at(2 * tensor), scratch);
    add_samples<Policy, half>(c, dx, sum, dx);
  }
};

template <class F, class G, coupling_config C, sample_shape In, class Policy>
struct block_layer<reversible<F, G, C>, In, Policy> : coupling_layer<F, G, C, In, Policy, false> {};
template <class F, class G, coupling_config C, sample_shape In, class Policy>
struct block_layer<remembering<F, G, C>, In, Policy> : coupling_layer<F, G, C, In, Policy, true> {};

}  // namespace tern::inline TERN_ISA::impl
