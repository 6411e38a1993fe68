// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: simd: the device must be a SIMD machine (device.execution)
#include "tern/simd.hpp"

constexpr tern::device tiles{.name = "tiles", .execution = tern::model::mimd};

tern::kernel<tern::matmul<>, tern::simd<tiles>> k;
