// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions on SIMT machines: the choice of kernel and tiles for a call.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/workspace.hpp"
#include "tern/exec/simt/sample_sums_block.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/simt/conv_gradient_block.hpp"
#include "tern/family/contraction/simt/conv_sums_block.hpp"
#include "tern/family/contraction/simt/narrow_sums_block.hpp"
#include "tern/family/contraction/simt/weight_terms.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct convolution_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  template <class T>
  static constexpr plan plan_for(conv_work work, const conv_shape& s, epilogue = {}) {
    return work == conv_work::weights ? plan_of<T, problem_size::large>(work, s)
                                      : plan_of<T, problem_size::convolution>(work, s);
  }

  /// \param state  simt_host, simt_threads or simt_stream
  /// \param call   conv_sums or conv_gradient
  template <class State, class Call>
  static void run(const State& state, const Call& call, workspace = {}) {
    if constexpr (common::template runs_on<State, typename Call::value_type>()) choose(state, call);
  }

  /// Weights are stored (group, tap, input channel, output channel), every row at a multiple of 16 bytes, in memory of
  /// the host, for every pass.
  template <class T>
  static constexpr index_t packed_size(const conv_shape& s, conv_pass = conv_pass::forward) {
    return packed_filters_size(s, row_of<T>(s));
  }
  template <class T>
  static filters<T> packed(T* p, const conv_shape& s, conv_pass = conv_pass::forward) {
    return packed_filters(p, s, row_of<T>(s));
  }
  template <class T>
  static void pack(const conv_shape& s, const filters<const T>& w, T* to, conv_pass = conv_pass::forward) {
    for (index_t i = 0, size = packed_size<T>(s); i < size; ++i) to[i] = T(0);
    copy_filters(s, w, packed(to, s));
  }

 private:
  template <class T, problem_size Large>
  static constexpr plan plan_of(conv_work work, const conv_shape& s) {
    plan p = conv_plan_of<T>(work, s, model::simt, D.name, Numerics::name, packed_size<T>(s));
    const bool sums = work != conv_work::weights;
    const index_t rows = sums ? p.m : s.in, columns = p.n / s.groups, problems = sums ? s.groups : s.groups * s.taps();
    const bool large = common::template size_of<T, Large>(rows, columns, problems) == Large;
    constexpr simt_tuning of_large = common::template tuning<T, Large>,
                          of_small = common::template tuning<T, problem_size::small>;
    const simt_tuning t = large ? of_large : of_small;
    p.tile_m = p.block_m = t.block_m, p.tile_n = p.block_n = t.block_n, p.block_k = t.block_k;
    p.split_m = (rows + t.block_m - 1) / t.block_m, p.split_n = (columns + t.block_n - 1) / t.block_n * problems;
    p.units = p.split_m * p.split_n;
    p.cycles = common::template cycles_for<T, Large>(rows, columns, problems, p.k);
    return p;
  }

  template <class T>
  static constexpr index_t row_of(const conv_shape& s) {
    constexpr index_t group = 16 / sizeof(T);
    return (s.out + group - 1) / group * group;
  }

  /// Groups with fewer channels than this leave most of a tile empty. Not measured on a GPU.
  static constexpr index_t narrow = 8;

  template <class State, class T, conv_pass P, epilogue E>
  static void choose(const State& state, const conv_sums<T, P, E>& q) {
    check(q.shape);
    const index_t positions = q.shape.batch * q.extent(0) * q.extent(1) * q.extent(2);
    if (q.shape.groups > 1 && q.results() < narrow) {
      using block = impl::narrow_sums_block<T, P, E, common::template threads<T>>;
      common::template start<block>(state, typename block::problem(q));
    } else if (common::template size_of<T, problem_size::convolution>(positions, q.results(), q.shape.groups) ==
               problem_size::convolution) {
      run_tiles<problem_size::convolution>(state, q);
    } else {
      run_tiles<problem_size::small>(state, q);
    }
  }
  template <problem_size Size, class State, class T, conv_pass P, epilogue E>
  static void run_tiles(const State& state, const conv_sums<T, P, E>& q) {
    using block = impl::conv_sums_block<T, P, E, common::template tuning<T, Size>>;
    common::template start<block>(state, typename block::problem(q));
  }

  template <class State, class T, bool Accumulate>
  static void choose(const State& state, const conv_gradient<T, Accumulate>& q) {
    const conv_shape& s = q.shape;
    check(s);
    if (s.groups > 1 && (s.in < narrow || s.out < narrow))
      sum_over_samples<T>(state, impl::weight_terms<T, Accumulate>(q));
    else if (common::template size_of<T>(s.in, s.out, s.groups * s.taps()) == problem_size::large)
      run_tiles<problem_size::large>(state, q);
    else
      run_tiles<problem_size::small>(state, q);
  }
  template <problem_size Size, class State, class T, bool Accumulate>
  static void run_tiles(const State& state, const conv_gradient<T, Accumulate>& q) {
    using block = impl::conv_gradient_block<T, Accumulate, common::template tuning<T, Size>>;
    common::template start<block>(state, typename block::problem(q));
  }

  template <class T, class State, class Terms>
  static void sum_over_samples(const State& state, const Terms& terms) {
    using block = impl::sample_sums_block<Terms, common::template threads<T>>;
    common::template start<block>(state, typename block::problem(terms));
  }

  /// Blocks count in 32 bits: family/contraction/simt/conv_window.hpp.
  static void check(const conv_shape& s) {
    for (int r = 0; r < 3; ++r) {
      const window_axis& a = s.axis[r];
      const index_t span = a.in + a.pad + a.reach() + a.out * a.stride;
      if (span > impl::most_per_axis)
        violation(
            "simt: a convolution has %td elements on an axis, counting padding and window: at most %td are "
            "possible",
            span, impl::most_per_axis);
    }
    check_positions(s.positions());
    check_positions(s.axis[0].in * s.axis[1].in * s.axis[2].in);
    const index_t channels = s.groups * (s.in > s.out ? s.in : s.out);
    if (channels > impl::most_per_axis || s.taps() > impl::most_per_axis)
      violation("simt: a convolution has %td channels and %td taps: at most %td of each are possible", channels,
                s.taps(), impl::most_per_axis);
  }
  static void check_positions(index_t positions) {
    if (positions > impl::most_positions)
      violation("simt: a sample has %td positions: at most %td are possible", positions, impl::most_positions);
  }
};

}  // namespace tern::inline TERN_ISA
