// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: reorder: backward_data takes (dy, dx)
#include "tern/reference.hpp"

using image = tern::view<float, tern::dims<4>, tern::layout_channels_last>;

void f(image x, image y) { tern::kernel<tern::reorder<>, tern::reference>{}.backward_data(x, y, y); }
