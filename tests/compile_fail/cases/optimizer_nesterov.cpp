// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: sgd: .nesterov needs .momentum
#include "tern/reference.hpp"

tern::kernel<tern::sgd<tern::sgd_config{.nesterov = true}>, tern::reference> k;
