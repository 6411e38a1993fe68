// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an axis that no tensor has
// error: softmax: .axis must be between -5 and 4
#include "tern/reference.hpp"

tern::kernel<tern::softmax<tern::softmax_config{.axis = 5}>, tern::reference> k;
