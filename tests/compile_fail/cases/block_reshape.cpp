// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a reshape to another number of elements
// error: reshape: the shape must have as many elements as the input
#include "tern/blocks.hpp"

using namespace tern;
using net = network<reshape<sample_shape::image(2, 2, 2)>, sample_shape::features(9), reference>;
static_assert(net::parameters == 0);
