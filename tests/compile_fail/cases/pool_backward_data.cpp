// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool1d: backward_data takes (dy, x or indices, dx)
#include "tern/reference.hpp"

using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;

void f(signal dy, signal dx) { tern::kernel<tern::global_max_pool1d<>, tern::reference>{}.backward_data(dy, dx); }
