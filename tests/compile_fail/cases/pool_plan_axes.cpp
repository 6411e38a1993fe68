// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool2d: x has 3 axes: it must be (n, channels, spatial...), 4 axes
#include "tern/reference.hpp"

using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;

constexpr tern::pool_config<2> config{.kernel = {2, 2}};

auto f(signal x) { return tern::kernel<tern::max_pool2d<config>, tern::reference>::plan(x); }
