// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: samples of another element type
// error: network::infer: argument 4, x, has elements of another type: they must be float
#include <span>
#include <vector>

#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten, matmul<matmul_config{.n = 10}>>, sample_shape::image(3, 8, 8), reference>;
using floats = std::vector<float>;
using state = decltype(net::make_state());
void f(state& s, floats& p, std::vector<double>& x, floats& y) { net::infer(s, p, p, x, y, y); }
