// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: inference without run-time state
// error: network::infer takes (state, parameters, statistics, x, y, memory) or (state, packed, x, y, memory): there
// error: are 5 arguments
#include <span>
#include <vector>

#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten, matmul<matmul_config{.n = 10}>>, sample_shape::image(3, 8, 8), reference>;
using floats = std::vector<float>;
using state = decltype(net::make_state());
void f(floats& p, floats& x, floats& y) { net::infer(p, p, x, y, p); }
