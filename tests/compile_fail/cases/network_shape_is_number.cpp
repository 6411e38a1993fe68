// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: the second argument must be the shape of a sample, such as tern::sample_shape::features(784), or
// error: a std::array of shapes
// mistake: a number for the shape of a sample
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten>, 784, reference>;
static_assert(net::parameters >= 0);
