// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: upsample2d: linear interpolation is for float and double
#include "tern/reference.hpp"

using image = tern::view<tern::half, tern::dims<4>, tern::layout_channels_last>;
using op = tern::upsample2d<tern::upsample2d_config{.mode = tern::interpolation::linear}, tern::half>;

void f(image x, image y) { tern::kernel<op, tern::reference>{}(x, y); }
