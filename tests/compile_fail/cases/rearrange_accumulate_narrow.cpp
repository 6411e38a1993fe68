// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: reorder: backward_data takes (dy, dx): it takes no tern::accumulate
#include "tern/reference.hpp"

using image = tern::view<tern::half, tern::dims<4>, tern::layout_channels_last>;

void f(image dy, image dx) {
  tern::kernel<tern::reorder<tern::half>, tern::reference>{}.backward_data(dy, dx, tern::accumulate);
}
