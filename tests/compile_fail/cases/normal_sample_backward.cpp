// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: normal_sample: backward_data takes (dy, log_variance, dmean, dlog_variance) and a tern::random_site
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
void f(rows x) { tern::kernel<tern::normal_sample<>, tern::reference>{}.backward_data(x, x, x); }
