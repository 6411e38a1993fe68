// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0.0: group_norm: .groups must be at least 1
#include "tern/blocks.hpp"

using namespace tern;
struct middle : group_norm<norm_config{.groups = 0}> {};
using net = network<sequence<residual<middle>, flatten>, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
