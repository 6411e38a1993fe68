// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a softmax without a result
// error: softmax: the call takes (x, mask, y); mask is taken if .mask is set
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows x, rows y) { tern::kernel<tern::softmax<tern::softmax_config{.mask = true}>, tern::reference>{}(x, y); }
