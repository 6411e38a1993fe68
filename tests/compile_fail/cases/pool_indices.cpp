// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool1d: indices must have elements of type std::int32_t
#include "tern/reference.hpp"

using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;
using positions = tern::view<long, tern::dims<3>, tern::layout_channels_last>;

void f(signal x, signal y, positions at) { tern::kernel<tern::global_max_pool1d<>, tern::reference>{}(x, y, at); }
