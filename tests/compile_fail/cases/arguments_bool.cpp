// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a bool as a scale
// error: elementwise: argument 2 is a bool: it must be a view or a container, or a number
#include "tern/reference.hpp"

using matrix = tern::view<float, tern::dims<2>>;
using scaled = tern::kernel<tern::elementwise<tern::elementwise_config{.scale = true}>, tern::reference>;

void f(matrix x, matrix y) { scaled{}(x, true, y); }
