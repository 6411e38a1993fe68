// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: kernel: plan takes a tensor and a pass under this policy, and no more
#include "tern/reference.hpp"

using k = tern::kernel<tern::global_avg_pool1d<>, tern::reference>;

auto f(tern::view<float, tern::dims<3>, tern::layout_channels_last> x) { return k::plan(x, tern::pass::forward, 4); }
