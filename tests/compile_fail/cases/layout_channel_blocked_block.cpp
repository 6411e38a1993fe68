// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: layout_channel_blocked: the block must be at least 1 channel
#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"

tern::view<float, tern::dims<4>, tern::layout_channel_blocked<0>> x;
