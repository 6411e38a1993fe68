// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool1d: there is no kernel under this policy here: include the header of its model: tern/reference.hpp,
// error: tern/simd.hpp, tern/mimd.hpp or tern/simt.hpp
#include "tern/policy/mimd.hpp"
#include "tern/reference.hpp"

template struct tern::kernel<tern::global_max_pool1d<>, tern::mimd<>>;
