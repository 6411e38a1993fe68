// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: upsample1d: x has 4 axes: it must be (n, channels, spatial...), 3 axes
#include "tern/reference.hpp"

using image = tern::view<float, tern::dims<4>, tern::layout_channels_last>;
using op = tern::upsample1d<tern::upsample1d_config{}>;

void f(image x, image y) { tern::kernel<op, tern::reference>{}(x, y); }
