// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a pointer as the input of a network
// error: network::infer: argument 4, x, must know its size: it is a pointer, of which std::span(pointer, size) makes
// error: a range
#include <span>
#include <vector>

#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten, matmul<matmul_config{.n = 10}>>, sample_shape::image(3, 8, 8), reference>;
using floats = std::vector<float>;
using state = decltype(net::make_state());
void f(state& s, floats& p, const float* x, floats& y) { net::infer(s, p, p, x, y, y); }
