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
#include "tern/tile/conv_parts.hpp"
#include "tern/tile/convolution.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct convolution_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  template <class T>
  using parts = tile::conv_parts<lanes<T, arch_of<D>>, common::template tuning<T>, D.l2_bytes>;

  template <class T>
  static index_t packed_size(const conv_shape& s) {
    return parts<T>::packed_size(s);
  }
  template <class T>
  static filters<const T> packed(const T* p, const conv_shape& s) {
    return parts<T>::packed(p, s);
  }
  template <class T>
  static void pack(const conv_shape& s, const filters<const T>& w, T* to) {
    parts<T>::pack(s, w, to);
  }

  /// \param call  conv_sums or conv_gradient
  /// \param run   runs the tasks of the call; sums are never split
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call) {
    if constexpr (common::template runs_on<Executor>()) {
      using T = typename Call::value_type;
      const conv_shape& s = call.shape;
      const index_t fmas = s.batch * s.positions() * s.groups * s.taps() * s.in * s.out;
      const index_t tasks = common::template tasks_for<T>(run, fmas);
      const auto task = [&](index_t t) { parts<T>::run(call, t, tasks); };
      run(tasks, task);
    }
  }
};

}  // namespace tern::inline TERN_ISA
