// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target of this translation unit, and the few macros of the library.
//
// TERN_ISA names the inline namespace of all generated code. Translation units with different -march, exception or
// fast-math flags name their functions differently, so the linker can never pick the AVX-512 body of a template for a
// machine without it. Vocabulary types (extents, layouts, views, configs, devices) stay outside the namespace and so
// cross between translation units; their members are TERN_FN and leave no symbol.
#pragma once

#include <cstddef>

#if !defined(__GNUC__)
#error "tern: this compiler is not supported; tested are g++ 12 and clang 16 and 19"
#endif
#if defined(__clang__) && !defined(__apple_build_version__) && __clang_major__ < 16
#error "tern: clang 16 or newer is needed"
#endif
#if __cplusplus < 202002L
#error "tern: C++20 is needed: compile with -std=c++20"
#endif

// Functions that must be inlined. TERN_PLAIN_INLINE leaves that to the compiler: compilation takes a third less time,
// at -O0 two thirds, and the code is slower, with the same bits. All sources of a program must then target one
// instruction set: functions outside of TERN_ISA remain in the objects.
#if defined(TERN_PLAIN_INLINE)
#define TERN_INLINE inline
#else
#define TERN_INLINE inline __attribute__((always_inline))
#endif
// Functions out of line, off the hot path.
#define TERN_COLD __attribute__((noinline, cold))
#if defined(__CUDACC__)
#define TERN_HD __host__ __device__
#define TERN_FN __host__ __device__ __forceinline__
#else
#define TERN_HD
#define TERN_FN TERN_INLINE
#endif
// Precedes a template that calls its caller's functions: the caller decides whether host or device runs them.
#if defined(__CUDACC__)
#define TERN_CALLS_BACK _Pragma("nv_exec_check_disable")
#else
#define TERN_CALLS_BACK
#endif
// Loops over the registers of a tile: unless they unroll, the tile lives in memory.
#if defined(__CUDA_ARCH__)
#define TERN_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define TERN_UNROLL  // nvcc's front end warns about g++'s pragma, and g++ about nvcc's
#else
#define TERN_UNROLL _Pragma("GCC unroll 64")
#endif

// Vectors come from xsimd, or from the compiler if tern's compiled part is linked (TERN_COMPILED). There are none
// without xsimd or on request (TERN_SCALAR, TERN_NO_XSIMD). The source is part of the namespace's name: the same flags
// give other lanes, and without vectors another `devices::native`.
#if defined(TERN_COMPILED) && !defined(TERN_SCALAR)
#define TERN_HAS_VECTORS 1
#define TERN_ISA_LANES _compiled
#elif !defined(TERN_SCALAR) && !defined(TERN_NO_XSIMD) && __has_include(<xsimd/xsimd.hpp>)
#define TERN_HAS_VECTORS 1
#define TERN_HAS_XSIMD 1
#define TERN_ISA_LANES
#else
#define TERN_ISA_LANES _scalar
#endif

// The target instruction set, from the compiler's macros; TERN_HAS_* if tern has vectors for it.
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define TERN_ISA_BASE avx512
#if defined(TERN_HAS_VECTORS)
#define TERN_HAS_AVX512 1
#define TERN_HAS_AVX2 1
#endif
#elif defined(__AVX2__) && defined(__FMA__) && defined(__AVX512F__)  // only a part of AVX-512, as in Knights Landing
#define TERN_ISA_BASE avx2_avx512f
#elif defined(__AVX2__) && defined(__FMA__)
#define TERN_ISA_BASE avx2
#if defined(TERN_HAS_VECTORS)
#define TERN_HAS_AVX2 1
#endif
#elif defined(__AVX__) && defined(__FMA__)
#define TERN_ISA_BASE avx_fma
#elif defined(__AVX__)
#define TERN_ISA_BASE avx
#elif defined(__SSE4_2__)
#define TERN_ISA_BASE sse4
#elif defined(__SSE2__)
#define TERN_ISA_BASE sse2
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define TERN_ISA_BASE neon64
#if defined(TERN_HAS_VECTORS)
#define TERN_HAS_NEON64 1
#endif
#else
#define TERN_ISA_BASE generic
#endif

// Extensions that compilers use on their own if enabled, one letter each.
#if defined(__AVX512BF16__) || defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
#define TERN_ISA_BF16 b
#else
#define TERN_ISA_BF16
#endif
#if defined(__AVX512VNNI__) || defined(__AVXVNNI__) || defined(__ARM_FEATURE_DOTPROD)
#define TERN_ISA_DOT v
#else
#define TERN_ISA_DOT
#endif
#if defined(__AVX512VBMI__) || defined(__AVX512VBMI2__) || defined(__ARM_FEATURE_SVE)
#define TERN_ISA_WIDE x
#else
#define TERN_ISA_WIDE
#endif
#if defined(__AVX512FP16__) || defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC)
#define TERN_ISA_FP16 h
#else
#define TERN_ISA_FP16
#endif
#if defined(__cpp_exceptions)
#define TERN_ISA_EXCEPTIONS
#else
#define TERN_ISA_EXCEPTIONS _noexcept
#endif
// Fast-math, as far as compilers report it; exact kernels refuse it.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#define TERN_FAST_MATH 1
#define TERN_ISA_MATH _fast
#else
#define TERN_ISA_MATH
#endif
#define TERN_PASTE_(a, b, c, d, e, f, g, h) isa_##a##b##c##d##e##f##g##h
#define TERN_PASTE(a, b, c, d, e, f, g, h) TERN_PASTE_(a, b, c, d, e, f, g, h)
#define TERN_ISA                                                                                       \
  TERN_PASTE(TERN_ISA_BASE, TERN_ISA_BF16, TERN_ISA_DOT, TERN_ISA_WIDE, TERN_ISA_FP16, TERN_ISA_LANES, \
             TERN_ISA_EXCEPTIONS, TERN_ISA_MATH)

namespace tern {

/// Sizes, strides and positions, in elements. Signed, so that differences and downward loops are safe.
using index_t = std::ptrdiff_t;

/// An extent or a config field known only at run time.
inline constexpr index_t dynamic = -1;

inline namespace TERN_ISA {
/// True if kernels of the compiled part, which the program links, replace instantiations.
inline constexpr bool links_compiled_part =
#if defined(TERN_COMPILED) && !defined(TERN_SCALAR)
    true;
#else
    false;
#endif
}  // namespace TERN_ISA

}  // namespace tern
