// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under the policy tern::simd: cores with vector units.
#pragma once

#include "tern/family/contraction/simd.hpp"
#include "tern/family/index/simd.hpp"
#include "tern/family/map/simd.hpp"
#include "tern/family/reduction/simd.hpp"
#include "tern/family/window/simd.hpp"
#include "tern/reference.hpp"
