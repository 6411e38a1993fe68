// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases under simd on vector units that xsimd emulates: every width on any machine. Built where the flags define
// XSIMD_WITH_EMULATED=1 (xsimd 13 or newer).
#pragma once

#include "tests/verify/recorder.hpp"

namespace tern::test {

/// Parts that are compiled separately: all of a width together take a compiler gigabytes.
enum class emulated_cases { matmuls, convolutions, moves, maps, norms, batch_norms, softmax, losses };

/// Instantiated in emulated.cpp, which is compiled for each element type, width and part of the cases.
template <class T, int Bits, emulated_cases Which>
void run_emulated(recorder& to);

template <class T, int Bits>
void run_emulated_width(recorder& to) {
  run_emulated<T, Bits, emulated_cases::matmuls>(to);
  run_emulated<T, Bits, emulated_cases::convolutions>(to);
  run_emulated<T, Bits, emulated_cases::moves>(to);
  run_emulated<T, Bits, emulated_cases::maps>(to);
  run_emulated<T, Bits, emulated_cases::norms>(to);
  run_emulated<T, Bits, emulated_cases::batch_norms>(to);
  run_emulated<T, Bits, emulated_cases::softmax>(to);
  run_emulated<T, Bits, emulated_cases::losses>(to);
}

template <class T>
void run_emulated_widths(recorder& to) {
  run_emulated_width<T, 128>(to);
  run_emulated_width<T, 256>(to);
  run_emulated_width<T, 512>(to);
}

}  // namespace tern::test
