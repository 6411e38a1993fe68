// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions on cores with vector units.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/simd/kernels.hpp"
#include "tern/policy/simd.hpp"
#include "tern/tile/conv_core.hpp"
#include "tern/tile/depthwise.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct convolution_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  template <class T>
  using core = tile::conv_core<lanes<T, arch_of<D>>, common::template tuning<T>>;

  template <class T>
  using depthwise = tile::depthwise_core<lanes<T, arch_of<D>>>;

  template <class T>
  static index_t packed_size(const conv_shape& s) {
    return depthwise<T>::is_one(s) ? depthwise<T>::packed_size(s) : core<T>::packed_size(s);
  }
  template <class T>
  static filters<const T> packed(const T* p, const conv_shape& s) {
    return depthwise<T>::is_one(s) ? depthwise<T>::packed(p, s) : core<T>::packed(p, s);
  }
  template <class T>
  static void pack(const conv_shape& s, const filters<const T>& w, T* to) {
    if (depthwise<T>::is_one(s))
      depthwise<T>::pack(s, w, to);
    else
      core<T>::pack(s, w, to);
  }

  /// \param call  conv_sums, conv_gradient or channel_sums
  /// \param run   runs the tasks of the call; sums are never split
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call) {
    if constexpr (common::template runs_on<Executor>()) split(run, call);
  }

 private:
  template <class T>
  static constexpr index_t element = static_cast<index_t>(sizeof(T));

  /// Tasks are rows of the result, or panels of its channels.
  template <class Executor, class T, conv_pass P, epilogue E>
  static void split(Executor& run, const conv_sums<T, P, E>& q) {
    const conv_shape& s = q.shape;
    const index_t rows = s.batch * q.extent(0) * q.extent(1), products = s.groups * s.taps() * s.in * s.out;
    const index_t panels = (q.results() + core<T>::width - 1) / core<T>::width;
    const index_t tasks = common::template tasks_for<T>(run, products * s.batch * s.positions());
    if (depthwise<T>::is_one(s) && depthwise<T>::lies_well(q.w)) {
      const auto task = [&](index_t t) {
        depthwise<T>::rows(q, rows * t / tasks, rows * (t + 1) / tasks, 0, s.groups);
      };
      return run(tasks, task);
    }
    // Weights that stay in no core's cache are better read by one core each.
    const bool by_panels = panels >= tasks && (rows < tasks || products * element<T> > D.l2_bytes);
    const auto task = [&](index_t t) {
      if (by_panels)
        core<T>::rows(q, 0, rows, panels * t / tasks, panels * (t + 1) / tasks);
      else
        core<T>::rows(q, rows * t / tasks, rows * (t + 1) / tasks, 0, panels);
    };
    run(tasks, task);
  }

  /// Tasks are taps and groups, or panels of output channels.
  template <class Executor, class T, bool Accumulate>
  static void split(Executor& run, const conv_gradient<T, Accumulate>& q) {
    const conv_shape& s = q.shape;
    const index_t units = s.groups * s.taps(), panels = (s.out + core<T>::width - 1) / core<T>::width;
    const index_t tasks = common::template tasks_for<T>(run, units * s.in * s.out * s.batch * s.positions());
    if (depthwise<T>::is_one(s)) {
      const auto task = [&](index_t t) { depthwise<T>::gradient(q, s.groups * t / tasks, s.groups * (t + 1) / tasks); };
      return run(tasks, task);
    }
    const bool by_panels = panels >= tasks && units % tasks != 0;
    const auto task = [&](index_t t) {
      const index_t o = by_panels ? panels * t / tasks * core<T>::width : 0;
      const index_t end = by_panels ? panels * (t + 1) / tasks * core<T>::width : s.out;
      core<T>::gradient(q, by_panels ? 0 : units * t / tasks, by_panels ? units : units * (t + 1) / tasks, o,
                        end < s.out ? end : s.out);
    };
    run(tasks, task);
  }

  /// Tasks are channels.
  template <class Executor, class T, bool Accumulate>
  static void split(Executor& run, const channel_sums<T, Accumulate>& q) {
    const index_t panels = (q.channels + core<T>::width - 1) / core<T>::width;
    const index_t tasks =
        common::template tasks_for<T>(run, q.batch * q.channels * q.extent[0] * q.extent[1] * q.extent[2]);
    const auto task = [&](index_t t) {
      const index_t end = panels * (t + 1) / tasks * core<T>::width;
      core<T>::sums(q, panels * t / tasks * core<T>::width, end < q.channels ? end : q.channels);
    };
    run(tasks, task);
  }
};

}  // namespace tern::inline TERN_ISA
