// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: pooling: extent 1 of x and y, the channels, must be equal, and .channels where that is set
#include "tern/reference.hpp"

using op = tern::max_pool1d<tern::pool1d_config{.kernel = {2}}>;
template <tern::index_t... E>
using signal = tern::view<float, tern::extents<E...>, tern::layout_channels_last>;

void f(signal<1, 3, 8> x, signal<1, 4, 4> y) { tern::kernel<op, tern::reference>{}(x, y); }
