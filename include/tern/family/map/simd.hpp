// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps on cores with vector units.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/cpu/map_parts.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct mapping_kernel<simd<D, Numerics, Tuning>> : simd_parts_kernels<tile::map_parts, D, Numerics, Tuning> {};

template <const device& D, class Numerics, class Tuning>
struct drawing_kernel<simd<D, Numerics, Tuning>> : simd_parts_kernels<tile::map_parts, D, Numerics, Tuning> {};

}  // namespace tern::inline TERN_ISA

#if defined(TERN_COMPILED)
#include "tern/family/map/simd/compiled.hpp"
#endif
