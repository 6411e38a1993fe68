// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: targets of another type
// error: cross_entropy: target must have elements of type std::int32_t
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;

void f(rows x, column losses) { tern::kernel<tern::cross_entropy<>, tern::reference>{}(x, losses, losses, losses); }
