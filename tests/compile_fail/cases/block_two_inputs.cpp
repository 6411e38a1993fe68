// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: two inputs of a chain
// error: network: there is one input: only a struct with `define` takes several
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<matmul<matmul_config{.n = 2}>>,
                    std::array{sample_shape::features(3), sample_shape::features(3)}, reference>;
static_assert(net::parameters >= 0);
