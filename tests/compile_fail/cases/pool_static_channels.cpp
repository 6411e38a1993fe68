// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool1d: y is 1x4x4 and x is 1x3x8: they must agree on channels
#include "tern/reference.hpp"

using op = tern::max_pool1d<tern::pool1d_config{.kernel = {2}}>;
template <tern::index_t... E>
using signal = tern::view<float, tern::extents<E...>, tern::layout_channels_last>;

void f(signal<1, 3, 8> x, signal<1, 4, 4> y) { tern::kernel<op, tern::reference>{}(x, y); }
