// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a pool without a result
// error: avg_pool1d: the call takes (x, y)
#include "tern/reference.hpp"

using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;
using positions = tern::view<std::int32_t, tern::dims<3>, tern::layout_channels_last>;

void f(signal x, signal y, positions at) { tern::kernel<tern::global_avg_pool1d<>, tern::reference>{}(x, y, at); }
