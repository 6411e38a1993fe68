// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: sgd: parameters is written: it must be a view of elements that are not const
#include "tern/reference.hpp"

using span = tern::view<const float, tern::dims<1>>;
void f(span g, span p) { tern::kernel<tern::sgd<>, tern::reference>{}(g, p); }
