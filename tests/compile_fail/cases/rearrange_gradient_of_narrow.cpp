// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: upsample2d: gradients that are sums are for float and double
#include "tern/reference.hpp"

using image = tern::view<tern::half, tern::dims<4>, tern::layout_channels_last>;
using op = tern::upsample2d<tern::upsample2d_config{}, tern::half>;

void f(image dy, image dx) { tern::kernel<op, tern::reference>{}.backward_data(dy, dx); }
