// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: pad2d: the call takes (x, y): it takes no tern::padding_value
#include "tern/reference.hpp"

using image = tern::view<float, tern::dims<4>, tern::layout_channels_last>;
using op = tern::pad2d<tern::pad2d_config{.mode = tern::border::reflect}>;

void f(image x, image y) { tern::kernel<op, tern::reference>{}(x, y, tern::padding_value{1}); }
