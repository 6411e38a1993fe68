// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a temporary as run-time state
// error: network::infer: argument 1, state, must be a variable: it is a temporary
#include <span>
#include <vector>

#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten, matmul<matmul_config{.n = 10}>>, sample_shape::image(3, 8, 8), reference>;
using floats = std::vector<float>;
using state = decltype(net::make_state());
void f(floats& p) { net::infer(net::make_state(), p, p, p, p, p); }
