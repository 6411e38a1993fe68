// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: layout_channel_blocked: the rank must be at least 2: sample and channel
#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"

tern::view<float, tern::dims<1>, tern::layout_channel_blocked<8>> x;
