// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: coupling: .bits of a drifting stream must be 0: it has no step
#include "tern/reference.hpp"

tern::kernel<tern::coupling<tern::coupling_config{.stream = tern::stream_kind::drifting, .bits = 12}>, tern::reference>
    k;
