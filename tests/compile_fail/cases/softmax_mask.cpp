// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: softmax: mask must have elements of type std::uint8_t
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows x, rows y) { tern::kernel<tern::softmax<tern::softmax_config{.mask = true}>, tern::reference>{}(x, x, y); }
