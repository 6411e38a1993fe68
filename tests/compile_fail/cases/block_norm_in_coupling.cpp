// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 1: batch_norm: .epsilon must be positive and finite
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<to_stream<>, reversible<batch_norm<norm_config{.epsilon = 0.0}>, skip>, from_stream>,
                    sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
