// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: reversible: F and G must keep the shape of half of the channels
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<to_stream<>, reversible<matmul<matmul_config{.n = 4}>, skip>, from_stream>,
                    sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
