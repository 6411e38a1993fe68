// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector unit of a device: the only place that chooses an xsimd architecture. Files that link the compiled part
// (TERN_COMPILED) have no xsimd; their architectures are vectors of the compiler.
//
// The choice is explicit because xsimd's own default loses fma with some -march flags (avxvnni derives from avx2 in
// xsimd 12.0 to 14.2, xtensor-stack/xsimd#1368). Without xsimd, or with TERN_SCALAR, only scalar lanes exist and
// `devices::native` is a scalar machine.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

#if defined(TERN_HAS_XSIMD)
#include <xsimd/xsimd.hpp>
#if XSIMD_VERSION_MAJOR < 8
#error "tern: xsimd 8.1 or newer is needed"
#endif

namespace tern::inline TERN_ISA {

/// An architecture of xsimd under a name shared only with translation units of the same instruction set. Without
/// optimisation (and up to version 12 with it) compilers may leave xsimd's functions out of line. If they were named
/// after xsimd::fma3<avx2> alone, the body from an AVX-512 translation unit could end up in one for AVX2.
template <class Base>
struct own_arch : Base {};

using sse2_arch = own_arch<xsimd::sse2>;
using sse4_arch = own_arch<xsimd::sse4_2>;
using avx2_arch = own_arch<xsimd::fma3<xsimd::avx2>>;
using avx512_arch = own_arch<xsimd::avx512bw>;
using neon64_arch = own_arch<xsimd::neon64>;

}  // namespace tern::inline TERN_ISA

// Registers are those of the base; xsimd's own derived ones would call back into functions named after the base.
namespace xsimd::types {

template <class T, class Base>
struct has_simd_register<T, tern::own_arch<Base>> : has_simd_register<T, Base> {};

template <class T, class Base>
struct simd_register<T, tern::own_arch<Base>> {
  using register_type = typename simd_register<T, Base>::register_type;
  register_type data;
  TERN_INLINE operator register_type() const noexcept { return data; }
};

template <class T, class Base>
  requires(!std::is_same_v<get_bool_simd_register_t<T, Base>, simd_register<T, Base>>)
struct get_bool_simd_register<T, tern::own_arch<Base>> {
  struct type {
    using register_type = typename get_bool_simd_register_t<T, Base>::register_type;
    register_type data;
    TERN_INLINE operator register_type() const noexcept { return data; }
  };
};

}  // namespace xsimd::types
#elif defined(TERN_HAS_VECTORS)

namespace tern::inline TERN_ISA {

/// Registers of `Bytes` bytes, as vectors of the compiler (batch.hpp).
template <isa Isa, int Bytes>
struct compiler_arch {
  static constexpr int bytes = Bytes;
};
using sse2_arch = compiler_arch<isa::sse2, 16>;
using sse4_arch = compiler_arch<isa::avx2, 16>;
using avx2_arch = compiler_arch<isa::avx2, 32>;
using avx512_arch = compiler_arch<isa::avx512, 64>;
using neon64_arch = compiler_arch<isa::neon64, 16>;

}  // namespace tern::inline TERN_ISA
#endif

namespace tern::inline TERN_ISA {

/// A vector unit of one lane: plain C++ arithmetic.
struct scalar_arch {};

/// The vector unit of an instruction set, `Bytes` wide; `void` if this translation unit cannot use it.
template <isa Isa, int Bytes>
struct arch_for {
  using type = void;
};
template <int Bytes>
struct arch_for<isa::scalar, Bytes> {
  using type = scalar_arch;
};

#if defined(TERN_HAS_VECTORS)
#if defined(__SSE2__)
template <>
struct arch_for<isa::sse2, 16> {
  using type = sse2_arch;
};
#endif
#if defined(TERN_HAS_AVX2)
template <>
struct arch_for<isa::avx2, 32> {
  using type = avx2_arch;
};
#endif
#if defined(TERN_HAS_AVX512)
template <>
struct arch_for<isa::avx512, 64> {
  using type = avx512_arch;
};
#endif
#if defined(TERN_HAS_NEON64)
template <>
struct arch_for<isa::neon64, 16> {
  using type = neon64_arch;
};
#endif
#if defined(TERN_HAS_XSIMD) && defined(XSIMD_WITH_EMULATED) && XSIMD_WITH_EMULATED
template <int Bytes>
struct arch_for<isa::emulated, Bytes> {
  using type = xsimd::emulated<Bytes * 8>;
};
#endif
#endif  // TERN_HAS_VECTORS

template <isa Isa, int Bytes>
using arch_for_t = typename arch_for<Isa, Bytes>::type;

/// The vector unit of a device; `void` if this translation unit cannot use it.
template <const device& D>
using arch_of = arch_for_t<D.instructions, D.vector_bytes>;

/// The same unit with registers of half the width, for remainder columns of a matrix; `void` if there is none.
template <class Arch>
struct half_arch {
  using type = void;
};
#if defined(TERN_HAS_AVX512)
template <>
struct half_arch<avx512_arch> {
  using type = avx2_arch;
};
#endif
#if defined(TERN_HAS_AVX2)
template <>
struct half_arch<avx2_arch> {
  using type = sse4_arch;
};
#endif

/// True if the unit has a fused multiply-add; without one no exact kernel is fast.
constexpr bool has_fma(isa i) { return i != isa::sse2; }

}  // namespace tern::inline TERN_ISA
