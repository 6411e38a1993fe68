// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a view of another number of elements
// error: view: the container must have as many elements as the shape
#include <array>

#include "tern/reference.hpp"

using namespace tern;
void f(std::array<float, 11>& a) { const view v(a, extents<3, 4>()); }
