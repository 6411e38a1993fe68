// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under the policy tern::simd: cores with vector units.
#pragma once

#include "tern/kernel/simd/contraction.hpp"
#include "tern/kernel/simd/convolution.hpp"
#include "tern/kernel/simd/drawing.hpp"
#include "tern/kernel/simd/loss.hpp"
#include "tern/kernel/simd/mapping.hpp"
#include "tern/kernel/simd/normalization.hpp"
#include "tern/kernel/simd/place_sums.hpp"
#include "tern/kernel/simd/pooling.hpp"
#include "tern/kernel/simd/rearrangement.hpp"
#include "tern/kernel/simd/softmax.hpp"
#include "tern/reference.hpp"
