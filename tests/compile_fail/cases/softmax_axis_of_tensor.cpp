// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: softmax: .axis must be an axis of the tensor
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows x, rows y) { tern::kernel<tern::softmax<tern::softmax_config{.axis = 2}>, tern::reference>{}(x, y); }
