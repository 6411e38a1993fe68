// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a broken rule of an op with a name of its own
// errors: 2
// error: static assertion failed: matmul: .n must be at least 0 or tern::dynamic
// clang: matmul: .n must be at least 0 or tern::dynamic
// lines: 31, the op and the network
#include "tern/blocks.hpp"

using namespace tern;
struct head : matmul<matmul_config{.n = -2}> {};
using net = network<sequence<flatten, head>, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
