// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which vector unit a device stands for: the choice of xsimd architecture, made here and nowhere else.
//
// The choice is explicit because xsimd's own default loses fma with some -march flags (avxvnni derives from avx2 in
// xsimd 12.0 to 14.2, xtensor-stack/xsimd#1368). Where xsimd is absent, or TERN_SCALAR is defined, only scalar lanes
// exist and `devices::native` is a scalar machine.
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

#if defined(TERN_HAS_XSIMD)
#include <xsimd/xsimd.hpp>
#endif

namespace tern::inline TERN_ISA {

/// A vector unit of one lane: plain C++ arithmetic.
struct scalar_arch {};

/// The vector unit of an instruction set, `Bytes` wide; `void` where this translation unit cannot use it.
template <isa I, int Bytes>
struct arch_for {
  using type = void;
};
template <int Bytes>
struct arch_for<isa::scalar, Bytes> {
  using type = scalar_arch;
};

#if defined(TERN_HAS_XSIMD)
#if XSIMD_VERSION_MAJOR < 8
#error "tern: xsimd 8.1 or newer is needed"
#endif
#if defined(__SSE2__)
template <>
struct arch_for<isa::sse2, 16> {
  using type = xsimd::sse2;
};
#endif
#if defined(TERN_HAS_AVX2)
template <>
struct arch_for<isa::avx2, 32> {
  using type = xsimd::fma3<xsimd::avx2>;
};
#endif
#if defined(TERN_HAS_AVX512)
template <>
struct arch_for<isa::avx512, 64> {
  using type = xsimd::avx512bw;
};
#endif
#if defined(TERN_HAS_NEON64)
template <>
struct arch_for<isa::neon64, 16> {
  using type = xsimd::neon64;
};
#endif
#if defined(XSIMD_WITH_EMULATED) && XSIMD_WITH_EMULATED
template <int Bytes>
struct arch_for<isa::emulated, Bytes> {
  using type = xsimd::emulated<Bytes * 8>;
};
#endif
#endif  // TERN_HAS_XSIMD

template <isa I, int Bytes>
using arch_for_t = typename arch_for<I, Bytes>::type;

/// The vector unit of a device; `void` where this translation unit cannot use it.
template <const device& D>
using arch_of = arch_for_t<D.instructions, D.vector_bytes>;

/// The same unit with registers of half the width, for the columns that a matrix has too many; `void` where there is
/// none.
template <class Arch>
struct half_arch {
  using type = void;
};
#if defined(TERN_HAS_XSIMD) && defined(TERN_HAS_AVX512)
template <>
struct half_arch<xsimd::avx512bw> {
  using type = xsimd::fma3<xsimd::avx2>;
};
#endif
#if defined(TERN_HAS_XSIMD) && defined(TERN_HAS_AVX2)
template <>
struct half_arch<xsimd::fma3<xsimd::avx2>> {
  using type = xsimd::sse4_2;
};
#endif

/// Whether the unit has a fused multiply-add, without which nothing exact can be computed at speed.
constexpr bool has_fma(isa i) { return i != isa::sse2; }

}  // namespace tern::inline TERN_ISA
