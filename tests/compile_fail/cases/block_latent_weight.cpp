// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: normal_latent: Weight must be a std::ratio of at least 0
#include "tern/blocks.hpp"

using namespace tern;
using net = network<normal_latent<std::ratio<-1>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
