// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-time choice of an instruction set. The caller's kernels are in one source, compiled once per instruction set;
// they are accessed through an ordinary function, overloaded by tag:
//
//     // kernels.hpp, included everywhere
//     struct api { void (*forward)(const float* x, float* y); };
//     api make_api(tern::isa_tag::avx512);
//     api make_api(tern::isa_tag::avx2);
//     api make_api(tern::isa_tag::scalar);
//
//     // kernels.cpp, compiled by tern_add_isas(program SOURCES kernels.cpp)
//     namespace { void forward(const float* x, float* y) { ... tern::simd<> ... } }
//     api make_api(tern::isa_tag::current) { return {forward}; }
//
//     // main.cpp, compiled for any machine
//     const api kernels = tern::dispatch([](auto isa) { return make_api(isa); });
//
// All names of tern differ between the compilations. Give your own helpers internal linkage, as above, and keep
// templates of other libraries (std::vector<float>) out of kernels.cpp: the linker merges equal names, and may keep the
// body for another machine. Networks of blocks use spans and tuples, which leave no symbol in optimised code; compile
// kernels.cpp with -O1 at least, also for debugging.
#pragma once

#include <cstring>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tern::isa_tag {

/// Any machine: tern uses no vector instructions, the compiler may.
struct scalar {
  static constexpr const char* name = "scalar";
  TERN_INLINE static bool runs_here() { return true; }
};

/// -march=x86-64-v3, all of it: avx2, fma, bmi, bmi2, f16c, lzcnt, movbe, and registers that the system saves.
struct avx2 {
  static constexpr const char* name = "avx2";
  TERN_INLINE static bool runs_here() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2"))
      return false;
    unsigned a = 0, b = 0, basic = 0, extended = 0, d = 0;  // clang 16 has no names for the others
    return __get_cpuid(1, &a, &b, &basic, &d) && __get_cpuid(0x80000001u, &a, &b, &extended, &d) &&
           (basic & bit_F16C) && (basic & bit_MOVBE) && (extended & bit_LZCNT);
#else
    return false;
#endif
  }
};

/// -march=x86-64-v4, all of it: avx2 and avx512f, bw, cd, dq, vl.
struct avx512 {
  static constexpr const char* name = "avx512";
  TERN_INLINE static bool runs_here() {
#if defined(__x86_64__)
    return avx2::runs_here() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
  }
};

/// -march=armv8-a.
struct neon64 {
  static constexpr const char* name = "neon64";
  TERN_INLINE static bool runs_here() {
#if defined(__aarch64__)
    return true;
#else
    return false;
#endif
  }
};

/// The target instruction set of this translation unit, with xsimd or without.
#if defined(TERN_SCALAR)
using current = scalar;
#elif defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
using current = avx512;
#elif defined(__AVX2__) && defined(__FMA__)
using current = avx2;
#elif defined(__aarch64__) && defined(__ARM_NEON)
using current = neon64;
#else
using current = scalar;
#endif

/// Instruction sets in order of preference.
template <class... Isas>
struct list {};

/// The default instruction sets of tern_add_isas.
#if defined(__x86_64__)
using all = list<avx512, avx2, scalar>;
#elif defined(__aarch64__)
using all = list<neon64, scalar>;
#else
using all = list<scalar>;
#endif

}  // namespace tern::isa_tag

namespace tern::inline TERN_ISA {

namespace impl {

/// Calls f with the first tag, from `at_most` on, that this machine runs. `reached` is true if the list begins after
/// `at_most`.
template <class First, class... Rest, class F>
auto dispatch_among(isa_tag::list<First, Rest...>, F& f, const char* at_most, bool reached) -> decltype(f(First{})) {
  reached = reached || std::strcmp(at_most, First::name) == 0;
  if (reached && First::runs_here()) return f(First{});
  if constexpr (sizeof...(Rest) > 0)
    return dispatch_among(isa_tag::list<Rest...>{}, f, at_most, reached);
  else if (reached)
    violation("dispatch: this machine runs none of the instruction sets that are left to choose from");
  else
    violation("dispatch: at_most is \"%s\", which is none of the instruction sets to choose from", at_most);
}

}  // namespace impl

/// Calls f(tag) for the best instruction set that this machine runs.
/// \tparam Isas     tags in order of preference: those given to tern_add_isas, or none for its defaults
/// \param  f        callable with each of the tags, with one result type
/// \param  at_most  name of a tag: skips those before it, for tests and measurements. Null skips none.
/// Throws std::invalid_argument if no tag is left. Cost: a few cpuid instructions; call it once and keep the result.
template <class... Isas, class F>
auto dispatch(F f, const char* at_most = nullptr) {
  using isas = std::conditional_t<sizeof...(Isas) == 0, isa_tag::all, isa_tag::list<Isas...>>;
  return impl::dispatch_among(isas{}, f, at_most ? at_most : "", at_most == nullptr);
}

}  // namespace tern::inline TERN_ISA
