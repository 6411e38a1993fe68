// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 1: stored_coupling: F and G must keep the shape of half of the channels
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<to_stream<>, stored_coupling<pad_channels<0, 1>, skip>, from_stream>,
                    sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
