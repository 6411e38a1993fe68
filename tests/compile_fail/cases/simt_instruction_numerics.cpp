// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: simt: there are exact (and relaxed) numerics, not numerics::instruction
#include "tern/simt.hpp"

using policy = tern::simt<tern::devices::h200, tern::numerics::instruction>;

tern::kernel<tern::conv1d<tern::conv1d_config{.in = 3, .out = 4}>, policy> k;
