// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an activation as a block
// error: type/value mismatch at argument 1 in template parameter list for 'template<class ... Blocks> struct
// error: tern::sequence'
// clang: template argument for template type parameter must be a type
// errors: 2
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<sequence<conv2d<conv2d_config{.out = 4}>, activation::relu>, sample_shape::image(1, 4, 4), reference>;
