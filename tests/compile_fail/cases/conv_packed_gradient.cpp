// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv1d: dw must not be packed weights
#include "tern/reference.hpp"

constexpr tern::conv1d_config config{.in = 2, .out = 2, .kernel = {3}};
using kernel = tern::kernel<tern::conv1d<config>, tern::reference>;
using image = tern::view<float, tern::dims<3>, tern::layout_channels_last>;
void f(image x, tern::view<float, tern::extents<3, 2, 2>> w) { kernel{}.backward_weights(x, x, kernel{}.pack(w)); }
