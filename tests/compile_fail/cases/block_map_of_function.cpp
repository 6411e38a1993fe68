// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: map_of: the function must take 1 to 4 numbers or vectors V: V operator()(V a) const
#include "tern/blocks.hpp"

using namespace tern;
struct none {};
using net = network<sequence<map_of<none>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
