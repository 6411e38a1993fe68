// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: gaussian_nll: backward_data takes (mean, log_variance, target, dlosses, dmean, dlog_variance); dlosses is
// error: taken if .reduce is none
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;

void f(rows x) { tern::kernel<tern::gaussian_nll<>, tern::reference>{}.backward_data(x, x, x, x); }
