// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 1: depth_to_space2d: .block must divide the channels of the input, of a stream those of half of it
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<to_stream<>, depth_to_space2d<space_to_depth2d_config{.block = {2, 2}}>, from_stream>,
                    sample_shape::image(4, 3, 3), reference>;
static_assert(net::parameters >= 0);
