// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: rearrangement: both tensors must have the rank (sample, channel, spatial...), with up to three axes
#include "tern/reference.hpp"

using image = tern::view<float, tern::dims<4>, tern::layout_channels_last>;

void f(image x, tern::view<float, tern::dims<3>> y) { tern::kernel<tern::reorder<>, tern::reference>{}(x, y); }
