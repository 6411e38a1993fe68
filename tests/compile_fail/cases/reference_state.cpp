// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an executor for the reference policy
// error: kernel: the first argument of the call must be a tensor: there is no run-time state
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
void f(rows x, rows y) { tern::kernel<tern::softmax<>, tern::reference>{}(3, x, y); }
