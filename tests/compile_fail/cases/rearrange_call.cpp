// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: reorder: the call takes (x, y)
#include "tern/reference.hpp"

using image = tern::view<float, tern::dims<4>, tern::layout_channels_last>;

void f(image x, image y) { tern::kernel<tern::reorder<>, tern::reference>{}(x, y, tern::accumulate); }
