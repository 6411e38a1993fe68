// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: the accumulator must be tern::accumulator_t of the element type
#include "tern/op/matmul.hpp"

tern::matmul<tern::matmul_config{}, float, double> op;
