// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: softmax: backward_data takes (dy, y, dx)
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows dy, rows dx) { tern::kernel<tern::softmax<>, tern::reference>{}.backward_data(dy, dx); }
