// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a config of another rank
// error: could not convert 'tern::conv1d_config{3, 3,
// clang: no viable conversion from 'conv_config<1>' to 'conv_config<2>'
// errors: 2
#include "tern/reference.hpp"

using namespace tern;
kernel<conv2d<conv1d_config{.in = 3, .out = 3}>, reference> k;
