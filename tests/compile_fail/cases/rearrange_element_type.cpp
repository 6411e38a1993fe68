// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: reorder: x must have the element type of the op
#include "tern/reference.hpp"

using image = tern::view<float, tern::dims<4>, tern::layout_channels_last>;

void f(image x, image y) { tern::kernel<tern::reorder<double>, tern::reference>{}(x, y); }
