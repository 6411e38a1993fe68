// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: one number in braces for two axes
// error: constexpr
// also: list_must_have_one_number_per_axis
#include "tern/reference.hpp"

constexpr tern::conv2d_config config{.in = 1, .out = 1, .kernel = {3}};
