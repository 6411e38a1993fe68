// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block repeated N times, as a loop: the block is compiled once, and its sizes are multiplied by N.
#pragma once

#include "tern/block/layer.hpp"
#include "tern/block/memory.hpp"
#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA::impl {

template <index_t N, class F, sample_shape In, class Policy>
struct block_layer<repeat<N, F>, In, Policy> : layer_base<In> {
  using f = layer<F, In, Policy>;
  using value_type = typename f::value_type;
  static constexpr declare::sentence wrong = [] {
    declare::sentence s = broken_rule<f>("repeat", {{N >= 1, "the number of blocks must be at least 1"}});
    if (s.empty() && !(f::out == In))
      s << "repeat: the block must keep the shape of its input: " << In << " and " << f::out;
    return s;
  }();
  static constexpr declare::sentence no_backward = missing_backward<f>();
  static constexpr sample_shape out = In;
  static constexpr index_t parameters = N * f::parameters, statistics = N * f::statistics, sites = N * f::sites,
                           penalties = N * f::penalties, grain = f::grain, multiply_adds = N * f::multiply_adds;
  static constexpr bool whole_batch = f::whole_batch, independent = independent_layer<f>::value, needs_x = f::needs_x,
                        needs_y = f::needs_y;
  // Tensors between blocks: none if every block works in place; else all are kept if gradients need them.
  static constexpr bool in_place = f::in_place && (f::restores_x || (!f::needs_x && !f::needs_y)),
                        restores_x = f::restores_x, gradient_in_place = f::gradient_in_place;
  static constexpr bool keeps_edges = !in_place && (f::needs_x || f::needs_y);
  static constexpr memory_need edge = detail::need_per_sample(In.size());
  static constexpr memory_need kept_at = keeps_edges ? (N - 1) * edge : memory_need{};
  static constexpr memory_need kept = kept_at + N * f::kept;
  static constexpr memory_need lost_edges = (N < 3 ? N - 1 : 2) * edge;  // two in turn
  // Gradients accumulate in dx if possible: for streams dx is never null.
  static constexpr memory_need gradient_edges = !f::gradient_in_place ? lost_edges
                                                : In.stream || N == 1 ? memory_need{}
                                                                      : edge;
  static constexpr memory_need forward_at = in_place || keeps_edges ? memory_need{} : lost_edges,
                               infer_at = f::in_place ? memory_need{} : lost_edges;
  static constexpr memory_need forward_scratch = forward_at + f::forward_scratch,
                               backward_scratch = gradient_edges + f::backward_scratch,
                               infer_scratch = infer_at + f::infer_scratch;

  template <class Visit>
  static void each_parameter(Visit& visit, const detail::parameter_path& path) {
    for (index_t i = 0; i < N; ++i) f::each_parameter(visit, path.inside(i, i * f::parameters, i * f::statistics));
  }
  template <class Call>
  static void conclude(const Call& c) {
    for (index_t i = 0; i < N; ++i) f::conclude(inside(c, i));
  }
  static constexpr index_t thread_workspace = f::thread_workspace;
  static constexpr index_t packed_once = detail::in_memory_grains(f::packed), packed = N * packed_once;
  template <class T>
  static void pack(const T* learned, const T* running, T* to) {
    if constexpr (packed > 0)
      for (index_t i = 0; i < N; ++i)
        f::pack(learned + i * f::parameters, running + i * f::statistics, to + i * packed_once);
  }
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    for (index_t i = 0; i < N; ++i) {
      const M& from = keeps_edges ? kept_memory : scratch;
      f::forward(inside(c, i), i == 0 ? x : edge_at(i, y, from), edge_at(i + 1, y, from),
                 kept_memory.at(kept_at + i * f::kept), scratch.at(forward_at));
    }
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* x, T* y, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    const auto gradient = [&](index_t k) {
      if (k == 0) return dx;
      if (f::gradient_in_place) return dx ? dx : scratch.samples;
      return scratch.at((k % 2 && N > 2 ? 1 : 0) * edge).samples;
    };
    for (index_t i = N - 1; i >= 0; --i)
      f::backward(inside(c, i), i == 0 ? x : edge_at(i, y, kept_memory), edge_at(i + 1, y, kept_memory),
                  i + 1 == N ? dy : gradient(i + 1), gradient(i), kept_memory.at(kept_at + i * f::kept),
                  scratch.at(gradient_edges));
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    for (index_t i = 0; i < N; ++i) {
      const auto at = [&](index_t k) {
        return k == N || f::in_place ? y : scratch.at((k % 2 && N > 2 ? 1 : 0) * edge).samples;
      };
      f::infer(inside(c, i), i == 0 ? x : at(i), at(i + 1), scratch.at(infer_at));
    }
  }

 private:
  /// The input of block k, which is the output of its predecessor.
  template <class T, class M>
  static T* edge_at(index_t k, T* y, const M& m) {
    if (in_place || k == N) return y;
    return m.at((keeps_edges ? k - 1 : k % 2 && N > 2 ? 1 : 0) * edge).samples;
  }
  template <class Call>
  static Call inside(const Call& c, index_t i) {
    Call own = c.at(i * f::parameters, i * f::statistics, i * f::sites, i * f::penalties);
    if constexpr (is_packed_call<Call>) own.packed += i * packed_once;
    return own;
  }
};

}  // namespace tern::inline TERN_ISA::impl
