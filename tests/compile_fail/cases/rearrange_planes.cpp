// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: upsample2d: x must have its channels next to each other: use tern::layout_channels_last or
// tern::layout_channel_blocked, which tern::reorder brings tensors into
#include "tern/reference.hpp"

using image = tern::view<float, tern::dims<4>, tern::layout_channels_last>;
using op = tern::upsample2d<tern::upsample2d_config{}>;

void f(tern::view<float, tern::dims<4>> x, image y) { tern::kernel<op, tern::reference>{}(x, y); }
