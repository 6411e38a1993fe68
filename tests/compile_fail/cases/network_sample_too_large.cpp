// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: a sample must have at most 2^40 elements
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten>, sample_shape::image(1 << 20, 1 << 20, 1 << 20), reference>;
static_assert(net::parameters >= 0);
