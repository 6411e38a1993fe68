// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reversible layers, which change a stream in place, and back; and couplings that store their activations.
#pragma once

#include <tuple>
#include <type_traits>

#include "tern/block/composed_layer.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/shortcut_coupling.hpp"
#include "tern/block/stream.hpp"
#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA::impl {

/// \tparam Remembers  true if activations are stored instead of recomputed
template <class F, class G, sample_shape In, class Policy, bool Remembers>
struct coupling_layer : composed_layer<In, std::tuple<layer<F, half_of(In), Policy>, layer<G, half_of(In), Policy>>> {
  using stream = stream_passes<In, Policy>;
  static constexpr sample_shape half = stream::half;
  using f = layer<F, half, Policy>;
  using g = layer<G, half, Policy>;
  using typename composed_layer<In, std::tuple<f, g>>::facts;
  static constexpr const char* name = Remembers ? "stored_coupling" : "reversible";
  static constexpr declare::sentence wrong =
      In.stream == 0
          ? broken_rule(name, {{false, "the input must be a stream: put a tern::to_stream before it"}})
          : broken_rule<f, g>(
                name, {{f::out == half && g::out == half, "F and G must keep the shape of half of the channels"},
                       types_of_parts(facts::types_agree)});
  static constexpr bool in_place = true, restores_x = !Remembers, needs_y = !Remembers, gradient_in_place = true;

  // A branch's memory: its input, half a stream as real numbers, its result, and its kept tensors.
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
    copy_samples<Policy>(c, In.size(), x, y);
    T *const y1 = y, *const y2 = stream::second_half(y, c.batch);
    const M f_memory = Remembers ? kept_memory : scratch, g_memory = Remembers ? kept_memory.at(of_f) : scratch;
    stream::couple(c, y1, branch<f>(c, y2, f_memory, Remembers ? scratch : scratch.at(of_f)));
    stream::couple(c, y2,
                   branch<g>(facts::template inside<1>(c), y1, g_memory, Remembers ? scratch : scratch.at(of_g)));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T*, T* y, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    // dx is not null: a to_stream precedes every stream.
    T *const y1 = y, *const y2 = y ? stream::second_half(y, c.batch) : y;
    const M own = Remembers ? scratch : scratch.at(tensor);
    const M f_memory = Remembers ? kept_memory : own, g_memory = Remembers ? kept_memory.at(of_f) : own;
    const M f_scratch = Remembers ? scratch.at(tensor) : own.at(of_f),
            g_scratch = Remembers ? scratch.at(tensor) : own.at(of_g);
    if (dx) copy_samples<Policy>(c, In.size(), dy, dx);
    if (!Remembers) stream::uncouple(c, y2, branch<g>(facts::template inside<1>(c).again(), y1, g_memory, g_scratch));
    gradient<g>(facts::template inside<1>(c), stream::second_half(dx, c.batch), dx, g_memory, scratch.samples,
                g_scratch);
    if (!Remembers) stream::uncouple(c, y1, branch<f>(c.again(), y2, f_memory, f_scratch));
    gradient<f>(c, dx, stream::second_half(dx, c.batch), f_memory, scratch.samples, f_scratch);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    copy_samples<Policy>(c, In.size(), x, y);
    T *const y1 = y, *const y2 = stream::second_half(y, c.batch);
    const M after = scratch.at(2 * tensor);
    T *const real = scratch.samples, *const result = scratch.at(tensor).samples;
    stream::to_real(c, y2, real);
    f::infer(facts::template inside<0>(c), real, result, after);
    stream::couple(c, y1, result);
    stream::to_real(c, y1, real);
    g::infer(facts::template inside<1>(c), real, result, after);
    stream::couple(c, y2, result);
  }

 private:
  /// The result of a branch on the real values of one half.
  template <class L, class Call, class T, class M>
  static const T* branch(const Call& c, const T* half_stream, const M& memory, const M& scratch) {
    T *const real = memory.samples, *const result = memory.at(tensor).samples;
    stream::to_real(c, half_stream, real);
    L::forward(c, real, result, memory.at(2 * tensor), scratch);
    return result;
  }
  /// Propagates the gradient of a branch's result to its input, and adds it there.
  template <class L, class Call, class T, class M>
  static void gradient(const Call& c, const T* dy, T* dx, const M& memory, T* sum, const M& scratch) {
    L::backward(c, memory.samples, memory.at(tensor).samples, dy, sum, memory.at(2 * tensor), scratch);
    add_samples<Policy>(c, half.size(), dx, sum, dx);
  }
};

template <class F, class G, sample_shape In, class Policy>
struct block_layer<reversible<F, G>, In, Policy> : coupling_layer<F, G, In, Policy, false> {};
template <class F, class G, sample_shape In, class Policy>
struct block_layer<stored_coupling<F, G>, In, Policy> : coupling_layer<F, G, In, Policy, true> {};
template <class F, class G, class Shortcut, sample_shape In, class Policy>
  requires(!std::is_same_v<Shortcut, skip>)
struct block_layer<stored_coupling<F, G, Shortcut>, In, Policy> : shortcut_coupling<F, G, Shortcut, In, Policy> {};

}  // namespace tern::inline TERN_ISA::impl
