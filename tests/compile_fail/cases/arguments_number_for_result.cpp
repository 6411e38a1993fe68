// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a number in the place of the result
// error: elementwise: argument 3 is a number: it must be a view or a container
#include "tern/reference.hpp"

using matrix = tern::view<float, tern::dims<2>>;
using scaled = tern::kernel<tern::elementwise<tern::elementwise_config{.scale = true}>, tern::reference>;

void f(matrix x) { scaled{}(x, 0.5, 1.0); }
