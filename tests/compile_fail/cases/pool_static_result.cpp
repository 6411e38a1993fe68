// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool1d: x is 1x3x? and y is 1x3x5: y must be 1x3x4
// them
#include "tern/reference.hpp"

using op = tern::max_pool1d<tern::pool1d_config{.kernel = {2}, .extent = {8}}>;
template <tern::index_t... E>
using signal = tern::view<float, tern::extents<E...>, tern::layout_channels_last>;

void f(signal<1, 3, tern::dynamic> x, signal<1, 3, 5> y) { tern::kernel<op, tern::reference>{}(x, y); }
