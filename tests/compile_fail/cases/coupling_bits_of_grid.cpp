// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: coupling: .bits of a grid must be 0 for the default, or from 1 to 22, in double to 51
#include "tern/reference.hpp"

tern::kernel<tern::coupling<tern::coupling_config{.stream = tern::stream_kind::grid, .bits = 52}, double>,
             tern::reference>
    k;
