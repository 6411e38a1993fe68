// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under the policy tern::simd: cores with vector units.
#pragma once

#include "tern/family/contraction/simd/contraction.hpp"
#include "tern/family/contraction/simd/convolution.hpp"
#include "tern/family/index/simd/rearrangement.hpp"
#include "tern/family/map/simd/drawing.hpp"
#include "tern/family/map/simd/mapping.hpp"
#include "tern/family/reduction/simd/loss.hpp"
#include "tern/family/reduction/simd/normalization.hpp"
#include "tern/family/reduction/simd/place_sums.hpp"
#include "tern/family/reduction/simd/softmax.hpp"
#include "tern/family/window/simd/pooling.hpp"
#include "tern/reference.hpp"
