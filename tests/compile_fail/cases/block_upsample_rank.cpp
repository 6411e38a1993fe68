// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an upsample of features
// error: network: 0: upsample2d: the op takes images, of two axes: x is 6
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<upsample2d<upsample2d_config{.factor = 2}>>, sample_shape::features(6), reference>;
static_assert(net::parameters >= 0);
