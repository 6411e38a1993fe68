// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a config in the place of an op
// error: type/value mismatch at argument 1
// clang: template argument for template type parameter must be a type
#include "tern/reference.hpp"

using namespace tern;
kernel<matmul_config{}, reference> k;
