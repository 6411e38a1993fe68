// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a view of an array of another size
// error: view: the container must have as many elements as the shape
#include "tern/reference.hpp"

float weights[12];
const tern::view v(weights, tern::extents<3, 5>{});
