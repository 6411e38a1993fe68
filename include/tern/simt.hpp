// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under the policy tern::simt, in their host contexts: the same source that runs on a GPU, as loops. Needs no
// CUDA; launches are in tern/simt.cuh.
#pragma once

#include "tern/kernel/simt/contraction.hpp"
#include "tern/kernel/simt/convolution.hpp"
#include "tern/kernel/simt/drawing.hpp"
#include "tern/kernel/simt/loss.hpp"
#include "tern/kernel/simt/mapping.hpp"
#include "tern/kernel/simt/normalization.hpp"
#include "tern/kernel/simt/place_sums.hpp"
#include "tern/kernel/simt/pooling.hpp"
#include "tern/kernel/simt/rearrangement.hpp"
#include "tern/kernel/simt/softmax.hpp"
#include "tern/reference.hpp"
