// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// errors: 2
// error: cannot convert 'tern::value' to 'const char*'
// clang: no viable conversion from 'value' to 'const char *'
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr value define(graph& g, value x) { return g.batch_norm(x, {}, x); }
};
using net = network<wrong, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
