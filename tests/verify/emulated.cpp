// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases under simd on vector units that xsimd emulates: every width on any machine. Built where the flags define
// XSIMD_WITH_EMULATED=1 (xsimd 13 or newer).
#include "tern/simd.hpp"

#include "tests/verify/all_matmuls.hpp"
#include "tests/verify/convs.hpp"
#include "tests/verify/fields.hpp"

namespace tern::test {
namespace {

constexpr device emulated(int bytes) {
  return {.name = "emulated", .instructions = isa::emulated, .vector_bytes = bytes, .vector_registers = 16};
}
constexpr device emulated_128 = emulated(16), emulated_256 = emulated(32), emulated_512 = emulated(64);

template <const device& D, class T>
void run_width(recorder& to, const char* matmul, const char* convolution, const char* fields) {
  const auto on_caller = [](auto...) { return serial{}; };
  all_matmuls<simd<D>, T, epilogues::some>(to, "simd", matmul, form::rows, on_caller, true);
  all_convs<simd<D>, T>(to, "simd", convolution, conv_form::last, on_caller, true);
  all_fields<simd<D>, T>(to, "simd", fields, field_form::last, on_caller);
}

template <class T>
void run_all(recorder& to) {
  run_width<emulated_128, T>(to, "128 emulated bits", "convolution, 128 emulated bits", "fields, 128 emulated bits");
  run_width<emulated_256, T>(to, "256 emulated bits", "convolution, 256 emulated bits", "fields, 256 emulated bits");
  run_width<emulated_512, T>(to, "512 emulated bits", "convolution, 512 emulated bits", "fields, 512 emulated bits");
}

}  // namespace

part part_emulated() {
  return [](recorder& to, executor_list) {
    run_all<float>(to);
    run_all<double>(to);
  };
}

}  // namespace tern::test
