// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a broken rule of an op with a name of its own
// error: network: 1: matmul: .n must be given and at least 1: it is the number of results of a sample
#include "tern/blocks.hpp"

using namespace tern;
struct head : matmul<matmul_config{.n = -2}> {};
using net = network<sequence<flatten, head>, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
