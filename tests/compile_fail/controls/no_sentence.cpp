// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that forgot to say what is wrong with it.
#include "tern/core/extents.hpp"

tern::extents<3, -4> shape;
