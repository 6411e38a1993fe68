// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv1d: w must not be packed weights
#include "tern/reference.hpp"

using conv = tern::kernel<tern::conv1d<tern::conv1d_config{.in = 3, .out = 4}>, tern::reference>;

auto f(const conv& k, tern::view<float, tern::dims<3>> w) { return k.pack(k.pack(w)); }
