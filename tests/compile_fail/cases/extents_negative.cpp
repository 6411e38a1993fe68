// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a negative extent
// error: extents: every extent must be at least 0 or tern::dynamic
#include "tern/core/extents.hpp"

tern::extents<3, -4> shape;
