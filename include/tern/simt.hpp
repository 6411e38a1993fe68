// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under the policy tern::simt, in their host contexts: the source of the GPU kernels, as loops. Needs no CUDA;
// launches are in tern/simt.cuh.
#pragma once

#include "tern/family/contraction/simt/contraction.hpp"
#include "tern/family/contraction/simt/convolution.hpp"
#include "tern/family/index/simt.hpp"
#include "tern/family/map/simt.hpp"
#include "tern/family/reduction/simt/loss.hpp"
#include "tern/family/reduction/simt/normalization.hpp"
#include "tern/family/reduction/simt/place_sums.hpp"
#include "tern/family/reduction/simt/row_program.hpp"
#include "tern/family/window/simt.hpp"
#include "tern/reference.hpp"
