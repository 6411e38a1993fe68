// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: cross_entropy: backward_data takes (x, target, weights, dlosses, dx); weights is taken if .class_weights is
// error: set, dlosses if .reduce is none, and optionally a tern::label_smoothing: it takes no tern::loss_scale
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;

using of_rows = tern::kernel<tern::cross_entropy<tern::loss_config{.reduce = tern::reduction::none}>, tern::reference>;
void f(rows x, column t) { of_rows{}.backward_data(x, t, t, x, tern::loss_scale{2}); }
