// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: losses: backward_data takes (x, target, dlosses, dx), of gaussian_nll (mean, log_variance, target,
// error: dlosses, dmean, dlog_variance), of gaussian_kl the same without target; dlosses exactly where
// error: .reduce is none, a tern::loss_scale only where it is not
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;

void f(rows x) { tern::kernel<tern::gaussian_nll<>, tern::reference>{}.backward_data(x, x, x, x); }
