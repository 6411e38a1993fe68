// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: three strides for two axes
// error: call to non-'constexpr' function 'void tern::detail::list_must_have_one_number_per_axis()'
// clang: non-type template argument is not a constant expression
// errors: 2
#include "tern/reference.hpp"

using namespace tern;
kernel<conv2d<conv2d_config{.in = 3, .out = 4, .stride = {1, 1, 1}}>, reference> k;
