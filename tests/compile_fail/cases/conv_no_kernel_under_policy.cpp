// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: the header of the policy is missing for a convolution
// error: conv1d: there is no kernel under this policy here: include the header of its model: tern/reference.hpp,
// error: tern/simd.hpp, tern/mimd.hpp or tern/simt.hpp
#include "tern/policy/simt.hpp"
#include "tern/reference.hpp"

tern::kernel<tern::conv1d<tern::conv1d_config{.in = 3, .out = 4}>, tern::simt<>> k;
