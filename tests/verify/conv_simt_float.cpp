// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define TERN_VERIFY_ELEMENT float
#define TERN_VERIFY_PART part_conv_simt_float
#include "tests/verify/conv_simt.cpp"
