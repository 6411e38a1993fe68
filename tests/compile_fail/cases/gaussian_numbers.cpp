// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: multivariate_gaussian_nll: there must be 1 to 4 numbers
#include "tern/reference.hpp"

tern::kernel<tern::multivariate_gaussian_nll<9>, tern::reference> k;
