// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: argmax: .axis must be between -5 and 4
#include "tern/reference.hpp"

tern::kernel<tern::argmax<tern::argmax_config{.axis = 9}>, tern::reference> k;
