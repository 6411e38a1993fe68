// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv3d: there must be at most 2^45 weights
#include "tern/reference.hpp"

constexpr tern::conv3d_config huge{.in = 1, .out = 1, .kernel = {1 << 30, 1 << 30, 1 << 30}};
template struct tern::kernel<tern::conv3d<huge>, tern::reference>;
