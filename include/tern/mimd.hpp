// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under the policy tern::mimd: tiles with private memory, working in supersteps.
#pragma once

#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/kernel/conv.hpp"
#include "tern/kernel/mimd/contraction.hpp"
#include "tern/kernel/mimd/convolution.hpp"
#include "tern/kernel/mimd/drawing.hpp"
#include "tern/kernel/mimd/loss.hpp"
#include "tern/kernel/mimd/mapping.hpp"
#include "tern/kernel/mimd/normalization.hpp"
#include "tern/kernel/mimd/place_sums.hpp"
#include "tern/kernel/mimd/pooling.hpp"
#include "tern/kernel/mimd/rearrangement.hpp"
#include "tern/kernel/mimd/softmax.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/reference.hpp"
