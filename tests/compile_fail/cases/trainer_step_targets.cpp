// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a training step without targets
// error: trainer::step takes (state, x, target, numbers, samples_per_call): there are 2 arguments
#include <span>
#include <vector>

#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten, matmul<matmul_config{.n = 10}>>, sample_shape::image(3, 8, 8), reference>;
using floats = std::vector<float>;
using state = decltype(net::make_state());
using loss = cross_entropy<loss_config{.reduce = reduction::sum}>;
void f(trainer<net, loss, adam<>>& t, state& s, floats& x) { t.step(s, x); }
