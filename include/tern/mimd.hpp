// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under the policy tern::mimd: tiles with private memory, working in supersteps.
#pragma once

#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/contraction/mimd/contraction.hpp"
#include "tern/family/contraction/mimd/convolution.hpp"
#include "tern/family/index/mimd.hpp"
#include "tern/family/map/mimd.hpp"
#include "tern/family/reduction/mimd/loss.hpp"
#include "tern/family/reduction/mimd/normalization.hpp"
#include "tern/family/reduction/mimd/place_sums.hpp"
#include "tern/family/reduction/mimd/row_program.hpp"
#include "tern/family/window/mimd.hpp"
#include "tern/kernel/conv.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/reference.hpp"
