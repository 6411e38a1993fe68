// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a struct that is no block
// error: network: 0: this is not a block: it must be an op such as tern::conv2d<cfg>, a block of op/block.hpp, a struct
// error: with `define`, or a type for which tern::layer is specialised
// for which tern::layer is specialised
#include "tern/blocks.hpp"

using namespace tern;
struct mine {};
using net = network<mine, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
