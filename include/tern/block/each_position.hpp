// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies a block on features at every position of a sample: the block sees positions as samples.
#pragma once

#include <cstdint>
#include <numeric>

#include "tern/block/layer.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/parameters.hpp"
#include "tern/core/config.hpp"
#include "tern/op/block.hpp"

namespace tern::inline TERN_ISA::impl {

template <class F, sample_shape In, class Policy>
struct block_layer<each_position<F>, In, Policy> : layer_base<In> {
  using f = layer<F, sample_shape::features(In.channels), Policy>;
  using value_type = typename f::value_type;
  static constexpr declare::sentence wrong =
      broken_rule<f>("each_position", {{!In.stream, no_stream},
                                       {f::out.rank == 0, "the block must make features of features"},
                                       {f::penalties == 0, "the block must add nothing to the loss"}});
  static constexpr declare::sentence no_backward = missing_backward<f>();
  static constexpr index_t positions = In.positions();
  static constexpr sample_shape out = In.with_channels(f::out.channels);
  static constexpr index_t parameters = f::parameters, statistics = f::statistics, sites = f::sites,
                           grain = f::grain / std::gcd(f::grain, positions), packed = f::packed,
                           thread_workspace = f::thread_workspace, multiply_adds = positions * f::multiply_adds;
  static constexpr bool whole_batch = f::whole_batch, independent = independent_layer<f>::value, needs_x = f::needs_x,
                        needs_y = f::needs_y, in_place = f::in_place, restores_x = f::restores_x,
                        gradient_in_place = f::gradient_in_place;
  static constexpr memory_need at_all(const memory_need& m) { return {positions * m.per_sample, m.fixed}; }
  static constexpr memory_need kept = at_all(f::kept), forward_scratch = at_all(f::forward_scratch),
                               backward_scratch = at_all(f::backward_scratch), infer_scratch = at_all(f::infer_scratch);

  template <class Visit>
  static void each_parameter(Visit& visit, const detail::parameter_path& path) {
    f::each_parameter(visit, path);
  }
  template <class Call>
  static void conclude(const Call& c) {
    f::conclude(c);
  }
  template <class T>
  static void pack(const T* learned, const T* running, T* to) {
    if constexpr (packed > 0) f::pack(learned, running, to);
  }
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    f::forward(rows(c), x, y, rows_of(kept_memory), rows_of(scratch));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* x, T* y, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    f::backward(rows(c), x, y, dy, dx, rows_of(kept_memory), rows_of(scratch));
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    f::infer(rows(c), x, y, rows_of(scratch));
  }

 private:
  template <class Call>
  static Call rows(Call c) {
    c.batch *= positions, c.step_samples *= positions;
    c.site.sample *= static_cast<std::uint32_t>(positions);
    return c;
  }
  template <class M>
  static M rows_of(M m) {
    m.batch *= positions;
    return m;
  }
};

}  // namespace tern::inline TERN_ISA::impl
