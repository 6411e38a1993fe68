// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// devices::native follows the flags of the translation unit. Built once for every instruction set; EXPECTED names the
// device that must come out, and tern/simd.hpp must then have lanes for it.
#include <type_traits>

#include "tern/policy/layout_for.hpp"
#include "tern/simd.hpp"

namespace tern::test {

static_assert(devices::native.instructions == devices::EXPECTED.instructions);
static_assert(devices::native.vector_bytes == devices::EXPECTED.vector_bytes);
static_assert(devices::native_tiles.instructions == devices::EXPECTED.instructions);
static_assert(!std::is_void_v<arch_of<devices::native>>);
static_assert(!std::is_void_v<arch_of<devices::native_tiles>>);
static_assert(!std::is_void_v<arch_of<devices::power8>>);  // scalar lanes, on any machine
// The kernel packs what layout_for says: one column takes a whole panel.
template <class T>
constexpr index_t panel = contraction_kernel<simd<devices::native, numerics::relaxed>>::template packed_size<T>(1, 1);
static_assert(panel<float> == layout_for<matmul<matmul_config{}, float>>(devices::native).weights.block);
static_assert(panel<double> == layout_for<matmul<matmul_config{}, double>>(devices::native).weights.block);
#if !defined(TERN_HAS_XSIMD)
static_assert(std::is_same_v<arch_of<devices::native>, scalar_arch>);
#endif

}  // namespace tern::test
