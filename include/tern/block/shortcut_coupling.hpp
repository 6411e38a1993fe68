// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Couplings with shortcuts that change the shape of a stream, for the first block of a reversible network's stage.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "tern/block/composed_layer.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/stream.hpp"
#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA::impl {

template <class F, class G, class Shortcut, sample_shape In, class Policy>
struct shortcut_coupling
    : composed_layer<
          In, std::tuple<layer<F, half_of(In), Policy>, layer<Shortcut, half_of(In), Policy>,
                         layer<G, layer<F, half_of(In), Policy>::out, Policy>, layer<Shortcut, half_of(In), Policy>>> {
  using f = layer<F, half_of(In), Policy>;
  using s = layer<Shortcut, half_of(In), Policy>;
  using g = layer<G, f::out, Policy>;
  static constexpr sample_shape half = half_of(In), half_out = f::out,
                                out = with_stream(half_out.with_channels(2 * half_out.channels), In.stream);
  using from = stream_passes<In, Policy>;
  using to = stream_passes<out, Policy>;
  using typename composed_layer<In, std::tuple<f, s, g, s>>::facts;
  static constexpr declare::sentence wrong =
      In.stream == 0
          ? broken_rule("stored_coupling", {{false, "the input must be a stream: put a tern::to_stream before it"}})
          : broken_rule<f, s, g>("stored_coupling",
                                 {{f::out == s::out && g::out == f::out,
                                   "F and the shortcut must give samples of one shape, and G must keep it"},
                                  types_of_parts(facts::types_agree)});

  static constexpr memory_need of_x = detail::need_per_sample(half.size()),
                               of_y = detail::need_per_sample(half_out.size());
  // Real numbers of the halves of x and of y1, and results. Those that gradients need are kept, the rest is scratch.
  enum piece { x1, x2, y1, f_result, g_result, s1_result, s2_result, pieces };
  static constexpr std::array<bool, pieces> is_kept{
      s::needs_x, f::needs_x || s::needs_x, g::needs_x, f::needs_y, g::needs_y, s::needs_y, s::needs_y};
  struct layout {
    std::array<memory_need, pieces> at{};
    memory_need kept, scratch;
  };
  static constexpr layout places = [] {
    layout l;
    for (std::size_t i = 0; i < pieces; ++i) {
      memory_need& end = is_kept[i] ? l.kept : l.scratch;
      l.at[i] = end;
      end = end + (i <= x2 ? of_x : of_y);
    }
    return l;
  }();
  static constexpr memory_need f_kept = places.kept, s1_kept = f_kept + f::kept, g_kept = s1_kept + s::kept,
                               s2_kept = g_kept + g::kept, kept = s2_kept + s::kept;
  static constexpr memory_need forward_scratch =
      places.scratch + most(f::forward_scratch, most(g::forward_scratch, s::forward_scratch));
  static constexpr memory_need backward_scratch =
      of_x + of_y + most(f::backward_scratch, most(g::backward_scratch, s::backward_scratch));
  static constexpr memory_need infer_scratch =
      2 * of_x + 2 * of_y + most(f::infer_scratch, most(g::infer_scratch, s::infer_scratch));

  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    const auto place = [&](piece p) { return (is_kept[p] ? kept_memory : scratch).at(places.at[p]).samples; };
    const M after = scratch.at(places.scratch);
    T* const second = to::second_half(y, c.batch);
    from::to_real(c, x, place(x1));
    from::to_real(c, from::second_half(x, c.batch), place(x2));
    f::forward(facts::template inside<0>(c), place(x2), place(f_result), kept_memory.at(f_kept), after);
    s::forward(facts::template inside<1>(c), place(x1), place(s1_result), kept_memory.at(s1_kept), after);
    to::from_real(c, place(s1_result), y);
    to::couple(c, y, place(f_result));
    to::to_real(c, y, place(y1));
    g::forward(facts::template inside<2>(c), place(y1), place(g_result), kept_memory.at(g_kept), after);
    s::forward(facts::template inside<3>(c), place(x2), place(s2_result), kept_memory.at(s2_kept), after);
    to::from_real(c, place(s2_result), second);
    to::couple(c, second, place(g_result));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    // dx is not null: a to_stream precedes every stream.
    const auto place = [&](piece p) { return is_kept[p] ? kept_memory.at(places.at[p]).samples : nullptr; };
    T *const dy1 = scratch.samples, *const more = scratch.at(of_y).samples;
    const M after = scratch.at(of_y + of_x);
    const T* const dy2 = to::second_half(dy, c.batch);
    T* const dx2 = from::second_half(dx, c.batch);
    g::backward(facts::template inside<2>(c), place(y1), place(g_result), dy2, dy1, kept_memory.at(g_kept), after);
    add_samples<Policy>(c, half_out.size(), dy1, dy, dy1);
    f::backward(facts::template inside<0>(c), place(x2), place(f_result), dy1, dx2, kept_memory.at(f_kept), after);
    s::backward(facts::template inside<3>(c), place(x2), place(s2_result), dy2, more, kept_memory.at(s2_kept), after);
    add_samples<Policy>(c, half.size(), dx2, more, dx2);
    s::backward(facts::template inside<1>(c), place(x1), place(s1_result), dy1, dx, kept_memory.at(s1_kept), after);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    T *const second_x = scratch.samples, *const first_x = scratch.at(of_x).samples;
    T *const branch = scratch.at(2 * of_x).samples, *const shortcut = scratch.at(2 * of_x + of_y).samples;
    T* const second = to::second_half(y, c.batch);
    const M after = scratch.at(2 * of_x + 2 * of_y);
    from::to_real(c, x, first_x);
    from::to_real(c, from::second_half(x, c.batch), second_x);
    f::infer(facts::template inside<0>(c), second_x, branch, after);
    s::infer(facts::template inside<1>(c), first_x, shortcut, after);
    to::from_real(c, shortcut, y);
    to::couple(c, y, branch);
    to::to_real(c, y, shortcut);
    g::infer(facts::template inside<2>(c), shortcut, branch, after);
    s::infer(facts::template inside<3>(c), second_x, shortcut, after);
    to::from_real(c, shortcut, second);
    to::couple(c, second, branch);
  }
};

}  // namespace tern::inline TERN_ISA::impl
