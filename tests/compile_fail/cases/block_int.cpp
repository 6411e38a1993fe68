// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 1: matmul: in a network the element type must be float or double
// mistake: integers in a network
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten, matmul<matmul_config{.n = 3}, int>>, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
