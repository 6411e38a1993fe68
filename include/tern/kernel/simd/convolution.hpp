// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions on cores with vector units.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/policy/simd.hpp"
#include "tern/tile/conv_core.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct convolution_kernel<simd<D, Numerics, Tuning>> {
  static_assert(!std::is_void_v<arch_of<D>>,
                "simd: this file is not compiled for the device's instructions: raise -march, choose another device, "
                "or build it per ISA with tern_add_isas");
  static_assert(!std::is_same_v<Numerics, numerics::exact> || has_fma(D.instructions),
                "simd: exact numerics need fma, which this device has not: compile with -march=x86-64-v3, use "
                "tern::numerics::relaxed, or build per ISA with tern_add_isas");

  /// The calling thread does everything where no executor is given.
  using context = serial;

  template <class T>
  using core = tile::conv_core<lanes<T, arch_of<D>>, Tuning{}(D, sizeof(T))>;

  template <class Executor, class T, conv_pass P, epilogue E>
  static void run(Executor&&, const conv_sums<T, P, E>& q) {
    const index_t rows = q.shape.batch * q.extent(0) * q.extent(1);
    const index_t panels = (q.results() + core<T>::width - 1) / core<T>::width;
    core<T>::rows(q, 0, rows, 0, panels);
  }

  template <class Executor, class T, bool Accumulate>
  static void run(Executor&&, const conv_gradient<T, Accumulate>& q) {
    core<T>::gradient(q, 0, q.shape.groups * q.shape.taps());
  }

  template <class Executor, class T, bool Accumulate>
  static void run(Executor&&, const channel_sums<T, Accumulate>& q) {
    core<T>::sums(q, 0, q.channels);
  }
};

}  // namespace tern::inline TERN_ISA
