// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: elementwise: the slope of .act must be at least 0 and finite
#include "tern/reference.hpp"

tern::kernel<tern::elementwise<tern::elementwise_config{.act = tern::elu(-0.5)}>, tern::reference> k;
