// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: classes as real numbers
// error: trainer::step: argument 3, target, has elements of another type: they must be std::int32_t
#include <span>
#include <vector>

#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten, matmul<matmul_config{.n = 10}>>, sample_shape::image(3, 8, 8), reference>;
using floats = std::vector<float>;
using state = decltype(net::make_state());
using loss = cross_entropy<loss_config{.reduce = reduction::sum}>;
void f(trainer<net, loss, adam<>>& t, state& s, floats& x, floats& labels) { t.step(s, x, labels); }
