// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: the policy before the shape of a sample
// error: type/value mismatch at argument 2
// clang: template argument for non-type template parameter must be an expression
// errors: 2
#include "tern/blocks.hpp"

using namespace tern;
using net = network<skip, reference, sample_shape::features(6)>;
