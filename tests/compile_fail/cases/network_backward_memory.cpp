// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a backward pass without the memory of the forward pass
// error: network::backward takes (state, parameters, gradient, x, y, dy, dx, memory, site, of_penalties,
// error: step_samples): there are 7 arguments
#include <span>
#include <vector>

#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten, matmul<matmul_config{.n = 10}>>, sample_shape::image(3, 8, 8), reference>;
using floats = std::vector<float>;
using state = decltype(net::make_state());
void f(state& s, floats& p) { net::backward(s, p, p, p, p, p, p); }
