// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: .groups must divide its channels
#include "tern/blocks.hpp"

using namespace tern;
using net = network<channel_shuffle<channel_shuffle_config{.groups = 3}>, sample_shape::image(4, 2, 2), reference>;
static_assert(net::parameters >= 0);
