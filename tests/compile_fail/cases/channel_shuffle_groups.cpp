// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: channel_shuffle: .groups must be at least 1
#include "tern/reference.hpp"

tern::kernel<tern::channel_shuffle<tern::channel_shuffle_config{.groups = 0}>, tern::reference> k;
