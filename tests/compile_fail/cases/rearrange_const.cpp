// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: reorder: y is written: it must be a view of elements that are not const
#include "tern/reference.hpp"

using image = tern::view<float, tern::dims<4>, tern::layout_channels_last>;
using constants = tern::view<const float, tern::dims<4>, tern::layout_channels_last>;

void f(image x, constants y) { tern::kernel<tern::reorder<>, tern::reference>{}(x, y); }
