// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled for each element type, width and part of the cases.
#include "tests/verify/emulated.hpp"

#include <string>

#include "tern/simd.hpp"
#include "tests/verify/all_matmuls.hpp"
#include "tests/verify/convs.hpp"
#include "tests/verify/fields.hpp"

namespace tern::test {

template <int Bits>
inline constexpr device emulated{
    .name = "emulated", .instructions = isa::emulated, .vector_bytes = Bits / 8, .vector_registers = 16};

namespace {

constexpr field_ops ops_of(emulated_cases which) {
  switch (which) {
    case emulated_cases::moves: return field_ops::moves;
    case emulated_cases::maps: return field_ops::maps;
    case emulated_cases::norms: return field_ops::norms;
    case emulated_cases::batch_norms: return field_ops::batch_norms;
    case emulated_cases::softmax: return field_ops::softmax;
    default: return field_ops::losses;
  }
}

}  // namespace

template <class T, int Bits, emulated_cases Which>
void run_emulated(recorder& to) {
  using policy = simd<emulated<Bits>>;
  const auto on_caller = [](auto...) { return serial{}; };
  const std::string way = std::to_string(Bits) + " emulated bits";
  if constexpr (Which == emulated_cases::matmuls)
    all_matmuls<policy, T, epilogues::few>(to, "simd", way.c_str(), form::rows, on_caller, true);
  else if constexpr (Which == emulated_cases::convolutions)
    all_convs<policy, T>(to, "simd", ("convolution, " + way).c_str(), conv_form::last, on_caller, true);
  else
    all_fields<policy, T, ops_of(Which)>(to, "simd", ("fields, " + way).c_str(), field_form::last, on_caller);
}

template void run_emulated<TERN_VERIFY_ELEMENT, TERN_VERIFY_BITS, emulated_cases::TERN_VERIFY_CASES>(recorder&);

}  // namespace tern::test
