// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: extents: static extents must agree
#include "tern/core/extents.hpp"

tern::extents<3, 5> shape(tern::extents<3, 4>{});
